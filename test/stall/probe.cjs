/**
 * Loaded into the server by `--require`. Says over the IPC channel, when asked, for how long its event loop was held at
 * a stretch since it was last asked, and how much memory it took at most. Counted is processor time, so that what else
 * runs on the machine does not matter.
 */
const { isMainThread } = require('node:worker_threads')
const { cpuUsage, memoryUsage } = process

// A source that is a module has a thread of its own for reading modules, and that one is given this file as well.
if (isMainThread) watch()

function watch() {
  let longest = 0
  let largest = 0
  let last = cpuUsage()

  const look = () => {
    const { user, system } = cpuUsage(last)
    last = cpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
    largest = Math.max(largest, memoryUsage.rss())
  }

  setInterval(look, 2).unref()
  process.on('message', () => {
    look()
    process.send({ stallMs: longest, rssBytes: largest })
    longest = 0
    largest = 0
  })
  process.channel.unref()
}
