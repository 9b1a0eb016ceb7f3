import { type RecordRef, record } from '../ports/store.ts'
import { isShared } from '../session.ts'

/**
 * SELF-13: human attention is a resource. What one principal has put before a human lately. Where many callers share
 * the principal, each connection has limits of its own, and all of them together four times as much.
 */
export interface Attention {
  /** Open prompts, oldest first. */
  readonly open: readonly Prompt[]
  /** The last prompts that were shown. */
  readonly lately?: readonly Shown[]
  /** Requests that wait silently, oldest first. */
  readonly held: readonly Prompt[]
  /** As the operator set them; whoever decides elsewhere, or without the settings, keeps to them too. */
  readonly limits?: AttentionLimits
}

export interface Prompt {
  readonly id: string
  readonly expiresAt: number
  /** Whose limits it counts on; absent where the principal is one caller. */
  readonly from?: string
  /** Tells of something that has happened already: it has room of its own, so that no question hides it. */
  readonly isAlarm?: true
}

interface Shown {
  readonly at: number
  readonly from?: string
  readonly isAlarm?: true
}

export interface AttentionLimits {
  readonly open: number
  readonly shown: number
  readonly windowMs: number
}

export const ATTENTION: AttentionLimits = { open: 5, shown: 10, windowMs: 600_000 }

/** All connections of one principal together. */
const TOGETHER = 4

export function attentionRef(principal: string): RecordRef<Attention> {
  return record('attention', principal)
}

/** Callers that share a principal are told apart by their session, so that one of them keeps no other from the human. */
export function promptOf(id: string, expiresAt: number, principal: string, session: string): Prompt {
  return isShared(principal) ? { id, expiresAt, from: session } : { id, expiresAt }
}

const NOTHING: Attention = { open: [], lately: [], held: [] }

/** A new question joins the queue and comes through as far as there is room. */
export function withPrompt(
  attention: Attention | undefined,
  prompt: Prompt,
  now: number,
  limits: AttentionLimits = attention?.limits ?? ATTENTION,
): Attention {
  const { open, lately = [], held } = attention ?? NOTHING
  return advance({ open, lately, held: [...held, prompt], limits }, now)
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
  const lately = (attention.lately ?? []).filter(({ at }) => at > now - limits.windowMs)
  const come = (kind: Kind) => {
    const of = <T extends Kind>(all: readonly T[]) => all.filter(({ isAlarm }) => isAlarm === kind.isAlarm)
    const waiting = of(held)
    const next = waiting.length > 0 && nextOf({ open: of(open), lately: of(lately), held: waiting, limits })
    if (!next) return false
    held.splice(held.indexOf(next), 1)
    open.push(next)
    lately.push({ at: now, ...(next.from !== undefined && { from: next.from }), ...kind })
    return true
  }
  for (const kind of KINDS) while (come(kind));
  return { limits, open, lately, held }
}

type Kind = Pick<Prompt, 'isAlarm'>
const KINDS: readonly Kind[] = [{ isAlarm: true }, {}]

/** The oldest of whoever has been shown least, as far as there is room. */
function nextOf({ open, lately, held, limits }: Required<Attention>): Prompt | undefined {
  const isShared = held[0]?.from !== undefined
  const together = isShared ? TOGETHER : 1
  if (open.length >= together * limits.open || lately.length >= together * limits.shown) return undefined
  const [seen, waiting] = [counted(lately), counted(open)]
  let chosen: Prompt | undefined
  let least = limits.shown
  for (const [from, first] of firstOfEach(held)) {
    const times = seen.get(from) ?? 0
    if (times >= least || (waiting.get(from) ?? 0) >= limits.open) continue
    chosen = first
    least = times
  }
  return chosen
}

function firstOfEach(held: readonly Prompt[]): ReadonlyMap<string | undefined, Prompt> {
  const first = new Map<string | undefined, Prompt>()
  for (const prompt of held) if (!first.has(prompt.from)) first.set(prompt.from, prompt)
  return first
}

function counted(all: readonly { readonly from?: string }[]): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>()
  for (const { from } of all) counts.set(from, (counts.get(from) ?? 0) + 1)
  return counts
}

export function isShown(attention: Attention | undefined, id: string): boolean {
  return attention?.open.some((prompt) => prompt.id === id) ?? false
}

/** When the next held request comes through if nobody decides. */
export function nextShownAt({ open, lately = [], held, limits = ATTENTION }: Attention): number | undefined {
  if (held.length === 0) return undefined
  const times = [...lately.map(({ at }) => at + limits.windowMs), ...open.map(({ expiresAt }) => expiresAt)]
  return times.sort((a, b) => a - b).find((at) => isFreed({ open, lately, held, limits }, at))
}

function isFreed(attention: Required<Attention>, at: number): boolean {
  return advance(attention, at + 1).held.length < attention.held.filter(({ expiresAt }) => expiresAt > at).length
}
