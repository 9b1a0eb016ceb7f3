import { expect } from 'vitest'
import { checkIntrospection, checkResult } from './schemas.ts'
import {
  type AdapterDefinition,
  type Call,
  checkVersion,
  createMemoryStore,
  createRuntime,
  defineAdapter,
  defineOperation,
  defineType,
  fail,
  mergeInput,
  type OperationDefinition,
  type Runtime,
  type RuntimeOptions,
  type Session,
} from './support.ts'

/** A small world for tests of the pipeline: a few notes in memory, and one operation for each awkward case. */
export interface Note {
  readonly id: string
  readonly title: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly tags?: readonly string[]
  readonly _version: number
  readonly [key: string]: unknown
}

const NOTE = defineType({
  name: 'Note',
  kind: 'object',
  description: 'A note.',
  key: 'id',
  version: '_version',
  fields: {
    id: { type: 'string', required: true, readOnly: true },
    title: { type: 'string', required: true, filterable: true, sortable: true, searchable: true },
    color: { type: 'string', enum: ['red', 'blue'], filterable: true, groupable: true },
    size: { type: 'integer', filterable: true, sortable: true },
    tags: { type: 'string[]' },
    metadata: { type: 'object' },
    created_at: { type: 'string', format: 'date-time', readOnly: true },
    log: { type: 'string[]', appendOnly: 'append_log' },
    _version: { type: 'integer', readOnly: true },
  },
  presets: { minimal: ['id', 'title'] },
})

export function notesAdapter(notes: Map<string, Note>, calls: string[] = []): AdapterDefinition {
  const note_id = { type: 'string', required: true, description: 'Which note.' } as const
  const find = (id: string) => notes.get(id) ?? fail('NOT_FOUND_RESOURCE', { resource_type: 'note', resource_id: id })
  return defineAdapter({
    name: 'note-book',
    displayName: 'Note Book',
    description: 'Notes for tests.',
    concurrency: 'read-concurrent',
    types: [NOTE],
    operations: [
      defineOperation({
        name: 'create_note',
        category: 'CREATE',
        description: 'Create a note.',
        params: {
          title: { type: 'string', required: true, minLength: 1, maxLength: 40, description: 'Its title.' },
          color: { type: 'string', enum: ['red', 'blue'], default: 'red', description: 'Its colour.' },
          size: { type: 'integer', minimum: 1, maximum: 9 },
          ratio: { type: 'number' },
          tags: { type: 'string[]', items: { type: 'string', pattern: '^[a-z]+$' } },
          due_date: { type: 'string', format: 'date' },
          parent_id: { type: 'string | null', description: 'Null: no parent. Absent: the default parent.' },
          secret_word: { type: 'string', sensitive: true },
          old_name: { type: 'string', deprecated: { replacement: 'title', removal: '2030-01-01' } },
        },
        returns: 'Note',
        examples: [{ params: { title: 'A' } }],
        handler: (params) => {
          calls.push('create_note')
          if (params.secret_word === 'refuse-me')
            return fail('PERMISSION_DENIED', { reason: `not ${params.secret_word}` })
          const id = `n${notes.size + 1}`
          const note = { id, ...params, _version: 1 }
          notes.set(id, note)
          return note
        },
      }),
      defineOperation({
        name: 'get_note',
        category: 'READ',
        description: 'Get one note.',
        params: { note_id },
        returns: 'Note',
        examples: [{ params: { note_id: 'n1' } }],
        handler: (params) => find(params.note_id),
      }),
      defineOperation({
        name: 'list_notes',
        category: 'READ',
        description: 'List notes.',
        collection: { of: 'Note' },
        handler: () => [...notes.values()],
      }),
      defineOperation({
        name: 'update_note',
        category: 'UPDATE',
        description: 'Update a note.',
        params: { note_id },
        updates: 'Note',
        returns: 'Note',
        examples: [{ params: { note_id: 'n1', input: { title: 'B' } } }],
        handler: (params) => {
          calls.push('update_note')
          const stored = notes.get(params.note_id)
          if (!stored) return fail('NOT_FOUND_RESOURCE', { resource_type: 'note', resource_id: params.note_id })
          const { input, if_match } = params as unknown as { input: Record<string, unknown>; if_match?: unknown }
          const conflict = checkVersion(if_match, stored, NOTE, params.note_id)
          if (conflict) return conflict
          const next = { ...mergeInput(stored, input), _version: stored._version + 1 } as Note
          notes.set(params.note_id, next)
          return next
        },
      }),
      defineOperation({
        name: 'delete_note',
        category: 'DELETE',
        description: 'Delete a note.',
        dryRun: true,
        params: { note_id },
        returns: 'object',
        examples: [{ params: { note_id: 'n1' } }],
        handler: (params) => {
          calls.push('delete_note')
          const { dry_run } = params as unknown as { dry_run: boolean }
          return dry_run ? { would_delete: notes.has(params.note_id) } : { deleted: notes.delete(params.note_id) }
        },
      }),
      defineOperation({
        name: 'export_notes',
        category: 'EXECUTE',
        description: 'Export all notes. Not execute: the trade says export.',
        lifecycle: { progress_reporting: true, supports_retry: true },
        params: { steps: { type: 'integer', default: 3 }, break_at: { type: 'integer', default: -1 } },
        returns: 'Execution',
        handler: (params, context) =>
          context.run(async (run) => {
            for (let step = 1; step <= params.steps; step++) {
              if (run.signal.aborted) throw run.signal.reason
              if (step === params.break_at) throw new Error('broken /src/secret.ts:12')
              run.progress({ current: step, total: params.steps, message: `step ${step}` })
              await new Promise((resolve) => setTimeout(resolve, 5))
            }
            return { exported: notes.size }
          }),
      }),
      defineOperation({
        name: 'explode_note',
        category: 'EXECUTE',
        description: 'Throw in the handler.',
        returns: 'object',
        handler: () => {
          throw new TypeError('boom at /src/secret.ts:12:3')
        },
      }),
      defineOperation({
        name: 'get_everything',
        category: 'READ',
        description: 'Get an answer of any size and kind.',
        params: { size: { type: 'integer', default: 10 } },
        returns: 'object',
        handler: ({ size }) => ({
          big: 2n ** 64n,
          unsafe: 2 ** 60,
          list: Array.from({ length: size }, (_, i) => `entry ${i}`),
        }),
      }),
      defineOperation({
        name: 'get_slowly',
        category: 'READ',
        description: 'Get an answer late.',
        timeout_ms: 50,
        returns: 'object',
        handler: (_, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              calls.push('aborted')
              reject(signal.reason)
            })
          }),
      }),
      defineOperation({
        name: 'find_notes',
        category: 'READ',
        description: 'Find notes.',
        deprecated: { replacement: 'list_notes', removal: '2026-11-20' },
        returns: 'object',
        handler: () => ({ success: false, error: 'the data of a back-end' }),
      }),
    ],
  })
}

/** For `openWorld`: the adapter with further operations. */
export function adding(...operations: readonly OperationDefinition[]) {
  return (adapter: AdapterDefinition): AdapterDefinition => ({
    ...adapter,
    operations: [...adapter.operations, ...operations],
  })
}

/** An operation that answers with the parameters its handler was given. */
export function echo(
  name: string,
  params: OperationDefinition['params'] = {},
  more: Partial<OperationDefinition> = {},
): OperationDefinition {
  return { name, category: 'READ', description: 'Echo.', params, handler: (given) => ({ ...given }), ...more }
}

export interface World {
  readonly runtime: Runtime
  readonly notes: Map<string, Note>
  readonly calls: string[]
  readonly logged: unknown[]
  readonly session: Session
  /** Calls an operation on the tool that owns it, or on `tool`. Whatever comes back is checked against the schemas. */
  readonly call: (args: unknown, tool?: string) => Promise<Answered>
  /** The same with what travels beside the result. */
  readonly ask: (args: unknown, tool?: string, more?: Partial<Call>) => Promise<Asked>
}

export interface Asked {
  readonly result: Answered
  readonly isError: boolean
  readonly text: string
}

export interface Answered {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly message: string; readonly details?: Record<string, unknown> }
  readonly warnings?: readonly {
    readonly code: string
    readonly message: string
    readonly severity?: string
    readonly details?: Record<string, unknown>
  }[]
  readonly [key: string]: unknown
}

export const FAMILIES: Readonly<Record<string, string>> = {
  revoke_token: 'delete',
  create_note: 'create',
  update_note: 'update',
  delete_note: 'delete',
  export_notes: 'execute',
  explode_note: 'execute',
  cancel_execution: 'execute',
  retry_execution: 'execute',
}

/** `change` adds to the adapter or takes from it; the notes and the record of calls are the world's. */
export async function openWorld(
  options: Partial<RuntimeOptions> = {},
  change: (
    adapter: AdapterDefinition,
    world: { readonly notes: Map<string, Note>; readonly calls: string[] },
  ) => AdapterDefinition = (adapter) => adapter,
): Promise<World> {
  const notes = new Map<string, Note>()
  const calls: string[] = []
  const logged: unknown[] = []
  const runtime = await createRuntime(change(notesAdapter(notes, calls), { notes, calls }), {
    store: createMemoryStore(),
    clock: { now: () => Date.parse('2026-11-16T00:00:00Z') },
    log: { write: (entry) => logged.push(entry) },
    ...options,
  })
  const session = runtime.openSession('tester')
  const ask: World['ask'] = async (args, tool = toolOf(args, runtime), more = {}) => {
    const { text, isError } = await runtime.call({ tool, arguments: args, session, ...more })
    const result = JSON.parse(text) as Answered
    expect((operationOf(args) === 'introspect' ? checkIntrospection : checkResult)(result), text).toEqual([])
    return { result, isError, text }
  }
  const call: World['call'] = async (args, tool) => (await ask(args, tool)).result
  return { runtime, notes, calls, logged, session, call, ask }
}

function toolOf(args: unknown, runtime: Runtime): string {
  const operation = operationOf(args)
  const category = runtime.adapter.operations.find(({ name }) => name === operation)?.category
  const family = FAMILIES[operation] ?? category?.toLowerCase() ?? 'read'
  return runtime.tools.find(({ name }) => name.endsWith(`_${family}`))?.name ?? runtime.tools[0]?.name ?? ''
}

function operationOf(args: unknown): string {
  return String((args as { operation?: unknown } | null | undefined)?.operation)
}
