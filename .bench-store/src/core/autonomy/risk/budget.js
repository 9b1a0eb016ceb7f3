/** A step is about the work on two plain characters, or some tenths of a microsecond; the whole is some milliseconds. */
export const STEPS = 24_000;
/** How deep commands may stand in commands. */
export const MOST_DEPTH = 24;
export function createBudget(steps = STEPS) {
    return { left: steps, isSpent: false };
}
/** False when the work must end here. */
export function spend(budget, steps) {
    budget.left -= steps;
    if (budget.left < 0)
        budget.isSpent = true;
    return !budget.isSpent;
}
