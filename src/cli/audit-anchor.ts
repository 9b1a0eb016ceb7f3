import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Anchor, type Verified, verifyTrail } from '../core/audit/verify-trail.ts'
import type { Trail, TrailHead } from '../core/ports/store.ts'
import { makeFolder } from '../store/make-folder.ts'

/** AUDIT-09: notes the head of the trail outside the store, so that a cut or rewritten trail is noticed. */
export interface AnchorKeeper {
  /** Notes the head if it is time to, or in any case with `now`. */
  keep(options?: { readonly now?: boolean }): Promise<void>
  /** Notes the head for the last time. */
  close(): Promise<void>
}

export interface AnchorOptions {
  readonly trail: Trail
  readonly file: string
  readonly now: () => number
  /** What is done with a file that cannot be written. */
  readonly report: (cause: unknown) => void
  readonly everyRecords?: number
  readonly everyMs?: number
  /** How often it is looked whether it is time. */
  readonly lookMs?: number
}

export function keepAnchors({ trail, file, now, report, ...often }: AnchorOptions): AnchorKeeper {
  const { everyRecords = 1_000, everyMs = 600_000, lookMs = 5_000 } = often
  let last: { readonly seq: number; readonly time: number } | undefined
  let pending = Promise.resolve()

  const look = async (isAsked: boolean): Promise<void> => {
    try {
      const { seq, hash } = await trail.head()
      last ??= { seq: readAnchors(file).at(-1)?.seq ?? 0, time: now() }
      const isDue = seq - last.seq >= everyRecords || now() - last.time >= everyMs
      if (seq === last.seq || seq === 0 || !(isAsked || isDue)) return
      appendAnchor(file, { seq, hash, at: new Date(now()).toISOString() })
      last = { seq, time: now() }
    } catch (cause) {
      report(cause)
    }
  }

  const keep: AnchorKeeper['keep'] = ({ now: isAsked = false } = {}) => {
    pending = pending.then(() => look(isAsked))
    return pending
  }

  const timer = setInterval(() => void keep(), lookMs)
  timer.unref()
  return {
    keep,
    close() {
      clearInterval(timer)
      return keep({ now: true })
    },
  }
}

/** At start-up: from the last anchor to the end, which is quick. Undefined where there is no anchor yet. */
export async function verifySinceAnchor(trail: Trail, file: string): Promise<Verified | undefined> {
  const anchors = readAnchors(file)
  const last = anchors.at(-1)
  if (!last) return undefined
  const [noted] = await trail.read({ after: last.seq - 1, before: last.seq + 1, limit: 1 })
  const from = noted ? { seq: noted.seq, hash: noted.hash } : await trail.head()
  const isWhole = noted?.hash === last.hash
  return verifyTrail(trail, isWhole ? { from, anchors } : { anchors })
}

/**
 * The anchors of a file, none where there is no file. A line that a crash has cut short is no anchor. A removal that was
 * taken back counts as never announced.
 */
export function readAnchors(file: string): readonly Anchor[] {
  const anchors: Anchor[] = []
  for (const line of textOf(file).split('\n').map(parsed)) {
    const back = headOf(line?.not_pruned)
    const at = back ? anchors.findLastIndex(({ pruned }) => pruned?.seq === back.seq && pruned.hash === back.hash) : -1
    const told = anchors[at]
    if (told) anchors[at] = withoutPruned(told)
    const anchor = anchorOf(line)
    if (anchor) anchors.push(anchor)
  }
  return anchors
}

function withoutPruned({ pruned: _, ...anchor }: Anchor): Anchor {
  return anchor
}

/** A line of the file. Versions that do not know of `not_pruned` read it as an anchor like any other. */
export interface AnchorLine extends Anchor {
  /** The removal that an earlier line announces has failed. */
  readonly not_pruned?: TrailHead
}

/** On disk when it returns. The file belongs to its owner alone. */
export function appendAnchor(file: string, anchor: AnchorLine): void {
  makeFolder(dirname(file))
  const isTorn = !['', '\n'].includes(textOf(file).slice(-1))
  const handle = openSync(file, 'a', 0o600)
  try {
    writeSync(handle, `${isTorn ? '\n' : ''}${JSON.stringify(anchor)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  chmodSync(file, 0o600)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw cause
  }
}

function headOf(value: unknown): TrailHead | undefined {
  const { seq, hash } = (value ?? {}) as Partial<Record<keyof TrailHead, unknown>>
  const isHead = Number.isSafeInteger(seq) && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)
  return isHead ? { seq: seq as number, hash } : undefined
}

type Line = Partial<Record<keyof AnchorLine, unknown>>

function parsed(line: string): Line | undefined {
  try {
    return JSON.parse(line) ?? undefined
  } catch {
    return undefined
  }
}

function anchorOf(line: Line | undefined): Anchor | undefined {
  const head = headOf(line)
  const removed = headOf(line?.pruned)
  return head && { ...head, ...(typeof line?.at === 'string' && { at: line.at }), ...(removed && { pruned: removed }) }
}
