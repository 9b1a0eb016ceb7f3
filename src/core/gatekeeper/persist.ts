/** The effect has happened: its record is tried until it is stored, ever more patiently, and once more at the end. */
export async function persist(write: () => Promise<void>, isClosed: () => boolean): Promise<void> {
  for (let pause = 100; ; pause = Math.min(pause * 2, 10_000)) {
    const wasClosed = isClosed()
    try {
      await write()
      return
    } catch {
      if (wasClosed) return
    }
    for (let slept = 0; slept < pause && !isClosed(); slept += 100) await sleep(100)
  }
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}
