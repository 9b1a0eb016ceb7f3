import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Skim } from '../core/pipeline/skim.ts'
import { type OversizedLine, skimOf } from './lines.ts'

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** Longer than `most`. How it began and whose it is are known unless the sender was cut off. */
  | { readonly kind: 'too large'; readonly parts?: OversizedLine }
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
      let skim: Skim | undefined
      const settle = (body: Body) => {
        held -= kept
        kept = 0
        req.off('data', onData)
        resolve(body)
      }
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size > most * PATIENCE) settle({ kind: 'too large' })
        if (size > most) {
          skim ??= skimOf(chunks)
          skim.push(chunk)
          return
        }
        kept += chunk.length
        held += chunk.length
        if (held > mostTogether) settle({ kind: 'no room' })
        else chunks.push(chunk)
      }
      req.on('data', onData)
      req.on('end', () => {
        const bytes = joined(chunks)
        const envelope = skim?.envelope()
        settle(envelope ? { kind: 'too large', parts: { beginning: bytes, envelope, size } } : { kind: 'whole', bytes })
      })
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
