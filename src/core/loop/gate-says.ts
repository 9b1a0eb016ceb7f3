import type { Permission } from '../gatekeeper/policies.ts'

/** What the gate would do with an operation of this adapter; undefined for whatever is none. */
export type GatePermission = (operation: string) => Permission | undefined

/** GATE-14: what layer 3 has to say about a hint, by the operations that it names. */
export interface GateSays {
  /** An operation that the gate denies, so that no human is asked about it (spec §8.6.2). */
  readonly denied?: string
  /** The hint is a call of this one operation, and the gate asks a human when it is called. */
  readonly asks?: string
}

export function gateSays(hint: string, permission: GatePermission | undefined): GateSays {
  if (!permission) return {}
  const lead = LEAD.exec(hint)?.[1]?.toLowerCase()
  const words = new Set([...hint.matchAll(WORD)].map(([word]) => word.toLowerCase()))
  const named = [...words].filter((word) => (word === lead || word.includes('_')) && permission(word) !== undefined)
  const denied = named.find((name) => permission(name) === 'deny')
  if (denied !== undefined) return { denied }
  const isOneCall = lead !== undefined && named.length === 1 && named[0] === lead && !SEVERAL.test(hint)
  return isOneCall && permission(lead) === 'confirm' ? { asks: lead } : {}
}

const WORD = /[a-z][a-z0-9_]*/gi
const LEAD = /^\s*(?:(?:call|calling|run|running|use|using|invoke|invoking)\s+)?([a-z][a-z0-9_]*)(?![\w-])/i
/** Signs of a second action: then the loop asks about the whole. */
const SEVERAL = /[;&|`$<>\n\r]|\b(?:and|then|after|afterwards|before|also|plus|followed|finally|next)\b/i
