import { isAbsolute, join } from 'node:path'
import type { World } from '../world.ts'

type Fields = Readonly<Record<string, unknown>>

/** A client whose settings file names commands to ask before a tool runs, and to tell after it. */
export interface HookClient {
  readonly name: string
  readonly title: string
  /** Below the project, or below the user's home. */
  readonly file: readonly [folder: string, file: string]
  /** The variable that names the user's folder in place of the one below the home. */
  readonly folderVariable?: string
  /** What a settings file must hold beside the hooks. */
  readonly base: Fields
  /** The events before a tool runs, the first of them the commonest, and those after it. */
  readonly events: readonly string[]
  /** Events under which the same entry may stand as well. */
  readonly moreEvents: readonly string[]
  readonly entry: (command: string) => Fields
  /** The switch by which the client blocks when its hook cannot run. */
  readonly failClosed: { readonly key: string; readonly value: unknown; readonly since: string }
  /** Settings by which the client leaves out hooks, and where they count. */
  readonly off: readonly OffSwitch[]
  /** Variables by which it does so. */
  readonly offVariables: readonly string[]
  /** Files beside the own one that the client reads, below the project. */
  readonly besides: readonly (readonly string[])[]
  /** Folders of the administrator, by platform, and what is read there. */
  readonly managed: Readonly<Record<string, readonly string[]>>
  readonly managedFile: string
  /** What the hook does not see, in words for the user. */
  readonly gaps: string
}

export interface OffSwitch {
  readonly key: string
  /** Only in the files of the administrator; then hooks in those files still run. */
  readonly isManaged?: true
  readonly isOn: (value: unknown) => boolean
}

const TIMEOUT_SECONDS = 10

/** Anything but a plain no may mean yes to a client. */
const isSet = (value: unknown) => value !== undefined && value !== false && value !== null

const claude: HookClient = {
  name: 'claude',
  title: 'Claude Code',
  file: ['.claude', 'settings.json'],
  folderVariable: 'CLAUDE_CONFIG_DIR',
  base: {},
  events: ['PreToolUse', 'PostToolUse'],
  moreEvents: ['PostToolUseFailure'],
  entry: (command) => ({
    matcher: '*',
    hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS, onFailure: 'block' }],
  }),
  failClosed: { key: 'onFailure', value: 'block', since: '2.1.295' },
  off: [
    { key: 'disableAllHooks', isOn: isSet },
    { key: 'allowManagedHooksOnly', isManaged: true, isOn: isSet },
    {
      key: 'strictPluginOnlyCustomization',
      isManaged: true,
      isOn: (value) => (Array.isArray(value) ? value.includes('hooks') : isSet(value)),
    },
  ],
  offVariables: ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_SHELL_PREFIX'],
  besides: [['.claude', 'settings.local.json']],
  managed: {
    linux: ['/etc/claude-code'],
    darwin: ['/Library/Application Support/ClaudeCode'],
    win32: ['C:\\Program Files\\ClaudeCode', 'C:\\ProgramData\\ClaudeCode'],
  },
  managedFile: 'managed-settings.json',
  gaps: 'Files that the user mentions with @ are read without asking hooks.',
}

const cursor: HookClient = {
  name: 'cursor',
  title: 'Cursor',
  file: ['.cursor', 'hooks.json'],
  base: { version: 1 },
  events: ['beforeShellExecution', 'beforeMCPExecution', 'afterShellExecution', 'afterMCPExecution'],
  moreEvents: [],
  entry: (command) => ({ command, timeout: TIMEOUT_SECONDS, failClosed: true }),
  failClosed: { key: 'failClosed', value: true, since: 'the versions that have it' },
  off: [],
  offVariables: [],
  besides: [],
  managed: {
    linux: ['/etc/cursor'],
    darwin: ['/Library/Application Support/Cursor'],
    win32: ['C:\\ProgramData\\Cursor'],
  },
  managedFile: 'hooks.json',
  gaps: 'Shell commands and MCP tools are asked about; edits of files by the client itself are not.',
}

export const HOOK_CLIENTS: readonly HookClient[] = [claude, cursor]

/**
 * Variables that settings may give to the client without changing what a hook's line runs: names of models, limits and
 * the wording of programs. Any other, such as one that wraps or replaces the shell, loads code or names other places, may
 * keep the hook from running, and no line of a hook can undo that.
 */
const HARMLESS_VARIABLES =
  /^(ANTHROPIC_(DEFAULT_\w+_)?MODEL|ANTHROPIC_SMALL_FAST_MODEL|CLAUDE_CODE_(MAX_OUTPUT_TOKENS|SUBAGENT_MODEL|ENABLE_TELEMETRY|EFFORT_LEVEL|DISABLE_(TERMINAL_TITLE|NONESSENTIAL_TRAFFIC|AUTO_MEMORY))|MAX_(THINKING|MCP_OUTPUT)_TOKENS|BASH_(DEFAULT|MAX)_(TIMEOUT_MS|OUTPUT_LENGTH)|MCP_(TOOL_)?TIMEOUT|DISABLE_(TELEMETRY|AUTOUPDATER|ERROR_REPORTING|BUG_COMMAND|COST_WARNINGS|NON_ESSENTIAL_MODEL_CALLS)|OTEL_\w+|LANG|LC_\w+|TZ|NO_COLOR|FORCE_COLOR|CI|DEBUG|NODE_ENV|EDITOR_MODE|(?!_|LD|LDR_|DYLD|RLD|NODE_|BASH_|GCONV|GLIBC|MALLOC|\w+SAN_)\w+_(API_KEY|AUTH_TOKEN|TOKEN|PROFILE|REGION|BASE_URL|PROJECT_ID|MODEL|LOG_LEVEL))$/

/** True for a variable that a settings file may set. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS_VARIABLES.test(name)
}

type Place = Pick<World, 'home' | 'cwd' | 'env'>

/** The file that install writes. */
export function settingsPath({ file, folderVariable }: HookClient, isUser: boolean, { home, cwd, env }: Place): string {
  if (!isUser) return join(cwd, ...file)
  const folder = folderVariable === undefined ? undefined : env[folderVariable]
  return folder && isAbsolute(folder) ? join(folder, file[1]) : join(home, ...file)
}

/** The commands of ours that an entry holds, whatever else is in it. */
export function isOwnCommand(command: unknown): boolean {
  return typeof command === 'string' && /[/\\]cli[/\\]hook[/\\]bin\.[jt]s/.test(command) && command.includes(' --key ')
}
