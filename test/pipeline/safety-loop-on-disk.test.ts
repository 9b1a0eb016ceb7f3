import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Store } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { createLoopBench, errorOf, idIn } from '../safety-loop.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-loop-'))
const stores: Store[] = []
let files = 0

async function open(path = join(folder, `${++files}.db`)) {
  const store = await openSqliteStore(path)
  stores.push(store)
  return { store, path }
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

test('BLOCK-05, SESS-03, SESS-04 after a restart the block stands, the execution has failed, the challenge is void', async () => {
  const { store, path } = await open()
  const before = await createLoopBench({}, store)
  const here = before.session()
  await before.start(here)
  const id = idIn(await before.report(here, 'rm -rf /'), 'verificationId')
  const code = await before.code(id)
  await store.close()

  const after = await createLoopBench({}, (await open(path)).store, before.time)
  const there = after.session()
  expect(after.loop.isBlocked(there)?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
  expect(errorOf(await after.loop.verify(there, id, code)).code).toBe('PERMISSION_VERIFICATION_FAILED')
  const refused = errorOf(await after.loop.executeAgent(there, { element_name: 'bot' }))
  expect(refused.code).toBe('PERMISSION_AGENT_BLOCKED')
  const next = String(refused.details?.verificationId)
  expect(next).not.toBe(id)
  expect(await after.loop.verify(there, next, await after.code(next))).toMatchObject({ blockLifted: true })
  await after.start(there)
  expect(await after.report(there, 'rm -rf /')).toMatchObject({ continue: true })
  const [agent] = await after.store.list<{ ended: readonly unknown[] }>('agent')
  expect(agent?.value.ended).toMatchObject([{ status: 'failed', error: { details: { reason: 'session_terminated' } } }])
})

test('SESS-10 two processes on one file: of 40 reports on one grant one continues, of 40 codes one succeeds', async () => {
  const { store, path } = await open()
  const one = await createLoopBench({}, store)
  const two = await createLoopBench({}, (await open(path)).store, one.time)
  const here = one.session()
  await one.start(here)
  await one.approve(idIn(await one.report(here, 'delete_x'), 'approvalId'))
  const both = (i: number) => (i % 2 ? one : two)
  const reports = await Promise.all(Array.from({ length: 40 }, (_, i) => both(i).report(here, 'delete_x')))
  expect(reports.filter((directive) => directive.continue)).toHaveLength(1)

  await one.approve(idIn(await two.report(here, 'delete_x'), 'approvalId'))
  const id = idIn(await two.report(here, 'risk 70'), 'verificationId')
  const code = await one.code(id)
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => both(i).loop.verify(here, id, code)))
  expect(answers.filter((answer) => 'challenge' in answer)).toHaveLength(1)
})

test('GATE-07 a block made in one process is seen by the other after refresh', async () => {
  const { store, path } = await open()
  const one = await createLoopBench({}, store)
  const two = await createLoopBench({}, (await open(path)).store, one.time)
  const here = one.session()
  await one.start(here)
  await one.report(here, 'rm -rf /')
  expect(two.loop.isBlocked(two.session())?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
  expect(two.loop.isBlocked(two.session('bob'))).toBeUndefined()
})
