import type { Notification } from '@modelcontextprotocol/server'
import type { ProgressNotice } from '../core/call.ts'

export interface Progress {
  readonly report: (notice: ProgressNotice) => void
  /** Sends what was held back; after it nothing more is sent (PROG-03). */
  end(): Promise<void>
}

/** So many at once are passed on as they come; then one in so many milliseconds, and always the newest. */
const BURST = 100
const PAUSE_MS = 50

/** PROG-02, PROG-03. Strictly increasing, nothing after the response, and never a flood that a slow reader must hold. */
export function createProgress(
  progressToken: string | number,
  notify: (notification: Notification) => Promise<void>,
  now: () => number = () => performance.now(),
): Progress {
  let highest = Number.NEGATIVE_INFINITY
  let count = 0
  let sentAt = 0
  let held: ProgressNotice | undefined
  let last: Promise<void> | undefined
  let ended = false

  function send({ progress, total, message }: ProgressNotice): void {
    held = undefined
    count++
    sentAt = now()
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    }
    last = notify({ method: 'notifications/progress', params }).catch(() => {}) // the client has gone
  }

  return {
    report(notice) {
      if (ended || !(notice.progress > highest)) return
      highest = notice.progress
      if (count < BURST || now() - sentAt >= PAUSE_MS) send(notice)
      else held = notice
    },
    async end() {
      if (held) send(held)
      ended = true
      await last
    },
  }
}
