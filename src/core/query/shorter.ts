/** How an answer that was cut into pages by its handler is made shorter, so that its cursor still says where it ends. */
export interface Shorter {
  /** What is counted, as a warning names it. */
  readonly field: string
  readonly count: number
  /** The answer with so many of them. */
  readonly of: (count: number) => unknown
}

const SHORTER = new WeakMap<object, Shorter>()

export function withShorter<T extends object>(answer: T, shorter: Shorter): T {
  SHORTER.set(answer, shorter)
  return answer
}

export function shorterOf(answer: unknown): Shorter | undefined {
  return typeof answer === 'object' && answer !== null ? SHORTER.get(answer) : undefined
}
