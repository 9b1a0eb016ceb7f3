import { type CallText, type CallTexts, plainKey } from './call-texts.ts'

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
const NONE: ReadonlySet<string> = new Set()
const HEAD_KEYS = ['command', 'cmd', 'program', 'executable', 'binary', 'file', 'exe', 'path']
const WORD_KEYS = ['args', 'argv', 'arguments', 'parameters', 'params']
const FOLDER_KEYS = ['workdir', 'cwd', 'working_directory', 'directory', 'dir', 'dir_path', 'folder']
const ENVIRONMENT_KEYS = ['env', 'environment', 'env_vars']
/** Code whose language nobody names is read as each of these. */
const CODE_KEYS = keys('code source script python javascript input')

/** A line that a call may run. */
export interface PossibleLine {
  readonly line: string
  /** Stands where commands stand; others count only when they are grave. */
  readonly isSure: boolean
}

/** Every line that a call may run: the worst of them is what the call is worth. */
export function possibleLines(
  { texts, objects }: CallTexts,
  isShell: boolean,
  spoken: ReadonlySet<string> = isShell ? REMARK_KEYS : NONE,
): readonly PossibleLine[] {
  const found = [
    ...objects.flatMap((object) => linesOf(object, isShell)),
    ...texts.filter(({ key }) => !spoken.has(key)).flatMap(linesIn),
  ]
  const sure = new Set(found.filter(({ isSure }) => isSure).map(({ line }) => line))
  const loose = new Set(found.filter(({ line, isSure }) => !isSure && !sure.has(line)).map(({ line }) => line))
  return [...[...sure].map((line) => ({ line, isSure: true })), ...[...loose].map((line) => ({ line, isSure: false }))]
}

/** A list of words is quoted, so that the words stay what they are. */
export function lineOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === 'string')) return undefined
  return value.map(quoted).join(' ')
}

/** The lines of one object: its commands, with the words, the folder and the variables that stand beside them. */
function linesOf(object: Readonly<Record<string, unknown>>, isShell: boolean): readonly PossibleLine[] {
  const fields = new Map(Object.entries(object).map(([name, value]) => [plainKey(name), value]))
  const commands = [...fields].flatMap(([key, value]) => {
    if (!COMMAND_KEYS.has(key) && !(isShell && LOOSE_KEYS.has(key) && key !== 'shell')) return []
    const line = lineOf(value)
    return line === undefined ? [] : [line]
  })
  const heads = HEAD_KEYS.flatMap((key) => (typeof fields.get(key) === 'string' ? [String(fields.get(key))] : []))
  const words = WORD_KEYS.flatMap((key) => lineOf(fields.get(key)) ?? [])
  const joined = heads.flatMap((head) => words.map((rest) => `${head} ${rest}`))
  const lines = [...commands, ...joined]
  const before = prefixOf(fields)
  return (before === '' ? lines : lines.map((line) => `${before}${line}`)).map((line) => ({ line, isSure: true }))
}

/** Where the tool runs it, and with which variables. */
function prefixOf(fields: ReadonlyMap<string, unknown>): string {
  const folder = FOLDER_KEYS.map((key) => fields.get(key)).find((value) => typeof value === 'string' && value !== '')
  const variables = ENVIRONMENT_KEYS.map((key) => fields.get(key)).find((value) => typeof value === 'object' && value)
  const assignments = Object.entries(variables ?? {})
    .filter(([name]) => /^\w{1,100}$/.test(name))
    .map(([name, value]) => `export ${name}=${quoted(String(value))}; `)
  return `${folder === undefined ? '' : `cd ${quoted(String(folder))} && `}${assignments.join('')}`
}

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
  return new Set(text.split(/\s+/))
}
