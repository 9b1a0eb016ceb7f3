// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { type ApprovalRequest, requestRef } from '../../src/core/gatekeeper/request.ts'
import type { Challenge } from '../../src/core/verification/challenge.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { type Acting, openGateWorld } from '../pipeline/gate/gate-world.ts'
import { createLoopBench, type LoopBench } from '../safety-loop.ts'
import { fail } from '../support.ts'

/**
 * What a human approves stands before them in full, and what is kept holds no credential. So an agent's own words that
 * hold what looks like one are no question to anybody: the agent is told at once, and names it by reference.
 */
const HINTS = [
  'echo Authorization: Bearer x;./deploy.sh${IFS}production;ls',
  'token=production; ./deploy.sh $token',
  './deploy.sh --token production',
  "./deploy.sh --password 'pro duction'",
  'curl http://a:production@localhost/',
  'use ghp_A1b2C3d4E5f6G7h8I9J0 for production',
]

async function questions({ store }: LoopBench) {
  const requests = await store.list<ApprovalRequest>('request')
  const challenges = await store.list<Challenge>('challenge')
  return [...requests, ...challenges].map(({ value }) => value)
}

describe('SELF-06 DNG-17 nobody is asked about words that nobody can see', () => {
  test.each(HINTS.flatMap((hint) => [50, 70].map((risk) => [risk, hint] as const)))(
    'AUTO-08 AUTO-11 at risk %i: %s',
    async (risk, hint) => {
      const bench = await createLoopBench()
      const session = bench.session()
      await bench.start(session)
      const directive = await bench.report(session, `${hint} # risk ${risk}`)
      expect(directive).toMatchObject({ continue: false })
      expect(directive.reason).toMatch(
        /nobody can approve what nobody can see: next_action_hint holds what looks like a credential \(a [\w ]+ at character \d+\)/,
      )
      expect(directive.reason).toMatch(/Name it by reference instead .* and report again$/)
      expect(await questions(bench)).toEqual([])
      // Nothing is held: the same action, named by reference, is asked about, and what is asked is the whole text.
      const named = `./deploy.sh --token "$DEPLOY_TOKEN" production ⟨masked secret⟩ # risk ${risk}`
      expect(await bench.report(session, named)).toMatchObject({ continue: false })
      const [asked] = (await questions(bench)) as readonly object[]
      expect(asked).toMatchObject(risk === 50 ? { params: { hint: named } } : { hint: named })
    },
  )

  test.each([
    ['the steps are used up', { settings: { maxAutonomousSteps: 0 } }, {}],
    ['the last step failed', {}, { outcome: 'failure' }],
  ])('AUTO-18 also where %s', async (_, options, more) => {
    const bench = await createLoopBench(options)
    const session = bench.session()
    await bench.start(session)
    const directive = await bench.report(session, 'token=production; ls', more)
    expect(directive.reason).toContain('nobody can approve what nobody can see')
    expect(await questions(bench)).toEqual([])
  })

  test('BLOCK-01 a stop holds without a code, and only an operator lifts it', async () => {
    const bench = await createLoopBench()
    const session = bench.session()
    await bench.start(session)
    const directive = await bench.report(session, 'token=production; risk 99')
    expect(directive).toMatchObject({ continue: false, stopped: true })
    expect(JSON.stringify(directive.notifications)).toContain('no code is made for it')
    const again = await bench.step(session, 'ls')
    expect(again).toMatchObject({ error: { code: 'PERMISSION_AGENT_BLOCKED' } })
    expect(JSON.stringify(again)).toContain('mcpaql unblock')
    expect(JSON.stringify(again)).not.toContain('verificationId')
    expect(await questions(bench)).toEqual([])
  })

  test.each(["export DB_PASSWORD='alpha NEEDLE omega'", `echo "it's token='"; NEEDLE ls; echo "'"`])(
    'AUDIT-06 what may be a secret of several words does not go on, asked or not: %s',
    async (hint) => {
      const bench = await createLoopBench()
      const session = bench.session()
      await bench.start(session)
      const directive = await bench.report(session, hint)
      expect(directive).toMatchObject({ continue: false, reason: expect.stringContaining('report again') })
      expect(await questions(bench)).toEqual([])
      const trail = JSON.stringify(await bench.store.trail.read())
      expect(trail).toContain('⟨masked secret⟩')
      expect(trail).not.toContain('NEEDLE')
      expect(await bench.report(session, 'ls')).toMatchObject({ continue: true })
    },
  )

  test('AUDIT-06 where nothing is enforced such an action is recorded as it was reported, since it may have run', async () => {
    const bench = await createLoopBench({ mode: 'monitoring' })
    const session = bench.session()
    await bench.start(session)
    const hint = `echo "it's token='"; rm -rf /srv/customers; echo "'"`
    await bench.report(session, hint)
    const [found] = await bench.store.trail.read({ events: ['STEP_EVALUATED'], limit: 1 })
    expect(found?.entry.hint).toBe(hint)
  })

  test('AUDIT-06 what only goes on is recorded without the credential, and with the other commands', async () => {
    const bench = await createLoopBench()
    const session = bench.session()
    await bench.start(session)
    expect(await bench.report(session, 'token=production; ./deploy.sh $token')).toMatchObject({ continue: true })
    const [found] = await bench.store.trail.read({ events: ['STEP_EVALUATED'], limit: 1 })
    expect(found?.entry.hint).toBe('token=⟨masked secret⟩; ./deploy.sh $token')
  })
})

describe('LOOP-09 the goal of an agent', () => {
  const SAFETY = { mode: 'single', safety: { mode: 'enforcing' } } as const
  const start = (goal: string, more: object = {}) => ({
    operation: 'execute_agent',
    params: { element_name: 'helper', goal, ...more },
  })

  test.each([
    ['goal', start('wipe production with sk-NEEDLEAAAAAAAAAAAAAAAAAA'), 'a key at character 22'],
    ['goal', start("DB_PASSWORD='alpha NEEDLE omega' make"), 'a secret at character 13'],
    ['goal', start("curl -H 'X-Api-Key: NEEDLEabc' https://x.example"), 'a secret at character 21'],
    ['goal', start('use postgres://bob:NEEDLE@db/prod'), 'a password at character 20'],
    ['autonomy', start('tidy', { autonomy: { deny: ['--token NEEDLE'] } }), 'a secret at character'],
    ['element_name', { operation: 'execute_agent', params: { element_name: 'pin=NEEDLE' } }, 'a secret at character 5'],
  ])('AUDIT-06 a credential in %s is refused before anybody is asked, and kept nowhere', async (name, args, where) => {
    const folder = mkdtempSync(join(tmpdir(), 'mcpaql-unseen-'))
    try {
      const store = await openSqliteStore(join(folder, 'state.db'))
      const world = await openGateWorld({ ...SAFETY, store })
      const { result } = await world.ask(args)
      expect(result.error).toMatchObject({ code: 'VALIDATION_INVALID_VALUE', details: { param_name: name } })
      expect(result.error?.message).toContain(where)
      expect(result.error?.message).toContain('nobody can approve what nobody can see')
      expect(await store.list('request')).toEqual([])
      expect((await world.trail()).length).toBeGreaterThan(0)
      await world.runtime.close()
      await store.close()
      const kept = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
      expect(kept.join('')).toContain('execute_agent')
      expect(kept.join('')).not.toContain('NEEDLE')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('SELF-12 a long one stands in the request to its end, with the name of the agent', async () => {
    const goal = `wipe it all. ${'x y '.repeat(1_500)}the end`
    const world = await openGateWorld(SAFETY)
    const { approval_id } = await world.demand(start(goal))
    const request = await world.store.get(requestRef(approval_id))
    expect(request?.params).toEqual({ element_name: 'helper', goal })
    expect(request?.message).toContain("Let agent 'helper' start working on 'wipe it all.")
  })

  test('SELF-12 one that nobody reads is refused', async () => {
    const world = await openGateWorld(SAFETY)
    expect(await world.outcome(start('x '.repeat(40_000)))).toBe('VALIDATION_INVALID_VALUE')
  })
})

describe('AUDIT-06 an error that repeats a credential', () => {
  const TEXT = 'cannot connect to postgres://bob:NEEDLE@db/prod with DB_PASSWORD=NEEDLE'

  test('ERR-04 is logged without it', async () => {
    const handler = () => {
      throw new Error(TEXT)
    }
    const world = await openGateWorld({}, [{ name: 'get_it', category: 'READ', params: {}, handler }])
    expect(await world.outcome({ operation: 'get_it' })).toBe('INTERNAL_ERROR')
    const [{ message, stack }] = world.logged as unknown as [{ message: string; stack: string }]
    expect(message).toContain('postgres://bob:⟨masked password⟩@db/prod')
    expect(stack).toContain('⟨masked password⟩')
    expect(JSON.stringify(world.logged)).not.toContain('NEEDLE')
  })

  test('LIFE-04 is kept without it as the error and the progress of long-running work', async () => {
    const job: Acting = {
      name: 'execute_job',
      category: 'EXECUTE',
      params: {},
      lifecycle: {},
      returns: 'Execution',
      handler: (_, { run }) =>
        run(async ({ progress }) => {
          progress({ percentage: 1, message: TEXT })
          return fail('PERMISSION_DENIED', { reason: TEXT, tried: [{ with: TEXT }] })
        }),
    }
    const world = await openGateWorld({ mode: 'single' }, [job])
    expect((await world.ask({ operation: 'execute_job' })).result.error).toBeUndefined()
    const records = async () => JSON.stringify((await world.call({ operation: 'list_executions' })).data)
    await vi.waitFor(async () => expect(await records()).toContain('"failed"'))
    const kept = await records()
    expect(kept).toContain('⟨masked password⟩')
    expect(kept).not.toContain('NEEDLE')
  })
})
