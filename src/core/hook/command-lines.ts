import { isRunnable } from '../autonomy/risk/carried.ts'
import { programOf } from '../autonomy/risk/program-names.ts'
import { partsOf } from '../autonomy/risk/verbs.ts'
import { type CallList, type CallText, type CallTexts, plainKey } from './call-texts.ts'

/** Keys whose text is run, whatever the tool is called. */
const COMMAND_KEYS =
  keys(`command cmd commands script scripts code shell_command bash bash_command commandline command_line cmdline
  exec execute argv powershell python javascript`)
/** Keys whose text some tools run and others only keep or look for. */
const LOOSE_KEYS = keys(
  'args arguments input stdin chars query sql statement statements source run shell program body_script',
)
/** What a person reads, and settings of the tool itself. */
const REMARK_KEYS = keys('description justification explanation reason summary title message comment name label prompt')
const HEAD_KEYS = words('command cmd program executable binary bin file exe path process entrypoint name tool app')
const WORD_KEYS = words('cmd args argv arguments parameters params flags options targets target operands')
const SHELL_KEYS = words('shell shell_path interpreter')
const FOLDER_KEYS = words('workdir cwd working_directory directory dir dir_path folder')
const ENVIRONMENT_KEYS = words('env envs environment env_vars environment_variables variables vars')
/** Code whose language nobody names is read as each of these. */
const CODE_KEYS = keys('code source script python javascript input')

/** Of an object with very many keys nothing else is kept. */
const USED_KEYS: ReadonlySet<string> = new Set([
  ...COMMAND_KEYS,
  ...LOOSE_KEYS,
  ...HEAD_KEYS,
  ...WORD_KEYS,
  ...FOLDER_KEYS,
  ...ENVIRONMENT_KEYS,
  ...SHELL_KEYS,
])

/** A line that a call may run. */
export interface PossibleLine {
  readonly line: string
  /** Stands where commands stand; others count only when they are grave. */
  readonly isSure: boolean
  /** Put together from words, so that it is nothing else than a command, if anything. */
  readonly isJoined?: true
}

/** What is known of the tool whose texts are looked through. */
export interface LineSettings {
  /** Behind the label of its server; a command line where the tool is a shell. */
  readonly tool: string
  readonly isShell?: true
  /** Under this key a text is only read, kept or looked for. */
  readonly isKept: (key: string) => boolean
  /** Under this key it may be a statement of a database all the same. */
  readonly isAsked: (key: string) => boolean
}

export const SHELL_TOOL: LineSettings = {
  tool: '',
  isShell: true,
  isKept: (key) => REMARK_KEYS.has(key),
  isAsked: () => false,
}

/** Every line that a call may run: the worst of them is what the call is worth. */
export function possibleLines(
  all: CallTexts,
  { tool, isShell, isKept, isAsked }: LineSettings,
): readonly PossibleLine[] {
  const { texts, lists, objects } = all
  const found = [
    ...objects.flatMap((object) => linesOf(object, isShell === true)),
    ...lists.flatMap(linesInList),
    ...texts.filter(({ key }) => !isKept(key)).flatMap(linesIn),
    ...(isShell ? [] : texts.filter(({ key }) => !isKept(key) || isAsked(key)).flatMap(statementsIn)),
    ...objects.flatMap(scatteredLines),
    ...(isShell ? [] : optionLines(tool, texts)),
  ]
  const sure = new Set(found.filter(({ isSure }) => isSure).map(({ line }) => line))
  const loose = new Map(found.filter(({ line }) => !sure.has(line)).map((each) => [each.line, each]))
  return [...[...sure].map((line) => ({ line, isSure: true })), ...loose.values()]
}

/** Code and statements of databases, under whatever key: an expression, `db.users.drop()`, `FLUSHALL`. */
function statementsIn({ key, text, isListed }: CallText): readonly PossibleLine[] {
  const plain = text.trim()
  const isCode = !CODE_KEYS.has(key) && CODE.test(plain)
  const lines = [
    ...(isCode ? [`python3 -c ${quoted(plain)}`, `node -e ${quoted(plain)}`] : []),
    ...(/\bdb\s*[.[]/.test(plain) ? [`mongosh --eval ${quoted(plain)}`] : []),
    ...(!isListed && CACHE_COMMAND.test(plain) ? [`redis-cli ${plain}`] : []),
    ...(STATEMENT.test(plain) ? [`psql -c ${quoted(plain)}`] : []),
  ]
  return lines.map((line) => ({ line, isSure: false }))
}

/** A name that is called, or an operator of code. */
const CODE = /[\w\])]\s?\(|=>|\bimport\b|\b__\w+__\b/
const STATEMENT = /^(DROP|TRUNCATE|DELETE|ALTER|GRANT|REVOKE)\s+[A-Z]{2,}\b/
const CACHE_COMMAND =
  /^(flushall|flushdb|del|unlink|shutdown|config\s+set|script\s+flush|debug|eval|evalsha|rename|swapdb|slaveof|replicaof)\b[^\n]{0,1000}$/i

/** `git_diff` with a value that begins with a dash runs `git diff` with an option. */
function optionLines(tool: string, texts: readonly CallText[]): readonly PossibleLine[] {
  const options = texts.filter(({ text }) => /^\s*--?[A-Za-z]/.test(text)).slice(0, MOST_OPTIONS)
  const words = partsOf(tool.split('.').at(-1) ?? '')
  const [label = ''] = tool.toLowerCase().split('.')
  const heads = [words, [label, ...words]].filter(([head = '']) => isRunnable(head, { programOf }))
  return heads.flatMap((head) =>
    options.map(({ text }) => ({
      line: `${head.join(' ')} ${quoted(text.trim())}`,
      isSure: true,
      isJoined: true as const,
    })),
  )
}

const MOST_OPTIONS = 12

/** A list of words is quoted, so that the words stay what they are. */
export function lineOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => /^(string|number)$/.test(typeof word)))
    return undefined
  return value.map((word) => quoted(String(word))).join(' ')
}

/** The values of an object by their plain keys: two spellings of one key are two values. */
type Fields = ReadonlyMap<string, readonly unknown[]>

function fieldsOf(object: Readonly<Record<string, unknown>>): Fields {
  const fields = new Map<string, unknown[]>()
  for (const name of Object.keys(object)) {
    const key = plainKey(name)
    if (!USED_KEYS.has(key)) continue
    const same = fields.get(key)
    if (same) same.push(object[name])
    else fields.set(key, [object[name]])
  }
  return fields
}

function valuesAt(fields: Fields, keys: readonly string[]): readonly unknown[] {
  return keys.flatMap((key) => fields.get(key) ?? [])
}

/** The lines of one object: its commands, with the words, the folder and the variables that stand beside them. */
function linesOf(object: Readonly<Record<string, unknown>>, isShell: boolean): readonly PossibleLine[] {
  const fields = fieldsOf(object)
  const isRun = (key: string) => COMMAND_KEYS.has(key) || (isShell && LOOSE_KEYS.has(key) && key !== 'shell')
  const commands = [...fields].flatMap(([key, values]) =>
    isRun(key) ? values.flatMap((value) => lineOf(value) ?? []) : [],
  )
  const heads = valuesAt(fields, HEAD_KEYS).flatMap((value) => lineOf(value) ?? [])
  const rests = valuesAt(fields, WORD_KEYS).flatMap((value) => lineOf(value) ?? [])
  const joined = heads.flatMap((head) => rests.filter((rest) => rest !== head).map((rest) => `${head} ${rest}`))
  const lines = [...commands, ...joined]
  const shells = valuesAt(fields, SHELL_KEYS).filter((shell) => typeof shell === 'string' && /[/\\.]/.test(shell))
  const run = [...lines, ...(isShell ? shells.map((shell) => `${quoted(String(shell))} -c ':'`) : [])]
  return prefixesOf(fields).flatMap((before) => run.map((line) => ({ line: `${before}${line}`, isSure: true })))
}

/** Where the tool runs it, and with which variables: every folder that is named may be the one. */
function prefixesOf(fields: Fields): readonly string[] {
  const folders = valuesAt(fields, FOLDER_KEYS).filter((value) => typeof value === 'string' && value !== '')
  const given = valuesAt(fields, ENVIRONMENT_KEYS)
  const assignments = given.some(isMuch) ? TOO_MANY : assigned(given.flatMap(variablesIn))
  return folders.length === 0
    ? [assignments]
    : folders.slice(0, MOST_FOLDERS).map((folder) => `cd ${quoted(String(folder))} && ${assignments}`)
}

const MOST_FOLDERS = 4
const MOST_VARIABLES = 200
const MOST_VARIABLES_TEXT = 40_000
/** What nobody reads is as bad as it can be. */
const TOO_MANY = 'eval "$more_variables_than_are_read"; '

/** More than any program is started with. */
function isMuch(value: unknown): boolean {
  if (typeof value === 'string') return value.length > MOST_VARIABLES_TEXT
  if (typeof value !== 'object' || value === null) return false
  const all = Object.keys(value)
  return all.length > MOST_VARIABLES || JSON.stringify(value).length > MOST_VARIABLES_TEXT
}

function assigned(variables: readonly (readonly [name: string, value: string])[]): string {
  return variables
    .filter(([name]) => /^\w{1,100}$/.test(name))
    .map(([name, value]) => `export ${name}=${quoted(value)}; `)
    .join('')
}

/** `{A: "b"}`, `["A=b"]`, `[{name: "A", value: "b"}]`, `"A=b"`. */
function variablesIn(value: unknown): readonly (readonly [name: string, value: string])[] {
  if (typeof value === 'string')
    return value.split(/[\n;]/).flatMap((line) => {
      const at = line.indexOf('=')
      return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1)] as const] : []
    })
  if (Array.isArray(value)) return value.flatMap(variablesIn)
  if (typeof value !== 'object' || value === null) return []
  const { name, key, value: given } = value as Readonly<Record<string, unknown>>
  if (typeof (name ?? key) === 'string' && given !== undefined) return [[String(name ?? key), String(given)]]
  return Object.entries(value).map(([each, inner]) => [each, String(inner)] as const)
}

/** The words of a list, and keys as they are pressed. */
function linesInList({ key, words: list }: CallList): readonly PossibleLine[] {
  const line = lineOf(list) ?? ''
  const pressed = list.includes(' ') ? [list.filter((word) => !/^(enter|return)$/i.test(word)).join('')] : []
  const isSure = COMMAND_KEYS.has(key) && list.length > 1 && isRunnable(list[0] ?? '', { programOf })
  return [line, ...pressed].map((each) => ({ line: each, isSure, isJoined: true }))
}

/** A program under one key and its words under others. */
function scatteredLines(object: Readonly<Record<string, unknown>>): readonly PossibleLine[] {
  const names = Object.keys(object).slice(0, MOST_SCATTERED)
  const head = names.find((name) => isHead(object[name]))
  if (head === undefined) return []
  const rest = names.filter((name) => name !== head).flatMap((name) => lineOf(object[name]) ?? [])
  const line = [lineOf(object[head]), ...rest].join(' ')
  return rest.length === 0 || line.length > LONGEST_SCATTERED ? [] : [{ line, isSure: false, isJoined: true }]
}

function isHead(value: unknown): boolean {
  const [word] = Array.isArray(value) ? value : [value]
  return typeof word === 'string' && word.length < 40 && isRunnable(word, { programOf })
}

const MOST_SCATTERED = 12
const LONGEST_SCATTERED = 4_000

/** What stands elsewhere in the call, and code in a language that nobody names. */
function linesIn({ key, text, isListed }: CallText): readonly PossibleLine[] {
  if (text.trim() === '') return []
  const code = CODE_KEYS.has(key) && !isListed ? [`python3 -c ${quoted(text)}`, `node -e ${quoted(text)}`] : []
  const isCommand = COMMAND_KEYS.has(key) && !isListed
  return [...(isCommand ? [] : [text]), ...code].map((line) => ({ line, isSure: false }))
}

function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function keys(text: string): ReadonlySet<string> {
  return new Set(words(text))
}

function words(text: string): readonly string[] {
  return text.split(/\s+/)
}
