import { type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Separation } from '../core/operator/health.ts'

/**
 * What stands between the store and an agent with a shell: the ownership of the file. Whoever can write the store can
 * approve anything, so only a store of another account, closed to others, counts as separate.
 */
export function osSeparation(url: string, agentAccount?: string): Separation {
  if (!url.startsWith('sqlite:')) return { kind: 'unknown', why: 'The store is not a file of this computer.' }
  const here = userInfo()
  if (here.uid < 0) return { kind: 'unknown', here: here.username, why: 'This system does not tell owners apart.' }
  const stats = statOf(url.slice('sqlite:'.length))
  if (!stats) return { kind: 'unknown', here: here.username, why: 'There is no store yet.' }
  const store = stats.uid === here.uid ? here.username : `user ${stats.uid}`
  if ((stats.mode & OTHERS) !== 0)
    return { kind: 'same', store, here: here.username, why: 'Other accounts can read or write the store file.' }
  if (agentAccount !== undefined && agentAccount !== store)
    return { kind: 'separate', store, here: here.username, why: `Agents run as ${agentAccount}.` }
  return {
    kind: 'same',
    store,
    here: here.username,
    why: 'Whatever runs under this account can reach the store; nothing says that agents run under another.',
  }
}

const OTHERS = 0o077

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}
