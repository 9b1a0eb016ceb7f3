import { TRUST_LEVEL_NAMES, TRUST_MATRIX } from "../../protocol/trust.js";
/** TRUST-13 to TRUST-17. */
export function matrixCell(level, trust) {
    return TRUST_MATRIX[level][trust];
}
/** DNG-16: the first column of the row that is `confirm` or `allow`. */
export function minimumTrust(level) {
    const first = TRUST_LEVEL_NAMES.find((trust) => ['confirm', 'allow'].includes(matrixCell(level, trust)));
    return first ?? 'certified';
}
