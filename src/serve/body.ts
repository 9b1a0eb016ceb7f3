import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Skim } from '../core/pipeline/skim.ts'
import { appendBytes } from './append-bytes.ts'
import { createByteBudget, type Share, UNCOUNTED_BYTES } from './byte-budget.ts'
import { type OversizedLine, skimOf } from './lines.ts'

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** Longer than `most`. How it began and whose it is are known unless the sender was cut off. */
  | { readonly kind: 'too large'; readonly parts?: OversizedLine }
  /** All bodies together take what may be held. */
  | { readonly kind: 'no room' }
  /** The client went away, or took too long. */
  | { readonly kind: 'gone' }

/** Of whose share a body takes room; one for all where callers are not told apart. */
export type ReadBody = (req: IncomingMessage, key?: string) => Promise<Body>

/** Reads request bodies in bounded memory: so much for one, and for all that arrive at the same time. */
export function createBodyReader(most: number, mostTogether: number): ReadBody {
  const budget = createByteBudget(mostTogether)

  return (req, key = '') => {
    if (Number(req.headers['content-length'] ?? 0) > most * PATIENCE) return Promise.resolve({ kind: 'too large' })

    return new Promise((resolve) => {
      let bytes: Buffer = EMPTY
      let kept = 0
      let size = 0
      let skim: Skim | undefined
      let share: Share | undefined
      let counted = 0
      const settle = (body: Body) => {
        share?.release()
        bytes = EMPTY
        req.off('data', onData)
        resolve(body)
      }
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size > most * PATIENCE) return settle({ kind: 'too large' })
        if (size > most) {
          skim ??= skimOf(bytes.subarray(0, kept))
          skim.push(chunk)
          return
        }
        bytes = appendBytes(bytes, kept, chunk, most)
        kept = size
        if (kept <= UNCOUNTED_BYTES) return
        share ??= budget(key, () => settle({ kind: 'no room' }))
        const more = bytes.length - counted
        counted = bytes.length
        share.grow(more)
      }
      req.on('data', onData)
      req.on('end', () => {
        const beginning = bytes.subarray(0, kept)
        const envelope = skim?.envelope()
        settle(
          envelope ? { kind: 'too large', parts: { beginning, envelope, size } } : { kind: 'whole', bytes: beginning },
        )
      })
      req.on('error', () => settle({ kind: 'gone' }))
      req.on('close', () => settle({ kind: 'gone' }))
    })
  }
}

/** What is too large is still taken in, though not kept, up to so many times `most`: who is sending hears no answer. */
const PATIENCE = 8

const EMPTY: Buffer = Buffer.alloc(0)
