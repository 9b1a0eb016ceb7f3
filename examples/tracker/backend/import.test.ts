import { afterEach, beforeEach, expect, test } from 'vitest'
import { isFailure } from '../../../src/protocol/result.ts'
import { type Database, openDatabase } from './database.ts'
import { importIssues } from './import.ts'
import { getIssue } from './issues.ts'
import { updateProject } from './projects.ts'
import { prepare } from './schema.ts'

const plan = { project: 'API', apiKey: 'key_good', count: 10, delayMs: 0, now: Date.parse('2026-11-16T10:00:00Z') }
const silent = () => ({ signal: new AbortController().signal, progress: () => {} })

let db: Database
beforeEach(() => {
  db = openDatabase(':memory:')
  prepare(db)
})
afterEach(() => db.close())

const count = () => db.one('SELECT count(*) AS n FROM issues')?.n

test('an import stores all rows, reports each, and skips them the next time', async () => {
  const seen: unknown[] = []
  const report = await importIssues(db, plan, { ...silent(), progress: (step) => seen.push(step) })
  expect(report).toMatchObject({ project: 'API', imported: 10, skipped: 0 })
  expect(seen).toHaveLength(10)
  expect(seen.at(-1)).toEqual({ current: 10, total: 10, message: 'Fetched 10 of 10' })
  expect(getIssue(db, 'iss_61')).toMatchObject({
    ...{ external_id: '9100000000000000001', external_id_type: 'bigint', reporter: 'bot', assignee: 'linus' },
    activity: [{ at: '2026-11-16T10:00:00.000Z', actor: 'bot', action: 'imported' }],
  })
  expect(await importIssues(db, { ...plan, count: 12 }, silent())).toMatchObject({ imported: 2, skipped: 10 })
})

test.each([0, 1, 9])('cancelled after %i rows, an import leaves nothing and ends at once', async (rows) => {
  const controller = new AbortController()
  let fetched = 0
  if (rows === 0) controller.abort()
  const work = importIssues(
    db,
    { ...plan, delayMs: 1 },
    {
      signal: controller.signal,
      progress: () => {
        fetched += 1
        if (fetched === rows) controller.abort()
      },
    },
  )
  expect(isFailure(await work)).toBe(true)
  expect(fetched).toBe(rows)
  expect(count()).toBe(60)
})

test('a long pause ends with the signal', async () => {
  const controller = new AbortController()
  const work = importIssues(db, { ...plan, delayMs: 1_000_000 }, { ...silent(), signal: controller.signal })
  controller.abort()
  expect(isFailure(await work)).toBe(true)
})

test('a refused key and a project that was archived on the way fail without a trace', async () => {
  const refused = await importIssues(db, { ...plan, apiKey: 'key_expired1' }, silent())
  expect(refused).toMatchObject({ error: { code: 'PERMISSION_DENIED' } })
  expect(JSON.stringify(refused)).not.toContain('key_expired1')
  const archive = () => updateProject(db, 'API', { input: { archived: true }, now: 0 })
  const late = await importIssues(db, plan, { ...silent(), progress: archive })
  expect(late).toMatchObject({ error: { code: 'CONFLICT_PROJECT_ARCHIVED' } })
  expect(count()).toBe(60)
})
