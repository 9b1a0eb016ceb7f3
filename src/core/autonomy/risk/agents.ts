import { note } from './ledger.ts'
import { onlyTells, onlyTellsOfOrder } from './only-pretends.ts'
import { wordSet, words } from './options.ts'
import type { Call } from './program.ts'
import { known, type Scope } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'

/** Agents of the command line, by the names of their programs and packages: what they do is asked about where they run, if at all. */
export const AGENTS =
  words(`claude claude-code codex gemini gemini-cli aider aider-chat cursor-agent opencode opencode-ai amp
  qwen qwen-code crush droid auggie cline kiro-cli plandex openhands`)

const STARTS = 45
/** The same as for the files that such a switch stands for. */
const LOOSENS = 72

/** Words that only tell, and groups of which some orders do. */
const TELLS = '--version --help help version doctor status whoami about'
const SHORT_TELLS = '-v -V -h'
const GROUPS = /^(mcp|config|plugins?|extensions?|skills|models?|features|sessions?|agents?|stats|hooks|marketplace)$/
const LISTS = /^(list|ls|get|show|info|status|validate|help)$/
/** Orders about the agent itself, which start none. */
const SELF = wordSet('update upgrade install login logout setup-token completion completions auth')

/** Switches by which an agent has other settings, other servers, more rights or fewer questions. */
const LOOSE =
  /^--(settings(-file)?|setting-sources|bare|dangerously[\w-]*|allow[\w-]*|permission[\w-]*|(additional-|strict-)?mcp-config|plugin-(dir|url)|agents|add-dir|include-directories|no-hooks?|yolo|full-auto|ask-for-approval|approval-[\w-]*|approve[\w-]*|always-approve|sandbox|no-sandbox|config([-_]\w+(-\w+)*)?|profile|enable|disable|force|trust[\w-]*|skip-[\w-]*|yes|yes-always|auto|(admin-)?policy|extensions|env-file|test-cmd|lint-cmd|load|no-ask-user)$/
const SHORT_LOOSE: Readonly<Record<string, RegExp>> = {
  codex: /^-(a|s|c|p)$/,
  gemini: /^-[ye]$/,
  'gemini-cli': /^-[ye]$/,
  qwen: /^-[ye]$/,
  'qwen-code': /^-[ye]$/,
  crush: /^-y$/,
  'cursor-agent': /^-f$/,
  'kiro-cli': /^-a$/,
}
/** Values of these that ask as much as before, or more. */
const TIGHT = /^(plan|default|read-only|untrusted|on-request|true|manual)$/
const WITH_VALUE = /^--(permission-mode|sandbox|ask-for-approval|approval-mode)$|^-[as]$/

/** Variables of the environment that do what such a switch does. */
const VARIABLES =
  /^(HOME|USERPROFILE|APPDATA|XDG_CONFIG_HOME|CLAUDE_CONFIG_DIR|CLAUDE_CODE_\w+|CODEX_HOME|GEMINI_(?!API_KEY|MODEL)\w+|OPENCODE_\w+|AIDER_(?!MODEL|\w*KEY)\w+|GOOSE_MODE|CURSOR_\w+|COPILOT_\w+|\w+_BASE_URL)$/
const FOLDER = /^(-C|--cd|--cwd|--workspace|--dir)$/

/** Another agent is not asked by the hook of this one, unless its own settings say so. */
export function judgeAgent({ name, args, scope }: Call): void {
  const plain = args.map(known)
  const [first = '', second = ''] = plain.filter((arg) => !arg.startsWith('-'))
  if (onlyTells(plain, TELLS) || (plain.length === 1 && onlyTells(plain, SHORT_TELLS))) return
  if (GROUPS.test(first) && second !== '' && !LISTS.test(second) && !onlyTellsOfOrder(plain))
    note(scope.ledger, LOOSENS, `${name} ${first} ${second}: changes the settings of an agent`)
  if (GROUPS.test(plain[0] ?? '')) return
  if (SELF.has(plain[0] ?? '')) return
  note(scope.ledger, STARTS, `${name}: starts another agent`)
  if (plain.some((arg, at) => isLoose(name, arg, plain[at + 1] ?? '')) || isElsewhere(plain, scope))
    note(scope.ledger, LOOSENS, `${name}: another agent, with other settings or fewer questions`)
}

function isLoose(name: string, arg: string, next: string): boolean {
  const cut = arg.startsWith('--') ? arg.indexOf('=') : -1
  const flag = cut < 0 ? arg : arg.slice(0, cut)
  if (!LOOSE.test(flag) && !SHORT_LOOSE[name]?.test(flag)) return false
  return !(WITH_VALUE.test(flag) && TIGHT.test(cut < 0 ? next : arg.slice(cut + 1)))
}

/** In another folder, or with another one for its settings. */
function isElsewhere(plain: readonly string[], scope: Scope): boolean {
  const folders = plain.flatMap((arg, at) => {
    const [, joined] = /^(?:--cd|--cwd|--workspace|--dir)=(.*)$/.exec(arg) ?? []
    return joined ?? (FOLDER.test(arg) ? (plain[at + 1] ?? '') : [])
  })
  return (
    ['.', ...folders].some((folder) => !isOfProject(folder, scope)) ||
    [...scope.variables.keys()].some((variable) => VARIABLES.test(variable))
  )
}

function isOfProject(folder: string, scope: Scope): boolean {
  return /^(project|projectRoot|regenerable)$/.test(targetKind(resolvePath(folder, scope.cwd), scope))
}

/** `node …/claude-code/cli.js`: the agent behind the file of its package. */
export function agentOfFile(path: string): string | undefined {
  if (!path.includes('node_modules/') || !AGENT_FILE.test(path)) return undefined
  return AGENT_FOLDER.exec(path)?.[1]
}

const AGENT_FOLDER = /(?:^|\/)(claude-code|codex|gemini-cli|qwen-code|opencode-ai|amp|auggie)\//
const AGENT_FILE = /\/(?:cli|index|main|codex|gemini|bundle)\.[cm]?js$/
