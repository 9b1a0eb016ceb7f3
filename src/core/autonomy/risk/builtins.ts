import { changesWhatRuns, giveVariable, judgeTaken, judgeVariable } from './environment-variables.ts'
import { unescaped } from './escapes.ts'
import { judgeEvaluated, judgeNames } from './evaluated.ts'
import { note } from './ledger.ts'
import { has, optionValue, splitOptions, wordSet } from './options.ts'
import type { Call, Programs } from './program.ts'
import { isMade, isStdin, readFile } from './redirects.ts'
import { fileScore } from './run-file.ts'
import { ANYTHING, chosenOf, isUnknown, known, NOTHING, type Stream, UNKNOWN } from './scope.ts'
import { resolvePath } from './targets.ts'

/** What the shell does itself. */
export const BUILTINS: Programs = [
  ['echo', echo],
  ['printf', printf],
  ['eval', ({ args, scope, stdin }) => runSource(args.join(' '), { args, scope, stdin, name: 'eval' })],
  ['source', source],
  ['.', source],
  ['cd', changeFolder],
  ['pushd', changeFolder],
  ['popd', changeFolder],
  ['type', type],
  ['alias', alias],
  ['trap', trap],
  ['set', set],
  ['read', read],
  ['mapfile', readLines],
  ['readarray', readLines],
  ['export', declare],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['setenv', setenv],
  ['setx', setenv],
  ['unset', unset],
  ['history', history],
  ['hash', hash],
  ['let', letEvaluate],
  ['enable', enable],
  ['fc', fixCommand],
  ...[...wordSet('complete compgen compopt')].map((name) => [name, complete] as const),
  ['bind', bind],
  ...plain(`: true false test [ exit return break continue shift wait jobs fg bg disown times umask ulimit getopts shopt setopt
    unalias caller dirs logout suspend help builtin_help inherit_errexit`),
]

function plain(names: string): Programs {
  return [...wordSet(names)].map((name) => [name, named] as const)
}

/** Of its words bash evaluates those that name a variable: `test -v`, `wait -p`, `getopts`. */
function named({ name, args, scope }: Call): Stream {
  judgeNames(args, scope)
  if (/^(shopt|setopt)$/.test(name) && args.some((arg) => DOTS.test(arg))) scope.seen.globsDots = true
  if (name === 'getopts') judgeTaken(args[1] ?? '', UNKNOWN, scope)
  return quiet(scope)
}

/** As bash and zsh name the option by which `*` matches `.name`. */
const DOTS = /^(dotglob|glob_?dots)$/i

function quiet(scope: Call['scope']): Stream {
  note(scope.ledger, 6, 'a shell built-in')
  return NOTHING
}

/** Text that the shell will run: known text is judged, anything else is as bad as it can be. */
export function runSource(source: string, { scope, stdin, name }: Call): Stream {
  if (source.trim() === '') return quiet(scope)
  if (known(source).trim() === '') return unknownSource(ANYTHING, scope, name)
  if (isUnknown(source)) note(scope.ledger, scope.chosen ? 28 : 50, `${name}: runs text that is known only in part`)
  return scope.runText(source, scope, stdin)
}

/** A stream given to a shell. */
export function unknownSource(stream: Stream, scope: Call['scope'], name: string): Stream {
  if (stream.kind === 'download') note(scope.ledger, 92, `${name}: runs what was just downloaded`)
  else note(scope.ledger, 75, `${name}: runs text that is known only at run time`)
  return ANYTHING
}

function echo({ args, scope }: Call): Stream {
  note(scope.ledger, 4, 'echo: prints')
  let first = 0
  while (/^-[neE]+$/.test(args[first] ?? '')) first++
  const text = args.slice(first).join(' ')
  const escapes = args.slice(0, first).some((flag) => flag.includes('e'))
  const end = args.slice(0, first).some((flag) => flag.includes('n')) ? '' : '\n'
  return { kind: 'text', text: `${escapes ? unescaped(text) : text}${end}` }
}

function printf({ args, scope }: Call): Stream {
  note(scope.ledger, 4, 'printf: prints')
  const [first = '', ...rest] = args[0] === '--' ? args.slice(1) : args
  if (first.startsWith('-v')) {
    const [name = '', format = '', ...values] = first === '-v' ? rest : [first.slice(2), ...rest]
    judgeNames([name], scope)
    scope.variables.set(name, [formatted(format, values)])
    judgeTaken(name, formatted(format, values), scope)
    return NOTHING
  }
  return { kind: 'text', text: formatted(first, rest) }
}

function formatted(format: string, values: readonly string[]): string {
  const pieces: string[] = []
  const plain = unescaped(format)
  let at = 0
  do {
    const before = at
    pieces.push(
      plain.replaceAll(/%(%|[-\d.]*[sbqdcxXo])/g, (_, kind: string) => {
        if (kind === '%') return '%'
        const value = values[at++] ?? ''
        if (kind.endsWith('b')) return unescaped(value)
        return /[xXo]$/.test(kind)
          ? Number(value).toString(kind.endsWith('o') ? 8 : 16)
          : kind.endsWith('c')
            ? value.slice(0, 1)
            : value
      }),
    )
    if (at === before) break
  } while (at < values.length && pieces.length < 64)
  return pieces.join('') + (at < values.length && pieces.length >= 64 ? UNKNOWN : '')
}

/** Runs a file in the same shell; words behind it are its own while it runs. */
export function source({ name, args: given, scope, stdin }: Call): Stream {
  const args = given[0] === '--' ? given.slice(1) : given
  const [file = '', ...words] = args
  const stream = isStdin(file) ? stdin : readFile(file, scope)
  if (stream.kind === 'text') {
    const before = scope.positionals
    if (words.length > 0) scope.positionals = [before?.[0] ?? 'sh', ...words]
    const output = runSource(stream.text, { name, args, scope, stdin: NOTHING })
    scope.positionals = before
    return output
  }
  if (stream.kind === 'download' || file.startsWith('/dev/') || isMade(file, scope))
    return unknownSource(stream, scope, name)
  const isEveryday = /(^|\/)(bin\/activate|\.(bashrc|zshrc|profile|bash_profile|zprofile))$/.test(file)
  note(scope.ledger, isEveryday ? 26 : fileScore(file, scope), `${name}: runs a file`)
  return ANYTHING
}

function changeFolder(call: Call): Stream {
  const { name, args, scope } = call
  const { cwd, variables } = scope
  const stack = variables.get(STACK) ?? []
  scope.cwd = folderAfter(call)
  if (name === 'pushd') variables.set(STACK, [cwd, ...stack.slice(0, MOST_KEPT)])
  if (name === 'popd') variables.set(STACK, stack.slice(1))
  // A rotation leaves an order that is not followed.
  if (name !== 'cd' && args.some((arg) => /^[-+]\d/.test(arg))) variables.delete(STACK)
  variables.set('OLDPWD', [cwd])
  return quiet(scope)
}

const STACK = 'DIRSTACK'
const MOST_KEPT = 32

function folderAfter({ name, args, scope: { cwd, variables } }: Call): string {
  const target = args.find((arg) => !arg.startsWith('-') || arg === '-')
  const [, drive = '', below = ''] = /^([A-Za-z]):[\\/]?(.*)$/.exec(target ?? '') ?? []
  if (name === 'popd' || (name === 'pushd' && target === undefined)) return variables.get(STACK)?.[0] ?? `/${UNKNOWN}`
  if (target === '-') return variables.get('OLDPWD')?.[0] ?? `/${UNKNOWN}`
  if (drive !== '') return `/mnt/${drive.toLowerCase()}/${below}`
  return resolvePath(target === undefined ? '~' : target.startsWith(UNKNOWN) ? `/${target}` : target, cwd)
}

/** Names a program; on Windows it prints a file. */
function type(call: Call): Stream {
  const { args, scope } = call
  const [, variable] = /^%(\w+)%/.exec(args[0] ?? '') ?? []
  // Another shell took the signs between the folders away, so that the place is read by its words.
  if (variable !== undefined)
    note(
      scope.ledger,
      /ssh|id_rsa|id_ed|cred|token|secret|passw|\.env|\.aws|\.kube/i.test(args[0] ?? '') ? 62 : 45,
      'type: prints a file of the user',
    )
  else if (/^[A-Za-z]:/.test(args[0] ?? '')) return scope.runWords(['cat', ...args], scope, NOTHING)
  return quiet(scope)
}

function alias({ args, scope }: Call): Stream {
  for (const arg of args) {
    const at = arg.indexOf('=')
    if (at > 0) scope.aliases.set(arg.slice(0, at), arg.slice(at + 1))
  }
  return quiet(scope)
}

/** `setenv NAME value`, `setx NAME value`; `set -gx NAME value` of fish and `set NAME=value` of Windows. */
function setenv({ name: program, args, scope }: Call): Stream {
  const isMachine = program === 'setx' && args.some((arg) => /^[/-]m$/i.test(arg))
  const [name = '', ...values] = args.filter((arg) => !/^-\w|^\/[a-zA-Z]$/.test(arg))
  giveVariable(name, values.join(program === 'setx' ? ' ' : ':'), scope)
  if (isMachine && changesWhatRuns(name)) note(scope.ledger, 66, `${name}: changes what runs for every user`)
  scope.judgeCarried(values.join(' '), scope)
  return quiet(scope)
}

function set({ name, args, scope, stdin }: Call): Stream {
  if (/^(-(?=[a-z]*x)[a-z]*|--export)$/.test(args[0] ?? '') && /^[A-Za-z_]\w*$/.test(args[1] ?? ''))
    return setenv({ name, args: args.slice(1), scope, stdin })
  const [, key, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(args.join(' ')) ?? []
  if (key !== undefined && value !== undefined) giveVariable(key, value, scope)
  if (/^[-+](?=[a-z]*a)[a-z]*$/.test(args[0] ?? '') || (/^[-+]o$/.test(args[0] ?? '') && args[1] === 'allexport'))
    exportLater('*', args[0]?.startsWith('-') ?? false, scope)
  const at = args.indexOf('--')
  const values = at >= 0 ? args.slice(at + 1) : /^[-+]/.test(args[0] ?? '-') ? undefined : args
  if (values) scope.positionals = [scope.positionals?.[0] ?? 'sh', ...values]
  return quiet(scope)
}

/** Whether what is set from here on is given to programs. */
function exportLater(name: string, isOn: boolean, { seen }: Call['scope']): void {
  seen.exported ??= new Set()
  if (!isOn) seen.exported.delete(name)
  else if (seen.exported.size < MOST_EXPORTED) seen.exported.add(name)
}

const MOST_EXPORTED = 64

function trap({ args, scope }: Call): Stream {
  const [order = '', ...signals] = args[0] === '--' ? args.slice(1) : args
  if (signals.length === 0 || order === '-') return quiet(scope)
  scope.seen.goesOn = true
  return scope.runText(order, scope, NOTHING)
}

function readLines({ args, scope, stdin }: Call): Stream {
  judgeNames(args, scope)
  const callback = optionValue(splitOptions(args, wordSet('-d -n -O -s -u -C -c')), '-C')
  if (callback !== undefined) scope.runText(callback, scope, NOTHING)
  const name = args.find((arg, i) => /^[A-Za-z_]\w*$/.test(arg) && !/^-[dnOsuCc]$/.test(args[i - 1] ?? '')) ?? 'MAPFILE'
  scope.variables.set(name, stdin.kind === 'text' ? stdin.text.replace(/\n$/, '').split('\n') : [UNKNOWN])
  judgeTaken(name, scope.variables.get(name)?.join(' ') ?? '', scope)
  scope.chosen = chosenOf(stdin) ?? scope.chosen
  if (chosenOf(stdin)?.trust) scope.listed = chosenOf(stdin)
  return quiet(scope)
}

function read({ args, scope, stdin }: Call): Stream {
  judgeNames(args, scope)
  const text = stdin.kind === 'text' ? (stdin.text.split('\n')[0] ?? '') : UNKNOWN
  const names = args.filter((arg, i) => /^\w+$/.test(arg) && !/^-[dnptuiN]$/.test(args[i - 1] ?? ''))
  const values = text.split(/\s+/)
  const list = args.findIndex((arg) => /^-[a-z]*a$/.test(arg))
  if (list >= 0) {
    scope.variables.set(args[list + 1] ?? 'REPLY', values)
    judgeTaken(args[list + 1] ?? 'REPLY', text, scope)
    return quiet(scope)
  }
  for (const [i, name] of names.entries()) {
    const value = text === UNKNOWN ? text : i === names.length - 1 ? values.slice(i).join(' ') : (values[i] ?? '')
    scope.variables.set(name, [value])
    judgeTaken(name, value, scope)
  }
  scope.chosen = chosenOf(stdin) ?? scope.chosen
  if (names.length === 0) scope.variables.set('REPLY', [text])
  return quiet(scope)
}

function declare({ name: builtin, args, scope }: Call): Stream {
  judgeNames(args, scope)
  const isGiven = builtin === 'export' || args.some((arg) => /^-\w*x/.test(arg))
  const isEvaluated = args.some((arg) => /^[-+]\w*[in]/.test(arg))
  for (const arg of args) {
    const at = arg.indexOf('=')
    if (isGiven && /^\w+$/.test(arg)) exportLater(arg, !args.includes('-n'), scope)
    if (isGiven && at < 0 && scope.variables.has(arg)) giveVariable(arg, scope.variables.get(arg)?.[0] ?? '', scope)
    if (at <= 0 || arg.startsWith('-')) continue
    const name = arg.slice(0, at)
    // A quoted list is expanded like one that is not quoted; numbers and references are evaluated.
    if (isEvaluated || arg[at + 1] === '(') judgeEvaluated(arg.slice(at + 1), scope)
    if (!scope.variables.has(name)) scope.variables.set(name, [arg.slice(at + 1)])
    if (isGiven) giveVariable(name, arg.slice(at + 1), scope)
    else judgeVariable(name, arg.slice(at + 1), scope)
    // It is given to every program from here on.
    scope.judgeCarried(arg.slice(at + 1), scope)
    if (args[0] === '-n') scope.aliases.set(`declare -n ${name}`, arg.slice(at + 1))
    if (args[0] === '-n') scope.variables.set(name, scope.variables.get(arg.slice(at + 1)) ?? [UNKNOWN])
  }
  return quiet(scope)
}

function unset({ args, scope }: Call): Stream {
  judgeNames(args, scope)
  for (const name of args) scope.variables.set(name, [''])
  return quiet(scope)
}

/** `hash -p /bin/rm ls`: another program by that name. */
function hash({ args, scope }: Call): Stream {
  const options = splitOptions(args, wordSet('-p -t'))
  const path = optionValue(options, '-p')
  const [name] = options.operands
  if (path !== undefined && name !== undefined) {
    scope.aliases.set(name, path)
    judgeVariable('PATH', path.replace(/\/[^/]*$/, '') || '/', scope)
  }
  return quiet(scope)
}

function history({ args, scope }: Call): Stream {
  const isChanged = args.some((arg) => /^-[cdwr]/.test(arg))
  const at = args.indexOf('-s')
  if (at >= 0) scope.runText(args.slice(at + 1).join(' '), scope, NOTHING)
  note(scope.ledger, isChanged ? 62 : 8, `history: ${isChanged ? 'removes traces' : 'reads'}`)
  return ANYTHING
}

function letEvaluate({ args, scope }: Call): Stream {
  for (const arg of args) judgeEvaluated(arg, scope)
  return quiet(scope)
}

function enable({ args, scope }: Call): Stream {
  if (has(splitOptions(args, wordSet('-f')), '-f')) note(scope.ledger, 66, 'enable: loads code into the shell')
  return named({ name: 'enable', args, scope, stdin: NOTHING })
}

/** `fc /n a.json b.json` of Windows. */
function comparesFiles(args: readonly string[]): boolean {
  const isSwitched = /^\/[a-zA-Z]{1,4}\d*$/.test(args[0] ?? '')
  const files = args.filter((arg) => !arg.startsWith('/'))
  return (
    files.length === 2 &&
    files.every((file) => !file.startsWith('-') && (isSwitched || /\w\.[a-z]\w{0,4}$/i.test(file)))
  )
}

/** `-s` and an editor other than `-` run commands that were given before. */
function fixCommand({ args, scope, stdin }: Call): Stream {
  if (comparesFiles(args)) return quiet(scope)
  const options = splitOptions(args, wordSet('-e'))
  const editor = optionValue(options, '-e')
  if (editor !== undefined && editor !== '-') scope.runText(editor, scope, stdin)
  if (!has(options, '-l')) note(scope.ledger, 45, 'fc: runs commands that were given before')
  return quiet(scope)
}

/** How words are completed: by a command, a function, or a list that is expanded. */
function complete({ args, scope }: Call): Stream {
  const options = splitOptions(args, wordSet('-o -A -G -W -F -C -X -P -S'))
  const command = optionValue(options, '-C')
  const called = optionValue(options, '-F')
  if (command !== undefined) scope.runText(command, scope, NOTHING)
  if (called !== undefined && scope.functions.has(called)) scope.runWords([called], scope, NOTHING)
  for (const flag of ['-W', '-X', '-P', '-S']) judgeEvaluated(optionValue(options, flag) ?? '', scope)
  return quiet(scope)
}

/** `-x '"keys": command'`. */
function bind({ args, scope }: Call): Stream {
  const bound = optionValue(splitOptions(args, wordSet('-x -f -m -q -u -r')), '-x')
  return bound === undefined ? quiet(scope) : scope.runText(bound.replace(/^[^:]*:/, ''), scope, NOTHING)
}
