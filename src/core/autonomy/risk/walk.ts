import { judgeInside } from './arithmetic.ts'
import { firstOf, MOST_DEPTH, spend } from './budget.ts'
import { judgeTaken } from './environment-variables.ts'
import { judgeEvaluated, judgeNames } from './evaluated.ts'
import { expandText, expandWord } from './expand-words.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import type {
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirected,
  Statement,
  SyntaxNode,
  Word,
} from './parse-command.ts'
import { forEachChild, parseCommand } from './parse-command.ts'
import { runPowerShellText } from './powershell.ts'
import { asOthersRead, readsAsPowerShell } from './powershell-signs.ts'
import { judgeApart } from './program.ts'
import { redirect, writtenTooLate } from './redirects.ts'
import { runCommand } from './run-command.ts'
import { ANYTHING, NOTHING, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { keepSecrets } from './secret-variables.ts'

const INCOMPLETE = 'the text is not complete shell syntax'
const UNPARSED = 45

/**
 * Judges a whole text as shell. A loop, a trap or a job in the background may run a file that the text writes only later:
 * then it is judged once more, with all that it writes known from the start.
 */
export function runWhole(source: string, scope: Scope): void {
  const { cwd } = scope
  runText(source, scope, NOTHING)
  const files = writtenTooLate(scope)
  if (!files || scope.budget.isSpent) return
  const again: Scope = {
    ...scope,
    cwd,
    files,
    variables: new Map(),
    aliases: new Map(),
    functions: new Map(),
    positionals: undefined,
    chosen: undefined,
    seen: { secret: false, production: false },
  }
  runText(source, again, NOTHING)
}

/** Judges a text as shell. What does not parse is read again without its quotes, and piece by piece. */
export function runText(source: string, scope: Scope, stdin: Stream): Stream {
  const shell = readsAsPowerShell(source)
    ? judgeApart(shellOf(scope), (inner) => runLines(source, inner, stdin))
    : undefined
  const written = shell && runPowerShellText(source, scope, stdin)
  if (!shell || !written) return runShell(source, scope, stdin)
  for (const [why, score] of shell.findings) if (score > ASKED && why !== INCOMPLETE) note(scope.ledger, score, why)
  return written
}

/** What a shell that is not PowerShell finds in a text for it counts from here: below are names that it does not know. */
const ASKED = 40

/** The same shell, left as it is by what runs in it, and without the commands of PowerShell. */
function shellOf(scope: Scope): Scope {
  const { variables, files, aliases, functions } = scope
  return {
    ...scope,
    lacksCmdlets: true,
    variables: new Map(variables),
    files: new Map(files),
    aliases: new Map(aliases),
    functions: new Map(functions),
  }
}

const MOST_LINES = 12

/** A shell runs what is complete, line by line, until one is no syntax of its own. */
function runLines(source: string, scope: Scope, stdin: Stream): void {
  const plain = asOthersRead(source)
  const whole = parseCommand(plain, scope.budget)
  if (!whole?.errors?.length) {
    if (whole) runScript(whole, scope, stdin)
    return
  }
  const lines = plain.split('\n')
  let from = 0
  for (let to = 1; to < lines.length && to - from <= MOST_LINES; to++) {
    const script = scope.budget.isSpent ? undefined : parseCommand(lines.slice(from, to).join('\n'), scope.budget)
    if (!script) return
    if (script.errors?.length) continue
    runScript(script, scope, stdin)
    from = to
  }
  scope.judgeCarried(source, scope)
}

function runShell(source: string, scope: Scope, stdin: Stream): Stream {
  const script = enter(scope) ? parseCommand(source, scope.budget) : undefined
  const output = script ? runScript(script, scope, stdin) : ANYTHING
  if (script?.errors && script.errors.length > 0) runPieces(source, scope, stdin)
  scope.depth--
  return output
}

/** Signs and words of a shell that stand before a command. */
const BEFORE_COMMAND = /^(?:[\s|!$]+|(?:if|then|elif|else|while|until|do)\s)+/

const MOST_PIECES = 64
const LONGEST_BROKEN = 3_000

function runPieces(source: string, scope: Scope, stdin: Stream): void {
  if (source.length > LONGEST_BROKEN) scope.budget.isSpent = true
  const bare = source.slice(0, LONGEST_BROKEN).replaceAll(/['"`\\]/g, '')
  // Once with pipes and redirects whole, once without.
  const lines = bare.split(/[;&\n(){}]+|\|\|/).filter((line) => /[|>]/.test(line))
  const inner = [...bare.matchAll(/[$<>]\(([^()]*)\)/g)].map(([, command = '']) => command)
  const parts = [...lines, ...inner, ...bare.split(/[|;&\n]+/)]
  const pieces = new Set([bare, ...parts.map((piece) => piece.replace(BEFORE_COMMAND, '').trim())])
  for (const piece of firstOf([...pieces], MOST_PIECES, scope.budget)) {
    const script = scope.budget.isSpent || piece === '' ? undefined : parseCommand(piece, scope.budget)
    if (script) runScript(script, { ...scope, variables: new Map(scope.variables) }, stdin)
  }
}

export function runScript(script: ParsedScript, scope: Scope, stdin: Stream): Stream {
  if (!enter(scope)) {
    scope.depth--
    return ANYTHING
  }
  if (script.errors && script.errors.length > 0) note(scope.ledger, UNPARSED, INCOMPLETE)
  const output = runStatements(script.commands, scope, stdin)
  scope.depth--
  return output
}

/** One level down; false when that is too deep or the work is used up. */
function enter(scope: Scope): boolean {
  scope.depth++
  if (scope.depth > MOST_DEPTH * 2) scope.budget.isSpent = true
  return spend(scope.budget, 5)
}

function runStatements(
  statements: readonly (Pick<Statement, 'command'> & Partial<Statement>)[],
  scope: Scope,
  stdin: Stream,
): Stream {
  let input = stdin
  const outputs = statements.map(({ command, background }) => {
    if (background) scope.seen.goesOn = true
    const output = runNode(command, scope, input)
    input = leftOf(input, command)
    return output
  })
  return together(outputs)
}

/** Commands in a row share their input: behind one that may read, nobody says how much of a text is left. */
function leftOf(stdin: Stream, node: SyntaxNode): Stream {
  if (stdin.kind !== 'text' || node.type === 'Function') return stdin
  return node.type === 'Command' && (!node.name || READS_NOTHING.has(node.name.text)) ? stdin : ANYTHING
}

const READS_NOTHING = wordSet(
  ': true false echo printf cd pushd popd pwd export set shopt unset declare local readonly typeset test [ trap umask alias shift return mkdir touch chmod sleep date',
)

function runList({ commands }: CompoundList, scope: Scope, stdin: Stream): Stream {
  return runStatements(commands, scope, stdin)
}

function runNode(node: PipelineNode | SyntaxNode, scope: Scope, stdin: Stream): Stream {
  if (!enter(scope)) {
    scope.depth--
    return ANYTHING
  }
  const output = runKind(node, scope, stdin)
  scope.depth--
  return output
}

function runKind(node: SyntaxNode, scope: Scope, stdin: Stream): Stream {
  switch (node.type) {
    case 'Command':
      return runCommand(node, scope, stdin)
    case 'AndOr':
      return runStatements(
        node.commands.map((command) => ({ command })),
        scope,
        stdin,
      )
    case 'Pipeline':
      return runPipeline(node.commands, scope, stdin)
    case 'Redirected':
      return runRedirected(node, scope, stdin)
    case 'CompoundList':
      return runList(node, scope, stdin)
    case 'BraceGroup':
      return runList(node.body, scope, stdin)
    case 'Subshell': {
      const before = scope.cwd
      const output = runList(node.body, scope, stdin)
      scope.cwd = before
      return output
    }
    case 'If': {
      const branches = [
        node.then,
        ...node.elif.flatMap(({ clause, then }) => [clause, then]),
        ...(node.else ? [node.else] : []),
      ]
      runList(node.clause, scope, stdin)
      const left = node.clause.commands.reduce((input, { command }) => leftOf(input, command), stdin)
      return together(branches.map((branch) => runList(branch, scope, left)))
    }
    case 'While':
      return runWhile(node.clause, node.body, scope, stdin)
    case 'For':
    case 'Select':
      return runFor(node.name.value, node.wordlist, node.body, scope, stdin)
    case 'Case':
      judgeInside(node.word, scope, 0)
      return together(node.items.map(({ body }) => runList(body, scope, stdin)))
    case 'Function':
      return define(node.name.value, (input) => runNode(node.body, scope, input), scope)
    case 'Coproc':
      // The shell writes to it later, through a descriptor.
      return runNode(node.body, scope, ANYTHING)
    case 'TestCommand':
      judgeInside(node, scope, 0)
      judgeTested(node, scope, 0)
      return NOTHING
    default:
      judgeInside(node, scope, 0)
      return node.type === 'ArithmeticFor' ? runList(node.body, scope, stdin) : NOTHING
  }
}

/** `[[` evaluates the sides of a comparison of numbers, and the name behind `-v`. */
function judgeTested(node: SyntaxNode, scope: Scope, depth: number): void {
  if (depth > 40 || !spend(scope.budget, 2)) return
  if (node.type === 'TestUnary') judgeNames([expandText(node.operand, scope)], scope)
  else if (node.type === 'TestBinary' && /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator))
    for (const side of [node.left, node.right]) judgeEvaluated(expandText(side, scope), scope)
  else forEachChild(node, (child) => judgeTested(child, scope, depth + 1))
}

function runPipeline(commands: readonly CommandNode[], scope: Scope, stdin: Stream): Stream {
  const { seen } = scope
  const before = seen.into
  let stream = stdin
  for (const [at, command] of commands.entries()) {
    const next = commands[at + 1]
    seen.into = next === undefined ? before : nameIn(next)
    stream = runNode(command, scope, stream)
  }
  seen.into = before
  return stream
}

/** The program that reads; of a block, none that is known. */
function nameIn(node: CommandNode): string {
  return node.type === 'Command' ? (node.name?.text ?? '') : ''
}

function runRedirected(node: Redirected, scope: Scope, stdin: Stream): Stream {
  const { input, keep } = redirect(node.redirects, scope, stdin, '')
  return keep(runNode(node.command, scope, input))
}

const MOST_ROUNDS = 64

function runFor(
  name: string,
  list: readonly Word[] | undefined,
  body: CompoundList,
  scope: Scope,
  stdin: Stream,
): Stream {
  const before = scope.listed
  const values = list ? list.flatMap((word) => expandWord(word, scope)) : (scope.positionals?.slice(1) ?? [UNKNOWN])
  const outputs = repeated(scope, () =>
    firstOf(values, MOST_ROUNDS, scope.budget).map((value) => {
      if (scope.budget.isSpent) return ANYTHING
      scope.variables.set(name, [value])
      keepSecrets(name, list?.map(({ text }) => text).join(' ') ?? '', scope)
      judgeTaken(name, value, scope)
      return runList(body, scope, stdin)
    }),
  )
  scope.listed = before
  return values.length > MOST_ROUNDS ? ANYTHING : together(outputs)
}

/** Each line of a known input is one round, as `while read` takes it. */
function runWhile(clause: CompoundList, body: CompoundList, scope: Scope, stdin: Stream): Stream {
  const rounds: readonly Stream[] =
    stdin.kind === 'text'
      ? firstOf(stdin.text.split('\n'), MOST_ROUNDS, scope.budget).map((text) => ({ kind: 'text', text }))
      : [stdin]
  const before = scope.chosen
  const outputs = repeated(scope, () =>
    rounds.map((input) => {
      runList(clause, scope, input)
      return runList(body, scope, input)
    }),
  )
  scope.chosen = before
  return together(outputs)
}

/** What a loop runs may run again after later parts of it. */
function repeated<T>({ seen }: Scope, run: () => T): T {
  const before = seen.goesOn
  seen.goesOn = true
  const result = run()
  seen.goesOn = before ?? false
  return result
}

/** A function that calls itself has no end that the text shows: the fork bomb is one. */
function define(name: string, body: (stdin: Stream) => Stream, scope: Scope): Stream {
  let isRunning = false
  const call = (args: readonly string[] | undefined, stdin: Stream): Stream => {
    if (isRunning) {
      note(scope.ledger, 88, `${name}: a function that calls itself`)
      return ANYTHING
    }
    const before = scope.positionals
    isRunning = true
    scope.positionals = args && [name, ...args]
    const output = body(stdin)
    scope.positionals = before
    isRunning = false
    return output
  }
  scope.functions.set(name, call)
  // Traps, exports and later calls by other names run it as well.
  call(undefined, NOTHING)
  return NOTHING
}

/** What several commands write one after the other. */
export function together(outputs: readonly Stream[]): Stream {
  const some = outputs.filter(({ kind }) => kind !== 'none')
  const [first, ...rest] = some
  if (!first) return NOTHING
  if (rest.length === 0) return first
  if (some.some(({ kind }) => kind === 'download')) return { kind: 'download' }
  const texts = some.map((stream) => (stream.kind === 'text' ? stream.text : undefined))
  return texts.every((text) => text !== undefined) ? { kind: 'text', text: texts.join('') } : ANYTHING
}
