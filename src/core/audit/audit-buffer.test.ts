import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../store/memory.ts'
import type { LogEntry } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { createAuditBuffer, type Schedule } from './audit-buffer.ts'
import type { AuditEntry } from './entry.ts'

const CALLED: AuditEntry = {
  timestamp: '1970-01-01T00:00:00.000Z',
  event: 'OPERATION_CALLED',
  operation: 'create_note',
}

function world() {
  const memory = createMemoryStore()
  let isDown = false
  let writes = 0
  const update: Store['update'] = (records, change) => {
    writes++
    return isDown ? Promise.reject(new Error('the disk is full')) : memory.update(records, change)
  }
  const clock = { time: 0 }
  const due: (() => void)[] = []
  const schedule: Schedule = (work) => {
    due.push(work)
    return () => due.splice(due.indexOf(work), 1)
  }
  let hasRoom = true
  const logged: LogEntry[] = []
  const log = { write: (entry: LogEntry) => void logged.push(entry) }
  const buffer = createAuditBuffer(
    { ...memory, update, hasRoom: () => hasRoom },
    { now: () => clock.time },
    { schedule, log },
  )
  return {
    buffer,
    clock,
    due,
    logged,
    hasRoom: (value: boolean) => {
      hasRoom = value
    },
    writes: () => writes,
    isDown: (value: boolean) => {
      isDown = value
    },
    written: async () => (await memory.trail.read({ order: 'oldest' })).map(({ entry }) => entry),
  }
}

describe('AUDIT-10 calls of level 0', () => {
  test('are counted by operation, principal and second, not recorded one by one', async () => {
    const { buffer, clock, written } = world()
    for (let i = 0; i < 3; i++) buffer.count('list_notes', 'ann', 'note-book')
    buffer.count('get_note', 'ann', 'note-book')
    buffer.count('list_notes', 'bob', 'note-book')
    clock.time = 1_500
    buffer.count('list_notes', 'ann', 'note-book')
    buffer.count('list_notes', 'ann', 'note-book')
    expect(await written()).toEqual([])
    await buffer.flush()
    const common = { event: 'OPERATIONS_COUNTED', adapter_name: 'note-book', danger_level: 0 }
    expect(await written()).toEqual([
      { ...common, timestamp: '1970-01-01T00:00:00.000Z', operation: 'list_notes', user_id: 'ann', calls: 3 },
      { ...common, timestamp: '1970-01-01T00:00:00.000Z', operation: 'get_note', user_id: 'ann', calls: 1 },
      { ...common, timestamp: '1970-01-01T00:00:00.000Z', operation: 'list_notes', user_id: 'bob', calls: 1 },
      { ...common, timestamp: '1970-01-01T00:00:01.000Z', operation: 'list_notes', user_id: 'ann', calls: 2 },
    ])
  })

  test('of two adapters are not mixed up, and none is lost between', async () => {
    const { buffer, written } = world()
    for (const adapter of ['a', 'b', 'a', 'b', 'b']) buffer.count('list_notes', 'ann', adapter)
    await buffer.close()
    const sums: Record<string, number> = {}
    for (const { adapter_name = '', calls } of await written()) {
      sums[adapter_name] = (sums[adapter_name] ?? 0) + Number(calls)
    }
    expect(sums).toEqual({ a: 2, b: 3 })
  })

  test('by very many principals within a second stay within bounds, and are all counted', async () => {
    const { buffer, written } = world()
    for (let i = 0; i < 25_000; i++) buffer.count('list_notes', `user-${i}`, 'note-book')
    await buffer.close()
    expect((await written()).length).toBe(25_000)
  })

  test('a clock that was set back loses none', async () => {
    const { buffer, clock, written } = world()
    clock.time = 10_000
    buffer.count('list_notes', 'ann', 'a')
    clock.time = 2_000
    buffer.count('list_notes', 'ann', 'a')
    await buffer.close()
    expect((await written()).map(({ timestamp, calls }) => [timestamp, calls])).toEqual([
      ['1970-01-01T00:00:10.000Z', 1],
      ['1970-01-01T00:00:02.000Z', 1],
    ])
  })
})

describe('AUDIT-10 calls of level 1', () => {
  test('are recorded later, in one batch', async () => {
    const { buffer, due, writes, written } = world()
    for (let i = 0; i < 20; i++) buffer.note({ ...CALLED, i })
    expect([writes(), due.length]).toEqual([0, 1])
    due.shift()?.()
    await buffer.flush()
    expect(writes()).toBe(1)
    expect((await written()).map(({ i }) => i)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })

  test('are written before an orderly end, and nothing is taken afterwards', async () => {
    const { buffer, due, written } = world()
    buffer.note(CALLED)
    buffer.count('list_notes', 'ann', 'a')
    expect(await buffer.close()).toBe(0)
    buffer.note(CALLED)
    buffer.count('list_notes', 'ann', 'a')
    await buffer.flush()
    expect((await written()).map(({ event }) => event)).toEqual(['OPERATION_CALLED', 'OPERATIONS_COUNTED'])
    expect(due).toEqual([])
  })
})

describe('a store that fails', () => {
  test('is tried again, and the entries come in their order, each once', async () => {
    const { buffer, due, isDown, written } = world()
    isDown(true)
    buffer.note({ ...CALLED, i: 1 })
    due.shift()?.()
    await buffer.flush()
    buffer.note({ ...CALLED, i: 2 })
    expect(due.length).toBe(1)
    isDown(false)
    due.shift()?.()
    await buffer.flush()
    expect((await written()).map(({ i }) => i)).toEqual([1, 2])
  })

  test('does not fill the memory; how many were given up is recorded and logged when it works again', async () => {
    const { buffer, isDown, written, logged } = world()
    isDown(true)
    for (let i = 0; i < 150_000; i++) buffer.note({ ...CALLED, i })
    await buffer.flush()
    isDown(false)
    await buffer.flush()
    const entries = await written()
    const [loss, first] = entries
    expect(entries.length).toBeLessThanOrEqual(100_001)
    const lost = 150_001 - entries.length
    const between = { from: CALLED.timestamp, to: CALLED.timestamp }
    expect(loss).toMatchObject({ event: 'RECORDS_LOST', outcome: 'lost', lost, calls: lost, ...between })
    expect(loss?.reason).toContain(`${lost} records were lost between`)
    expect(first?.i).toBe(loss?.lost)
    expect(entries.at(-1)?.i).toBe(149_999)
    expect(logged.filter(({ lost }) => lost !== undefined)).toMatchObject([{ level: 'error', lost }])
  })

  test('what others could not write is told by its number, when there is room, even if nothing else is written', async () => {
    const { buffer, due, hasRoom, isDown, written } = world()
    isDown(true)
    hasRoom(false)
    buffer.doubt(new Error('the disk is full'), [CALLED, CALLED])
    buffer.doubt(new Error('the disk is full'), [CALLED])
    await buffer.flush()
    isDown(false)
    await buffer.flush() // little room
    expect(await written()).toEqual([])
    hasRoom(true)
    due.at(-1)?.()
    await buffer.flush()
    expect(await written()).toMatchObject([{ event: 'RECORDS_LOST', lost: 3, calls: 3, from: CALLED.timestamp }])
  })

  test('at the end says how many entries it did not take', async () => {
    const { buffer, isDown, logged } = world()
    isDown(true)
    buffer.note(CALLED)
    for (let i = 0; i < 5; i++) buffer.count('list_notes', 'ann', 'a')
    expect(await buffer.close()).toBe(2)
    expect(logged.at(-1)).toMatchObject({ level: 'error', lost: 2, calls: 6, from: CALLED.timestamp })
  })

  test('two flushes at a time write nothing twice', async () => {
    const { buffer, written } = world()
    for (let i = 0; i < 2_500; i++) buffer.note({ ...CALLED, i })
    await Promise.all([buffer.flush(), buffer.flush(), buffer.close()])
    expect((await written()).length).toBe(2_500)
  })
})

describe('AUDIT-10 S3 once a record could not be written, no write begins until one can be', () => {
  test('after a flush that failed', async () => {
    const { buffer, due, isDown, logged, written } = world()
    expect(buffer.canRecord()).toBe(true)
    isDown(true)
    buffer.note(CALLED)
    due.shift()?.()
    await buffer.flush()
    expect(buffer.canRecord()).toBe(false)
    expect(await buffer.recover()).toBe('the disk is full')
    expect(buffer.canRecord()).toBe(false)
    isDown(false)
    expect(await buffer.recover()).toBeUndefined()
    expect(buffer.canRecord()).toBe(true)
    expect(await written()).toEqual([CALLED])
    expect(logged.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'error Audit records cannot be written, and every write is refused until they can be: the disk is full',
      'warning Audit records can be written again.',
    ])
  })

  test('after a write of somebody else that failed; then the store is tried out', async () => {
    const { buffer, isDown, writes } = world()
    buffer.doubt(new Error('the disk is full'))
    isDown(true)
    expect(buffer.canRecord()).toBe(false)
    expect(await buffer.recover()).toBe('the disk is full')
    isDown(false)
    expect(await buffer.recover()).toBeUndefined()
    expect(writes()).toBe(3)
  })

  test('while the room is short, as soon as it is seen', async () => {
    const { buffer, clock, hasRoom } = world()
    expect(buffer.canRecord()).toBe(true)
    hasRoom(false)
    clock.time += 101
    expect(buffer.canRecord()).toBe(false)
    expect(await buffer.recover()).toMatch(/4 MiB/)
    hasRoom(true)
    expect(await buffer.recover()).toBeUndefined()
    expect(buffer.canRecord()).toBe(true)
  })

  test('while 64 records wait, until they are written', async () => {
    const { buffer, written } = world()
    for (let i = 0; i < 63; i++) buffer.note({ ...CALLED, i })
    expect(buffer.canRecord()).toBe(true)
    buffer.note(CALLED)
    expect(buffer.canRecord()).toBe(false)
    expect(await buffer.recover()).toBeUndefined()
    expect((await written()).length).toBe(64)
    expect(buffer.canRecord()).toBe(true)
  })
})
