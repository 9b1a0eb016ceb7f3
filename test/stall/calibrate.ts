import { cpuTime } from '../cpu-time.ts'

/**
 * How much slower than in a quiet moment this machine works: 1 when it is quiet. Programs that share its caches make
 * the processor time of the same work grow, up to twice and more, so a stall is compared with what else takes longer.
 */
export function pressure(): number {
  const runs = Array.from({ length: 5 }, () => cpuTime(work)).sort((a, b) => a - b)
  return Math.max(1, (runs[2] ?? 0) / QUIET_MS)
}

/** What `work` takes on the machines that the limit was set for, when they do nothing else. */
const QUIET_MS = 8

/** Of the kind that large requests cause: parsing, and walking through an object of very many keys. */
function work(): void {
  const parsed = JSON.parse(TEXT) as Record<string, number>
  let sum = 0
  for (const key of Object.keys(parsed)) sum += parsed[key] ?? 0
  if (sum === 0) throw new Error('nothing was parsed')
}

const TEXT = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at])))
