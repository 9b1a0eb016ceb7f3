import { act } from './actions.ts'
import { firstOf, spend } from './budget.ts'
import { expandParts, expandText } from './expand-words.ts'
import { note } from './ledger.ts'
import type { HereDoc, Redirection } from './parse-command.ts'
import { noteGrave } from './program.ts'
import { ANYTHING, isUnknown, NOTHING, type Scope, type Stream } from './scope.ts'
import { isSecretFile, resolvePath } from './targets.ts'

export interface Redirecting {
  /** What the command reads. */
  readonly input: Stream
  /** Takes what the command wrote and gives what is left for the next one. */
  readonly keep: (output: Stream) => Stream
}

/** Judges where the streams of a command go. `program` is empty for a redirect without a command. */
export function redirect(redirects: readonly Redirection[], scope: Scope, stdin: Stream, program: string): Redirecting {
  let input = stdin
  let file: string | undefined
  for (const one of redirects) {
    if (!spend(scope.budget, 15)) break
    if (one.type === 'HereDoc') input = { kind: 'text', text: hereText(one, scope) }
    else if (!one.target) continue
    else if (one.type === 'HereString') input = { kind: 'text', text: `${expandText(one.target, scope)}\n` }
    else {
      const path = expandText(one.target, scope)
      if (isNetwork(path)) note(scope.ledger, 85, 'a shell stream to the network')
      if (one.operator === '<' || one.operator === '<&') input = readFrom(path, scope, input)
      else if (!isDescriptor(path)) file = writeTo(path, one.operator, scope, program)
    }
  }
  return { input, keep: (output) => (file === undefined ? output : keepIn(file, output, scope)) }
}

/** What stands in the file, as far as the text itself wrote it. */
export function readFile(path: string, scope: Scope): Stream {
  if (isSecretFile(path)) note(scope.ledger, 45, 'reads a file that holds secrets')
  return scope.files.get(resolvePath(path, scope.cwd)) ?? ANYTHING
}

/** A name for what a program reads from its input. */
export function isStdin(path: string): boolean {
  return path === '-' || path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0'
}

const LONGEST_WRITTEN = 4_000

/** What the text wrote into files, line by line and string by string, where a tool may run any of them. */
export function judgeWritten(scope: Scope, stdin: Stream): void {
  const streams = [...scope.files.values(), stdin].filter((stream) => stream.kind === 'text')
  for (const { text } of firstOf(streams, 8, scope.budget)) {
    if (text.length > LONGEST_WRITTEN) scope.budget.isSpent = true
    const lines = text.split('\n')
    const strings = text.slice(0, LONGEST_WRITTEN).match(/"(?:[^"\\\n]|\\.)*"/g) ?? []
    for (const piece of firstOf([...lines, ...strings.map((one) => one.slice(1, -1))], 64, scope.budget))
      if (piece.includes(' ')) noteGrave(scope, (inner) => void inner.runText(piece.trim(), inner, ANYTHING))
  }
}

export function keepIn(path: string, output: Stream, scope: Scope): Stream {
  if (scope.files.size >= 64) scope.budget.isSpent = true
  else if (output.kind !== 'none') {
    const before = scope.files.get(path)
    const text = before?.kind === 'text' && output.kind === 'text' ? before.text + output.text : undefined
    scope.files.set(path, text === undefined ? output : { kind: 'text', text })
  }
  return NOTHING
}

function writeTo(path: string, operator: string, scope: Scope, program: string): string {
  const isEmptied = SILENT.has(program) && operator !== '>>'
  act(scope, program === '' ? '>' : 'redirect', isEmptied ? 'overwrite' : 'write', path)
  return resolvePath(path, scope.cwd)
}

function readFrom(path: string, scope: Scope, input: Stream): Stream {
  if (/^[1-9]/.test(path) && isDescriptor(path)) return ANYTHING
  return isDescriptor(path) ? input : readFile(path, scope)
}

function hereText({ body }: HereDoc, scope: Scope): string {
  return body.parts ? expandParts(body.parts, scope) : body.text
}

/** Commands that write nothing: what their output is sent to is emptied. */
const SILENT: ReadonlySet<string> = new Set(['', ':', 'true', 'false'])

function isDescriptor(path: string): boolean {
  return /^\d*-?$/.test(path)
}

function isNetwork(path: string): boolean {
  return !isUnknown(path) && (path.startsWith('/dev/tcp/') || path.startsWith('/dev/udp/'))
}
