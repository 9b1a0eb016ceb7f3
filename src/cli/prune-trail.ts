import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Terminal } from '../channels/read-secret.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import { type Anchor, verifyTrail } from '../core/audit/verify-trail.ts'
import { carryForward } from '../core/operator/carry-forward.ts'
import { compareRecords } from '../core/operator/compare-records.ts'
import type { Right } from '../core/operator/operator-account.ts'
import { createUnknownOutcomes } from '../core/operator/unknown-outcomes.ts'
import type { Store, TrailEntry, TrailHead } from '../core/ports/store.ts'
import { type AnchorLine, appendAnchor, readAnchors } from './audit-anchor.ts'
import { EXIT, isStop, messageOf, type Stop, stop } from './command.ts'
import { auditJson } from './print-audit.ts'
import { contradictionLines } from './print-verified.ts'
import { faultOf } from './read-text.ts'
import { counted } from './render.ts'
import type { World } from './world.ts'

export interface PruneOrder {
  /** ISO 8601; what is older goes. */
  readonly before: string
  readonly exportTo?: string
  /** Undefined: by the operator's word there is none. */
  readonly anchor: string | undefined
}

/**
 * Retention: the oldest records are exported and removed, and a record says so, with what must stay known of them. The
 * chain is verified and the store compared first; the chain goes on from what was removed, and the anchor is told before
 * and after. Where nothing could be removed, nothing is left of it: neither the copy nor what the anchor was told.
 */
export async function pruneTrail(
  store: Store,
  order: PruneOrder,
  right: Right,
  terminal: Terminal,
  world: World,
): Promise<number | Stop> {
  const { before, exportTo, anchor } = order
  const anchors = anchor === undefined ? [] : anchorsIn(anchor)
  if (isStop(anchors)) return anchors
  const { broken } = await verifyTrail(store.trail, { anchors })
  if (broken)
    return stop(
      EXIT.failed,
      `Record ${broken.seq} of the audit trail was ${broken.kind}: ${broken.why}`,
      'Nothing was removed',
    )
  const { contradictions, ofStore } = await compareRecords(store)
  if (ofStore.length > 0)
    return stop(EXIT.failed, 'The store contradicts the trail', ...contradictionLines(ofStore), 'Nothing was removed')
  if (contradictions.length > 0)
    terminal.write(`${contradictionLines(contradictions).join('\n')}\nKeep a copy: the records that show it may go.\n`)
  const span = await spanOf(store, before)
  if (!span) return stop(EXIT.failed, `No record is older than ${before}. Nothing was removed`)
  const { first, last } = span
  terminal.write(`Records ${first.seq} to ${last.seq}, from ${first.entry.timestamp} to ${last.entry.timestamp}.\n`)
  if (span.kept !== undefined)
    terminal.write(`Record ${span.kept} and what follows stay: nobody has looked into its unknown outcome yet.\n`)
  if (!(await isMeant(terminal, exportTo))) return stop(EXIT.waiting, 'Nothing was removed')
  if (await isPrunedMeanwhile(store, first)) return OTHER_PRUNING
  return removeSpan(store, span, order, right, terminal, world)
}

async function removeSpan(
  store: Store,
  { first, last }: Span,
  { before, exportTo, anchor }: PruneOrder,
  { operator }: Right,
  terminal: Terminal,
  world: World,
): Promise<number | Stop> {
  const file = exportTo === undefined ? undefined : resolve(world.cwd, exportTo)
  const copy = file === undefined ? undefined : await exportSpan(store, last.seq, file)
  if (isStop(copy)) return copy
  const pruned: TrailHead = { seq: last.seq, hash: last.hash }
  const at = new Date(world.now()).toISOString()
  const note = async (to: string, what: Pick<AnchorLine, 'pruned' | 'not_pruned'>) =>
    appendAnchor(to, { ...(await store.trail.head()), at, ...what })
  const undo: (() => unknown)[] = file === undefined ? [] : [() => unlinkSync(file)]
  try {
    const carried = await carryForward(store, last.seq, at)
    const entry: AuditEntry = {
      timestamp: at,
      event: 'TRAIL_PRUNED',
      operator: operator.subject,
      channel: operator.channel,
      removed: last.seq - first.seq + 1,
      removed_from: first.seq,
      removed_to: last.seq,
      removed_hash: last.hash,
      removed_before: before,
      exported: copy ?? 'not exported',
      anchored: anchor !== undefined,
      ...carried.fields,
    }
    if (anchor !== undefined) {
      await note(anchor, { pruned })
      undo.push(() => note(anchor, { not_pruned: pruned }))
    }
    await store.prune(pruned, [entry, ...carried.entries], first.seq)
  } catch (error) {
    await undoAll(undo, terminal)
    if (await isPrunedMeanwhile(store, first)) return OTHER_PRUNING
    if (isFileFault(error)) return stop(EXIT.failed, anchorFault(anchor, error), 'Nothing was removed')
    throw error
  }
  terminal.write(`Removed ${counted(last.seq - first.seq + 1, 'record')}.\n`)
  try {
    if (anchor !== undefined) await note(anchor, { pruned })
  } catch (error) {
    if (!isFileFault(error)) throw error
    terminal.write(`${anchorFault(anchor, error)}. It knows of the removal, but not of the record that says so.\n`)
  }
  return EXIT.ok
}

/** What this one has read and copied is no longer what would go. */
const OTHER_PRUNING = stop(
  EXIT.failed,
  'Another mcpaql audit prune has removed records meanwhile, and this one has removed nothing',
  'To remove what is left of those that are old enough, run it again',
)

/** Where the store cannot be read, the error at hand says more. */
async function isPrunedMeanwhile({ trail }: Store, first: TrailEntry): Promise<boolean> {
  const [now] = await trail.read({ order: 'oldest', limit: 1 }).catch(() => [first])
  return now?.seq !== first.seq
}

async function undoAll(undo: readonly (() => unknown)[], terminal: Terminal): Promise<void> {
  for (const each of undo) {
    try {
      await each()
    } catch (error) {
      terminal.write(`What was prepared could not be taken back: ${messageOf(error)}\n`)
    }
  }
}

function isFileFault(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function anchorFault(anchor = '', error: unknown): string {
  return `The anchor cannot be written: ${faultOf(anchor, error)}`
}

function anchorsIn(file: string): readonly Anchor[] | Stop {
  try {
    return readAnchors(file)
  } catch (error) {
    return stop(EXIT.badUsage, `The anchor cannot be read: ${faultOf(file, error)}`, 'Nothing was removed')
  }
}

interface Span {
  readonly first: TrailEntry
  readonly last: TrailEntry
  /** An unknown outcome that ends it early. */
  readonly kept?: number
}

/** From the beginning to the last record before the first one that is young enough to stay. */
async function spanOf(store: Store, before: string): Promise<Span | undefined> {
  const { trail } = store
  const [first] = await trail.read({ order: 'oldest', limit: 1 })
  const [young] = await trail.read({ order: 'oldest', from: before, limit: 1 })
  const unknown = Math.min(...(await createUnknownOutcomes(store).list()).map(({ seq }) => seq))
  const end = young?.seq ?? (await trail.head()).seq + 1
  const [last] = await trail.read({ before: Math.min(end, unknown), limit: 1 })
  return first && last && { first, last, ...(unknown < end && { kept: unknown }) }
}

async function isMeant(terminal: Terminal, exportTo: string | undefined): Promise<boolean> {
  const word = exportTo === undefined ? 'discard' : 'prune'
  const question =
    exportTo === undefined
      ? 'They are removed for good and no copy is kept (--export FILE keeps one).'
      : 'They are written to the file and then removed for good.'
  const answer = await terminal.readLine(`${question} Type ${word} to do so, or Enter to leave them [no]: `)
  return answer?.trim() === word
}

/** JSON Lines, on disk when it returns. Its hash stands in the trail, so that the copy can be shown to be the one. */
async function exportSpan(store: Store, upTo: number, file: string) {
  const digest = createHash('sha256')
  let bytes = 0
  let isOurs = false
  try {
    const handle = openSync(file, 'wx', 0o600)
    isOurs = true
    try {
      for (let after = 0; ; ) {
        const page = await store.trail.read({ order: 'oldest', after, before: upTo + 1, limit: PAGE })
        const last = page.at(-1)
        if (!last) break
        const text = Buffer.from(page.map((entry) => `${auditJson(entry)}\n`).join(''))
        digest.update(text)
        for (let at = 0; at < text.length; ) at += writeSync(handle, text, at)
        bytes += text.length
        after = last.seq
      }
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    if (isOurs) unlinkSync(file)
    return stop(EXIT.failed, `The copy cannot be written: ${messageOf(error)}`, 'Nothing was removed')
  }
  return { sha256: digest.digest('hex'), bytes }
}

const PAGE = 1_000
