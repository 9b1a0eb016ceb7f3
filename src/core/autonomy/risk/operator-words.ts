import { isTrustLevel } from '../../../protocol/trust.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { maybeOwnFile } from './own-files.ts'
import { known, type Scope } from './scope.ts'

const ASKED = 45
const SURE = 72

/**
 * A script of unknown content that is given the words of an operator's command may be this program under another name,
 * which no path shows: a link, a copy, a module that loads it.
 */
export function judgeOperatorWords(file: string, args: readonly string[], scope: Scope): void {
  if (!readsAsOperator(args)) return
  const score = file !== '' && maybeOwnFile(file, scope) ? SURE : ASKED
  note(scope.ledger, score, `${known(file) || 'a script'}: is given the words of a command that operates mcpaql`)
}

/** Looked for behind options and their values alone: a verb that follows other words is about them. */
export function readsAsOperator(args: readonly string[]): boolean {
  const plain = args.slice(0, MOST_WORDS).map(known)
  for (const [at, word] of plain.entries()) {
    if (word.startsWith('-')) continue
    const behind = plain.slice(at + 1)
    const operands = behind.filter((one) => !one.startsWith('-'))
    if (OPERATES.get(word)?.(operands, behind)) return true
    if (at > 0 && !(plain[at - 1] ?? '').startsWith('-')) return false
    if (at === 0) return false
  }
  return false
}

const MOST_WORDS = 24

type Operates = (operands: readonly string[], words: readonly string[]) => boolean

const OPERATES: ReadonlyMap<string, Operates> = new Map<string, Operates>([
  ['hook', ([verb = '']) => /^(install|remove|uninstall)$/.test(verb)],
  ['approve', hasOne],
  ['deny', hasOne],
  ['unblock', hasOne],
  ['verify', ([id = '']) => /^[0-9a-f]{8,64}$/.test(id)],
  ['trust', (operands) => operands.slice(1, 3).some(isTrustLevel)],
  ['secret', ([verb]) => verb === 'set'],
  ['client', ([verb = '', name]) => /^(add|revoke)$/.test(verb) && name !== undefined],
  ['audit', ([verb]) => verb === 'prune'],
  ['safety', (_, words) => words.some((word) => SAFETY.has(flagOf(word)))],
  ['serve', (_, words) => words.some((word) => LOOSER.has(flagOf(word)))],
  ['call', (_, words) => words.some((word) => LOOSER.has(flagOf(word)))],
])

/** An id, and at most the value of an option. */
function hasOne(operands: readonly string[]): boolean {
  return operands.length === 1 || operands.length === 2
}

const SAFETY = wordSet('--policy --hook-port --safety-mode')
const LOOSER = wordSet('--policy-file --safety-mode --no-strict-mode --trust')

function flagOf(word: string): string {
  return word.startsWith('--') ? (word.split('=', 1)[0] ?? '') : ''
}
