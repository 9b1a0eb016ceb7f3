import { describe, expect, test } from 'vitest'
import { createLoopBench } from '../../../test/safety-loop.ts'
import { createRegistry } from '../registry/registry.ts'
import { loopOperations } from './loop-operations.ts'

async function registryOf(mode: 'enforcing' | 'monitoring') {
  const { loop } = await createLoopBench({ mode })
  const adapter = { name: 'demo', description: 'A demo.', operations: [] }
  return createRegistry(adapter, { profile: 'crude', maxPageSize: 100, builtIn: loopOperations(loop) })
}

// biome-ignore format: a table reads by columns
test.each([
  ['execute_agent',         'EXECUTE', ['element_name', 'goal', 'autonomy']],
  ['record_execution_step', 'CREATE',  ['element_name', 'next_action_hint', 'step_description', 'outcome', 'findings', 'execution_id', 'risk_score']],
  ['complete_execution',    'EXECUTE', ['element_name', 'execution_id', 'outcome', 'summary']],
  ['abort_execution',       'EXECUTE', ['element_name', 'execution_id', 'reason']],
  ['confirm_operation',     'EXECUTE', ['confirmation_token', 'approval_id', 'decision']],
  ['verify_challenge',      'CREATE',  ['challenge_id', 'code']],
])('LOOP-01, LOOP-08 to LOOP-22 %s is %s with these parameters', async (name, category, params) => {
  const operation = (await registryOf('enforcing')).operations.get(name)
  expect(operation?.category).toBe(category)
  expect(operation?.params.map((param) => param.name)).toEqual(params)
})

test('LOOP-11 the camelCase spellings of the specification are aliases', async () => {
  const operation = (await registryOf('enforcing')).operations.get('record_execution_step')
  const aliases = operation?.params.map(({ alias }) => alias)
  expect(aliases).toEqual(expect.arrayContaining(['nextActionHint', 'stepDescription', 'riskScore']))
})

describe('LOOP-09 a human approves each start', () => {
  test.each([
    ['enforcing', true],
    ['monitoring', undefined],
  ] as const)('in %s mode requires_confirmation is %s', async (mode, expected) => {
    const { operations } = await registryOf(mode)
    expect(operations.get('execute_agent')?.definition.requires_confirmation).toBe(expected)
    for (const name of ['record_execution_step', 'complete_execution', 'abort_execution', 'verify_challenge'])
      expect(operations.get(name)?.definition.requires_confirmation).toBeUndefined()
  })
})

test('OOB-04 the code is a sensitive parameter', async () => {
  const operation = (await registryOf('enforcing')).operations.get('verify_challenge')
  expect(operation?.params.find(({ name }) => name === 'code')?.param.sensitive).toBe(true)
})

test('LOOP-22 verify_challenge answers with what was verified', async () => {
  const { loop, session, start, report, code } = await createLoopBench()
  const here = session()
  await start(here)
  const challenge_id = (await report(here, 'rm -rf /')).notifications?.[0]?.metadata?.verificationId ?? ''
  const verify = loopOperations(loop).find(({ name }) => name === 'verify_challenge')
  const answer = await verify?.handler({ challenge_id, code: await code(challenge_id) }, { session: here } as never)
  expect(answer).toEqual({ verified: true, challenge_id, element_name: 'bot', block_lifted: true })
})
