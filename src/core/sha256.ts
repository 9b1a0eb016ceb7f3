import { hash } from 'node:crypto'

/** In one call: building a hash object costs more than hashing a short text. */
export function sha256(text: string): string {
  return hash('sha256', text)
}
