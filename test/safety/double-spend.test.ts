import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { decide } from '../approve.ts'
import { walkChain } from '../contract/chain.ts'
import { runTypeScript } from '../e2e/raw-client.ts'
import { deletion, openGated } from './gated-adapter.ts'

/** `npm run test:race` sets MCPAQL_RACE=full. */
const ROUNDS = process.env.MCPAQL_RACE === 'full' ? 100 : 3
const PROCESSES = 4
const EACH = 50

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-spend-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  `TOK-13 SESS-10 ${PROCESSES * EACH} redemptions at once from ${PROCESSES} processes: one execution, ${ROUNDS} rounds`,
  async () => {
    const [file, effects] = [join(folder, 'state.db'), join(folder, 'effects')]
    writeFileSync(effects, '')
    const store = await openSqliteStore(file)
    const { runtime, call } = await openGated(store, effects)
    const spenders = await Promise.all(Array.from({ length: PROCESSES }, () => startSpender(file, effects)))
    const winners = new Set<number>()
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      const id = randomBytes(18).toString('base64url')
      const thing = `thing-${round}`
      const { error } = await call(deletion(thing), runtime.openSession('agent', { id }))
      const { confirmation_token: token, approval_id } = error?.details ?? {}
      expect(await decide(runtime, approval_id)).toMatchObject({ kind: 'decided' })
      const answers = await Promise.all(spenders.map(({ spend }) => spend(`${id} ${thing} ${token} ${EACH}`)))
      const outcomes = answers.flat()
      expect(outcomes).toHaveLength(PROCESSES * EACH)
      expect(
        outcomes.filter((outcome) => outcome === 'done'),
        [...new Set(outcomes)].join(', '),
      ).toHaveLength(1)
      // TOK-18: after ten failures the session is told to wait.
      expect(outcomes.filter((outcome) => !/^(?:done|TOKEN_ALREADY_USED|RATE_LIMIT_EXCEEDED)$/.test(outcome))).toEqual(
        [],
      )
      expect(linesOf(effects).filter((line) => line === thing)).toHaveLength(1)
      winners.add(answers.findIndex((each) => each.includes('done')))
      refused += outcomes.length - 1
    }
    expect(linesOf(effects)).toHaveLength(ROUNDS)
    await Promise.all(spenders.map(({ end }) => end()))

    const trail = await store.trail.read({ order: 'oldest' })
    expect(walkChain(trail)).toEqual(await store.trail.head())
    for (const event of ['TOKEN_VALIDATED', 'OPERATION_INTENT', 'OPERATION_OUTCOME'])
      expect(trail.filter(({ entry }) => entry.event === event)).toHaveLength(ROUNDS)
    await runtime.close()
    await store.close()
    process.stdout.write(
      `${ROUNDS} rounds of ${PROCESSES * EACH}: ${ROUNDS} executions, ${refused} refused, ${winners.size} processes won at least once\n`,
    )
  },
  120_000 + ROUNDS * 30_000,
)

interface Spender {
  spend(line: string): Promise<readonly string[]>
  end(): Promise<void>
}

async function startSpender(file: string, effects: string): Promise<Spender> {
  const child = runTypeScript('../safety/spend-worker.ts', [file, effects])
  let complained = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  const closed = once(child, 'close')
  if (!child.stdout || !child.stdin) throw new Error('no pipes')
  const { stdin } = child
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`the process ended: ${complained}`)
    return value
  }
  expect(await next()).toBe('ready')
  return {
    async spend(line) {
      stdin.write(`${line}\n`)
      return (await next()).split(' ')
    },
    async end() {
      stdin.end()
      expect((await closed)[0], complained).toBe(0)
    },
  }
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}
