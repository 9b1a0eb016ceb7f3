import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import { openWorld } from '../../test/notes.ts'
import { watchPolicies } from './watch-policies.ts'

const cwd = mkdtempSync(join(tmpdir(), 'mcpaql-policies-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const WITHIN = { timeout: 10_000 }

test('GATE-11 SELF-14 a changed file is taken in, and one that is wrong or gone changes nothing', {
  timeout: 40_000,
}, async () => {
  const file = join(cwd, 'policies.yaml')
  const policies = (...records: readonly string[]) => writeFileSync(file, ['policies:', ...records, ''].join('\n'))
  const { runtime, call } = await openWorld()
  const listing = async () => (await call({ operation: 'list_notes' })).error?.code ?? 'done'
  policies('  - { operation: "zip_*", permission: deny }')
  const world = fakeWorld({ cwd })
  const silence = watchPolicies('policies.yaml', [runtime], world)
  await new Promise((resolve) => setTimeout(resolve, 50))

  policies('  - { operation: list_notes, permission: deny }', '  - { operation: "*", permission: perhaps }')
  await expect.poll(() => world.said.err, WITHIN).toContain('policies.yaml:3: policies[1].permission: expected')
  expect(world.said.err).toContain('The policies in force stay as they were.')
  expect(await listing()).toBe('done')

  policies('  - { operation: list_notes, permission: deny }', '  - { operation: "create_*", permission: deny }')
  await expect.poll(() => world.said.err, WITHIN).toContain('2 policies were added')
  expect(await listing()).toBe('PERMISSION_DENIED')

  rmSync(file)
  await expect.poll(() => world.said.err, WITHIN).toContain('The policy file policies.yaml cannot be read')
  expect(await listing()).toBe('PERMISSION_DENIED')

  policies('  - { operation: "create_*", permission: deny }')
  await expect
    .poll(() => world.said.err, WITHIN)
    .toContain('0 policies were added; 1 that the file no longer has holds until the next start')
  expect(await listing()).toBe('PERMISSION_DENIED')
  silence()
  await runtime.close()
})
