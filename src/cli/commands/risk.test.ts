import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/fake-world.ts'
import { isStop } from '../command.ts'
import { risk } from './risk.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-risk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(positionals: readonly string[], values: Readonly<Record<string, string>> = {}) {
  const world = fakeWorld({ cwd: folder })
  const ended = await risk.run({ positionals, values, command: [] }, world)
  return { ended, message: isStop(ended) ? ended.message : '', out: world.said.out }
}

test('a text gives one line with score, tier and factors', async () => {
  const { ended, out } = await run(['rm -rf /'])
  expect(ended).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ score: 97, tier: 'danger_zone', factors: [expect.stringContaining('rm')] })
})

test('a file of JSON strings gives one line each', async () => {
  writeFileSync(join(folder, 'hints.jsonl'), '"ls"\n"git reset --hard"\n\n')
  const { ended, out } = await run([], { lines: 'hints.jsonl' })
  expect(ended).toBe(0)
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).tier),
  ).toEqual(['advisory', 'verify'])
})

test.each([
  [[], {}, 'Give either a text or --lines FILE'],
  [['ls'], { lines: 'hints.jsonl' }, 'Give either a text or --lines FILE'],
  [[], { lines: 'none.jsonl' }, 'There is no file none.jsonl'],
  [['x'.repeat(10_001)], {}, 'A hint has at most 10000 characters; this one has 10001'],
])('bad usage is said: %#', async (positionals, values, said) => {
  expect((await run(positionals, values as Readonly<Record<string, string>>)).message).toBe(said)
})

test('a line that is no JSON string is named', async () => {
  writeFileSync(join(folder, 'bad.jsonl'), '"ls"\n{}\n')
  expect((await run([], { lines: 'bad.jsonl' })).message).toBe('bad.jsonl:2: not a JSON string')
})
