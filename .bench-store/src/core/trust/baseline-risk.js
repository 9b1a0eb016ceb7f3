import { BASELINE_RISK } from "../../protocol/danger.js";
/** Where in the range of its level an operation begins, as a share: what is unknown begins at the top. */
const SHARE = { READ: 0, CREATE: 0, UPDATE: 0.25, DELETE: 0.5, EXECUTE: 0.5 };
/** DNG-21: within the range of the level, and the same for the same operation. */
export function baselineRisk(level, category) {
    const { lowest, highest } = BASELINE_RISK[level];
    const share = category === undefined ? 1 : SHARE[category];
    return lowest + Math.floor(share * (highest - lowest));
}
