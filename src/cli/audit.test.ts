import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import { record, type Store } from '../core/ports/store.ts'
import { createMemoryStore } from '../store/memory.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { TRAIL_IS_KEPT } from '../store/sqlite-database.ts'
import { appendAnchor, keepAnchors, readAnchors, verifySinceAnchor } from './audit-anchor.ts'
import { isStop } from './command.ts'
import { audit } from './commands/audit.ts'
import { parseArguments } from './parse-arguments.ts'
import { auditCsv } from './print-audit.ts'
import type { World } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DAY = Date.parse('2026-01-01T00:00:00.000Z')
const at = (hour: number) => new Date(DAY + hour * 3_600_000).toISOString()
const HOSTILE = 'a\u001b[2Jb\u009bc\u202ed\r\ne\u2028f\u{e0041}g'

const ENTRIES: readonly AuditEntry[] = [
  { timestamp: at(0), event: 'SERVER_STARTED' },
  {
    timestamp: at(1),
    event: 'OPERATION_DENIED',
    operation: 'delete_note',
    user_id: 'ann',
    danger_level: 2,
    reason: HOSTILE,
  },
  {
    timestamp: at(2),
    event: 'OPERATION_CALLED',
    operation: 'create_note',
    user_id: 'bob',
    danger_level: 1,
    result: 'allowed',
  },
  { timestamp: at(3), event: 'AGENT_BLOCKED', user_id: '=1+1', reason: '@SUM(A1)' },
]

async function fill(file: string): Promise<void> {
  const store = await openSqliteStore(file)
  for (const entry of ENTRIES) await store.update({}, () => ({ audit: [entry], result: undefined }))
  await store.close()
}

async function mcpaql(file: string, args: readonly string[], given: Partial<World> = {}) {
  const world = fakeWorld({ cwd: folder, now: () => DAY + 4 * 3_600_000, ...given })
  const parsed = parseArguments(audit, [...args, '--store', `sqlite:${file}`])
  const ended = isStop(parsed) ? parsed : await audit.run(parsed, world)
  const [exit, stopped] = isStop(ended) ? [ended.exit, [ended.message, ...ended.next].join('\n')] : [ended, '']
  return { exit, stopped, ...world.said }
}

const file = join(folder, 'state.db')
beforeAll(() => fill(file))

const seqs = (out: string) =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).seq)

describe('mcpaql audit tail', () => {
  test('AUDIT-09 shows the newest entries, the last at the end, one line each', async () => {
    const { exit, out } = await mcpaql(file, ['tail'])
    const lines = out.trimEnd().split('\n')
    expect(exit).toBe(0)
    expect(lines.length).toBe(4)
    expect(lines[0]).toBe('      1  2026-01-01T00:00:00.000Z  SERVER_STARTED')
    expect(lines[2]).toBe(
      '      3  2026-01-01T02:00:00.000Z  OPERATION_CALLED          create_note  level 1  allowed  by bob',
    )
  })

  test('nothing in an entry reaches the terminal that it would obey, hide or turn around', async () => {
    for (const args of [['tail'], ['tail', '--json'], ['export'], ['export', '--format', 'csv']]) {
      const { out } = await mcpaql(file, args, { columns: 200 })
      expect(out).toContain('OPERATION_DENIED')
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
      expect(out.trimEnd().split('\n').length).toBe(args.includes('csv') ? 5 : 4)
    }
  })

  test.each<[readonly string[], readonly number[]]>([
    [
      ['--event', 'OPERATION_DENIED', '--event', 'agent_blocked'],
      [2, 4],
    ],
    [['--operation', 'create_note'], [3]],
    [['--principal', 'ann'], [2]],
    [['--level', '1'], [3]],
    [['--level', 'destructive'], [2]],
    [
      ['--since', '2h'],
      [3, 4],
    ],
    [['--since', '90m'], [4]],
    [
      ['--since', '2026-01-01T01:00:00Z'],
      [2, 3, 4],
    ],
    [
      ['--since', '2026-01-01T01:00'],
      [2, 3, 4],
    ],
    [
      ['--since', '2026-01-01T03:00:00+01:00'],
      [3, 4],
    ],
    [['--since', '2026-01-02'], []],
    [['--text', 'SUM(a1)'], [4]],
    [
      ['--limit', '2'],
      [3, 4],
    ],
  ])('%j', async (args, expected) => {
    expect(seqs((await mcpaql(file, ['tail', '--json', ...args])).out)).toEqual(expected)
  })

  test('--follow goes on with what is still to come, until it is interrupted', async () => {
    const followed = join(folder, 'followed.db')
    await fill(followed)
    const interruption = new AbortController()
    let out = ''
    const running = mcpaql(followed, ['tail', '--follow', '--json', '--event', 'SERVER_STOPPED'], {
      interrupted: interruption.signal,
      out: (text) => {
        out += `${text}\n`
        if (seqs(out).length === 2) interruption.abort()
      },
    })
    const store = await openSqliteStore(followed)
    for (const event of ['SERVER_STOPPED', 'SERVER_STARTED', 'SERVER_STOPPED'] as const) {
      await store.update({}, () => ({ audit: [{ timestamp: at(5), event }], result: undefined }))
    }
    expect((await running).exit).toBe(0)
    expect(seqs(out)).toEqual([5, 7])
    await store.close()
  })

  test.each<[readonly string[], string]>([
    [['tail', '--event', 'OPERATION_DENID'], 'There is no event OPERATION_DENID\nDid you mean OPERATION_DENIED?'],
    [
      ['tail', '--level', '7'],
      'There is no danger level 7\nLevels: 0 safe, 1 reversible, 2 destructive, 3 dangerous, 4 forbidden',
    ],
    [
      ['tail', '--since', 'yesterday'],
      '--since yesterday is no time\nWrite 2026-05-01T12:00:00Z, 2026-05-01, or 45s, 30m, 2h, 3d',
    ],
    [
      ['tail', '--since', '2026-02-31x'],
      '--since 2026-02-31x is no time\nWrite 2026-05-01T12:00:00Z, 2026-05-01, or 45s, 30m, 2h, 3d',
    ],
    [['tail', '--limit', '0'], '--limit 0 is no number of entries'],
    [['export', '--format', 'xml'], '--format xml is not known\nThere are jsonl and csv'],
    [['erase'], 'There is no audit erase\nThere are tail, verify, export and prune'],
  ])('%j is refused', async (args, message) => {
    expect(await mcpaql(file, args)).toMatchObject({ exit: 2, stopped: message, out: '' })
  })

  test('a file that is no store is bad usage, and the next step is named', async () => {
    const junk = join(folder, 'junk.db')
    writeFileSync(junk, 'no database '.repeat(100))
    const { exit, stopped } = await mcpaql(junk, ['verify'])
    expect(exit).toBe(2)
    expect(stopped).toContain('it is not a SQLite database.\nName the store of the server: --store sqlite:PATH')
  })

  test('a store that is not there is not made', async () => {
    const absent = join(folder, 'absent.db')
    expect(await mcpaql(absent, ['tail'])).toMatchObject({ exit: 2, out: '' })
    expect(statSync(absent, { throwIfNoEntry: false })).toBeUndefined()
  })
})

describe('mcpaql audit export', () => {
  test('AUDIT-09 JSON Lines hold the whole entry and its links, the oldest first', async () => {
    const { out } = await mcpaql(file, ['export'])
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ seq, entry }) => [seq, entry])).toEqual(ENTRIES.map((entry, i) => [i + 1, entry]))
    expect(lines[1].previous).toBe(lines[0].hash)
  })

  test('a table has one line for each entry and no cell that a table program would calculate', async () => {
    const { out } = await mcpaql(file, ['export', '--format', 'csv', '--event', 'AGENT_BLOCKED'])
    const [header, line, ...rest] = out.trimEnd().split('\n')
    expect(header?.startsWith('seq,timestamp,event,operation')).toBe(true)
    expect(line?.startsWith(`4,"2026-01-01T03:00:00.000Z","AGENT_BLOCKED",,,,,,,,"'@SUM(A1)",,"'=1+1",`)).toBe(true)
    expect(rest).toEqual([])
  })

  test.each([
    ['=cmd()', `"'=cmd()"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@x', `"'@x"`],
    [' =x', `"' =x"`],
    ['＝x', `"'＝x"`],
    ['\t=x', '"\\u0009=x"'],
    ['a\nb', '"a\\u000ab"'],
    ['say "hi", all', '"say ""hi"", all"'],
  ])('the cell %j', (reason, expected) => {
    const entry = { timestamp: at(0), event: 'SERVER_STARTED', reason } as const
    const line = auditCsv({ seq: 1, previous: '', hash: '', entry })
    expect(line.slice(`1,"${at(0)}","SERVER_STARTED",,,,,,,,`.length).startsWith(`${expected},`)).toBe(true)
  })
})

describe('mcpaql audit verify', () => {
  test('AUDIT-09 a whole trail: its head is printed, to be kept elsewhere', async () => {
    const { exit, out, err } = await mcpaql(file, ['verify'])
    expect(exit).toBe(0)
    expect(out).toMatch(/^The audit trail is consistent: 4 records, no anchor\.\nhead 4 [0-9a-f]{64}\n$/)
    expect(err).toContain(
      'Without an anchor this shows that the chain is consistent, not that it was never rewritten as a whole or cut off at its end.',
    )
    const told = JSON.parse((await mcpaql(file, ['verify', '--json'])).out)
    expect(told).toMatchObject({ ok: true, entries: 4, anchors: 0, anchored_to: null, pruned_to: null, lost: 0 })
    expect(told.limit).toContain('not that it was never rewritten as a whole')
  })

  test.each([
    ['altered', "update trail set text = replace(text, 'delete_note', 'create_note')", 2],
    ['removed', 'delete from trail where seq = 3', 3],
  ])('AUDIT-09 a record that was %s is named', async (kind, sql, seq) => {
    const edited = join(folder, `${kind}.db`)
    await fill(edited)
    const database = new Database(edited)
    database.exec(`drop trigger trail_is_final; drop trigger trail_is_kept; ${sql}`)
    database.close()
    const { exit, stopped, out } = await mcpaql(edited, ['verify'])
    expect({ exit, out }).toEqual({ exit: 1, out: '' })
    expect(stopped).toContain(`Record ${seq} of the audit trail was ${kind}`)
    const { broken } = JSON.parse((await mcpaql(edited, ['verify', '--json'])).out)
    expect(broken).toMatchObject({ seq, kind })
  })

  test('AUDIT-09 an end that was cut off shows against the anchor, from the flag or the setting', async () => {
    const cut = join(folder, 'cut.db')
    const anchors = join(folder, 'anchors.jsonl')
    await fill(cut)
    const [, seq, hash = ''] = /head (\d+) (\w+)/.exec((await mcpaql(cut, ['verify'])).out) ?? []
    writeFileSync(anchors, `${JSON.stringify({ seq: Number(seq), hash })}\n`)
    const met = await mcpaql(cut, ['verify', '--anchor', anchors])
    expect([met.out, met.err]).toEqual([
      expect.stringContaining('is whole: 4 records, 1 of 1 anchor met'),
      expect.stringContaining('The anchors vouch for every record.'),
    ])
    const database = new Database(cut)
    database.exec('drop trigger trail_is_kept; delete from trail where seq = 4')
    expect((await mcpaql(cut, ['verify'])).exit).toBe(1)
    database.exec(TRAIL_IS_KEPT)
    database.close()
    expect((await mcpaql(cut, ['verify'])).exit).toBe(0)
    const told = 'Record 4 of the audit trail was cut: the trail ends at record 3, but an anchor saw record 4'
    expect((await mcpaql(cut, ['verify', '--anchor', anchors])).stopped).toContain(told)
    const env = { MCPAQL_AUDIT_ANCHOR: anchors }
    expect((await mcpaql(cut, ['verify'], { env })).stopped).toContain(told)
  })

  test('M5 a history that was rewritten and chained anew is found by the anchor, and only by it', async () => {
    const edited = join(folder, 'rewritten.db')
    const anchors = join(folder, 'rewritten.jsonl')
    await fill(edited)
    const original = await openSqliteStore(edited)
    appendAnchor(anchors, { ...(await original.trail.head()), at: at(3) })
    await original.close()
    const other = join(folder, 'other.db')
    const forged = await openSqliteStore(other)
    const audit = ENTRIES.map((entry) => ({ ...entry, user_id: 'nobody' }))
    await forged.update({}, () => ({ audit, result: undefined }))
    await forged.close()
    expect(await mcpaql(other, ['verify'])).toMatchObject({ exit: 0, err: expect.stringContaining('never rewritten') })
    const { exit, stopped } = await mcpaql(other, ['verify', '--anchor', anchors])
    expect([exit, stopped]).toEqual([1, expect.stringContaining('Record 4 of the audit trail was rewritten')])
  })

  test('AUDIT-10 what was lost is told by verify and tail', async () => {
    const lossy = join(folder, 'lossy.db')
    const store = await openSqliteStore(lossy)
    const reason = '12 records were lost between then and now'
    const lost = { timestamp: at(1), event: 'RECORDS_LOST', outcome: 'lost', lost: 12, calls: 40, reason } as const
    await store.update({}, () => ({ audit: [lost], result: undefined }))
    await store.close()
    expect((await mcpaql(lossy, ['verify'])).out).toContain('12 records could not be written and were lost')
    expect(JSON.parse((await mcpaql(lossy, ['verify', '--json'])).out).lost).toBe(12)
    expect((await mcpaql(lossy, ['tail'])).out).toContain(reason)
  })

  test('M5 what does not fit together is named: outcomes, intents, grants, and the records of the store', async () => {
    const odd = join(folder, 'odd.db')
    const store = await openSqliteStore(odd)
    const about = { timestamp: at(1), operation: 'drop_it', adapter_name: 'db', danger_level: 3 } as const
    const audit: readonly AuditEntry[] = [
      { ...about, event: 'OPERATION_OUTCOME', outcome: 'success', intent_id: 'i0' },
      { ...about, event: 'OPERATION_INTENT', result: 'confirmed', intent_id: 'i1', confirmation_token: 'r1' },
      { ...about, event: 'CONFIRMATION_GRANTED', approval_id: 'r2', scope: 'once' },
      { ...about, event: 'OPERATION_INTENT', result: 'confirmed', intent_id: 'i2', confirmation_token: 'r2' },
      { ...about, event: 'OPERATION_INTENT', result: 'confirmed', intent_id: 'i3', confirmation_token: 'r2' },
      { ...about, event: 'OPERATION_OUTCOME', outcome: 'success', intent_id: 'i2' },
      { ...about, event: 'AGENT_BLOCKED', agent_key: 'agent-1', user_id: 'eve' },
    ]
    const refs = {
      request: record('request', 'r3'),
      operator: record('operator', 'local'),
      blocks: record('blocks', 'open'),
    }
    await store.update(refs, () => ({
      next: {
        request: { state: 'approved', approvedAt: 1, operation: 'drop_it' },
        operator: { verifier: { salt: 'x', hash: 'y' }, setAt: DAY },
        blocks: { 'agent-2': { blockedAt: DAY } },
      } as never,
      audit,
      result: undefined,
    }))
    await store.close()
    const { exit, out } = await mcpaql(odd, ['verify', '--json'])
    expect(exit).toBe(1)
    const { ok, contradictions } = JSON.parse(out)
    expect(ok).toBe(false)
    expect(contradictions).toEqual([
      { seq: 1, what: 'drop_it of db has an outcome, but no record of its intent before it' },
      { seq: 2, what: 'drop_it of db ran as confirmed, but no human has granted request r1 before' },
      { seq: 5, what: 'drop_it of db ran more often than request r2 was granted for' },
      { what: 'The store has request r3 (drop_it) as approved, but the trail has no grant of it' },
      { seq: 7, what: 'The trail has a block of agent-1 that nobody has lifted, but the store has none' },
      { what: 'The store has a block of agent-2, but the trail does not' },
      { what: 'The store has an operator secret, but the trail does not say that one was set' },
    ])
    expect((await mcpaql(odd, ['verify'])).stopped).toContain('7 contradictions between the records')
  })

  test('AUDIT-09 a trail that an earlier version has pruned: what is not compared is said, and not claimed', async () => {
    const old = join(folder, 'pruned.db')
    await fill(old)
    const store = await openSqliteStore(old)
    const [second] = await store.trail.read({ after: 1, before: 3 })
    const removed = { seq: 2, hash: second?.hash ?? '' }
    await store.prune(removed, [{ timestamp: at(4), event: 'TRAIL_PRUNED', removed_to: 2, removed_hash: removed.hash }])
    const refs = { client: record<object>('client', 'evil') }
    await store.update(refs, () => ({ next: { client: { name: 'evil', createdAt: 0 } }, result: undefined }))
    await store.close()
    const { exit, err } = await mcpaql(old, ['verify'])
    expect(exit).toBe(0)
    expect(err).toContain('NOT COMPARED: the records up to 2 were removed by an earlier version')
    expect(err).toContain('  The store has the client evil, but the trail does not say that it was added')
    expect(err).toContain('Compared with the trail, as far as it tells of them after record 2: approvals')
    expect(err).toContain('Not compared: open questions')
    const json = JSON.parse((await mcpaql(old, ['verify', '--json'])).out)
    expect(json).toMatchObject({ ok: true, unknown_to: 2, unknown: [expect.stringContaining('evil')] })
  })

  test.each([
    ['no such file', undefined, 'There is no file bad.jsonl'],
    ['no anchors in it', 'hello\n', 'There is no anchor in bad.jsonl'],
  ])('an anchor file with %s is refused', async (_, text, message) => {
    const bad = join(folder, 'bad.jsonl')
    rmSync(bad, { force: true })
    if (text !== undefined) writeFileSync(bad, text)
    const { exit, stopped } = await mcpaql(file, ['verify', '--anchor', 'bad.jsonl'])
    expect(exit).toBe(2)
    expect(stopped).toContain(message)
  })
})

describe('AUDIT-09 anchors', () => {
  const world = () => {
    const path = join(folder, `${Math.random()}`, 'anchors.jsonl')
    const store = createMemoryStore()
    const clock = { time: 0 }
    const faults: unknown[] = []
    const open = (anchorFile = path) =>
      keepAnchors({
        trail: store.trail,
        file: anchorFile,
        now: () => clock.time,
        report: (fault) => faults.push(fault),
      })
    return { path, store, clock, faults, open }
  }
  const note = (store: Store, count: number) =>
    store.update({}, () => ({
      audit: Array.from({ length: count }, () => ENTRIES[0] as AuditEntry),
      result: undefined,
    }))

  test('are noted every 1,000 records or 10 minutes, and at the end', async () => {
    const { path, store, clock, open } = world()
    const keeper = open()
    const seen = () => readAnchors(path).map(({ seq }) => seq)
    await keeper.keep()
    await note(store, 999)
    await keeper.keep()
    expect(seen()).toEqual([])
    await note(store, 1)
    await keeper.keep()
    await keeper.keep()
    expect(seen()).toEqual([1_000])
    await note(store, 1)
    clock.time = 599_999
    await keeper.keep()
    expect(seen()).toEqual([1_000])
    clock.time = 600_000
    await keeper.keep()
    expect(seen()).toEqual([1_000, 1_001])
    await keeper.keep({ now: true })
    expect(seen()).toEqual([1_000, 1_001])
    await note(store, 1)
    await keeper.close()
    expect(readAnchors(path).at(-1)).toEqual({ ...(await store.trail.head()), at: '1970-01-01T00:10:00.000Z' })
    if (process.platform !== 'win32') expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  })

  test('a line that a crash has cut short is no anchor, and the next stands on its own', async () => {
    const { path, store } = world()
    await note(store, 1)
    const head = await store.trail.head()
    appendAnchor(path, head)
    appendFileSync(path, '{"seq":2,"ha')
    expect(readAnchors(path)).toEqual([head])
    appendAnchor(path, head)
    expect(readAnchors(path)).toEqual([head, head])
  })

  test('a file that cannot be written is reported, and harms nothing', async () => {
    const { store, faults, open } = world()
    await note(store, 1)
    const keeper = open(folder)
    await keeper.close()
    expect(faults.length).toBe(1)
  })

  test('at start-up the trail is verified from the last anchor on', async () => {
    const { path, store } = world()
    expect(await verifySinceAnchor(store.trail, path)).toBeUndefined()
    await note(store, 5)
    appendAnchor(path, await store.trail.head())
    await note(store, 2)
    expect(await verifySinceAnchor(store.trail, path)).toMatchObject({ entries: 2, anchors: 1, head: { seq: 7 } })
    const other = createMemoryStore()
    await note(other, 3)
    expect((await verifySinceAnchor(other.trail, path))?.broken).toMatchObject({ seq: 4, kind: 'cut' })
    await other.update({}, () => ({ audit: ENTRIES, result: undefined }))
    expect((await verifySinceAnchor(other.trail, path))?.broken).toMatchObject({ seq: 5, kind: 'rewritten' })
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(2)
  })
})

describe('mcpaql audit prune', () => {
  test.each([
    ['without a date', ['prune'], 'What shall be removed?'],
    ['with two', ['prune', '--before', '2026-01-01', '--keep-days', '3'], 'What shall be removed?'],
    ['with no date', ['prune', '--before', 'soon'], 'soon is no date'],
    ['with no number', ['prune', '--keep-days', 'x'], 'x is no number of days'],
    ['of the last day', ['prune', '--keep-days', '0'], 'The records of the last 24 hours cannot be removed'],
    ['without an anchor', ['prune', '--before', '2025-01-01'], 'There is no anchor'],
    ['without a terminal', ['prune', '--before', '2025-01-01', '--no-anchor'], 'only a human at a terminal can decide'],
  ])('%s is refused', async (_, args, message) => {
    const { exit, stopped } = await mcpaql(file, args)
    expect(exit).not.toBe(0)
    expect(stopped).toContain(message)
    expect(seqs((await mcpaql(file, ['export'])).out)).toEqual([1, 2, 3, 4])
  })
})
