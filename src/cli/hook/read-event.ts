import { Buffer } from 'node:buffer'
import type { ToolCall } from '../../core/hook/tool-call.ts'
import { readMessage } from '../../core/pipeline/bytes.ts'

export type EventReading = ToolCall | { readonly fault: string }

/** What a client writes to its hook's standard input, by the event that it names. */
export function readEvent(text: string, client: string, folder: string): EventReading {
  const event = parsed(text)
  // One of the two would be judged, and the client may take the other.
  if (event && hasDoubledKey(text)) return { fault: 'The client sent an event in which a key stands twice' }
  if (!event) return { fault: 'The client sent something that is no JSON object' }
  const name = stringOf(event.hook_event_name)
  const read = Object.hasOwn(EVENTS, name) ? EVENTS[name] : undefined
  if (!read) return { fault: `The client sent an event that this hook does not know: ${name.slice(0, 60)}` }
  const called = read(event)
  if (!called) return { fault: `The client sent ${name} without the tool call` }
  const session = stringOf(event.session_id) || stringOf(event.conversation_id)
  const cwd = stringOf(event.cwd) || stringOf(firstOf(event.workspace_roots)) || folder
  return { client, event: name, session, cwd, ...called }
}

type Event = Readonly<Record<string, unknown>>
type Called = Pick<ToolCall, 'tool' | 'input'>

/** Claude Code and clients with the same contract; then Cursor, which has events for each kind of tool. */
const EVENTS: Readonly<Record<string, (event: Event) => Called | undefined>> = {
  PreToolUse: namedTool,
  preToolUse: namedTool,
  BeforeTool: namedTool,
  PostToolUse: namedTool,
  PostToolUseFailure: namedTool,
  postToolUse: namedTool,
  AfterTool: namedTool,
  beforeShellExecution: shellCommand,
  afterShellExecution: shellCommand,
  beforeMCPExecution: mcpTool,
  afterMCPExecution: mcpTool,
}

function shellCommand({ command }: Event): Called | undefined {
  return typeof command === 'string' ? { tool: 'Shell', input: { command } } : undefined
}

function mcpTool(event: Event): Called | undefined {
  const called = namedTool(event)
  return called && { ...called, tool: `mcp__${serverOf(event)}__${called.tool}` }
}

function namedTool({ tool_name, tool_input }: Event): Called | undefined {
  const input = typeof tool_input === 'string' ? parsed(tool_input) : tool_input
  if (typeof tool_name !== 'string' || tool_name === '' || !isObject(input)) return undefined
  return { tool: tool_name, input }
}

/** Cursor names the server by how it is reached; a name is a label here and no more. */
function serverOf({ server, server_name }: Event): string {
  const name = stringOf(server) || stringOf(server_name)
  return /^[A-Za-z][\w-]{0,60}$/.test(name) ? name : 'server'
}

function hasDoubledKey(text: string): boolean {
  const scanned = readMessage(Buffer.from(text), LIMITS)
  return !scanned.ok && scanned.fault.kind === 'duplicate_key'
}

const LIMITS = { maxBytes: 67_108_864, maxDepth: 1_000, maxString: 67_108_864, maxArray: 1_000_000 }

function parsed(text: string): Event | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}
