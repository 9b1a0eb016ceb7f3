import type { Store, Trail, TrailEntry, TrailQuery } from '../../core/ports/store.ts'
import { FILTERS, readFilter } from '../audit-filter.ts'
import { defineCommand, EXIT, isStop, type Stop, stop } from '../command.ts'
import { allOptions } from '../settings.ts'
import type { World } from '../world.ts'

const { store, config } = allOptions()

export const audit = defineCommand({
  name: 'audit',
  summary: 'Read, check, export and prune the audit trail.',
  usage: [
    'tail [FILTERS] [--follow] [--json]',
    'verify [--anchor FILE] [--json]',
    'export [FILTERS] [--format jsonl|csv]',
    'prune --before DATE|--keep-days N [--export FILE]',
  ],
  about: [
    'tail shows the newest entries, the last one at the end. export writes all of them, the oldest first.',
    'verify walks the chain of hashes, holds it against the anchors (the setting audit_anchor), and compares what belongs together: intents and grants with outcomes, log-ins with the links that were made for them, codes with those that were shown, and what the store says of approvals, blocks, named clients, trust, safety modes, the operator secret and log-in links with the trail. It ends with 1 when a record was altered, removed or moved, or when something does not fit, and says what it has not compared. Without an anchor it shows that the chain is consistent, not that it was never rewritten as a whole or cut off at its end.',
    'prune removes the records that are older than a date, at least a day. It asks for the operator secret, verifies and compares first and removes nothing where the store contradicts the trail, notes in the trail and in the anchor what was removed, carries forward what later records rest on (TRAIL_CARRIED), and needs an anchor unless --no-anchor says that there is none.',
  ],
  examples: [
    'mcpaql audit tail --follow',
    'mcpaql audit tail --event OPERATION_DENIED --since 2h',
    'mcpaql audit verify --anchor /mnt/other/anchors.jsonl',
    'mcpaql audit export --since 2026-05-01 --format csv > trail.csv',
    'mcpaql audit prune --keep-days 365 --export trail-until-2026.jsonl',
  ],
  options: {
    ...FILTERS,
    follow: { type: 'boolean', short: 'f', description: 'Go on with what is still to come (tail).' },
    format: { type: 'string', value: 'jsonl|csv', description: 'How entries are exported (default: jsonl).' },
    anchor: {
      type: 'string',
      value: 'FILE',
      description: 'Anchors to verify against (default: those of audit_anchor).',
    },
    before: { type: 'string', value: 'DATE', description: 'Remove what is older: 2026-05-01 (prune).' },
    'keep-days': { type: 'string', value: 'N', description: 'Remove what is older than so many days (prune).' },
    export: {
      type: 'string',
      writes: true,
      value: 'FILE',
      description: 'Keep a copy of what is removed in a new file (prune).',
    },
    'no-anchor': { type: 'boolean', description: 'Prune although nothing outside the store will know of it.' },
    json: { type: 'boolean', description: 'Print JSON, one line for each entry.' },
    ...(store && { store }),
    ...(config && { config }),
  },
  positionals: [1, 1],

  async run({ values, positionals: [what] }, world) {
    const query = readFilter(values, world.now())
    if (isStop(query)) return query
    const { format = 'jsonl' } = values
    if (format !== 'jsonl' && format !== 'csv')
      return stop(EXIT.badUsage, `--format ${format} is not known`, 'There are jsonl and csv')
    const { withTrail } = await import('../open-trail.ts')
    switch (what) {
      case 'tail':
        return withTrail(values, world, (trail) => tail(trail, query, values, world))
      case 'export':
        return withTrail(values, world, (trail) => exportAll(trail, query, format, world))
      case 'verify':
        return withTrail(values, world, (_, { audit_anchor }, trailStore) =>
          verify(trailStore, { anchor: values.anchor ?? audit_anchor, isJson: values.json === true }, world),
        )
      case 'prune':
        return prune(values, world)
      default:
        return stop(EXIT.badUsage, `There is no audit ${what}`, 'There are tail, verify, export and prune')
    }
  },
})

const SHOWN = 20
const POLL_MS = 500
const PAGE = 1_000

async function tail(
  trail: Trail,
  query: TrailQuery,
  { follow = false, json = false }: { readonly follow?: boolean; readonly json?: boolean },
  world: World,
): Promise<number> {
  const { auditJson, auditLine } = await import('../print-audit.ts')
  const print = (entries: readonly TrailEntry[]): void => {
    for (const entry of entries) world.out(json ? auditJson(entry) : auditLine(entry, world))
  }
  let seen = (await trail.head()).seq
  print((await trail.read({ ...query, before: seen + 1, limit: query.limit ?? SHOWN })).toReversed())
  const { limit: _, ...always } = query
  while (follow && !world.interrupted.aborted) {
    const { seq } = await trail.head()
    if (seq > seen) print(await trail.read({ ...always, order: 'oldest', after: seen, before: seq + 1 }))
    seen = seq
    await pause(POLL_MS, world.interrupted)
  }
  return EXIT.ok
}

async function exportAll(trail: Trail, query: TrailQuery, format: 'jsonl' | 'csv', world: World): Promise<number> {
  const { auditCsv, auditJson, CSV_HEADER } = await import('../print-audit.ts')
  const lineOf = format === 'csv' ? auditCsv : auditJson
  if (format === 'csv') world.out(CSV_HEADER)
  let missing = query.limit ?? Number.POSITIVE_INFINITY
  const { seq } = await trail.head()
  for (let after = 0; missing > 0 && !world.interrupted.aborted; ) {
    const page = await trail.read({ ...query, order: 'oldest', after, before: seq + 1, limit: Math.min(PAGE, missing) })
    const last = page.at(-1)
    if (!last) break
    world.out(page.map(lineOf).join('\n'))
    after = last.seq
    missing -= page.length
  }
  return EXIT.ok
}

async function verify(
  trailStore: Store,
  { anchor, isJson }: { readonly anchor: string; readonly isJson: boolean },
  world: World,
): Promise<number | Stop> {
  const { verifyTrail } = await import('../../core/audit/verify-trail.ts')
  const { compareRecords } = await import('../../core/operator/compare-records.ts')
  const anchors = anchor === '' ? [] : await anchorsIn(anchor, world)
  if (isStop(anchors)) return anchors
  const verified = await verifyTrail(trailStore.trail, { anchors })
  const compared = verified.broken ? { contradictions: [], ofStore: [] } : await compareRecords(trailStore)
  const { contradictions } = compared
  const { jsonLine } = await import('../json-line.ts')
  const { verifiedJson, verifiedLines } = await import('../print-verified.ts')
  const isGood = verified.broken === undefined && contradictions.length === 0
  if (isJson) {
    world.out(jsonLine(verifiedJson(verified, compared)))
    return isGood ? EXIT.ok : EXIT.failed
  }
  const { broken, head } = verified
  if (broken) {
    const good = `The records before it are consistent; the last of them is ${head.seq} ${head.hash}`
    return stop(EXIT.failed, `Record ${broken.seq} of the audit trail was ${broken.kind}: ${broken.why}`, good)
  }
  const { lines, notes } = verifiedLines(verified, anchors.length, compared)
  for (const line of lines) world.out(line)
  for (const note of notes) world.err(note)
  if (isGood) return EXIT.ok
  const { contradictionLines } = await import('../print-verified.ts')
  const [first = '', ...more] = contradictionLines(contradictions)
  return stop(EXIT.failed, first, ...more)
}

interface PruneValues {
  readonly before?: string
  readonly 'keep-days'?: string
  readonly export?: string
  readonly anchor?: string
  readonly 'no-anchor'?: boolean
}

async function prune(values: PruneValues, world: World): Promise<number | Stop> {
  const before = readBefore(values, world.now())
  if (isStop(before)) return before
  const { readConfig } = await import('../read-config.ts')
  const settings = await readConfig(values as Readonly<Record<string, unknown>>, world)
  if (isStop(settings)) return settings
  const given = values.anchor ?? settings.audit_anchor
  if (given === '' && values['no-anchor'] !== true)
    return stop(
      EXIT.badUsage,
      'There is no anchor: nothing outside the store would know what was removed',
      'Name one with --anchor FILE or the setting audit_anchor, or say --no-anchor',
    )
  const { resolve } = await import('node:path')
  const anchor = values['no-anchor'] === true ? undefined : resolve(world.cwd, given)
  const { asOperator, atDesk } = await import('../open-operator.ts')
  const { pruneTrail } = await import('../prune-trail.ts')
  const order = { before, anchor, ...(values.export !== undefined && { exportTo: values.export }) }
  return atDesk(values as Readonly<Record<string, unknown>>, world, (desk) =>
    asOperator(world, desk, (right, terminal) => pruneTrail(desk.store, order, right, terminal, world)),
  )
}

/** The last day stays: what is asked, approved or under way refers to it. */
function readBefore({ before, 'keep-days': days }: PruneValues, now: number): string | Stop {
  if ((before === undefined) === (days === undefined))
    return stop(EXIT.badUsage, 'What shall be removed?', 'Say --before 2026-05-01, or --keep-days 365')
  const time =
    days !== undefined
      ? /^\d{1,6}$/.test(days)
        ? now - Number(days) * DAY_MS
        : Number.NaN
      : /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(before ?? '')
        ? Date.parse(before ?? '')
        : Number.NaN
  if (Number.isNaN(time))
    return stop(EXIT.badUsage, `${days ?? before} is no ${days === undefined ? 'date' : 'number of days'}`)
  if (time > now - DAY_MS) return stop(EXIT.badUsage, 'The records of the last 24 hours cannot be removed')
  return new Date(Math.max(0, time)).toISOString()
}

const DAY_MS = 86_400_000

async function anchorsIn(file: string, world: World) {
  const { resolve } = await import('node:path')
  const { existsSync } = await import('node:fs')
  const { readAnchors } = await import('../audit-anchor.ts')
  const path = resolve(world.cwd, file)
  if (!existsSync(path)) return stop(EXIT.badUsage, `There is no file ${file}`, 'Check the path after --anchor')
  try {
    const anchors = readAnchors(path)
    return anchors.length > 0 ? anchors : stop(EXIT.badUsage, `There is no anchor in ${file}`)
  } catch (error) {
    const { faultOf } = await import('../read-text.ts')
    return stop(EXIT.badUsage, faultOf(file, error), 'Check the path after --anchor')
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}
