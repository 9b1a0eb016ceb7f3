import { canonicalHash } from '../canonical-json.ts'

/** What a client's hook hands over before a tool runs. All of it is the agent's or the client's word. */
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

/** What an approval binds to (SELF-11). A remark that only the human reads is not part of the deed. */
export function hashCall({ client, tool, input, session, cwd }: ToolCall): string {
  const { description: _, ...deed } = input
  return canonicalHash({ client, tool, input: hasRemark(tool, input) ? deed : input, session, cwd })
}

/** By field, the most characters it may hold. */
const TEXTS = { client: 40, event: 100, tool: 300, session: 300, cwd: 4_096 } as const

function textAt(value: Readonly<Record<string, unknown>>, name: string, most: number): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : undefined
  return typeof text === 'string' && text.length <= most ? text : undefined
}

/** Shell tools take a sentence about the command, which a model words anew each time. */
function hasRemark(tool: string, { command, description }: ToolCall['input']): boolean {
  return tool === 'Bash' && typeof command === 'string' && typeof description === 'string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
