import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClientDirectory } from '../../src/core/operator/client-directory.ts'
import { type Clients, createClients } from '../../src/core/operator/clients.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { type HttpOptions, type HttpServer, serveHttp } from '../../src/serve/http.ts'
import { openStore } from '../../src/store/open.ts'
import { INITIALIZED, initialize, META, MODERN, post, resultOf, toolCall } from '../e2e/raw-client.ts'
import { createRuntime, defineAdapter, defineOperation, type Runtime } from '../support.ts'

const CLOCK = { now: () => Date.now() }

/** Something to delete after a human has said yes, something that takes long, and a list that is too long. */
function adapterOf(runs: string[]) {
  return defineAdapter({
    name: 'things',
    description: 'Things.',
    concurrency: 'fully-concurrent',
    types: [
      {
        name: 'Thing',
        kind: 'object',
        description: 'A thing.',
        key: 'id',
        fields: { id: { type: 'string', required: true }, text: { type: 'string' } },
      },
    ],
    operations: [
      defineOperation({
        name: 'delete_thing',
        category: 'DELETE',
        description: 'Delete a thing.',
        params: { thing: { type: 'string', required: true } },
        returns: 'object',
        handler: ({ thing }) => {
          runs.push(thing)
          return { deleted: thing }
        },
      }),
      defineOperation({
        name: 'create_thing',
        category: 'CREATE',
        description: 'Create a thing.',
        params: { thing: { type: 'string', required: true } },
        returns: 'object',
        handler: ({ thing }) => ({ created: thing }),
      }),
      defineOperation({
        name: 'run_export',
        category: 'EXECUTE',
        description: 'Export the things.',
        danger: { level: 'reversible', reasons: ['can be cancelled'] },
        lifecycle: { supports_cancel: true },
        params: { ms: { type: 'integer', required: true } },
        returns: 'object',
        handler: ({ ms }, { run }) =>
          run(async ({ signal }) => {
            await new Promise((resolve) => {
              setTimeout(resolve, ms)
              signal.addEventListener('abort', resolve)
            })
            signal.throwIfAborted()
            return { exported: true }
          }),
      }),
      defineOperation({
        name: 'list_things',
        category: 'READ',
        description: 'List the things.',
        collection: { of: 'Thing', aggregate: false, order: { field: 'id', order: 'asc' } },
        handler: () =>
          Array.from({ length: 60 }, (_, i) => ({ id: `t${String(i).padStart(3, '0')}`, text: 'x'.repeat(40) })),
      }),
    ],
  })
}

export interface IdentityWorld {
  readonly store: Store
  readonly clients: Clients
  readonly runtime: Runtime
  readonly server: HttpServer
  readonly runs: readonly string[]
  /** A second process on the same store, as far as the store can tell. */
  again(options?: Partial<HttpOptions>): Promise<IdentityWorld>
  /** Names a client; the token that only it has. */
  token(name: string, elicitation?: boolean): Promise<string>
  close(): Promise<void>
}

export async function openIdentityWorld(options: Partial<HttpOptions> = {}): Promise<IdentityWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'mcpaql-identity-'))
  const opened: IdentityWorld[] = []
  const open = async (more: Partial<HttpOptions>): Promise<IdentityWorld> => {
    const store = await openStore(`sqlite:${join(folder, 'state.db')}`, { stateFolder: folder })
    const runs: string[] = []
    const runtime = await createRuntime(adapterOf(runs), { store, clock: CLOCK, mode: 'single' })
    const clients = createClients(store, CLOCK)
    const server = await serveHttp([runtime], {
      version: '0.0.0',
      graceMs: 200,
      clients: createClientDirectory(store, CLOCK, () => {}),
      ...more,
    })
    const world: IdentityWorld = {
      store,
      clients,
      runtime,
      server,
      runs,
      again: (other = {}) => open({ ...options, ...other }),
      async token(name, elicitation = false) {
        const added = await clients.add({ name, elicitation, by: 'operator', channel: 'terminal' })
        if (added.kind !== 'added') throw new Error(added.kind)
        return added.token
      },
      async close() {
        for (const each of opened.splice(0)) {
          await each.server.close()
          await each.runtime.close()
          await each.store.close()
        }
        rmSync(folder, { recursive: true, force: true })
      },
    }
    opened.push(world)
    return world
  }
  return open(options)
}

export const TOOL = 'things_mcpaql'

/** A caller of either era; what it says is what the model would see. */
export interface Caller {
  /** The text of the tool's answer, byte for byte. */
  say(args: object): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(args: object): Promise<any>
  /** The HTTP status of a call. */
  status(args: object): Promise<number>
  /** Its `Mcp-Session-Id` or `_session`. */
  session(): string | undefined
}

export type Era = 'legacy' | 'modern'

export function bearer(token?: string): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

export async function connect(url: string, era: Era, token?: string): Promise<Caller> {
  return era === 'legacy' ? legacy(url, token) : modern(url, token)
}

let ids = 0

async function legacy(url: string, token?: string): Promise<Caller> {
  const opened = await post(url, initialize(), bearer(token))
  const id = opened.headers['mcp-session-id'] ?? ''
  const headers = { ...bearer(token), 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' }
  await post(url, INITIALIZED, headers)
  const send = (args: object) => post(url, toolCall(++ids, TOOL, args), headers)
  return callerOf(send, () => id)
}

/** Keeps the session that an answer names, as a client would. */
function modern(url: string, token?: string): Caller {
  let session: string | undefined
  const headers = { ...bearer(token), 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': TOOL }
  const send = async (args: object) => {
    const sent = session === undefined ? args : { ...args, _session: session }
    const answered = await post(url, toolCall(++ids, TOOL, sent, META), headers)
    const result = answered.status === 200 ? resultOf(answered.messages.at(-1)) : undefined
    session ??= result?._meta?.session_id ?? result?.error?.details?.session_id
    return answered
  }
  return callerOf(send, () => session)
}

function callerOf(send: (args: object) => ReturnType<typeof post>, session: Caller['session']): Caller {
  const say: Caller['say'] = async (args) => {
    const { messages, body } = await send(args)
    return messages.at(-1)?.result?.content?.[0]?.text ?? body
  }
  return {
    say,
    ask: async (args) => JSON.parse(await say(args)),
    status: async (args) => (await send(args)).status,
    session,
  }
}
