import type { ServerResponse } from 'node:http'
import type { Operator } from '../../core/operator/operator.ts'
import type { Happening } from '../../core/operator/watch.ts'
import { SECURITY_HEADERS } from './headers.ts'
import type { SignIn, SignIns } from './sign-ins.ts'

export const BEAT_MS = 10_000
const MOST_STREAMS = 40
const MOST_UNSENT = 65_536

export interface EventStreams {
  open(res: ServerResponse, signIn: SignIn, lastId: number | undefined): Promise<boolean>
  close(): void
}

/** A stream of events that the page reads by `fetch`, which can send a header: ids only. What happened is fetched by whoever may see it. */
export function createEventStreams(operator: Operator, signIns: SignIns): EventStreams {
  const streams = new Set<ServerResponse>()

  return {
    async open(res, { id }, lastId) {
      if (streams.size >= MOST_STREAMS) return false
      streams.add(res)
      const send = (text: string) => {
        // A reader that does not read is cut off; it comes back and says where it was.
        if (res.writableLength > MOST_UNSENT) res.destroy()
        else res.write(text)
      }
      const beat = () => {
        if (signIns.isOpen(id)) send(`event: beat\ndata: ${JSON.stringify({ now: operator.clock.now() })}\n\n`)
        else res.end('event: ended\ndata: {}\n\n')
      }
      res.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
      send('retry: 2000\n\n')
      const stop = operator.watch.subscribe((happening) => {
        if (signIns.isOpen(id)) send(written(happening))
        else beat()
      })
      const timer = setInterval(beat, BEAT_MS)
      res.on('close', () => {
        clearInterval(timer)
        stop()
        streams.delete(res)
      })
      if (lastId !== undefined) {
        const missed = await operator.watch.since(lastId)
        if (missed) for (const happening of missed) send(written(happening))
        else send('event: reload\ndata: {}\n\n')
      }
      beat()
      return true
    },

    close() {
      for (const res of streams) res.end()
    },
  }
}

function written({ seq, kind, id }: Happening): string {
  return `id: ${seq}\ndata: ${JSON.stringify({ seq, kind, id })}\n\n`
}
