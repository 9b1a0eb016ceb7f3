import type { Material, OperationCard } from './generate.ts'
import type { ParamCard } from './values.ts'

/** Sends a sound request and returns the `result`. */
export type Ask = (
  method: string,
  params?: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>

/** Asks the server what there is, and for some cursors, rests and executions to tamper with. */
export async function harvest(ask: Ask): Promise<Material> {
  const { tools } = (await ask('tools/list')) as unknown as { readonly tools: readonly { readonly name: string }[] }
  const names = tools.map(({ name }) => name)
  const tool = (family: string) => names.find((name) => name.endsWith(family)) ?? ''
  const call = async (family: string, operation: string, params: object) =>
    dataOf(await ask('tools/call', { name: tool(family), arguments: { operation, params } }))

  const { operations: listed } = await call('read', 'introspect', { query: 'operations' })
  const operations: OperationCard[] = []
  for (const { name } of listed) {
    const { operation } = await call('read', 'introspect', { query: 'operations', name })
    const example = operation.examples?.[0]?.request.params ?? {}
    operations.push({ name, tool: operation.mcpTool, params: operation.parameters as ParamCard[], example })
  }
  const page = await call('read', 'list_issues', { first: 2 })
  const sorted = await call('read', 'list_issues', { first: 2, sort: { field: 'due_date' } })
  const cut = await ask('tools/call', {
    name: tool('read'),
    arguments: { operation: 'list_issues', params: { fields: 'full', first: 50, max_tokens: 60 } },
  })
  const { execution_id } = await call('execute', 'import_issues', { ...IMPORT, api_key: 'key_expired' })
  return {
    tools: names,
    operations,
    cursors: [page.pageInfo.endCursor, sorted.pageInfo.endCursor],
    rests: [...textOf(cut).matchAll(/rest_[\w-]{16}/g)].map(([handle]) => handle),
    executions: [execution_id],
  }
}

const IMPORT = { project: 'API', count: 1, delay_ms: 0 }

function textOf(result: Readonly<Record<string, unknown>>): string {
  return (result.content as readonly { readonly text: string }[])[0]?.text ?? ''
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function dataOf(result: Readonly<Record<string, unknown>>): any {
  const outcome = JSON.parse(textOf(result))
  if (outcome.success !== true) throw new Error(`a sound call failed: ${textOf(result)}`)
  return outcome.data
}

/** The last word of a round: after all that, an ordinary call is answered as ever. */
export async function normalCall(ask: Ask, { tools }: Material): Promise<boolean> {
  const name = tools.find((each) => each.endsWith('read')) ?? ''
  const result = await ask('tools/call', { name, arguments: { operation: 'list_issues', params: { first: 1 } } })
  const data = dataOf(result)
  return Array.isArray(data.items) && data.items.length <= 1 && data.pageInfo !== undefined
}
