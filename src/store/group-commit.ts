/** One writer: what is asked for in one turn of the event loop is one commit, and costs one flush of the disk. */
export interface GroupCommit<W> {
  /** Resolves when the commit that holds the work has returned. */
  run(work: W): Promise<unknown>
  /** Resolves when nothing waits any more. */
  drain(): Promise<void>
}

/** A piece of work that refuses itself harms nobody else in its group. */
export type Attempt = { readonly value: unknown } | { readonly refused: unknown }

/** When `commit` resolves, the whole group is on disk, and how each piece ended is its answer; when it rejects, nothing is. */
export function createGroupCommit<W>(commit: (group: readonly W[]) => Promise<readonly Attempt[]>): GroupCommit<W> {
  const queue: Waiting<W>[] = []
  let isFlushing = false
  let idle: (() => void)[] = []

  const flush = async (): Promise<void> => {
    const group = queue.splice(0, MOST_IN_GROUP)
    try {
      const attempts = await commit(group.map(({ work }) => work))
      for (const [i, waiting] of group.entries()) settle(waiting, attempts[i] as Attempt)
    } catch (cause) {
      for (const { reject } of group) reject(cause)
    }
    if (queue.length > 0) return void setImmediate(flush)
    isFlushing = false
    for (const wake of idle) wake()
    idle = []
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ work, resolve, reject })
        if (isFlushing) return
        isFlushing = true
        setImmediate(flush)
      }),

    drain: () => (isFlushing ? new Promise((resolve) => void idle.push(resolve)) : Promise.resolve()),
  }
}

interface Waiting<W> {
  readonly work: W
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: unknown) => void
}

/** So that a flood does not hold up the event loop for long. */
const MOST_IN_GROUP = 1_000

function settle<W>({ resolve, reject }: Waiting<W>, attempt: Attempt): void {
  if ('value' in attempt) resolve(attempt.value)
  else reject(attempt.refused)
}
