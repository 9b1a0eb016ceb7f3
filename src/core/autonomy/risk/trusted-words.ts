import { act } from './actions.ts'
import { spend } from './budget.ts'
import { note } from './ledger.ts'
import { possibleValues } from './options.ts'
import { isUnknown, known, PROJECT, type Scope } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'
import { isTrustedName, isWild } from './trusted-places.ts'

/**
 * What is known of a program that is given places: that it reads its operands, that only its options are its own, or
 * nothing. What a program does with a place that others trust is a question unless something says that it reads.
 */
export type Handling = 'reads' | 'options' | 'any'

/** Judges words that name a place which others trust, by the option that they belong to. */
export function judgeTrustedWords(name: string, args: readonly string[], scope: Scope, handling: Handling): void {
  if (!args.some((arg) => MAY_NAME.test(arg)) || !spend(scope.budget, args.length * 4)) return
  for (const { flag, value, isJoined } of possibleValues(args)) {
    // Behind the letters of a cluster a path begins with its sign.
    if (!MAY_NAME.test(value) || (isJoined && flag.length === 2 && !/^[./~]/.test(value))) continue
    const writes =
      WRITES.test(flag) || WRITING.get(name)?.test(flag) === true || (handling !== 'reads' && /^-[oO]$/.test(flag))
    if (!writes && (READS.test(flag) || !(isJoined || handling === 'options'))) continue
    const place = trustedIn(value, writes, scope)
    if (place === undefined) continue
    if (writes) act(scope, name, 'write', place)
    else ask(name, scope)
  }
  if (handling !== 'any') return
  const operands = args.filter((arg, at) => !arg.startsWith('-') && !READS.test(known(args[at - 1] ?? '')))
  if (operands.some((arg) => !setsRead(arg) && trustedIn(arg, false, scope) !== undefined)) ask(name, scope)
}

function ask(name: string, { ledger }: Scope): void {
  note(ledger, ASKED, `${name}: is given a file that others trust, and no table says that it only reads it`)
}

const ASKED = 45

/** Options whose value is a file or a folder that is written, by a word in their name. */
const WRITES =
  /^--(?:o|ou)$|^--?.{0,40}(?:(?<!time|with|lay|std|no)out(?!er)|save|dump|write|export|log-?f|log-?dir|report|record|download|dest|target|junit|trace|[cip]id-?file|generate|create|emit|append|backup|prof-|diagnostic)/i
/** The same where a letter says nothing. */
const WRITING: ReadonlyMap<string, RegExp> = new Map([
  ['less', /^-[oO]$/],
  ['ssh', /^-E$/],
  ['yq', /^(-s|--split-exp)$/],
  ['iptables-save', /^(-f|--file)$/],
  ['ip6tables-save', /^(-f|--file)$/],
  ['ctags', /^-f$/],
])
/** Options whose value is read, is used, or says what is looked for or left out. */
const READS =
  /^-(?:[cCieEgIqx]|in)$|^--(?:file(?:name)?|jq|query|check|quiet|silent|strict|verbose|list-different|no-[\w-]+|run|files)$|^--?.{0,40}(?:config|conf|cfg|settings|rc-?file|env|key|cert|cacert|identity|exclude|ignore|skip|include|glob|regex|pattern|filter|schema|policy|rules|input|hide)/i

/** `CONFIG=.vscode/settings.json`: a name that says what an option of this name would. */
function setsRead(arg: string): boolean {
  const [, name] = /^([A-Za-z]\w{0,40})=/.exec(arg) ?? []
  return name !== undefined && READS.test(`--${name}`)
}

const MAY_NAME = /[./~\\]/

/** A place in the word that others trust. What the system is set up by is read by many, so that only a target counts. */
function trustedIn(word: string, writes: boolean, scope: Scope): string | undefined {
  const plain = word.replaceAll(/["']/g, '')
  if (plain.length > LONGEST || !MAY_NAME.test(plain) || NO_PLACE.test(plain)) return undefined
  return piecesOf(plain).find((piece) => isTrustedHere(piece, scope) && (writes || !isOfSystem(piece, scope)))
}

/** `name=PATH`, `@PATH`, `a,PATH`, `format:PATH`; an absolute path behind a name is one of another machine. */
function piecesOf(plain: string): readonly string[] {
  return [plain, ...plain.split(/[=@,]/)].flatMap((piece) =>
    /^[\w.-]{2,60}:/.test(piece)
      ? piece
          .split(':')
          .slice(1)
          .filter((part) => !part.startsWith('/'))
      : [piece],
  )
}

const LONGEST = 1_000
/** A sentence, an address, an expression, or a path of a service. */
const NO_PLACE = /[\s()|^$<>!`;]|:\/\/|^\/?repos\//

/** Where the folder itself is such a place, only what a name says of itself counts. */
function isTrustedHere(piece: string, scope: Scope): boolean {
  if (piece === '' || (isWild(known(piece)) && !piece.includes('/'))) return false
  if (targetKind(piece, scope) !== 'trust') return false
  if (targetKind('.', scope) !== 'trust' || targetKind(piece, { ...scope, cwd: PROJECT }) === 'trust') return true
  return isTrustedName(piece.slice(piece.lastIndexOf('/') + 1))
}

function isOfSystem(piece: string, { cwd }: Scope): boolean {
  return !isUnknown(piece) && resolvePath(piece, cwd).startsWith('/etc/')
}
