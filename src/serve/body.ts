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

/** Of whose share a body takes room; one for all where callers are not told apart. */
export type ReadBody = (req: IncomingMessage, key?: string) => Promise<Body>

/** A body of which a part has arrived. */
interface Arriving {
  readonly key: string
  kept: number
  /** When a part arrived last. */
  heard: number
  readonly giveUp: () => void
}

/**
 * Reads request bodies in bounded memory: so much for one, for one caller, and for all that arrive at the same time.
 * Where a caller's share is full, its bodies that have stopped arriving are given up for one that comes.
 */
export function createBodyReader(most: number, mostTogether: number, mostOfOne = mostTogether): ReadBody {
  const arriving = new Set<Arriving>()
  let held = 0

  const shares = new Map<string, number>()

  const hold = (key: string, by: number): void => {
    held += by
    const next = (shares.get(key) ?? 0) + by
    if (next > 0) shares.set(key, next)
    else shares.delete(key)
  }

  const isFull = (key: string, more: number): boolean =>
    held + more > mostTogether || (shares.get(key) ?? 0) + more > mostOfOne

  const hasRoom = (key: string, more: number): boolean => {
    if (!isFull(key, more)) return true
    const since = performance.now() - STALLED_MS
    for (const each of arriving) {
      if (!isFull(key, more)) return true
      if (each.key === key && each.kept > 0 && each.heard < since) each.giveUp()
    }
    return !isFull(key, more)
  }

  return (req, key = '') => {
    const announced = Number(req.headers['content-length'] ?? 0)
    if (announced > most * PATIENCE) return Promise.resolve({ kind: 'too large' })
    if (!hasRoom(key, Math.min(announced, most))) return Promise.resolve({ kind: 'no room' })

    return new Promise((resolve) => {
      let bytes: Buffer = EMPTY
      let size = 0
      let skim: Skim | undefined
      const giveUp = () => settle({ kind: 'no room' })
      const own: Arriving = { key, kept: 0, heard: performance.now(), giveUp }
      arriving.add(own)
      const settle = (body: Body) => {
        arriving.delete(own)
        hold(key, -own.kept)
        own.kept = 0
        req.off('data', onData)
        resolve(body)
      }
      const onData = (chunk: Buffer) => {
        size += chunk.length
        own.heard = performance.now()
        if (size > most * PATIENCE) settle({ kind: 'too large' })
        if (size > most) {
          skim ??= skimOf([bytes.subarray(0, own.kept)])
          skim.push(chunk)
          return
        }
        bytes = append(bytes, own.kept, chunk)
        own.kept += chunk.length
        hold(key, chunk.length)
        if (!hasRoom(key, 0)) giveUp()
      }
      req.on('data', onData)
      req.on('end', () => {
        const beginning = bytes.subarray(0, own.kept)
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

/** A body of which nothing came for so long has no claim to its room. */
const STALLED_MS = 1_000

const EMPTY: Buffer = Buffer.alloc(0)

/** In one piece, since a client chooses the size of its pieces: one of a single byte takes hundreds. */
function append(bytes: Buffer, size: number, piece: Buffer): Buffer {
  if (size === 0) return piece
  const isRoomy = size + piece.length <= bytes.length
  const roomy = isRoomy ? bytes : Buffer.concat([bytes.subarray(0, size)], (size + piece.length) * 2)
  roomy.set(piece, size)
  return roomy
}
