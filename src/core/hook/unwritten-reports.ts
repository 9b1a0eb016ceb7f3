import type { Case } from './case.ts'
import { hookDeskRef } from './hook-desk.ts'
import type { ToolCall } from './tool-call.ts'

/** What is known of a call before the records are looked at. */
export type Judged = Omit<Case, 'known' | 'fresh'>

/**
 * Reports of what has run that the store did not take, oldest first. One of them may have to pause its session, so
 * nothing of that session is judged before they are written.
 */
export interface UnwrittenReports {
  /** False when there is no room for another one. */
  keep(report: Judged): boolean
  /** Rejects when the store still takes none, and one of them is of the session of this call. */
  write(call: ToolCall): Promise<void>
}

export function createUnwrittenReports(write: (report: Judged) => Promise<unknown>): UnwrittenReports {
  let kept: readonly Judged[] = []
  let writing: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const writeAll = async (): Promise<void> => {
    for (let [first] = kept; first; [first] = kept) {
      await write(first)
      kept = kept.slice(1)
    }
  }

  const once = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void once().catch(later), AGAIN_MS)
    timer.unref()
  }

  return {
    keep(report) {
      if (kept.length >= MOST_KEPT) return false
      kept = [...kept, shortened(report)]
      later()
      return true
    },

    async write(call) {
      if (kept.length === 0) return
      try {
        await once()
      } catch (cause) {
        const { id } = hookDeskRef(call)
        if (kept.some((report) => hookDeskRef(report.call).id === id)) throw cause
      }
    },
  }
}

const AGAIN_MS = 1_000
const MOST_KEPT = 1_000
const LONGEST = 10_000

/** What identifies the call is known; of a long one the beginning is enough for a human. */
function shortened(report: Judged): Judged {
  const { call, weighed } = report
  const hint = weighed.hint.slice(0, LONGEST)
  const input = JSON.stringify(call.input).length > LONGEST ? {} : call.input
  return { ...report, call: { ...call, input }, weighed: { ...weighed, hint } }
}
