/** Milliseconds since 1970, from whoever owns the clock. */
export interface Clock {
  readonly now: () => number
}
