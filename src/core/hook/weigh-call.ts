import { RESERVED_OPERATIONS } from '../../protocol/reserved.ts'
import type { HintScore } from '../autonomy/evaluate.ts'
import { scoreHint } from '../autonomy/risk/score-hint.ts'
import { isSecretFile, TARGET_KINDS, targetKind } from '../autonomy/risk/targets.ts'
import { CLIENT_TOOLS, DELETE_SCORES, type ToolKind, WRITE_SCORES } from './client-tools.ts'
import { patchedPaths } from './patched-paths.ts'
import type { ToolCall } from './tool-call.ts'

/** A tool call as the evaluation sees it: the words that patterns look at, and what it is worth. */
export interface Weighed {
  readonly hint: string
  readonly scored: HintScore
}

/** The call itself is judged, not what anybody says about it (security, section 6). */
export function weighCall(call: ToolCall): Weighed {
  if (call.tool.startsWith(MCP_PREFIX)) return weighMcp(call)
  const row = CLIENT_TOOLS.get(call.tool.toLowerCase())
  return row ? WEIGHERS[row.kind](call, row.score) : weighUnknown(call)
}

const MCP_PREFIX = 'mcp__'
/** AUTO-13: the least for what no table knows. */
const UNKNOWN_SCORE = 35
/** A call of a known tool that lacks what it would have to be judged by. */
const UNREADABLE_SCORE = 45
const SECRET_SCORE = 62

const WEIGHERS: Readonly<Record<ToolKind, (call: ToolCall, score: number) => Weighed>> = {
  shell: weighShell,
  write: weighWrite,
  patch: weighPatch,
  read: weighRead,
  fetch: weighFetch,
  inner: ({ tool }, score) => weighed(tool, score, `${tool}: stays inside the client`),
}

function weighShell(call: ToolCall): Weighed {
  const command = commandOf(call.input.command ?? call.input.cmd ?? call.input.script)
  if (command === undefined) return weighed(call.tool, UNREADABLE_SCORE, 'the call holds no command')
  return { hint: command, scored: scoreHint(command, { projects: projectsOf(call) }) }
}

/** A list of words is quoted, so that the words stay what they are. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === 'string')) return undefined
  return value
    .map((word: string) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}

/** By where it writes; what it writes is judged when it is run. */
function weighWrite(call: ToolCall): Weighed {
  return weighPaths(
    call,
    pathsIn(call).map((path) => ({ path, deletes: false })),
  )
}

function weighPatch(call: ToolCall): Weighed {
  const texts = Object.values(call.input).filter((value) => typeof value === 'string')
  return weighPaths(call, [
    ...patchedPaths(texts.join('\n')),
    ...pathsIn(call).map((path) => ({ path, deletes: false })),
  ])
}

function weighPaths(call: ToolCall, targets: readonly { readonly path: string; readonly deletes: boolean }[]): Weighed {
  if (targets.length === 0) return weighed(call.tool, UNREADABLE_SCORE, 'the call names no file')
  const findings = targets.map(({ path, deletes }) => {
    const kind = kindOf(path, call)
    const score = (deletes ? DELETE_SCORES : WRITE_SCORES)[kind]
    return { score, factor: `${call.tool}: ${deletes ? 'deletes' : 'writes'} ${TARGET_KINDS[kind]} (${score})` }
  })
  return {
    hint: `${call.tool} ${targets.map(({ path }) => path).join(' ')}`,
    scored: {
      score: Math.max(...findings.map(({ score }) => score)),
      factors: [...new Set(findings.sort((a, b) => b.score - a.score).map(({ factor }) => factor))].slice(0, 8),
    },
  }
}

function weighRead(call: ToolCall, score: number): Weighed {
  const paths = pathsIn(call)
  const hint = `${call.tool} ${paths.join(' ')}`.trim()
  return paths.some(isSecretFile)
    ? weighed(hint, SECRET_SCORE, `${call.tool}: a file that holds secrets`)
    : weighed(hint, score, `${call.tool}: reads`)
}

function weighFetch({ tool, input: { url } }: ToolCall): Weighed {
  if (typeof url !== 'string' || !/^https?:\/\/\S+$/.test(url))
    return weighed(tool, UNREADABLE_SCORE, 'the call holds no web address')
  return { hint: `GET ${url}`, scored: scoreHint(`GET ${url}`) }
}

/**
 * By the name of the tool, and by commands and statements among its arguments. Behind tools of this protocol the
 * operation is what is called; its reserved ones serve to report and to verify, and must pass for that.
 */
function weighMcp({ tool, input }: ToolCall): Weighed {
  const name = tool.slice(MCP_PREFIX.length).replaceAll('__', '.')
  const isAql = /mcp_?aql/i.test(name) && typeof input.operation === 'string'
  if (isAql && Object.hasOwn(RESERVED_OPERATIONS, input.operation as string))
    return weighed(`${name} ${input.operation}`, 10, `${input.operation}: an operation of the protocol itself`)
  const called = isAql ? `${name.split('.')[0]}.${input.operation}` : name
  const hint = `${called} ${JSON.stringify(isAql ? (input.params ?? {}) : input)}`
  return { hint, scored: scoreHint(hint) }
}

function weighUnknown(call: ToolCall): Weighed {
  const hint = `${call.tool} ${JSON.stringify(call.input)}`
  const command = commandOf(call.input.command)
  const parts = [scoreHint(hint), ...(command === undefined ? [] : [scoreHint(command)])]
  return {
    hint: command === undefined ? hint : `${call.tool} ${command}`,
    scored: {
      score: Math.max(UNKNOWN_SCORE, ...parts.map(({ score }) => score)),
      factors: [`a tool that no table knows (${UNKNOWN_SCORE})`, ...parts.flatMap(({ factors }) => factors)].slice(
        0,
        8,
      ),
    },
  }
}

function weighed(hint: string, score: number, factor: string): Weighed {
  return { hint, scored: { score, factors: [`${factor} (${score})`] } }
}

/** Where clients put the file that a tool works on. */
const PATH_KEYS = ['file_path', 'path', 'notebook_path', 'target_file', 'absolute_path', 'filename', 'paths'] as const

function pathsIn({ input }: ToolCall): readonly string[] {
  return PATH_KEYS.flatMap((key) => (Object.hasOwn(input, key) ? [input[key]].flat() : [])).filter(
    (path): path is string => typeof path === 'string' && path !== '',
  )
}

function kindOf(path: string, call: ToolCall) {
  const projects = projectsOf(call)
  if (projects.length === 0 && !/^[/~]|^[A-Za-z]:[\\/]/.test(path)) return 'unknown'
  return targetKind(path, { cwd: projects[0] ?? '/', projects })
}

/** The root of a file system is no project. */
function projectsOf({ cwd }: ToolCall): readonly string[] {
  const folder = cwd.replace(/\/+$/, '')
  return folder.startsWith('/') ? [folder] : []
}
