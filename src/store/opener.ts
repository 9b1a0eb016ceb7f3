import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { kill, pid } from 'node:process'

/**
 * Names one opening of a store by its process, when that began, and a random part. The processes that share a store
 * see one another: a process of another machine counts as gone.
 */
export function nameOpener(): string {
  const opener = `${pid}.${beginningOf(pid) ?? UNREADABLE}.${randomBytes(9).toString('base64url')}`
  OPEN.add(opener)
  return opener
}

export function forgetOpener(opener: string): void {
  OPEN.delete(opener)
}

/** True when the process has ended, or has closed this opening as far as we can know. */
export function isOpenerGone(opener: string): boolean {
  const parts = /^([1-9]\d{0,9})\.([\w-]{1,64})\.[\w-]{12}$/.exec(opener)
  if (!parts) return true
  const [, process = '', began] = parts
  const other = Number(process)
  if (!isAlive(other)) return true
  if ((beginningOf(other) ?? UNREADABLE) !== began) return true // the number belongs to another process now
  return other === pid && !OPEN.has(opener)
}

/** The openings of this process. */
const OPEN = new Set<string>()

const UNREADABLE = '0'

function isAlive(other: number): boolean {
  try {
    return kill(other, 0)
  } catch (cause) {
    return (cause as { code?: unknown }).code === 'EPERM' // it lives, as another user
  }
}

/** Since which start of the machine, and how long after it. Known on Linux only. */
function beginningOf(process: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
    const stat = readFileSync(`/proc/${process}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // a program's name may hold anything
    const [state, started] = [fields[0], fields[19]]
    return state === 'Z' || state === 'X' || !started ? 'ended' : `${boot}-${started}`
  } catch {
    return undefined
  }
}
