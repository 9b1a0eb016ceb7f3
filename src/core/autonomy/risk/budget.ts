/** Work that one hint may cost, counted in steps and not in time: equal input, equal result (AUTO-19). */
export interface Budget {
  left: number
  isSpent: boolean
}

/** A step is about the work on two plain characters, or some tenths of a microsecond; the whole is some milliseconds. */
export const STEPS = 24_000

/** How deep commands may stand in commands. */
export const MOST_DEPTH = 24

export function createBudget(steps: number = STEPS): Budget {
  return { left: steps, isSpent: false }
}

/** The first of many things, and over budget when there are more: what is not looked at is never taken for harmless. */
export function firstOf<T>(items: readonly T[], most: number, budget: Budget): readonly T[] {
  if (items.length <= most) return items
  budget.isSpent = true
  return items.slice(0, most)
}

/** False when the work must end here. */
export function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps
  if (budget.left < 0) budget.isSpent = true
  return !budget.isSpent
}
