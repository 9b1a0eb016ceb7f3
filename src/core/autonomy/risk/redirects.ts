import { act } from './actions.ts'
import { firstOf, spend } from './budget.ts'
import { judgeVariableFile } from './environment-variables.ts'
import { expandParts, expandText } from './expand-words.ts'
import { note } from './ledger.ts'
import type { HereDoc, Redirection } from './parse-command.ts'
import { ANYTHING, isUnknown, NOTHING, type Scope, type Stream } from './scope.ts'
import { judgeSecretInput } from './secrets.ts'
import { resolvePath, targetKind } from './targets.ts'

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
      if (one.operator === '<' || one.operator === '<&') input = readFrom(path, scope, input, program)
      else if (!isDescriptor(path)) {
        const written = writeTo(path, one.operator, scope, program)
        const number = one.descriptor?.type === 'FileDescriptor' ? one.descriptor.value : one.descriptor ? 3 : 1
        // Errors go their own way and leave the output for the next command; other descriptors are written to later.
        if (number === 1) file = written
        else if (number > 2) keepIn(written, ANYTHING, scope)
      }
    }
  }
  return { input, keep: (output) => (file === undefined ? output : keepIn(file, output, scope)) }
}

/** What stands in the file, as far as the text itself wrote it. */
export function readFile(path: string, scope: Scope): Stream {
  const isFile = /^(project|regenerable)$/.test(targetKind(path, scope))
  return writtenFile(path, scope) ?? (isFile ? A_FILE : ANYTHING)
}

/** What the text has put into the file so far. A file that it has not written yet is remembered, since it may do so later. */
export function writtenFile(
  path: string,
  { files, seen, cwd }: Pick<Scope, 'files' | 'seen' | 'cwd'>,
): Stream | undefined {
  const full = resolvePath(path, cwd)
  const stream = files.get(full)
  if (!stream) remember(full, seen)
  return stream
}

function remember(path: string, seen: Scope['seen']): void {
  seen.missed ??= new Set()
  if (seen.missed.size < MOST_MISSED) seen.missed.add(path)
}

const MOST_MISSED = 128
const ANY_FILE = '*'

/** Files that the text wrote after something had looked for them; without what processes gave to each other. */
export function writtenTooLate({ files, seen }: Pick<Scope, 'files' | 'seen'>): Map<string, Stream> | undefined {
  const { missed } = seen
  if (!missed || files.size === 0) return undefined
  const written = [...files].filter(([path]) => !path.startsWith('/dev/fd/'))
  if (!written.some(([path]) => missed.has(path) || missed.has(ANY_FILE))) return undefined
  return new Map(written)
}

const A_FILE: Stream = Object.freeze({ kind: 'unknown', isFile: true })

/** The text wrote the file, and what it wrote is known only at run time. */
export function isMade(path: string, scope: Scope): boolean {
  return writtenFile(path, scope)?.kind === 'unknown'
}

/** A name for what a program reads from its input. */
export function isStdin(path: string): boolean {
  return path === '-' || path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0'
}

/** What the text wrote into files, where what runs now may run any of them. */
export function judgeWritten(scope: Scope): void {
  if (scope.seen.goesOn) remember(ANY_FILE, scope.seen)
  for (const stream of firstOf([...scope.files.values()], 16, scope.budget)) {
    if (stream.kind === 'text') scope.judgeCarried(stream.text, scope)
    else if (stream.kind === 'unknown' && stream.made !== undefined) scope.judgeCarried(stream.made, scope)
  }
}

export function keepIn(path: string, output: Stream, scope: Scope): Stream {
  if (scope.files.size >= 64) scope.budget.isSpent = true
  else if (output.kind !== 'none') {
    const before = scope.files.get(path)
    const text = before?.kind === 'text' && output.kind === 'text' ? before.text + output.text : undefined
    scope.files.set(path, text === undefined ? output : { kind: 'text', text })
    if (output.kind === 'text' && RUN_UNASKED.test(path)) scope.judgeCarried(text ?? output.text, scope)
    if (output.kind === 'text' && /\/\.env(\.[\w.-]+)?$/.test(path)) judgeVariableFile(output.text, scope)
  }
  return NOTHING
}

/** Files of a project that tools run without being told. */
const RUN_UNASKED =
  /\/\.(git|husky|vscode|github|circleci)\/|\/\.(envrc|gitlab-ci\.yml|pre-commit-config\.yaml|vimrc|exrc|gdbinit|lldbinit|tmux\.conf|npmrc|bazelrc|travis\.yml)$|\/(conftest|sitecustomize|usercustomize)\.py$/

function writeTo(path: string, operator: string, scope: Scope, program: string): string {
  const isEmptied = SILENT.has(program) && operator !== '>>'
  act(scope, program === '' ? '>' : 'redirect', isEmptied ? 'overwrite' : operator === '>>' ? 'append' : 'write', path)
  return resolvePath(path, scope.cwd)
}

function readFrom(path: string, scope: Scope, input: Stream, program: string): Stream {
  if (/^[1-9]/.test(path) && isDescriptor(path)) return ANYTHING
  judgeSecretInput(program, path, scope)
  return isDescriptor(path) ? input : readFile(path, scope)
}

/** Only behind a quoted word do escapes stay as they are. A text that ends too early has no word. */
function hereText({ body, delimiter }: HereDoc, scope: Scope): string {
  if (body.parts) return expandParts(body.parts, scope)
  return delimiter?.quoted ? body.text : body.text.replaceAll(/\\(?:\n|([$`\\]))/g, '$1')
}

/** Commands that write nothing: what their output is sent to is emptied. */
const SILENT: ReadonlySet<string> = new Set(['', ':', 'true', 'false'])

function isDescriptor(path: string): boolean {
  return /^\d*-?$/.test(path)
}

function isNetwork(path: string): boolean {
  return !isUnknown(path) && (path.startsWith('/dev/tcp/') || path.startsWith('/dev/udp/'))
}
