import { describe, expect, test } from 'vitest'
import { createLoopBench, idIn } from '../../../test/safety-loop.ts'
import type { AutonomyDirective } from '../../protocol/directive.ts'
import { attentionRef } from '../gatekeeper/attention.ts'
import { deskRef, emptyDesk } from '../gatekeeper/desk.ts'
import { type ApprovalRequest, requestRef } from '../gatekeeper/request.ts'

const types = ({ notifications = [] }: AutonomyDirective) => notifications.map(({ type }) => type)

describe('pauses', () => {
  test('NOTE-01, NOTE-02, NOTE-05 a pause is told in every answer, once, until a human decides', async () => {
    const { session, start, report, approve } = await createLoopBench()
    const here = session()
    await start(here)
    const first = await report(here, 'delete_x')
    const approvalId = idIn(first, 'approvalId')
    const reason = "Action needs approval by pattern 'delete_*'"
    expect(first.notifications).toEqual([
      {
        type: 'autonomy_pause',
        message: expect.stringContaining('action patterns: Action needs approval'),
        timestamp: '2023-11-14T22:13:20.000Z',
        metadata: { reason, level: 'advisory', approvalId },
      },
      {
        type: 'permission_pending',
        message: "A human has to approve the action (pattern 'delete_*').",
        timestamp: '2023-11-14T22:13:20.000Z',
        metadata: { operation: 'record_execution_step', reason, level: 'advisory', approvalId },
      },
    ])
    expect((await report(here, 'think')).notifications).toEqual(first.notifications)
    await approve(approvalId)
    const freed = await report(here, 'think')
    expect(freed.notifications).toMatchObject([{ type: 'status', metadata: { approvalId } }])
    expect(await report(here, 'think')).not.toHaveProperty('notifications')
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['the tier confirm', 'risk 40',  {}],
    ['a failure',        'think',    { outcome: 'failure' }],
    ['a tolerance',      'risk 28',  {}],
  ])('NOTE-05 %s makes an autonomy_pause, cleared by a denial too', async (_, hint, more) => {
    const { session, start, report, deny } = await createLoopBench({ settings: { riskTolerance: 'conservative' } })
    const here = session()
    await start(here)
    const paused = await report(here, hint, more)
    expect(types(paused)).toEqual(['autonomy_pause'])
    await deny(idIn(paused, 'approvalId'))
    expect(types(await report(here, 'something else'))).toEqual(['status'])
  })

  test('NOTE-04 a self-approving confirm_operation leaves it in place', async () => {
    const { session, start, report, loop } = await createLoopBench()
    const here = session()
    await start(here)
    const approval_id = idIn(await report(here, 'delete_x'), 'approvalId')
    await loop.confirm(here, { approval_id, decision: 'approve' })
    expect(types(await report(here, 'think'))).toEqual(['autonomy_pause', 'permission_pending'])
  })

  test('NOTE-06 a verify pause goes to the affected agent alone', async () => {
    const { session, start, report } = await createLoopBench()
    const here = session()
    const other = session()
    await start(here)
    await start(other, 'cat')
    await report(here, 'risk 70')
    expect(await report(other, 'think', { element_name: 'cat' })).not.toHaveProperty('notifications')
  })

  test('SELF-13 pauses take part in the limits of attention', async () => {
    const { session, start, report, store } = await createLoopBench()
    for (let i = 0; i < 7; i++) {
      const here = session()
      await start(here, `bot ${'abcdefg'[i]}`)
      await report(here, 'delete_x', { element_name: `bot ${'abcdefg'[i]}` })
    }
    expect(await store.get(attentionRef('ann'))).toMatchObject({ open: { length: 5 }, held: { length: 2 } })
    const requests = await store.list<ApprovalRequest>('request')
    expect(requests.filter(({ value }) => value.shown)).toHaveLength(5)
  })
})

describe('blocks', () => {
  test('NOTE-07, NOTE-08 all agents that execute are told, strangers without names or hints', async () => {
    const { session, start, report, loop, code, time } = await createLoopBench()
    const [here, sibling, stranger, late] = [session(), session(), session('bob'), session('cleo')]
    await start(here)
    await start(sibling, 'cat')
    await start(stranger, 'dog')
    const verificationId = idIn(await report(here, 'drop_secret_table'), 'verificationId')
    time.now += 1
    await start(late, 'fox')

    const told = await report(sibling, 'think', { element_name: 'cat' })
    expect(told.notifications).toMatchObject([
      { type: 'danger_zone', message: "Agent 'bot' was stopped.", metadata: { verificationId } },
    ])
    const strange = await report(stranger, 'think', { element_name: 'dog' })
    expect(strange.notifications).toEqual([
      {
        type: 'danger_zone',
        message: 'Another agent was stopped.',
        timestamp: '2023-11-14T22:13:20.000Z',
        metadata: { verificationId },
      },
    ])
    expect(JSON.stringify(strange)).not.toMatch(/secret|ann|bot/)
    expect(await report(late, 'think', { element_name: 'fox' })).not.toHaveProperty('notifications')

    await loop.verify(stranger, verificationId, await code(verificationId))
    expect(await report(stranger, 'think', { element_name: 'dog' })).not.toHaveProperty('notifications')
    expect(await report(sibling, 'think', { element_name: 'cat' })).not.toHaveProperty('notifications')
  })

  test('NOTE-07, BLOCK-07 an admin override clears it everywhere', async () => {
    const { session, start, report, loop } = await createLoopBench()
    const [here, stranger] = [session(), session('bob')]
    await start(here)
    await start(stranger, 'dog')
    await report(here, 'rm -rf /')
    expect(types(await report(stranger, 'think', { element_name: 'dog' }))).toEqual(['danger_zone'])
    await loop.lift({ agentKey: '["ann","bot"]', reason: 'a drill, no more', by: 'root', channel: 'console' })
    expect(await report(stranger, 'think', { element_name: 'dog' })).not.toHaveProperty('notifications')
  })
})

describe('the gate', () => {
  test('NOTE-03 what the gate holds for the session is told until it is decided or expired', async () => {
    const { session, start, report, store, time } = await createLoopBench()
    const here = session()
    await start(here)
    const paused = await report(here, 'delete_x')
    const model = await store.get(requestRef(idIn(paused, 'approvalId')))
    if (!model) throw new Error('no request')
    const request: ApprovalRequest = {
      ...model,
      id: 'held',
      kind: 'operation',
      operation: 'wipe_disk',
      level: 'forbidden',
    }
    const desk = { ...emptyDesk('ann', store.opener), live: { scope: 'held' } }
    await store.update({ request: requestRef('held'), desk: deskRef(here.owner) }, () => ({
      next: { request, desk },
      result: undefined,
    }))
    expect((await report(here, 'think')).notifications?.at(-1)).toEqual({
      type: 'permission_pending',
      message: "Operation 'wipe_disk' waits for a human.",
      timestamp: '2023-11-14T22:13:20.000Z',
      metadata: { operation: 'wipe_disk', level: 'forbidden', approvalId: 'held' },
    })
    time.now += 3_600_001
    expect(types(await report(here, 'think'))).toEqual(['autonomy_pause', 'permission_pending'])
  })
})

describe('information', () => {
  test('NOTE-09 status and error are told once, at most 100 wait, the oldest are dropped', async () => {
    const { session, start, report, loop } = await createLoopBench()
    const here = session()
    await start(here)
    for (let i = 1; i <= 105; i++) await loop.notify('["ann","bot"]', i % 2 ? 'status' : 'error', `note ${i}`)
    const { notifications = [] } = await report(here, 'think')
    expect(notifications).toHaveLength(100)
    expect(notifications[0]?.message).toBe('note 6')
    expect(await report(here, 'think')).not.toHaveProperty('notifications')
  })

  test('NOTE-09 state-bearing types are never dropped', async () => {
    const { session, start, report, loop } = await createLoopBench()
    const here = session()
    await start(here)
    await report(here, 'delete_x')
    for (let i = 0; i < 200; i++) await loop.notify('["ann","bot"]', 'status', 'x')
    const told = types(await report(here, 'think'))
    expect(told.filter((type) => type === 'autonomy_pause')).toHaveLength(1)
    expect(told).toHaveLength(102)
  })
})
