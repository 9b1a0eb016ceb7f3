/** Money is counted in whole millionths, because sums of binary fractions drift. */
const MICROS = 1_000_000;
const PICOS = 1_000_000_000_000;
/** A price or threshold of at most 6 decimals in millionths; `undefined` when it cannot be counted exactly. */
export function toMicros(amount) {
    const micros = Math.round(amount * MICROS);
    return amount >= 0 && Number.isSafeInteger(micros) && micros / MICROS === amount ? micros : undefined;
}
export function fromMicros(micros) {
    return micros / MICROS;
}
/** The price of one token, which may have 12 decimals. */
export function toPicos(amount) {
    const picos = Math.round(amount * PICOS);
    return amount >= 0 && Number.isSafeInteger(picos) && picos / PICOS === amount ? BigInt(picos) : undefined;
}
/** Rounded up: what is spent is never counted as less. */
export function picosToMicros(picos) {
    const micros = (picos + PICOS_PER_MICRO - 1n) / PICOS_PER_MICRO;
    return micros > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(micros);
}
const PICOS_PER_MICRO = 1000000n;
