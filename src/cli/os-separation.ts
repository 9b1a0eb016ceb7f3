import { spawnSync } from 'node:child_process'
import { readFileSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { getuid } from 'node:process'
import type { Separation } from '../core/operator/health.ts'

/**
 * What stands between the store and an agent with a shell: the ownership of the file. Whoever can write the store can
 * approve anything, so only a store of another account, closed to others, counts as separate.
 */
export function osSeparation(url: string, agent?: AgentAccount, here: Account = thisAccount()): Separation {
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
  if (agent !== undefined && agent.uid !== stats.uid && agent.uid !== ROOT && stats.uid === here.uid)
    return { kind: 'separate', store, here: here.username, why: `Agents run as ${agent.name} (user ${agent.uid}).` }
  if (agent !== undefined)
    return {
      kind: 'same',
      store,
      here: here.username,
      why: `${agent.name} (user ${agent.uid}) ${agent.uid === ROOT ? 'can open every file' : 'owns the store, or it cannot be told from here'}.`,
    }
  return {
    kind: 'same',
    store,
    here: here.username,
    why: 'Whatever runs under this account can reach the store; nothing says that agents run under another.',
  }
}

/** The account under which agents run, as the operator names it. */
export interface AgentAccount {
  readonly uid: number
  readonly name: string
}

/** `agent`, `1000` or `#1000`; undefined for an account that this system does not have. */
export function findAccount(given: string): AgentAccount | undefined {
  const name = given.trim()
  const [, digits] = /^#?(\d{1,10})$/.exec(name) ?? []
  if (digits !== undefined)
    return Number(digits) < NO_UID ? { uid: Number(digits), name: `#${Number(digits)}` } : undefined
  if (!/^[A-Za-z_][\w.@$-]{0,255}$/.test(name)) return undefined
  const uid = uidOf(name)
  return uid === undefined ? undefined : { uid, name }
}

/** The system's own answer, which knows directories of accounts too; where `id` is missing, the list of local ones. */
function uidOf(name: string): number | undefined {
  const id = ID_PROGRAMS.find((path) => statOf(path) !== undefined)
  if (id !== undefined) {
    const { stdout, status } = spawnSync(id, ['-u', '--', name], { encoding: 'utf8', timeout: 5_000, env: {} })
    if (status === 0 && /^\d+\s*$/.test(stdout)) return Number(stdout)
  }
  try {
    const row = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([known]) => known === name)
    return row && /^\d+$/.test(row[2] ?? '') ? Number(row[2]) : undefined
  } catch {
    return undefined
  }
}

const ID_PROGRAMS = ['/usr/bin/id', '/bin/id']
/** The highest number stands for no account. */
const NO_UID = 0xffff_ffff

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
