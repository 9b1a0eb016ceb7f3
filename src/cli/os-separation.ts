import { type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { getuid } from 'node:process'
import type { Separation } from '../core/operator/health.ts'

/**
 * What stands between the store and an agent with a shell: the ownership of the file. Whoever can write the store can
 * approve anything, so only a store of another account, closed to others, counts as separate.
 */
export function osSeparation(url: string, agentAccount?: string, here: Account = thisAccount()): Separation {
  if (!url.startsWith('sqlite:')) return { kind: 'unknown', why: 'The store is not a file of this computer.' }
  if (here.uid < 0) return { kind: 'unknown', here: here.username, why: 'This system does not tell owners apart.' }
  const stats = statOf(url.slice('sqlite:'.length))
  if (stats === 'closed')
    return { kind: 'separate', here: here.username, why: 'This account cannot even see the store.' }
  if (!stats) return { kind: 'unknown', here: here.username, why: 'There is no store yet.' }
  const store = stats.uid === here.uid ? here.username : `user ${stats.uid}`
  if ((stats.mode & OTHERS) !== 0)
    return { kind: 'same', store, here: here.username, why: 'Other accounts can read or write the store file.' }
  if (stats.uid !== here.uid && here.uid !== ROOT)
    return {
      kind: 'separate',
      store,
      here: here.username,
      why: 'This account does not own the store and cannot open it.',
    }
  if (agentAccount !== undefined && agentAccount !== store && agentAccount !== 'root' && stats.uid === here.uid)
    return { kind: 'separate', store, here: here.username, why: `Agents run as ${agentAccount}.` }
  return {
    kind: 'same',
    store,
    here: here.username,
    why: 'Whatever runs under this account can reach the store; nothing says that agents run under another.',
  }
}

interface Account {
  readonly uid: number
  readonly username: string
}

/** In a container the account may have no name. */
export function thisAccount(): Account {
  try {
    return userInfo()
  } catch {
    const uid = getuid?.() ?? -1
    return { uid, username: `user ${uid}` }
  }
}

const ROOT = 0
const OTHERS = 0o077

function statOf(path: string): Stats | 'closed' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'closed' : undefined
  }
}
