const FIRST_CAPACITY = 1_024;
export function createColumn(make) {
    let items = make(FIRST_CAPACITY);
    let length = 0;
    return {
        push(value) {
            if (length === items.length) {
                const wider = make(2 * length);
                wider.set(items);
                items = wider;
            }
            items[length++] = value;
        },
        length: () => length,
        finish() {
            const whole = make(length);
            whole.set(items.subarray(0, length));
            return whole;
        },
    };
}
