import type { HintScore } from '../autonomy/evaluate.ts'
import { isAmong, NO_PLACES, type OwnPlaces, seenFrom } from '../autonomy/own-places.ts'
import { looksLikePath } from '../autonomy/place-names.ts'
import { asksForData, isKeptText, SPOKEN_KEYS } from '../autonomy/risk/kept-words.ts'
import { namesSecretKind, readsSecretByName } from '../autonomy/risk/printed-secrets.ts'
import { PROJECT } from '../autonomy/risk/scope.ts'
import { scoreHint } from '../autonomy/risk/score-hint.ts'
import { resolvePath, TARGET_KINDS, type TargetKind, targetKind } from '../autonomy/risk/targets.ts'
import { isFileWriter, toolKind, toolNameOf } from '../autonomy/risk/tool-names.ts'
import { partsOf, type VerbKind, verbKind } from '../autonomy/risk/verbs.ts'
import { holdsSecrets, isExclusion, isSecretPlace, picksSecrets } from '../autonomy/secret-places.ts'
import {
  addressFindings,
  carriesSecretAs,
  DEBUGGER_PORTS,
  fetchFindings,
  isLoopback,
  isOwnPort,
  OWN_PORTS,
} from '../autonomy/web-address.ts'
import { withoutTrailing } from '../autonomy/without-trailing.ts'
import { type CallTexts, plainKey, textsIn } from './call-texts.ts'
import { CLIENT_TOOLS, DELETE_SCORES, type ToolKind, WRITE_SCORES } from './client-tools.ts'
import { lineOf, type PossibleLine, possibleLines, SHELL_TOOL } from './command-lines.ts'
import { MOST_HEADERS, patchedPaths } from './patched-paths.ts'
import type { ToolCall } from './tool-call.ts'
import { isTrustFile, runsLater } from './trust-files.ts'

/** A tool call as the evaluation sees it: the words that patterns look at, and what it is worth. */
export interface Weighed {
  readonly hint: string
  readonly scored: HintScore
  /** True where the hint is what a shell is going to run. */
  readonly isCommand?: true
}

export interface WeighSettings {
  /** Ports on which servers of this program answer, beside the usual ones. */
  readonly ports?: readonly number[]
  /** What the server uses itself. */
  readonly own?: OwnPlaces
}

/** The call itself is judged, not what anybody says about it (security, section 6); by the worst that is found in it. */
export function weighCall(call: ToolCall, { ports = [], own = NO_PLACES }: WeighSettings = {}): Weighed {
  const row = call.tool.startsWith(MCP_PREFIX) ? undefined : CLIENT_TOOLS.get(call.tool.toLowerCase())
  const isWriter = row ? row.kind === 'write' : isFileWriter(toolNameOf(call.tool))
  const texts = textsIn(call.input, (key) => isWriter && SPOKEN_KEYS.has(key))
  const places = seenFrom(own, withoutTrailing(call.cwd, '/'), PROJECT)
  const it: Weighing = {
    call,
    texts,
    fields: texts.isCut ? [] : fieldsIn(texts),
    ports: [...OWN_PORTS, ...ports],
    own: { ...places, ports, ...(call.cwd.startsWith('/') && { folder: withoutTrailing(call.cwd, '/') }) },
  }
  const weighed = row ? withCommands(WEIGHERS[row.kind](it, row.score), it, row.kind) : weighOther(it)
  return it.texts.isCut
    ? worst(weighed.hint, [weighed.scored, finding(UNREADABLE_SCORE, 'too much to look at')])
    : weighed
}

interface Weighing {
  readonly call: ToolCall
  readonly texts: CallTexts
  /** By object, its plain values by their plain keys; none of a call that holds more than is looked at, which asks anyway. */
  readonly fields: readonly (readonly Field[])[]
  readonly ports: readonly number[]
  readonly own: OwnPlaces
}

type Field = readonly [key: string, value: string | number]

function fieldsIn({ objects }: CallTexts): Weighing['fields'] {
  return objects.map((object) =>
    Object.keys(object).flatMap((name) => {
      const value = object[name]
      return typeof value === 'string' || typeof value === 'number' ? [[plainKey(name), value] as const] : []
    }),
  )
}

const MCP_PREFIX = 'mcp__'
/** AUTO-13: the least for what no table knows. */
const UNKNOWN_SCORE = 35
/** A call of a known tool that lacks what it would have to be judged by. */
const UNREADABLE_SCORE = 45
const SECRET_SCORE = 62
const TRUST_SCORE = 72
/** Writing what a runner, a container or an editor runs at another time. */
const LATER_SCORE = 45
/** What stands where no command is expected counts from here on. */
const GRAVE = 60
const MOST_FACTORS = 8

const WEIGHERS: Readonly<Record<ToolKind, (it: Weighing, score: number) => Weighed>> = {
  shell: weighShell,
  write: weighWrite,
  patch: weighPatch,
  read: weighRead,
  fetch: weighFetch,
  search: weighSearch,
  inner: ({ call: { tool } }, score) => one(tool, score, `${tool}: stays inside the client`),
}

/** A tool of the client that is given a command all the same: what is grave in it counts. */
function withCommands(weighed: Weighed, it: Weighing, kind: ToolKind): Weighed {
  if (kind === 'shell') return weighed
  const lines = it.texts.texts
    .filter(({ key }) => RUN_KEYS.has(key))
    .map(({ text }) => ({ line: text.replace(SLASH, './$1'), isSure: SLASH.test(text) }))
  const found = scoreLines(lines, it).filter(({ score }) => score > SLASH_SCORE)
  return found.length === 0 ? weighed : { ...weighed, scored: worst('', [weighed.scored, ...found]).scored }
}

const RUN_KEYS = new Set('command cmd commands script bash shell args arguments'.split(' '))
/** `/deploy prod`: a command of the client, by its name. */
const SLASH = /^\/([\w:-]+)(?=\s|$)/
/** What a command of the project's own is worth at most without a question. */
const SLASH_SCORE = 40

function weighShell(it: Weighing): Weighed {
  const lines = possibleLines(it.texts, SHELL_TOOL)
  const sure = lines.filter(({ isSure }) => isSure).map(({ line }) => line)
  if (sure.length === 0) return one(it.call.tool, UNREADABLE_SCORE, 'the call holds no command')
  return { ...worst(sure.join('\n'), [...scoreLines(lines, it), ...addressesOf(it)]), isCommand: true }
}

/** By where it writes; what it writes is judged when it is run. */
function weighWrite(it: Weighing): Weighed {
  return weighPaths(
    it,
    pathsIn(it).map((path) => ({ path, deletes: false })),
  )
}

function weighPatch(it: Weighing): Weighed {
  const text = it.texts.texts.map((each) => each.text).join('\n')
  const patched = patchedPaths(text)
  if (patched.length > MOST_HEADERS) return tooMuch(it.call.tool)
  return weighPaths(it, [...patched, ...pathsIn(it).map((path) => ({ path, deletes: false }))])
}

interface Touched {
  readonly path: string
  readonly deletes: boolean
}

function weighPaths({ call, own }: Weighing, all: readonly Touched[]): Weighed {
  if (all.length === 0) return one(call.tool, UNREADABLE_SCORE, 'the call names no file')
  const targets = [...new Map(all.map((each) => [`${each.deletes} ${each.path}`, each])).values()]
  if (isTooMuch(targets.map(({ path }) => path))) return tooMuch(call.tool)
  const found = targets.map(({ path, deletes }) => {
    const kind = kindOf(path, call, own)
    const least = runsLater(path, call.cwd) ? LATER_SCORE : 0
    const score = Math.max(least, (deletes ? DELETE_SCORES : WRITE_SCORES)[kind])
    return finding(score, `${call.tool}: ${deletes ? 'deletes' : 'writes'} ${TARGET_KINDS[kind]}`)
  })
  return worst(`${call.tool} ${targets.map(({ path }) => path).join(' ')}`, found)
}

/** Every text but what is looked for: tools name their files and folders under many keys. */
function weighRead(it: Weighing, score: number): Weighed {
  const {
    call,
    texts: { texts },
    own,
  } = it
  const { tool, cwd, input } = call
  const isGrep = /grep|search/i.test(tool)
  const places = texts.filter(({ key }) => !SPOKEN_KEYS.has(key) && !(isGrep && LOOKED_FOR.has(key)))
  if (isTooMuch(places.map(({ text }) => text))) return tooMuch(tool)
  const globs = places.filter(({ key, text }) => (GLOB_KEYS.has(key) || /[*?[{]/.test(text)) && !isExclusion(text))
  const named = places.filter(({ key }) => FOLDER_KEYS.has(key)).map(({ text }) => text)
  // Without a folder a search starts where the client is; a tool that names files stays with them.
  const folders = named.length > 0 ? named : places.some(({ key }) => PATH_KEY.test(key)) && !isGrep ? [] : ['.']
  const isNarrowed = globs.length > 0 || CODE_TYPES.has(String(input.type))
  const isSecret =
    [
      ...places.map(({ text }) => text),
      ...joinedPaths(it, (key) => !SPOKEN_KEYS.has(key) && !LOOKED_FOR.has(key)),
    ].some((text) => looksLikePath(text) && isSecretPath(text, cwd, own)) ||
    globs.some(({ text }) => ['', ...named].some((folder) => picksSecrets(text, folder, cwd))) ||
    (!isNarrowed && folders.some((each) => holdsSecrets(each, cwd)))
  const hint = `${tool} ${places.map(({ text }) => text).join(' ')}`.trim()
  return isSecret ? one(hint, SECRET_SCORE, `${tool}: a place that holds secrets`) : one(hint, score, `${tool}: reads`)
}

function weighFetch({ call: { tool }, texts: { texts }, ports }: Weighing): Weighed {
  if (isTooMuch(texts.map(({ text }) => text))) return tooMuch(tool)
  const addresses = texts.filter(({ key, text }) => ADDRESS_KEYS.has(key) || /^\s*[a-z]+:\/\//i.test(text))
  const urls = addresses.map(({ text }) => text.trim())
  if (urls.length === 0 || !urls.every((url) => /^https?:\/\/\S+$/i.test(url)))
    return one(tool, UNREADABLE_SCORE, 'the call holds no web address')
  if (urls.length > MOST_ADDRESSES || urls.some((url) => url.length > LONGEST_ADDRESS)) return tooMuch(tool)
  const hint = urls.map((url) => `GET ${url}`).join('\n')
  return worst(hint, [
    ...urls.map((url) => scoreHint(`GET ${url}`)),
    ...urls.flatMap((url) => fetchFindings(url, ports)).map(({ score, why }) => finding(score, `${tool}: ${why}`)),
    ...(texts.some(({ key, text }) => !addresses.some((one) => one.text === text) && carriesSecretAs(key, text))
      ? [finding(SECRET_SCORE, `${tool}: a secret in the words that are sent`)]
      : []),
  ])
}

/** The words go to a stranger's server. */
function weighSearch({ call: { tool }, texts: { texts } }: Weighing, score: number): Weighed {
  const hint = `${tool} ${texts.map(({ text }) => text).join(' ')}`.trim()
  if (isTooMuch(texts.map(({ text }) => text))) return tooMuch(tool)
  return texts.some(({ key, text }) => carriesSecretAs(key, text))
    ? one(hint, SECRET_SCORE, `${tool}: a secret in the words that are sent`)
    : one(hint, score, `${tool}: looks for something`)
}

/**
 * Tools of MCP servers, and those that no table knows: by the name, and by the worst of what it may be given to run, to
 * read, to write and to reach. Nothing is known of the server behind a name, this program's own included.
 */
function weighOther(it: Weighing): Weighed {
  const { tool, input } = it.call
  const isMcp = tool.startsWith(MCP_PREFIX)
  const name = isMcp ? tool.slice(MCP_PREFIX.length).replaceAll('__', '.') : tool
  const command = isMcp ? undefined : lineOf(input.command)
  const hint = command === undefined ? `${name} ${JSON.stringify(input)}` : `${tool} ${command}`
  const named = isMcp
    ? nameScores(name, hint, input)
    : [finding(UNKNOWN_SCORE, 'a tool that no table knows'), scoreHint(hint)]
  const { local } = toolNameOf(tool)
  const lines = possibleLines(it.texts, {
    tool: isMcp ? name : '',
    isKept: (key) => isMcp && isKeptText(local, key),
    isAsked: (key) => asksForData(local, key),
  })
  const all = [
    ...named,
    ...deedsOf(it, name.split('.')[0] ?? ''),
    ...secretsOf(it, name),
    ...scoreLines(lines, it),
    ...placesOf(it, name),
    ...addressesOf(it),
    ...sentWords(it),
  ]
  const { nameScore } = named.at(-1) ?? {}
  const weighed = worst(hint, all)
  return nameScore === undefined ? weighed : { ...weighed, scored: { ...weighed.scored, nameScore } }
}

/** Tools of this protocol are told what to do by a parameter: then the name of the tool and that of the operation count. */
function nameScores(name: string, hint: string, input: ToolCall['input']): readonly HintScore[] {
  const { operation, params } = input
  if (typeof operation !== 'string' || !/mcp_?aql/i.test(name))
    return [withoutIntrospection(name, scoreHint(hint, AS_CALL))]
  const { operation: _, params: __, ...beside } = input
  const called = `${name.split('.')[0]}.${operation} ${JSON.stringify({ ...(params as object | undefined), ...beside })}`
  const byOperation = withoutIntrospection(operation, scoreHint(called, AS_CALL))
  const local = name.split('.').at(-1) ?? ''
  return verbKind(local.toLowerCase()) ? [byOperation, scoreHint(hint, AS_CALL)] : [byOperation]
}

const AS_CALL = { isCall: true } as const

/** The one reading verb of this protocol that others do not use. */
function withoutIntrospection(name: string, scored: HintScore): HintScore {
  const isPlain = /(^|\.)introspect$/.test(name) && scored.score <= UNKNOWN_SCORE
  return isPlain ? finding(INTROSPECTION_SCORE, 'introspect: reads') : scored
}

const INTROSPECTION_SCORE = 12

/** Tools that show a secret by their own name, or by the kind of thing that they are told to show. */
function secretsOf({ call: { tool }, fields }: Weighing, name: string): readonly HintScore[] {
  const named = toolNameOf(tool)
  const deeds = fields
    .flat()
    .flatMap(([key, value]) => (DEED_KEYS.has(key) ? [String(value).slice(0, LONGEST_NAME)] : []))
  const isNamed = [named.local, ...deeds.slice(0, MOST_DEEDS)].some((each) => readsSecretByName(partsOf(each)))
  const isKind = fields
    .flat()
    .some(
      ([key, value]) =>
        KIND_KEYS.has(key) && typeof value === 'string' && namesSecretKind(value.slice(0, LONGEST_NAME)),
    )
  return isNamed || isKind ? [finding(SECRET_SCORE, `${name}: shows a secret`)] : []
}

/** Where tools of clusters and clouds are told what kind of thing is meant. */
const KIND_KEYS = new Set(
  'kind kinds resource resources resource_type resource_kind resource_name object_type gvk'.split(' '),
)

/** Lines that stand where commands stand count as they are; other texts only when they are grave. */
function scoreLines(lines: readonly PossibleLine[], { call, own }: Weighing): readonly HintScore[] {
  const projects = projectsOf(call)
  const start = projects.length === 0 && call.cwd.startsWith('/') ? `cd '${call.cwd.replaceAll("'", `'\\''`)}' && ` : ''
  let left = MOST_CHARACTERS
  return lines.flatMap(({ line, isSure, isJoined = isSure }, at) => {
    left -= line.length
    if (left < 0 || at >= MOST_LINES) return [finding(INVOLVED_SCORE, 'more texts than can be judged')]
    const settings = { projects, own, isCommand: isJoined, ...(at >= WHOLE_LINES && { steps: SHORT_STEPS }) }
    const scored = scoreHint(isJoined ? `${start}${line}` : line, settings)
    return isSure || scored.score > GRAVE ? [scored] : []
  })
}

/** The work of one call is bounded: the first lines get the usual share, the others less, and the rest is not harmless. */
const WHOLE_LINES = 6
const MOST_LINES = 40
const SHORT_STEPS = 1_500
const MOST_CHARACTERS = 200_000
const INVOLVED_SCORE = 70

/** Files that a tool of others is told to read or write. */
function placesOf(it: Weighing, name: string): readonly HintScore[] {
  const {
    call: { tool, cwd },
    texts: { texts },
    own,
  } = it
  const named = toolNameOf(tool)
  const paths = texts.filter(({ key, text }) => looksLikePath(text) && !SPOKEN_KEYS.has(key)).map(({ text }) => text)
  if (isTooMuch(paths)) return [tooMuch(name).scored]
  const places = [...paths, ...joinedPaths(it)].filter((path) => /[./\\~]/.test(path))
  const searches = partsOf(named.local).some((part) => SEARCHES.has(part))
  const isSecret = places.some(
    (path) => isSecretPath(path, cwd, own) || (searches && /^[/~$\\]|^\w:/.test(path) && holdsSecrets(path, cwd)),
  )
  const isTrusted = toolKind(named) !== 'read' && places.some((path) => isTrustedPath(path, cwd, own))
  return [
    ...(isSecret ? [finding(SECRET_SCORE, `${name}: a place that holds secrets`)] : []),
    ...(isTrusted ? [finding(TRUST_SCORE, `${name}: ${TARGET_KINDS.trust}`)] : []),
    ...writtenPaths(it).map((path) => writeFinding(name, path, it)),
  ]
}

/** Words in names of tools that go through all that lies below a folder. */
const SEARCHES = new Set(
  'search grep find rg ripgrep ag ack scan glob content tree directory dir folder ls pack codebase index ingest'.split(
    ' ',
  ),
)

/** Where a tool puts what it gets, whatever its verb says: results have a destination, and options name files. */
function writtenPaths({ call: { tool }, texts: { texts } }: Weighing): readonly string[] {
  const isFetching = texts.some(({ key, text }) => ADDRESS_KEYS.has(key) || /^\s*[a-z]{2,10}:\/\//i.test(text))
  const keeps = isFetching || partsOf(toolNameOf(tool).local).some((part) => MAKES_FILES.has(part))
  const given = texts.filter(({ text }) => text !== '' && !/^\s*(?!file:)[a-z][\w+.-]+:\/\//i.test(text))
  return [
    ...given.filter(({ key }) => DESTINATION_KEY.test(key) || (keeps && PATH_KEY.test(key))).map(({ text }) => text),
    ...given.flatMap(({ text }) => OPTION.exec(text)?.slice(1, 2) ?? []).filter((path) => /[./\\~]/.test(path)),
  ].filter((path) => looksLikePath(path) && !path.startsWith('-'))
}

/** Keys of what is written. */
const DESTINATION_KEY =
  /^(?:dest|destination|target|out|output|outfile|save|sink|(?:\w+_)?(?:dest|destination|output|out|outfile|target|save|download|export|write|dump|local)_(?:to|as|at|in|into|path|paths|file|files|filename|dir|directory|folder|location|destination|uri)|(?:save|write|download|export|copy|move|dump|log|store)_?(?:to|as|at|in|into)|(?:download|export|log|dump)_?(?:file|path|dir))$/
/** Words in names of tools that make a file of what they show. */
const MAKES_FILES = new Set(
  'screenshot pdf snapshot capture record recording download export save trace har dump clone'.split(' '),
)
/** `--output=FILE`, `-oFILE`. */
const OPTION = /^\s*(?:--[A-Za-z][\w-]*[=\s]\s*|-[A-Za-z]\s*(?=[/~.]))(\S.*)$/

function writeFinding(name: string, path: string, { call, own }: Weighing): HintScore {
  const kind = kindOf(path, call, own)
  const least = runsLater(path, call.cwd) ? LATER_SCORE : 0
  return finding(Math.max(least, WRITE_SCORES[kind]), `${name}: writes ${TARGET_KINDS[kind]}`)
}

/** A folder under one key and a name under another, or the parts of a path in a list, as a tool would put them together. */
function joinedPaths(
  { fields, texts: { lists } }: Weighing,
  isPlace: (key: string) => boolean = (key) => !SPOKEN_KEYS.has(key),
): readonly string[] {
  const listed = lists.filter(({ words }) => STARTS.test(words[0] ?? '')).map(({ words }) => words.join('/'))
  const joined = fields.flatMap((object) => {
    const given = object.flatMap(([key, value]) => (typeof value === 'string' && isPlace(key) ? [value] : []))
    const folders = given.filter((text) => STARTS.test(text) && looksLikePath(text))
    const names = given.filter((text) => text.length < LONGEST_NAME && /^[\w.#~][^\s:]*$/.test(text))
    return folders
      .slice(0, MOST_JOINED)
      .flatMap((folder) => names.slice(0, MOST_JOINED).map((name) => `${folder}/${name}`))
  })
  return [...listed, ...joined]
}

/** How a folder begins that others are put behind. */
const STARTS = /^[/~\\.$]|^[A-Za-z]:/
const MOST_JOINED = 30
const LONGEST_NAME = 400

/** Tools that are told by a parameter what to do: the verb that stands there counts like one in the name. */
function deedsOf({ fields }: Weighing, label: string): readonly HintScore[] {
  const named = fields
    .flat()
    .flatMap(([key, value]) => (DEED_KEYS.has(key) && typeof value === 'string' ? [value] : []))
  const deeds = [...new Set(named)].filter((deed) => /^[\w.:-]{2,100}$/.test(deed) && !isHarmlessVerb(verbKind(deed)))
  return deeds.slice(0, MOST_DEEDS).map((deed) => scoreHint(`${label}.${deed} {}`, AS_CALL))
}

const DEED_KEYS = new Set(
  'operation operation_name op action verb method http_method tool tool_name function function_name task'.split(' '),
)
const MOST_DEEDS = 24

function isHarmlessVerb(kind: VerbKind | undefined): boolean {
  return kind === undefined || kind === 'read' || kind === 'run'
}

function addressesOf({ call: { tool }, texts: { texts }, fields, ports }: Weighing): readonly HintScore[] {
  const found = texts
    .flatMap(({ text }) => addressFindings(text, ports))
    .map(({ score, why }) => finding(score, `${tool}: ${why}`))
  const isLocal = texts.some(({ text }) => text.length < LONGEST_NAME && isLoopback(text))
  const isOwn = fields.flat().some(([key, value]) => (isLocal || key.includes('port')) && isOwnPort(value, ports))
  const isDebugger = isLocal && fields.flat().some(([, value]) => isOwnPort(value, DEBUGGER_PORTS))
  if (isDebugger) found.push(finding(TRUST_SCORE, `${tool}: the debugger of a process of this machine`))
  return isOwn ? [...found, finding(TRUST_SCORE, `${tool}: a port on which mcpaql answers`)] : found
}

/** Words, headers and parameters that a tool takes to another machine. */
function sentWords({ call: { tool }, texts: { texts } }: Weighing): readonly HintScore[] {
  const addresses = texts.flatMap(({ text }) => WEB_ADDRESS.exec(text)?.slice(1) ?? [])
  const isAway = addresses.length > 0 ? !addresses.every(isLoopback) : reaches(tool)
  const isSecret = isAway && texts.some(({ key, text }) => !WEB_ADDRESS.test(text) && carriesSecretAs(key, text))
  return isSecret ? [finding(SECRET_SCORE, `${tool}: a secret in the words that are sent`)] : []
}

const WEB_ADDRESS = /^\s*(?:https?|wss?):\/\/(?:[^/?#@\s]*@)?([^/?#:\s]{1,253})/i

function reaches(tool: string): boolean {
  return partsOf(toolNameOf(tool).local).some((part) => REACHES.has(part))
}

/** Words in names of tools that ask another machine. */
const REACHES = new Set('search fetch http request browse navigate web crawl scrape url lookup research'.split(' '))

/** Calls of people and models name a handful of places. */
function isTooMuch(places: readonly string[]): boolean {
  return places.length > MOST_PLACES || places.reduce((sum, { length }) => sum + length, 0) > MOST_PLACE_CHARACTERS
}

function tooMuch(name: string): Weighed {
  return one(name, UNREADABLE_SCORE, `${name}: more than can be looked at`)
}

const MOST_PLACES = 500
const MOST_PLACE_CHARACTERS = 50_000
const MOST_ADDRESSES = 20
const LONGEST_ADDRESS = 4_096

function one(hint: string, score: number, factor: string): Weighed {
  return { hint, scored: finding(score, factor) }
}

function finding(score: number, why: string): HintScore {
  return { score, factors: [`${why} (${score})`] }
}

/** The worst counts, and the gravest reasons are told first. */
function worst(hint: string, scores: readonly HintScore[]): Weighed {
  const sorted = scores.toSorted((a, b) => b.score - a.score)
  const factors = [...new Set(sorted.flatMap((scored) => scored.factors))].slice(0, MOST_FACTORS)
  return { hint, scored: { score: sorted[0]?.score ?? UNKNOWN_SCORE, factors } }
}

/** Kinds of files that a search can be narrowed to and that hold no secrets by their kind. */
const CODE_TYPES = new Set(
  'ts typescript tsx js javascript jsx py python rust go java kotlin swift c cpp csharp cs ruby rb php scala css scss less html vue svelte md markdown rst tex sql graphql proto lua perl haskell elixir erlang clojure dart zig'.split(
    ' ',
  ),
)
const LOOKED_FOR = new Set('pattern query regex search_term search_query'.split(' '))
const GLOB_KEYS = new Set(
  'glob globs include includes include_pattern includes_pattern file_pattern pattern patterns'.split(' '),
)
const FOLDER_KEYS = new Set(
  'path dir_path directory folder root base_path target_directory target_directories paths cwd'.split(' '),
)
const ADDRESS_KEYS = new Set('url urls uri href address link endpoint website'.split(' '))
/** Where clients put the file that a tool works on. */
const PATH_KEY = /(^|_)(path|paths|file|files|filename|dir|directory|folder|destination|dest|target|uri)$/

function pathsIn({ texts: { texts } }: Weighing): readonly string[] {
  return texts.filter(({ key, text }) => PATH_KEY.test(key) && text !== '').map(({ text }) => text)
}

function kindOf(path: string, call: ToolCall, own: OwnPlaces): TargetKind {
  const projects = projectsOf(call)
  const kind =
    projects.length === 0 && !/^[/~]|^[A-Za-z]:[\\/]/.test(path) && !call.cwd.startsWith('/')
      ? 'unknown'
      : targetKind(path, { cwd: projects[0] ?? (call.cwd || '/'), projects })
  const isGraver = kind === 'root' || kind === 'device' || kind === 'system' || kind === 'home'
  return !isGraver && isTrustedPath(path, call.cwd, own) ? 'trust' : kind
}

/** By the names that the guides use, and by what this very server was started with. */
function isTrustedPath(path: string, cwd: string, { trusted }: OwnPlaces): boolean {
  return isTrustFile(path, cwd) || isAmong(resolvePath(path, cwd || '/'), trusted)
}

function isSecretPath(path: string, cwd: string, { secret }: OwnPlaces): boolean {
  return isSecretPlace(path, cwd) || isAmong(resolvePath(path, cwd || '/'), secret)
}

/** The folder that the client works in, unless it is the root, a home or one of the system: those are no projects. */
function projectsOf({ cwd }: ToolCall): readonly string[] {
  const folder = withoutTrailing(cwd, '/')
  if (!folder.startsWith('/')) return []
  const kind = targetKind(folder, { cwd: '/', projects: [] })
  return PROJECT_KINDS.has(kind) ? [folder] : []
}

const PROJECT_KINDS: ReadonlySet<TargetKind> = new Set([
  'outside',
  'temporary',
  'trust',
  'unknown',
  'project',
  'regenerable',
])
