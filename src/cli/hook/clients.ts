import { join } from 'node:path'
import type { World } from '../world.ts'

type Fields = Readonly<Record<string, unknown>>

/** A client whose settings file names commands to ask before a tool runs, and to tell after it. */
export interface HookClient {
  readonly name: string
  readonly title: string
  /** Below the project, or below the user's home. */
  readonly file: readonly [folder: string, file: string]
  /** What a settings file must hold beside the hooks. */
  readonly base: Fields
  /** The events before a tool runs, the first of them the commonest, and those after it. */
  readonly events: readonly string[]
  readonly entry: (command: string) => Fields
  /** The switch by which the client blocks when its hook cannot run. */
  readonly failClosed: { readonly key: string; readonly value: unknown; readonly since: string }
  /** The setting by which the client leaves out every hook, wherever it stands. */
  readonly off?: string
  /** Files beside the own one in which that setting may stand, below the project. */
  readonly besides?: readonly (readonly string[])[]
  /** What the hook does not see, in words for the user. */
  readonly gaps: string
}

const TIMEOUT_SECONDS = 10

const claude: HookClient = {
  name: 'claude',
  title: 'Claude Code',
  file: ['.claude', 'settings.json'],
  base: {},
  events: ['PreToolUse', 'PostToolUse'],
  entry: (command) => ({
    matcher: '*',
    hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS, onFailure: 'block' }],
  }),
  failClosed: { key: 'onFailure', value: 'block', since: '2.1.295' },
  off: 'disableAllHooks',
  besides: [['.claude', 'settings.local.json']],
  gaps: 'Files that the user mentions with @ are read without asking hooks.',
}

const cursor: HookClient = {
  name: 'cursor',
  title: 'Cursor',
  file: ['.cursor', 'hooks.json'],
  base: { version: 1 },
  events: ['beforeShellExecution', 'beforeMCPExecution', 'afterShellExecution', 'afterMCPExecution'],
  entry: (command) => ({ command, timeout: TIMEOUT_SECONDS, failClosed: true }),
  failClosed: { key: 'failClosed', value: true, since: 'the versions that have it' },
  gaps: 'Shell commands and MCP tools are asked about; edits of files by the client itself are not.',
}

export const HOOK_CLIENTS: readonly HookClient[] = [claude, cursor]

export function settingsPath(
  { file }: HookClient,
  isUser: boolean,
  { home, cwd }: Pick<World, 'home' | 'cwd'>,
): string {
  return join(isUser ? home : cwd, ...file)
}

/** The commands of ours that an entry holds, whatever else is in it. */
export function isOwnCommand(command: unknown): boolean {
  return typeof command === 'string' && /[/\\]cli[/\\]hook[/\\]bin\.[jt]s/.test(command) && command.includes(' --key ')
}
