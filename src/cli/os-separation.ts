import { spawnSync } from 'node:child_process'
import { accessSync, constants, lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { getuid } from 'node:process'
import type { Separation } from '../core/operator/health.ts'
import { placesToward, whoCanWrite } from './who-can-write.ts'

/**
 * What stands between the store and an agent with a shell: the ownership of the file, of those beside it and of the
 * folders above. Whoever can write the store, or put another one in its place, can approve anything, and so can
 * whoever can write what the servers are told (`also`). Only what belongs to another account and is closed to others
 * counts as separate.
 */
export function osSeparation(
  url: string,
  agent?: AgentAccount,
  here: Account = thisAccount(),
  also: readonly string[] = [],
): Separation {
  if (!url.startsWith('sqlite:')) return { kind: 'unknown', why: 'The store is not a file of this computer.' }
  if (here.uid < 0) return { kind: 'unknown', here: here.username, why: 'This system does not tell owners apart.' }
  const file = url.slice('sqlite:'.length)
  const stats = statOf(file)
  const owner = typeof stats === 'object' ? stats.uid : here.uid
  const known = { here: here.username, ...(typeof stats === 'object' && { store: nameOf(owner, here) }) }
  const openings = openingsOf(storeFiles(file), also, stats === 'closed' ? undefined : owner, here)
  if (stats === 'closed' && openings.length === 0)
    return { kind: 'separate', ...known, why: 'This account cannot even see the store.' }
  if (!stats) return { kind: 'unknown', ...known, why: 'There is no store yet.' }
  if (openings.length > 0) return { kind: 'same', ...known, why: `Other accounts can get at it: ${listed(openings)}.` }
  if (owner !== here.uid && here.uid !== ROOT)
    return { kind: 'separate', ...known, why: 'This account does not own the store and cannot open it.' }
  if (agent !== undefined && agent.uid !== owner && agent.uid !== ROOT && owner === here.uid)
    return { kind: 'separate', ...known, why: `Agents run as ${agent.name} (user ${agent.uid}).` }
  if (agent !== undefined)
    return {
      kind: 'same',
      ...known,
      why: `${agent.name} (user ${agent.uid}) ${agent.uid === ROOT ? 'can open every file' : 'owns the store, or it cannot be told from here'}.`,
    }
  return {
    kind: 'same',
    ...known,
    why: 'Whatever runs under this account can reach the store; nothing says that agents run under another.',
  }
}

/** The database and what SQLite reads beside it. */
function storeFiles(file: string): readonly string[] {
  return [file, ...['-wal', '-shm', '-journal'].map((end) => `${file}${end}`)]
}

function nameOf(uid: number, here: Account): string {
  return uid === here.uid ? here.username : `user ${uid}`
}

/** Of root and the owner alone, where the owner is known; and nothing that this account, if it is a third one, may write. */
function openingsOf(store: readonly string[], also: readonly string[], owner: number | undefined, here: Account) {
  const paths = [...store, ...also]
  const readable = store.filter((path) => modeOf(path) & OTHERS)
  const others = owner === undefined ? [] : paths.flatMap((path) => whoCanWrite(path, strictly(owner)))
  const isThird = here.uid !== owner && here.uid !== ROOT && here.uid === getuid?.()
  const own = isThird ? paths.flatMap(placesToward).filter((place) => isWritable(place, here.uid)) : []
  return [
    ...new Set([
      ...readable.map((path) => `${path} can be read or written by other accounts`),
      ...others,
      ...own.map((place) => `this account can write ${place}`),
    ]),
  ]
}

function strictly(uid: number) {
  return { uid, gid: undefined, platform: '', isStrict: true } as const
}

/** By owner, group or access list; in a sticky folder only what belongs to the account counts. */
function isWritable(place: string, uid: number): boolean {
  try {
    const { uid: owner, mode } = lstatSync(place)
    if (owner === uid) return true
    if ((mode & STICKY) !== 0) return false
    accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function modeOf(path: string): number {
  const stats = statOf(path)
  return typeof stats === 'object' ? stats.mode : 0
}

function listed(openings: readonly string[]): string {
  const more = openings.length - MOST_LISTED
  return `${openings.slice(0, MOST_LISTED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

const MOST_LISTED = 5

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
const STICKY = 0o1000

function statOf(path: string): Stats | 'closed' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'closed' : undefined
  }
}
