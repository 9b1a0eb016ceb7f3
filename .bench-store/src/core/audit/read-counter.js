/** `full` is called when a second has ended, or when it has seen too many kinds of calls to remember them all. */
export function createReadCounter(now, full) {
    let byOperation = new Map();
    let tallies = [];
    let last = { operation: '', principal: '', adapter: '', calls: 0 };
    let ends = 0;
    let second = 0;
    const find = (operation, principal, adapter) => {
        let byPrincipal = byOperation.get(operation);
        if (!byPrincipal) {
            byPrincipal = new Map();
            byOperation.set(operation, byPrincipal);
        }
        const known = byPrincipal.get(principal);
        if (known && known.adapter === adapter)
            return known;
        const tally = { operation, principal, adapter, calls: 0 };
        byPrincipal.set(principal, tally);
        tallies.push(tally);
        return tally;
    };
    return {
        count(operation, principal, adapter) {
            const time = now();
            if (time >= ends || time < second) {
                if (tallies.length > 0)
                    full();
                second = Math.floor(time / 1_000) * 1_000;
                ends = second + 1_000;
            }
            else if (tallies.length >= MOST_TALLIES)
                full();
            if (last.operation !== operation || last.principal !== principal || last.adapter !== adapter || last.calls === 0)
                last = find(operation, principal, adapter);
            last.calls++;
        },
        take() {
            const timestamp = new Date(second).toISOString();
            const entries = tallies.map(({ operation, principal, adapter, calls }) => {
                const where = { operation, adapter_name: adapter, user_id: principal };
                return { timestamp, event: 'OPERATIONS_COUNTED', ...where, danger_level: 0, calls };
            });
            byOperation = new Map();
            tallies = [];
            last = { operation: '', principal: '', adapter: '', calls: 0 };
            return entries;
        },
    };
}
const MOST_TALLIES = 10_000;
