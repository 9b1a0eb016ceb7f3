import { createLedger } from "./ledger.js";
/** Judges into a ledger of its own, so that the caller can raise what was found, or leave it. */
export function judgeApart(scope, run) {
    const ledger = createLedger();
    const apart = { ...scope, ledger };
    run(apart);
    return ledger;
}
