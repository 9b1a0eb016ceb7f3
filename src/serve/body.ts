import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** Longer than `most`. */
  | { readonly kind: 'too large' }
  /** All bodies together take what may be held. */
  | { readonly kind: 'no room' }
  /** The client went away, or took too long. */
  | { readonly kind: 'gone' }

/** Reads request bodies in bounded memory: so much for one, so much for all that arrive at the same time. */
export function createBodyReader(most: number, mostTogether: number): (req: IncomingMessage) => Promise<Body> {
  let held = 0

  return (req) => {
    const announced = Number(req.headers['content-length'] ?? 0)
    if (announced > most * PATIENCE) return Promise.resolve({ kind: 'too large' })
    if (held + Math.min(announced, most) > mostTogether) return Promise.resolve({ kind: 'no room' })

    return new Promise((resolve) => {
      const chunks: Buffer[] = []
      let size = 0
      let kept = 0
      const settle = (body: Body) => {
        held -= kept
        kept = 0
        req.off('data', onData)
        resolve(body)
      }
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size > most * PATIENCE) settle({ kind: 'too large' })
        if (size > most) return
        kept += chunk.length
        held += chunk.length
        if (held > mostTogether) settle({ kind: 'no room' })
        else chunks.push(chunk)
      }
      req.on('data', onData)
      req.on('end', () => settle(size > most ? { kind: 'too large' } : { kind: 'whole', bytes: joined(chunks) }))
      req.on('error', () => settle({ kind: 'gone' }))
      req.on('close', () => settle({ kind: 'gone' }))
    })
  }
}

/** What is too large is still taken in, though not kept, up to so many times `most`: who is sending hears no answer. */
const PATIENCE = 8

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}
