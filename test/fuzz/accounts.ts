import type { Buffer } from 'node:buffer'
import { type Expectation, expectationsOf, linesOf } from './expectation.ts'
import type { Case, Id } from './generate.ts'

/** Something that must not happen, with the message that brought it about where it is known. */
export interface Fault {
  readonly what: string
  readonly sent?: Case
}

/** Who was asked what, and how often it was answered, on a connection where answers come in any order. */
export interface Accounts {
  ask(sent: Case): void
  /** The request behind the answer, where it is known. */
  settle(id: Id | null | undefined): Case | undefined
  /** Answers that must still come. */
  owed(): number
  faults(): readonly Fault[]
}

interface Account {
  readonly sent: Case
  least: number
  most: number
}

export function createAccounts(): Accounts {
  const open = new Map<string, Account>()
  const perhaps = new Map<string, Case>()
  const faults: Fault[] = []
  let refusals = 0
  let mayBeRefused = 0
  let owed = 0

  function askFor({ kind, id, candidates }: Expectation, sent: Case): void {
    for (const candidate of candidates) perhaps.set(keyOf(candidate), sent)
    if (kind === 'answer' && id !== undefined) {
      const account = open.get(keyOf(id)) ?? { sent, least: 0, most: 0 }
      open.set(keyOf(id), { sent, least: account.least + 1, most: account.most + 1 })
      owed++
    }
    if (kind === 'refusal') {
      refusals++
      owed++
    }
    if (kind === 'refusal' || kind === 'anything') mayBeRefused++
  }

  function cancel(id: Id): void {
    const account = open.get(keyOf(id))
    if (!account) return
    owed -= account.least
    account.least = 0
  }

  function settleRefusal(sent: Case | undefined): Case | undefined {
    if (mayBeRefused === 0) faults.push({ what: 'MCP-01 an answer that nobody asked for', ...(sent && { sent }) })
    else mayBeRefused--
    if (refusals > 0) {
      refusals--
      owed--
    }
    return sent
  }

  return {
    ask(sent) {
      if (sent.cancels !== undefined) cancel(sent.cancels)
      for (const expectation of expectationsOf(sent, sent.expect === 'anything' ? linesOf(sent.bytes) : [])) {
        askFor(expectation, sent)
      }
    },

    settle(id) {
      if (id === null || id === undefined) return settleRefusal(undefined)
      const key = keyOf(id)
      const account = open.get(key)
      const sent = perhaps.get(key)
      // A cancelled request is hardly ever answered: an unreadable one with its id is the likelier.
      if (!account || (account.least === 0 && sent)) {
        if (!sent)
          faults.push({ what: `MCP-01 an answer to ${key.slice(0, 100)}, which nobody asked or asks any more` })
        return sent ? settleRefusal(sent) : undefined
      }
      account.most--
      if (account.least > 0) {
        account.least--
        owed--
      }
      if (account.most === 0) open.delete(key)
      return account.sent
    },

    owed: () => owed,
    faults: () => [
      ...faults,
      ...[...open.values()]
        .filter(({ least }) => least > 0)
        .map(({ sent }) => ({ what: 'MCP-01 is not answered', sent })),
      ...(refusals > 0 ? [{ what: `MCP-01 ${refusals} messages that cannot be read are not answered` }] : []),
    ],
  }
}

function keyOf(id: Id): string {
  return JSON.stringify(id)
}

/** For a report: as text, shortened, with whatever is no ASCII escaped. */
export function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1'))
  return text.length <= 4_000 ? text : `${text.slice(0, 4_000)}… (${bytes.length} bytes)`
}
