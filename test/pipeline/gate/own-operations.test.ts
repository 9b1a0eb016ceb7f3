import { describe, expect, test } from 'vitest'
import { decide, withToken } from '../../approve.ts'
import { asking, DELETING, openGateWorld, START } from './gate-world.ts'

/** The runtime's own safety operations before the gate. */

const ENFORCING = { mode: 'single', safety: { mode: 'enforcing' } } as const
const STARTING = { operation: 'execute_agent', params: { element_name: 'bot' } }

describe('GATE-12', () => {
  test('LOOP-09 execute_agent asks each time, and the others do not', async () => {
    const world = await openGateWorld(ENFORCING)
    const { confirmation_token, approval_id } = await world.demand(STARTING)
    await decide(world.runtime, approval_id)
    expect(await world.outcome(withToken(STARTING, confirmation_token))).toBe('done')
    for (const operation of ['record_execution_step', 'complete_execution', 'abort_execution'])
      expect(
        await world.outcome({
          operation,
          params: { element_name: 'bot', ...(operation.startsWith('r') && { next_action_hint: 'list files' }) },
        }),
      ).not.toBe('CONFIRMATION_REQUIRED')
    expect(await world.outcome({ operation: 'verify_challenge', params: { challenge_id: 'x', code: 'y' } })).toBe(
      'PERMISSION_VERIFICATION_FAILED',
    )
    expect(await world.outcome(STARTING)).toBe('CONFIRMATION_REQUIRED')
  })

  test('SELF-01 LOOP-21 confirm_operation by the agent itself is refused, recorded, and changes nothing', async () => {
    const world = await openGateWorld(ENFORCING)
    const { confirmation_token, approval_id } = await world.demand(DELETING)
    const before = await world.runtime.findRequest(approval_id, world.session)
    for (const params of [
      { approval_id },
      { confirmation_token },
      { approval_id: 'unknown' },
      { approval_id, decision: 'deny' },
    ])
      expect(await world.outcome({ operation: 'confirm_operation', params })).toBe('PERMISSION_SELF_APPROVAL_DENIED')
    expect(await world.runtime.findRequest(approval_id, world.session)).toEqual(before)
    expect(await world.trail('SELF_APPROVAL_REJECTED')).toHaveLength(4)
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('CONFIRMATION_REQUIRED')
  })

  test('SELF-01 SELF-04 nor by a second session of the same principal', async () => {
    const world = await openGateWorld(ENFORCING)
    const { approval_id } = await world.demand(DELETING)
    const session = world.runtime.openSession('tester')
    const args = { operation: 'confirm_operation', params: { approval_id } }
    expect(await world.outcome(args, { session })).toBe('PERMISSION_SELF_APPROVAL_DENIED')
  })

  test('SELF-02 SELF-09 another principal only where the transport tells them apart and the operator names them', async () => {
    const args = (approval_id: string) => ({ operation: 'confirm_operation', params: { approval_id } })
    const closed = await openGateWorld(ENFORCING)
    const stranger = closed.runtime.openSession('boss')
    expect(await closed.outcome(args((await closed.demand(DELETING)).approval_id), { session: stranger })).toBe(
      'PERMISSION_SELF_APPROVAL_DENIED',
    )
    const safety = {
      mode: 'enforcing',
      approvers: (principal: string) => principal === 'boss' || principal === 'tester',
    } as const
    const world = await openGateWorld({ mode: 'single', safety })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    expect(await world.outcome(args(approval_id), { session: world.runtime.openSession('nobody') })).toBe(
      'PERMISSION_DENIED',
    )
    expect(await world.outcome(args(approval_id))).toBe('PERMISSION_SELF_APPROVAL_DENIED')
    expect(await world.outcome(args(approval_id), { session: world.runtime.openSession('boss') })).toBe('done')
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('done')
  })
})

describe('LOOP-24 while an execution runs', () => {
  async function running() {
    const world = await openGateWorld(ENFORCING)
    const { confirmation_token, approval_id } = await world.demand(STARTING)
    await decide(world.runtime, approval_id, {
      by: { subject: 'operator', channel: 'console', role: 'admin', authenticatedAt: START },
    })
    expect(await world.outcome(withToken(STARTING, confirmation_token))).toBe('done')
    return world
  }

  test('what was not announced is refused and recorded', async () => {
    const world = await running()
    expect(await world.outcome(asking('create_thing'))).toBe('PERMISSION_DENIED')
    expect(await world.outcome(asking('get_thing'))).toBe('done')
    await world.runtime.close()
    expect(await world.trail('PROTOCOL_VIOLATION')).toMatchObject([{ operation: 'create_thing' }])
    expect(world.ran.map(([name]) => name)).toEqual(['get_thing'])
  })

  test.each(['anything', `conf_${'0'.repeat(64)}`, null])(
    'a token that nobody asked for (%j) announces nothing',
    async (token) => {
      const world = await running()
      expect(await world.outcome(withToken(asking('create_thing'), token, '_confirmation'))).toBe('PERMISSION_DENIED')
      expect(world.ran).toEqual([])
    },
  )
})
