/** Loaded into the server by `--require`: on SIGUSR2 it says how much its heap holds after a collection. */
const { writeFileSync, renameSync } = require('node:fs')

const file = process.env.HEAP_FILE

process.on('SIGUSR2', () => {
  // What ended in this turn is held until the next: a second collection, a little later, sees it gone.
  globalThis.gc()
  setTimeout(() => {
    globalThis.gc()
    writeFileSync(`${file}.new`, String(process.memoryUsage().heapUsed))
    renameSync(`${file}.new`, file)
  }, 50)
})
