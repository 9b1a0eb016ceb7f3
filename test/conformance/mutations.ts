import { type Call, type Fields, isFields, type Mutation } from './mutant-server.ts'

/** A server that breaks one rule, and the check that must notice. */
export interface Mutant {
  readonly does: string
  /** What the check must say of it; FAIL unless the rule is a SHOULD. */
  readonly expect?: 'FAIL' | 'WARN'
  /** Made anew for each server. */
  readonly mutation: () => Mutation
  /** Checks that run before, for those that look back. */
  readonly after?: readonly string[]
  /** The mutation is that of the single-mode server; `none` leaves that server out. */
  readonly single?: 'mutated' | 'none'
}

export type Mutants = Readonly<Record<string, readonly Mutant[]>>

export const UNKNOWN = 'zz_unknown_parameter'

export function mutant(
  does: string,
  mutation: () => Mutation,
  expect: 'FAIL' | 'WARN' = 'FAIL',
  after: readonly string[] = [],
): Mutant {
  return { does, mutation, expect, after }
}

type Change = (value: Fields) => Fields

export function failure(code: string): Fields {
  return { success: false, error: { code, message: 'refused by the mutant', details: {} } }
}

export function operation(name: string): (call: Call) => boolean {
  return ({ args }) => args.operation === name
}

export function isTypes({ args }: Call): boolean {
  return isFields(args.params) && args.params.query === 'types' && args.params.name === undefined
}

/** Rewrites the data of successes. */
export function onData(when: (call: Call) => boolean, change: Change): () => Mutation {
  return () => ({
    result: (result, call) =>
      result.success === true && when(call) && isFields(result.data)
        ? { ...result, data: change(result.data) }
        : result,
  })
}

export function onList(change: Change): () => Mutation {
  return onData(
    ({ args }) => args.operation === 'introspect',
    (data) => (Array.isArray(data.operations) ? change(data) : data),
  )
}

export function onProtocol(change: Change): () => Mutation {
  return onList((data) => ({ ...data, _protocol: change(data._protocol as Fields) }))
}

export function onEntry(name: string, change: Change): () => Mutation {
  return onList((data) => ({
    ...data,
    operations: each(data.operations, (entry) => (entry.name === name ? change(entry) : entry)),
  }))
}

export function onDetails(change: Change): () => Mutation {
  return onData(
    ({ args }) => args.operation === 'introspect',
    (data) => (isFields(data.operation) ? { operation: change(data.operation) } : data),
  )
}

export function onPage(change: Change): () => Mutation {
  return onData(
    () => true,
    (data) => (isFields(data.pageInfo) ? { ...data, pageInfo: change(data.pageInfo) } : data),
  )
}

export function onAggregations(change: Change): () => Mutation {
  return onData(
    () => true,
    (data) => (isFields(data.aggregations) ? change(data) : data),
  )
}

export function onBatch(change: Change): () => Mutation {
  return () => ({ result: (result) => (Array.isArray(result.results) ? change(result) : result) })
}

/** Rewrites failures, of one code or of any, and adds keys beside `error`. */
export function onFailure(code: string, change: Change, beside: Fields = {}): () => Mutation {
  return () => ({
    result: (result) => {
      if (result.success !== false || !isFields(result.error)) return result
      return code === 'any' || result.error.code === code
        ? { ...result, error: change(result.error), ...beside }
        : result
    },
  })
}

/** Turns failures of one code into successes. */
export function ignoring(code: string): () => Mutation {
  return () => ({
    result: (result) => (isFields(result.error) && result.error.code === code ? { success: true, data: null } : result),
  })
}

/** Rewrites the parameters of calls. */
export function onParams(change: (params: Fields, call: Call) => Fields): () => Mutation {
  return () => ({
    call: (call) =>
      isFields(call.args.params) ? { ...call, args: { ...call.args, params: change(call.args.params, call) } } : call,
  })
}

export function answering(when: (call: Call) => boolean, result: Fields): () => Mutation {
  return () => ({ call: (call) => (when(call) ? { result } : call) })
}

export function onToolResult(when: (call: Call) => boolean, change: Change): () => Mutation {
  return () => ({ toolResult: (result, call) => (when(call) ? change(result) : result) })
}

export function onAnswer(
  when: (asked: Fields) => boolean,
  change: (answer: Fields, asked: Fields) => Fields,
): () => Mutation {
  return () => ({ answer: (answer, asked) => (when(asked) ? change(answer, asked) : answer) })
}

export function onSchema(change: Change): () => Mutation {
  return () => ({
    tools: (tools) => tools.map((tool) => ({ ...tool, inputSchema: change(tool.inputSchema as Fields) })),
  })
}

export function onHints(change: Change): () => Mutation {
  return () => ({
    tools: (tools) => tools.map((tool) => ({ ...tool, annotations: change(tool.annotations as Fields) })),
  })
}

/** Decodes the body leniently, as a server would that does not look at its bytes, and changes the text. */
export function onBody(change: (text: string) => string): () => Mutation {
  return () => ({ http: ({ body }) => ({ body: Buffer.from(change(body.toString('utf8'))) }) })
}

export function dropUnknown({ tool, args }: Call): Call {
  const inner = isFields(args.params) ? { params: without(args.params, UNKNOWN) } : {}
  return { tool, args: { ...without(args, UNKNOWN), ...inner } }
}

export function toReadTool(call: Call): Call {
  return call.args.operation === 'list_issues' ? { ...call, tool: 'tracker_mcpaql_read' } : call
}

export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}

export function each(value: unknown, change: Change): readonly Fields[] {
  return list(value).map(change)
}

export function without(fields: Fields, name: string): Fields {
  const { [name]: _left, ...rest } = fields
  return rest
}

export function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

export function changeMember(value: unknown, key: string, change: Change): Fields {
  if (!isFields(value)) return {}
  const member = value[key]
  return isFields(member) ? { ...value, [key]: change(member) } : value
}
