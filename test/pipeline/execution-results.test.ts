import { describe, expect, test } from 'vitest'
import { record, type Store, updateRecord } from '../../src/core/ports/store.ts'
import { adding, openWorld } from '../notes.ts'
import { createMemoryStore, defineOperation, failWith } from '../support.ts'

interface State {
  readonly execution_id: string
  readonly status: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const LONG = 'r'.repeat(300_000)
const job = (name: string, end: () => unknown) =>
  defineOperation({
    name,
    category: 'EXECUTE',
    description: 'Leaves much.',
    lifecycle: {},
    returns: 'Execution',
    handler: (_, { run }) => run(async () => end()),
  })

/** With the characters that were read from the store, by kind. */
async function open() {
  const memory = createMemoryStore()
  const read = new Map<string, number>()
  const note = (kind: string, value: unknown) =>
    read.set(kind, (read.get(kind) ?? 0) + (JSON.stringify(value)?.length ?? 0))
  const store: Store = {
    ...memory,
    async get(ref) {
      const value = await memory.get(ref)
      note(ref.kind, value)
      return value
    },
    async list(kind, options) {
      const found = await memory.list<never>(kind, options)
      note(kind, found)
      return found
    },
  }
  const opened = await openWorld({ store }, (adapter) =>
    adding(job('execute_much', () => ({ text: LONG })))(
      adding(job('execute_fault', () => failWith('CONFLICT_X', LONG, { more: LONG })))(adapter),
    ),
  )
  const ask = async (operation: string, params = {}) => (await opened.call({ operation, params })).data as never
  const get = (execution_id: string) => ask('get_execution', { execution_id }) as Promise<State>
  const ended = async (operation: string): Promise<State> => {
    const { execution_id } = (await ask(operation)) as State
    await expect.poll(async () => (await get(execution_id)).status).not.toBe('running')
    return get(execution_id)
  }
  const list = async () => ((await ask('list_executions')) as { readonly items: readonly State[] }).items
  return { store, read, ended, list, get, ask }
}

describe('LIFE-03 a listing of executions reads nothing of what their work left', () => {
  test('results and long errors are in get_execution alone; errors are kept up to a length', async () => {
    const { read, ended, list } = await open()
    expect(await ended('execute_much')).toMatchObject({ status: 'completed', result: { text: LONG } })
    const failed = await ended('execute_fault')
    const cut = expect.stringMatching(/r{16000,}… \(3\d{5} characters\)$/)
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'CONFLICT_X', message: cut, details: { more: cut } },
    })
    read.clear()
    const items = await list()
    expect(items.map(({ status }) => status).toSorted()).toEqual(['completed', 'failed'])
    expect(JSON.stringify(items).length).toBeLessThan(3_000)
    expect([...read.values()].reduce((sum, length) => sum + length, 0)).toBeLessThan(5_000)
  })

  test('results that an earlier version wrote into the record are still read', async () => {
    const { store, ended, list, get } = await open()
    const { execution_id } = await ended('execute_much')
    const ref = record<Record<string, unknown>>('execution:note-book', execution_id)
    await updateRecord(store, ref, (known) => {
      const { left_chars: _, ...old } = known ?? {}
      return { next: { ...old, result: { old: true } }, result: undefined }
    })
    expect(await get(execution_id)).toMatchObject({ status: 'completed', result: { old: true } })
    expect(await list()).toMatchObject([{ execution_id, status: 'completed' }])
    expect((await list())[0]).not.toHaveProperty('result')
  })

  test('of each principal 128 Mi characters are kept; the oldest make room, with what they left', async () => {
    const { store, ended, ask } = await open()
    const { execution_id } = await ended('execute_much')
    const known = await store.get(record<Record<string, unknown>>('execution:note-book', execution_id))
    for (let i = 0; i < 160; i++) {
      const id = `${execution_id.slice(0, 9)}old${String(i).padStart(4, '0')}`
      const created_at = `2020-01-01T00:00:00.${String(i).padStart(3, '0')}Z`
      const refs = { it: record('execution:note-book', id), left: record('execution-left:note-book', id) }
      const it = { ...known, execution_id: id, created_at, left_chars: 1_048_576 }
      await store.update(refs, () => ({ next: { it, left: { result: i } }, result: undefined }))
    }
    for (let i = 0; i < 55; i++) await ask('execute_much') // the oldest are looked for now and then
    const kept = async () => {
      const found = await store.list<{ left_chars?: number }>('execution:note-book')
      return found.reduce((sum, { value }) => sum + (value.left_chars ?? 0), 0)
    }
    await expect.poll(kept).toBeLessThan(134_217_728 + 16_777_216)
    const lefts = await store.list('execution-left:note-book')
    expect(lefts.map(({ id }) => id)).not.toContain(`${execution_id.slice(0, 9)}old0000`)
    expect(lefts.map(({ id }) => id)).toContain(`${execution_id.slice(0, 9)}old0159`)
  })
})
