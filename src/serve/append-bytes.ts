import { Buffer } from 'node:buffer'

/**
 * Puts a piece behind the first `size` bytes. In one buffer, which grows up to `most`, since a client chooses the size of
 * its pieces: held one by one, a piece of a single byte takes hundreds.
 */
export function appendBytes(bytes: Buffer, size: number, piece: Buffer, most: number): Buffer {
  if (size === 0) return piece
  const isRoomy = size + piece.length <= bytes.length
  const roomy = isRoomy ? bytes : Buffer.concat([bytes.subarray(0, size)], Math.min((size + piece.length) * 2, most))
  roomy.set(piece, size)
  return roomy
}
