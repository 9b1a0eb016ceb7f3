import type { Trail, TrailEntry, TrailQuery } from '../../core/ports/store.ts'
import { FILTERS, readFilter } from '../audit-filter.ts'
import { defineCommand, EXIT, isStop, type Stop, stop } from '../command.ts'
import { counted } from '../render.ts'
import { allOptions } from '../settings.ts'
import type { World } from '../world.ts'

const { store, config } = allOptions()

export const audit = defineCommand({
  name: 'audit',
  summary: 'Read, check and export the audit trail.',
  usage: [
    'tail [FILTERS] [--follow] [--json]',
    'verify [--anchor FILE] [--json]',
    'export [FILTERS] [--format jsonl|csv]',
  ],
  about: [
    'tail shows the newest entries, the last one at the end. export writes all of them, the oldest first. verify walks the chain of hashes and ends with 1 when a record was altered, removed or moved; that the end of the trail was cut off, or all of it rewritten, shows only against anchors kept elsewhere (the setting audit_anchor), or against the head that verify printed before.',
  ],
  examples: [
    'mcpaql audit tail --follow',
    'mcpaql audit tail --event OPERATION_DENIED --since 2h',
    'mcpaql audit verify --anchor /mnt/other/anchors.jsonl',
    'mcpaql audit export --since 2026-05-01 --format csv > trail.csv',
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
        return withTrail(values, world, (trail, { audit_anchor }) =>
          verify(trail, { anchor: values.anchor ?? audit_anchor, isJson: values.json === true }, world),
        )
      default:
        return stop(EXIT.badUsage, `There is no audit ${what}`, 'There are tail, verify and export')
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
  trail: Trail,
  { anchor, isJson }: { readonly anchor: string; readonly isJson: boolean },
  world: World,
): Promise<number | Stop> {
  const { verifyTrail } = await import('../../core/audit/verify-trail.ts')
  const anchors = anchor === '' ? [] : await anchorsIn(anchor, world)
  if (isStop(anchors)) return anchors
  const { head, entries, anchors: met, broken } = await verifyTrail(trail, { anchors })
  if (isJson) {
    world.out(JSON.stringify({ ok: broken === undefined, head, entries, anchors: met, ...(broken && { broken }) }))
    return broken ? EXIT.failed : EXIT.ok
  }
  if (broken) {
    const good = `The records before it are whole; the last is ${head.seq} ${head.hash}`
    return stop(EXIT.failed, `Record ${broken.seq} of the audit trail was ${broken.kind}: ${broken.why}`, good)
  }
  world.out(
    `The audit trail is whole: ${counted(entries, 'record')}, ${met} of ${counted(anchors.length, 'anchor')} met.`,
  )
  world.out(`head ${head.seq} ${head.hash}`)
  if (anchors.length === 0)
    world.err('Without an anchor, an end that was cut off does not show. Keep the head elsewhere.')
  return EXIT.ok
}

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
