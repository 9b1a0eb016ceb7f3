/**
 * Loaded into the server by `--require`. Says over the IPC channel, when asked, for how long its event loop was held at
 * a stretch since it was last asked, and how much memory it took at most. Counted is processor time, so that what else
 * runs on the machine does not matter.
 */
const { resourceUsage, cpuUsage, memoryUsage } = process

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
  process.send({ stallMs: longest, rssBytes: largest, peakBytes: resourceUsage().maxRSS * 1_024 })
  longest = 0
  largest = 0
})
process.channel.unref()
