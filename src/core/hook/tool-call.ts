import { canonicalHash } from '../canonical-json.ts'
import { CLIENT_TOOLS } from './client-tools.ts'

/** What a client's hook hands over before a tool runs, and after. All of it is the agent's or the client's word. */
export interface ToolCall {
  /** Which client the hook was installed for: `claude`, `cursor`, … */
  readonly client: string
  readonly event: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly session: string
  /** The folder that relative paths start in; empty where the client does not say. */
  readonly cwd: string
}

/** A question as it arrives, with the nonce that its answer must carry. */
export interface HookQuestion {
  readonly nonce: string
  readonly call: ToolCall
}

/** Undefined when anything is missing, of another type or too long: then nobody knows what would be judged. */
export function readQuestion(value: unknown): HookQuestion | undefined {
  if (!isObject(value)) return undefined
  const { nonce, input } = value
  if (typeof nonce !== 'string' || !/^[\w-]{22,64}$/.test(nonce) || !isObject(input)) return undefined
  const texts = Object.entries(TEXTS).map(([name, most]) => [name, textAt(value, name, most)] as const)
  if (texts.some(([, text]) => text === undefined)) return undefined
  const call = { ...Object.fromEntries(texts), input } as unknown as ToolCall
  return call.tool === '' || call.client === '' ? undefined : { nonce, call }
}

/** What an approval binds to (SELF-11). */
export function hashCall({ client, tool, input, session, cwd }: ToolCall): string {
  return canonicalHash({ client, tool, input: withoutRemark(tool, input), session, cwd })
}

/**
 * What ties the report of a call to the permission for it, so only what a client says both times: a command may change
 * the folder, Cursor names an MCP server beforehand only, and what stays inside the client may hold the user's answer.
 */
export function hashDeed({ client, event, tool, input, session }: ToolCall): string {
  const name = event.endsWith('MCPExecution') ? tool.replace(/^mcp__.*?__/, '') : tool
  const isInner = CLIENT_TOOLS.get(tool.toLowerCase())?.kind === 'inner'
  return canonicalHash({ client, tool: name, input: isInner ? {} : withoutRemark(tool, input), session }).slice(0, 32)
}

/** By field, the most characters it may hold. */
const TEXTS = { client: 40, event: 100, tool: 300, session: 300, cwd: 4_096 } as const

function textAt(value: Readonly<Record<string, unknown>>, name: string, most: number): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : undefined
  return typeof text === 'string' && text.length <= most ? text : undefined
}

/**
 * Shell tools take a sentence about the command, which a model words anew each time: a remark that only the human reads
 * is not part of the deed.
 */
function withoutRemark(tool: string, input: ToolCall['input']): ToolCall['input'] {
  if (tool !== 'Bash' || typeof input.command !== 'string' || typeof input.description !== 'string') return input
  const { description, ...deed } = input
  return deed
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
