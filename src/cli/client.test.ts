import { describe, expect, test } from 'vitest'
import { createClient, exitOf } from './client.ts'
import { isStop, type Stop } from './command.ts'
import type { Connection, Reply } from './connect.ts'

const reply = (result: Reply['result']): Reply => ({ result, text: JSON.stringify(result) })

/** A server that knows which tool takes which operation, and remembers what it was sent. */
function server(tools: readonly string[], owners: Readonly<Record<string, string>>, door: string) {
  const sent: [string, Readonly<Record<string, unknown>>][] = []
  const connection: Connection = {
    tools: tools.map((name) => ({ name, inputSchema: {} })),
    async send(tool, args) {
      if (args.operation !== 'introspect') {
        sent.push([tool, args])
        return reply({ success: true, data: null })
      }
      if (tool !== door) return reply({ success: false, error: { code: 'VALIDATION_ENDPOINT_MISMATCH' } })
      const { name } = args.params as { readonly name: string }
      const mcpTool = Object.hasOwn(owners, name) ? owners[name] : undefined
      return reply({ success: true, data: { operation: mcpTool ? { mcpTool } : null } })
    },
    close: async () => {},
  }
  const client = createClient(connection)
  if (isStop(client)) throw new Error(client.message)
  return { client, sent }
}

const FAMILIES = ['x_mcpaql_create', 'x_mcpaql_look']
const OWNERS = { create_note: 'x_mcpaql_create', list_notes: 'x_mcpaql_look', get_note: 'x_mcpaql_look' }

describe('an operation goes to the tool that introspection names', () => {
  test('even when introspect lives on an unusual family', async () => {
    const { client, sent } = server(FAMILIES, OWNERS, 'x_mcpaql_look')
    await client.call('create_note', { text: 'a' })
    expect(sent).toEqual([['x_mcpaql_create', { operation: 'create_note', params: { text: 'a' } }]])
  })

  test('an unknown one goes to the tool that introspects, whose answer suggests others', async () => {
    const { client, sent } = server(FAMILIES, OWNERS, 'x_mcpaql_look')
    await client.call('nothing', {})
    expect(sent[0]?.[0]).toBe('x_mcpaql_look')
  })

  test('a batch of one family goes to its tool', async () => {
    const { client, sent } = server(FAMILIES, OWNERS, 'x_mcpaql_look')
    await client.batch({ operations: [{ operation: 'list_notes' }, { operation: 'get_note' }] })
    expect(sent[0]?.[0]).toBe('x_mcpaql_look')
  })

  test('a batch of several families is not sent without a unified tool', async () => {
    const { client, sent } = server(FAMILIES, OWNERS, 'x_mcpaql_look')
    const stopped = (await client.batch({
      operations: [{ operation: 'list_notes' }, { operation: 'create_note' }],
    })) as Stop
    expect(stopped).toMatchObject({
      exit: 2,
      message: expect.stringContaining('create_note belongs to x_mcpaql_create'),
    })
    expect(sent).toEqual([])
  })

  test('MULTI-04 an operation of two adapters needs a word from the user', async () => {
    const connection: Connection = {
      tools: ['a_mcpaql', 'b_mcp_aql'].map((name) => ({ name, inputSchema: {} })),
      send: async (tool) => reply({ success: true, data: { operation: { mcpTool: tool } } }),
      close: async () => {},
    }
    const client = createClient(connection)
    if (isStop(client)) throw new Error(client.message)
    expect(client.adapters.map(({ prefix }) => prefix)).toEqual(['a', 'b'])
    expect(await client.call('list_notes', {})).toMatchObject({
      exit: 2,
      next: ['Say which: --tool a_mcpaql or --tool b_mcp_aql'],
    })
  })
})

test('a server without MCP-AQL tools is named as such', () => {
  const tools = [{ name: 'send_mail', description: 'Sends.', inputSchema: {} }]
  const client = createClient({ tools, send: async () => reply({ success: true }), close: async () => {} })
  expect(client).toMatchObject({ exit: 1, next: ['Its tools are: send_mail'] })
})

test('tools of any name are taken for MCP-AQL by what they take and say', () => {
  const tools = [{ name: 'notes.read', description: 'Use introspect.', inputSchema: { properties: { operation: {} } } }]
  const client = createClient({ tools, send: async () => reply({ success: true }), close: async () => {} })
  expect(isStop(client)).toBe(false)
})

// biome-ignore format: a table reads by columns
test.each<[string, Reply['result'], number]>([
  ['a success',                           { success: true, data: 1 },                                                        0],
  ['RES-11 a success with warnings',      { success: true, data: 1, warnings: [{ code: 'NOBODY_KNOWS_IT', message: 'x' }] }, 0],
  ['RES-11 warnings of an unknown shape', { success: true, data: 1, warnings: 'odd' },                                       0],
  ['a failure',                           { success: false, error: { code: 'NOT_FOUND_RESOURCE' } },                         1],
  ['a failure without a code',            { success: false },                                                                1],
  ['a denial',                            { success: false, error: { code: 'PERMISSION_DENIED' } },                          3],
  ['waiting for a human',                 { success: false, error: { code: 'CONFIRMATION_REQUIRED' } },                      4],
  ['a quota that a human may lift',       { success: false, error: { code: 'RATE_LIMIT_QUOTA_PAUSE' } },                     4],
  ['an execution that failed',            { success: true, data: { execution_id: 'e', status: 'failed' } },                  1],
  ['an execution that runs',              { success: true, data: { execution_id: 'e', status: 'running' } },                 0],
  ['a batch without failures',            { success: true, data: null, results: [{ result: { success: true } }] },           0],
  ['a batch with a failure',              { success: true, data: null, results: [{ result: { success: false } }] },          1],
])('%s', (_, result, exit) => {
  expect(exitOf(reply(result))).toBe(exit)
})
