/** A pattern that has been made ready. */
export interface Pattern {
  /** Whether it is found in a text; undefined when the budget does not allow to look. */
  readonly test: (text: string, budget: Budget) => boolean | undefined
  /** Texts up to this length can be looked through with a budget of which nothing is spent. */
  readonly longest: number
}

/** What may be spent on patterns in one go. */
export interface Budget {
  steps: number
}

/**
 * A step is one instruction of a pattern at one character of a text, which takes 7 ns at most: even a text made to be
 * slow holds up the event loop for less than 0.2 s.
 */
const STEPS = 25_000_000

export function fullBudget(): Budget {
  return { steps: STEPS }
}

/** Linear time on any text; look-around and back-references are refused, never handed to a backtracking engine. */
export async function loadPatterns(): Promise<(source: string) => Pattern> {
  const { RE2JS } = await import('re2js')
  return (source) => {
    const compiled = RE2JS.compile(source)
    const size = compiled.programSize()
    return {
      longest: Math.floor(STEPS / size),
      test(text, budget) {
        const cost = text.length * size
        if (cost > budget.steps) return undefined
        budget.steps -= cost
        return compiled.test(text)
      },
    }
  }
}
