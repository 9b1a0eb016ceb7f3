import type { OperatorAccount, Right, SecretFault } from '../core/operator/operator-account.ts'
import { SECRET_LENGTH } from '../core/operator/operator-account.ts'
import type { Terminal } from './read-secret.ts'

/** Why the secret was not given. */
export type NotGiven =
  | { readonly kind: 'unset' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'broken_off' }
  | { readonly kind: 'locked'; readonly retryAt: number }

/** SELF-07: asks on the terminal until the secret is right, at most three times. */
export async function askSecret(terminal: Terminal, account: OperatorAccount): Promise<Right | NotGiven> {
  if (!(await account.isSet())) return { kind: 'unset' }
  for (let tries = 1; tries <= TRIES_HERE; tries++) {
    const secret = await terminal.readSecret('Operator secret: ')
    if (secret === undefined) return { kind: 'broken_off' }
    const checked = await account.check(secret, 'terminal')
    if (checked.kind !== 'wrong') return checked
    if (checked.retryAt !== undefined) return { kind: 'locked', retryAt: checked.retryAt }
    terminal.write(`That is not it. ${checked.triesLeft} ${checked.triesLeft === 1 ? 'try' : 'tries'} left.\n`)
  }
  return { kind: 'wrong' }
}

/** The first secret. Nobody sees what they type, so it is asked for twice. */
export async function setSecret(
  terminal: Terminal,
  account: OperatorAccount,
): Promise<'set' | 'exists' | 'broken_off'> {
  if (await account.isSet()) return 'exists'
  return askNew(terminal, (secret, again) => account.set(secret, again, 'terminal'))
}

export async function changeSecret(
  terminal: Terminal,
  account: OperatorAccount,
  right: Right,
): Promise<'set' | 'stale' | 'broken_off'> {
  return askNew(terminal, (secret, again) => account.change(right, secret, again))
}

const TRIES_HERE = 3

async function askNew<R extends string>(
  terminal: Terminal,
  keep: (secret: string, again: string) => Promise<R | SecretFault>,
): Promise<R | 'broken_off'> {
  for (;;) {
    const secret = await terminal.readSecret(`New operator secret, ${SECRET_LENGTH.least} characters or more: `)
    if (secret === undefined) return 'broken_off'
    const again = await terminal.readSecret('The same again: ')
    if (again === undefined) return 'broken_off'
    const kept = await keep(secret, again)
    if (!isFault(kept)) return kept
    terminal.write(`${FAULTS[kept]}\n`)
  }
}

const FAULTS: Readonly<Record<SecretFault, string>> = {
  short: `That is shorter than ${SECRET_LENGTH.least} characters. Nothing is set.`,
  long: `That is longer than ${SECRET_LENGTH.most} characters. Nothing is set.`,
  differs: 'The two differ. Nothing is set.',
}

function isFault<R extends string>(kept: R | SecretFault): kept is SecretFault {
  return Object.hasOwn(FAULTS, kept)
}
