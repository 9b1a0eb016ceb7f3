import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Terminal } from '../channels/read-secret.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import { type Anchor, verifyTrail } from '../core/audit/verify-trail.ts'
import { carryForward } from '../core/operator/carry-forward.ts'
import { compareRecords } from '../core/operator/compare-records.ts'
import type { Right } from '../core/operator/operator-account.ts'
import { createUnknownOutcomes } from '../core/operator/unknown-outcomes.ts'
import type { Store, TrailEntry, TrailHead } from '../core/ports/store.ts'
import { appendAnchor, readAnchors } from './audit-anchor.ts'
import { EXIT, isStop, messageOf, type Stop, stop } from './command.ts'
import { auditJson } from './print-audit.ts'
import { contradictionLines } from './print-verified.ts'
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
 * and after.
 */
export async function pruneTrail(
  store: Store,
  { before, exportTo, anchor }: PruneOrder,
  { operator }: Right,
  terminal: Terminal,
  world: World,
): Promise<number | Stop> {
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

  const copy = exportTo === undefined ? undefined : await exportSpan(store, last.seq, resolve(world.cwd, exportTo))
  if (isStop(copy)) return copy
  const pruned: TrailHead = { seq: last.seq, hash: last.hash }
  const at = new Date(world.now()).toISOString()
  if (anchor !== undefined) appendAnchor(anchor, { ...(await store.trail.head()), at, pruned })
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
  await store.prune(pruned, [entry, ...carried.entries])
  if (anchor !== undefined) appendAnchor(anchor, { ...(await store.trail.head()), at, pruned })
  terminal.write(`Removed ${counted(last.seq - first.seq + 1, 'record')}.\n`)
  return EXIT.ok
}

function anchorsIn(file: string): readonly Anchor[] | Stop {
  try {
    return readAnchors(file)
  } catch (error) {
    return stop(EXIT.badUsage, `The anchor cannot be read: ${messageOf(error)}`, 'Nothing was removed')
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
  try {
    const handle = openSync(file, 'wx', 0o600)
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
    return stop(EXIT.failed, `The copy cannot be written: ${messageOf(error)}`, 'Nothing was removed')
  }
  return { sha256: digest.digest('hex'), bytes }
}

const PAGE = 1_000
