import { type RecordRef, record } from '../ports/store.ts'

/** SELF-13: human attention is a resource. What one principal has put before a human lately. */
export interface Attention {
  /** Open prompts, oldest first. */
  readonly open: readonly Prompt[]
  /** When the last prompts were shown. */
  readonly shown: readonly number[]
  /** Requests that wait silently, oldest first. */
  readonly held: readonly Prompt[]
  /** As the operator set them; whoever decides elsewhere, or without the settings, keeps to them too. */
  readonly limits?: AttentionLimits
}

interface Prompt {
  readonly id: string
  readonly expiresAt: number
}

export interface AttentionLimits {
  readonly open: number
  readonly shown: number
  readonly windowMs: number
}

export const ATTENTION: AttentionLimits = { open: 5, shown: 10, windowMs: 600_000 }

export function attentionRef(principal: string): RecordRef<Attention> {
  return record('attention', principal)
}

const NOTHING: Attention = { open: [], shown: [], held: [] }

/** A new question joins the queue and comes through as far as there is room. */
export function withPrompt(
  attention: Attention | undefined,
  prompt: Prompt,
  now: number,
  limits: AttentionLimits = attention?.limits ?? ATTENTION,
): Attention {
  const { open, shown, held } = attention ?? NOTHING
  return advance({ open, shown, held: [...held, prompt], limits }, now)
}

/** Someone decided, or the request is gone: the next one may come through. */
export function withoutPrompt(attention: Attention = NOTHING, id: string, now: number): Attention {
  const others = (prompts: readonly Prompt[]) => prompts.filter((prompt) => prompt.id !== id)
  return advance({ ...attention, open: others(attention.open), held: others(attention.held) }, now)
}

/** What time alone has changed. */
export function advance(attention: Attention, now: number): Attention {
  const { limits = ATTENTION } = attention
  const isLive = ({ expiresAt }: Prompt) => expiresAt >= now
  const open = attention.open.filter(isLive)
  const held = attention.held.filter(isLive)
  const shown = attention.shown.filter((at) => at > now - limits.windowMs)
  const room = Math.max(0, Math.min(limits.open - open.length, limits.shown - shown.length))
  const next = held.slice(0, room)
  return { limits, open: [...open, ...next], shown: [...shown, ...next.map(() => now)], held: held.slice(room) }
}

export function isShown(attention: Attention | undefined, id: string): boolean {
  return attention?.open.some((prompt) => prompt.id === id) ?? false
}

/** When the next held request comes through if nobody decides. */
export function nextShownAt(attention: Attention): number | undefined {
  const { limits = ATTENTION } = attention
  if (attention.held.length === 0) return undefined
  const [oldest = 0] = attention.shown
  return attention.shown.length >= limits.shown ? oldest + limits.windowMs : attention.open[0]?.expiresAt
}
