import { check, checkIntrospection, checkResult } from '../schemas.ts'

export interface Answer {
  readonly jsonrpc?: unknown
  readonly id?: string | number | null
  readonly method?: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

/** What is wrong with one message of the server, given its text; nothing means that it may be sent. */
export function judge(message: unknown, text: string): string[] {
  const leak = LEAK.exec(text)
  const faults = leak ? [`ERR-04 leaks ${JSON.stringify(leak[0])}`] : []
  if (typeof message !== 'object' || message === null) return [...faults, 'MCP-01 is no object']
  const answer = message as Answer
  if (answer.jsonrpc !== '2.0') faults.push('MCP-01 jsonrpc is not 2.0')
  if (answer.method !== undefined) return faults
  if (Object.hasOwn(answer, 'result') === Object.hasOwn(answer, 'error')) {
    return [...faults, 'MCP-01 has either a result or an error']
  }
  return [...faults, ...(answer.error ? judgeError(answer.error) : judgeResult(answer.result ?? {}))]
}

/** A reply to a request, in contrast to what the server says of its own accord. */
export function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && !Object.hasOwn(message, 'method')
}

/** Error names, stack traces, source locations, paths. */
const LEAK =
  /(?:Type|Range|Reference|Syntax|Eval|URI|Sqlite|Zod|Sdk|Protocol|Assertion)Error|\bError:|\\n\s+at |\.[cm]?[jt]s:\d|\/src\/|node_modules|node:internal|SQLITE_/

const CODES: ReadonlySet<unknown> = new Set([
  ...[-32700, -32600, -32601, -32602],
  ...[-32000, -32001, -32020, -32021, -32022], // of HTTP, and of the revision without a handshake
])

/** ERR-06: JSON-RPC errors are for broken messages, unknown methods and tools; an internal one is a bug. */
function judgeError({ code, message }: NonNullable<Answer['error']>): string[] {
  const faults = CODES.has(code) ? [] : [`ERR-06 has the code ${String(code)}`]
  return typeof message === 'string' && message !== '' ? faults : [...faults, 'MCP-01 an error says nothing']
}

function judgeResult(result: Readonly<Record<string, unknown>>): string[] {
  if (!Object.hasOwn(result, 'content')) return []
  const [content, ...others] = result.content as readonly { readonly type: string; readonly text: string }[]
  if (content?.type !== 'text' || others.length > 0) return ['RES-05 the content is not one text']
  return judgeOutcome(JSON.parse(content.text))
}

interface Outcome {
  readonly success?: boolean
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> }
  readonly results?: readonly { readonly result: Outcome }[]
}

function judgeOutcome(outcome: Outcome): string[] {
  const failed = [outcome, ...(outcome.results ?? []).map(({ result }) => result)]
  const unexpected = failed.filter(({ error }) => error !== undefined && isUnexpected(error))
  return [
    ...faultsOf(outcome),
    ...unexpected.map(({ error }) => `VAL-02 an exception reached the boundary: ${error?.code}`),
  ]
}

function faultsOf(outcome: Outcome): string[] {
  const { data } = outcome
  const keys = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.keys(data) : []
  if (keys.includes('_protocol')) return checkIntrospection(outcome)
  const isGraph = keys.length > 0 && keys.every((key) => GRAPH.has(key))
  if (!isGraph) return checkResult(outcome)
  return [
    ...check('operation-result.schema.json', outcome),
    ...check('relationship-query.schema.json#/$defs/answer', data, '/data'),
  ]
}

/** What is left of a graph when its caller wants little of it looks like nothing else (REL-03). */
const GRAPH: ReadonlySet<string> = new Set(['root', 'relationships', 'graph', 'pageInfo'])

/** Cancellation and time-out have codes of their own; any other internal error stands for an exception. */
function isUnexpected({ code, details }: NonNullable<Outcome['error']>): boolean {
  if (code === 'INTROSPECTION_ERROR') return true
  return code === 'INTERNAL_ERROR' && details?.cause_code === undefined
}
