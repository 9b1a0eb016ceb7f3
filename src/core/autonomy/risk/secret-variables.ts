import { spend } from './budget.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import type { Command } from './parse-command.ts'
import { WHOLE_ENVIRONMENT } from './printed-environment.ts'
import { nameOf } from './program-names.ts'
import { ENVIRONMENT, isUnknown, known, type Scope, UNKNOWN } from './scope.ts'
import { isSecretVariable, secretNames } from './variable-owners.ts'

/** Variables whose names say whose secret they hold; `$TOKEN` and `$API_KEY` may be anybody's. */
export function secretsIn(text: string, scope: Scope): readonly string[] {
  return [...text.matchAll(REFERENCE)]
    .slice(0, MOST_NAMES)
    .flatMap(([, sign, name = '']) => (sign === '!' ? pointedAt(name, scope) : heldIn(name, scope)))
}

function heldIn(name: string, { seen, variables, aliases }: Scope): readonly string[] {
  const held = seen.held?.get(name)
  if (held) return held
  const target = aliases.get(`declare -n ${name}`)
  if (target !== undefined) return secretNames([target])
  const isGiven = variables.get(name)?.some((value) => !isUnknown(value)) ?? false
  return isGiven ? [] : secretNames([name])
}

/** `${!name}` is the variable that another one names; where that is known only at run time it can be any. */
function pointedAt(name: string, scope: Scope): readonly string[] {
  const targets = scope.variables.get(name) ?? [UNKNOWN]
  return targets.flatMap((target) => (isUnknown(target) ? [WHOLE_ENVIRONMENT] : heldIn(target, scope)))
}

/** `X=$GITHUB_TOKEN`: under another name it is the same secret. */
export function keepSecrets(name: string, text: string, scope: Scope, isAppended = false): void {
  const held = text.includes('$') ? [...secretsIn(text, scope), ...loadedNames(text, scope)] : []
  const before = isAppended ? (scope.seen.held?.get(name) ?? []) : []
  scope.seen.held ??= new Map()
  if (held.length + before.length > 0) scope.seen.held.set(name, [...new Set([...before, ...held])])
  else scope.seen.held.delete(name)
}

/** The secrets that the words and the input of a command name; what it only shows here is noted. */
export function judgeNamedVariables(node: Command, words: readonly string[], scope: Scope): readonly string[] {
  const isListed = words[0] === 'printenv' && words.slice(1).some(isShownSecret)
  if (isListed && isShown(node, scope)) note(scope.ledger, SHOWN_SCORE, SHOWN)
  if (!hasReference(node)) return []
  const text = textOf(node)
  if (!text.includes('$') || !spend(scope.budget, text.length / 4)) return []
  const names = secretsIn(text, scope)
  if (names.length === 0) return []
  if (SHOWS.has(nameOf(known(words[0] ?? '')))) {
    scope.seen.secret = true
    if (isShown(node, scope) && secretsIn(text.replaceAll(TOLD_OF, ''), scope).some(isShownSecret))
      note(scope.ledger, SHOWN_SCORE, SHOWN)
  }
  return names
}

/**
 * Variables that a file of variables may have set, where one was loaded. A header or a user that says who asks is what
 * such a file is loaded for.
 */
export function loadedIn({ args }: Pick<Command, 'args'>, scope: Scope): readonly string[] {
  if (!scope.seen.isLoaded && !scope.seen.isHeld) return []
  const told = args.filter(
    (arg, at) => !/^(-u|--user|--oauth2-bearer)$/.test(args[at - 1]?.text ?? '') && !SAYS_WHO.test(arg.text),
  )
  return told.flatMap(({ text }) => loadedNames(text, scope))
}

function loadedNames(text: string, { seen, variables }: Scope): readonly string[] {
  if (!seen.isLoaded && !seen.isHeld) return []
  return [...text.matchAll(REFERENCE)]
    .slice(0, MOST_NAMES)
    .flatMap(([, , name = '']) => seen.held?.get(name) ?? (variables.has(name) || ENVIRONMENT.has(name) ? [] : [name]))
}

const SAYS_WHO = /^(--header=|-H)?["']?([\w-]{0,40}(auth|token|key|cookie)[\w-]{0,40}):/i

/** What is shown stands in the transcript of the agent. */
const SHOWN_SCORE = 45
const SHOWN = 'shows a secret of the environment'
/** `${#X}`, `${X:+set}`, `${X:0:4}`: that it is set, how long it is, or how it begins. */
const TOLD_OF = /\$\{(?:#\w+|\w+(?::?\+[^}]*|:0:[0-9]))\}/g

/** Where the output goes to the one who reads along: not into a file, a variable, or a program that keeps it. */
export function isShown({ redirects }: Pick<Command, 'redirects'>, { seen }: Scope): boolean {
  if (seen.isCaptured || (seen.into !== undefined && !PASSES_ON.has(seen.into))) return false
  return !redirects.some(
    (one) => /^&?>/.test(one.operator) && !/^(&?[12]|\/dev\/(stdout|stderr|tty))$/.test(textOfTarget(one)),
  )
}

function textOfTarget(one: Command['redirects'][number]): string {
  return 'target' in one ? (one.target?.text ?? '') : ''
}

/** Programs that print what they are given. */
const PASSES_ON = wordSet(
  'cat tee base64 rev xxd od hexdump hd tr sed awk grep egrep rg fold less more nl sort uniq strings head tail tac',
)
const MOST_NAMES = 32
/** `$env:NAME` is how PowerShell writes one. */
const REFERENCE = /\$(?:\{(?:(!)(?!\w{1,101}(?:[*@]|\[[*@]\])\})|#)?)?(?:env:)?([A-Za-z_]\w{0,100})/gi
const SHOWS = wordSet('echo printf print cat tee printenv')
function hasReference({ args, redirects }: Command): boolean {
  return redirects.length > 0 || args.some((arg) => arg.text.includes('$'))
}

function textOf({ args, redirects, name }: Command): string {
  const read = redirects.flatMap((one) =>
    one.type === 'HereDoc' ? [one.body.text] : one.type === 'HereString' ? [one.target?.text ?? ''] : [],
  )
  // A variable of PowerShell alone is a value that nobody gets.
  const first = /^\$\{?env:/i.test(name?.text ?? '') ? '' : (name?.text ?? '')
  return [first, ...args.map((arg) => arg.text), ...read].join(' ')
}

/** `CACHE_KEY` and `PRIMARY_KEY` are keys of another kind: enough to ask where they are sent, not where they are shown. */
function isShownSecret(name: string): boolean {
  return (
    isSecretVariable(name) &&
    (!/KEY$/i.test(name) ||
      /(API|SECRET|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH|MASTER|SERVICE|DEPLOY|ACCOUNT|SSH|GPG)_?KEY$/i.test(name))
  )
}
