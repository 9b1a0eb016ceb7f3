import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DangerLevel } from '../../protocol/danger.ts'

/** Confirmation tokens §2.1. The string is a lookup key and carries nothing (TOK-03). */
export const TOKEN_PREFIXES = { operation: 'conf_', quota: 'quota_continue_' } as const

export type TokenPrefix = (typeof TOKEN_PREFIXES)[keyof typeof TOKEN_PREFIXES]

/** TOK-02: 256 bits. */
export function makeToken(prefix: TokenPrefix): string {
  return prefix + randomBytes(32).toString('hex')
}

/** TOK-01: what does not look like a token is never looked up. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 8 && value.length <= 80 && TOKEN.test(value)
}

const TOKEN = /^(?:conf|quota_continue)_[A-Za-z0-9_-]{1,64}$/

/** TOK-04: over digests of one length, so that the time tells nothing. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** TOK-11: default and most, in seconds. */
export const LIFETIMES = {
  confirmation: { default: 300, most: 900 },
  forbidden: { default: 120, most: 300 },
  quota: { default: 300, most: 600 },
} as const

/** TOK-12. */
export const CLOCK_SKEW_SECONDS = { default: 30, least: 0, most: 300 } as const

export type Lifetimes = Readonly<Record<keyof typeof LIFETIMES, number>>

export function lifetimeOf(kind: 'operation' | 'agent' | 'quota', level: DangerLevel, lifetimes: Lifetimes): number {
  if (kind === 'quota') return lifetimes.quota
  return level === 'forbidden' ? lifetimes.forbidden : lifetimes.confirmation
}
