import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/ports/clock.ts'

/** C3: proof that the operator has typed the secret again, for one purpose, once, soon after. */
export interface Reauths {
  issue(signIn: string, purpose: string): { readonly id: string; readonly validUntil: number }
  /** When the secret was typed; undefined when the proof does not fit. It is gone either way. */
  redeem(id: string | undefined, signIn: string, purpose: string): number | undefined
}

export const REAUTH_MS = 120_000

export function createReauths(clock: Clock): Reauths {
  const open = new Map<string, { readonly signIn: string; readonly purpose: string; readonly at: number }>()

  return {
    issue(signIn, purpose) {
      const now = clock.now()
      for (const [id, { at }] of open) if (at + REAUTH_MS <= now) open.delete(id)
      const id = randomBytes(18).toString('base64url')
      open.set(id, { signIn, purpose, at: now })
      return { id, validUntil: now + REAUTH_MS }
    },

    redeem(id, signIn, purpose) {
      const proof = id === undefined ? undefined : open.get(id)
      if (!proof || id === undefined) return undefined
      open.delete(id)
      const fits = proof.signIn === signIn && proof.purpose === purpose && clock.now() < proof.at + REAUTH_MS
      return fits ? proof.at : undefined
    },
  }
}
