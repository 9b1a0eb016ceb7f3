const MOST_FINDINGS = 64;
const MOST_FACTORS = 8;
const LONGEST_FACTOR = 160;
export function createLedger() {
    return { score: 0, findings: new Map() };
}
export function note(ledger, score, why) {
    const bounded = Math.min(100, Math.max(0, score));
    const before = ledger.findings.get(why);
    ledger.score = Math.max(ledger.score, bounded);
    if (before === undefined && ledger.findings.size >= MOST_FINDINGS && bounded < ledger.score)
        return;
    if (before === undefined || before < bounded)
        ledger.findings.set(why, bounded);
}
/** The gravest reasons first, bounded in number and length. */
export function factorsOf({ findings }) {
    return [...findings]
        .sort(([, a], [, b]) => b - a)
        .slice(0, MOST_FACTORS)
        .map(([why, score]) => clip(`${why} (${Math.ceil(score)})`));
}
function clip(text) {
    const plain = Array.from(text, (char) => (isPlain(char) ? char : '·')).join('');
    return plain.length > LONGEST_FACTOR ? `${plain.slice(0, LONGEST_FACTOR - 1)}…` : plain;
}
/** Factors go to terminals and pages: nothing that moves a cursor, hides or reorders. */
function isPlain(char) {
    const code = char.codePointAt(0) ?? 0;
    return (code >= 0x20 &&
        !(code >= 0x7f && code < 0xa1) &&
        !(code >= 0x2000 && code < 0x2070) &&
        (code < 0xd800 || (code > 0xf8ff && code < 0xfe00)));
}
