// @ts-check
/** What is asked for again while it is still under way. */

/** A second click while the first is under way does nothing. @template {any[]} A @param {(...given: A) => unknown} work */
export function unlessBusy(work) {
  let isBusy = false
  return async (/** @type {A} */ ...given) => {
    if (isBusy) return
    isBusy = true
    try {
      await work(...given)
    } finally {
      isBusy = false
    }
  }
}

/** However often it is asked for meanwhile, it runs once more: answers never overtake each other. @param {() => Promise<void>} work */
export function inTurn(work) {
  let isWanted = false
  /** @type {Promise<void> | undefined} */
  let running
  const run = async () => {
    while (isWanted) {
      isWanted = false
      await work()
    }
  }
  return () => {
    isWanted = true
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
