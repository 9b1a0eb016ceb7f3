import { wordSet } from './options.ts'
import type { Scope } from './scope.ts'
import { isRegenerable, targetKind } from './targets.ts'

/** Names of what editors, compilers and desktops leave behind. */
const JUNK = wordSet(
  '*.pyc *.pyo *.o *.obj *.class *~ *.swp *.swo *.tmp .DS_Store Thumbs.db __pycache__ core *.pyc~ ._*',
)

/** True where every name is one of what programs make again; `bin` is output only where other output is named with it. */
export function namesJunk(names: readonly string[], isNear = true): boolean {
  const isJunk = (name: string) => JUNK.has(name) || (isNear && isRegenerable(name))
  return names.some(isJunk) && names.every((name) => isJunk(name) || (isNear && name === 'bin'))
}

/** What is made again is known of the project; elsewhere the name says little. */
export function isInside(root: string, scope: Scope): boolean {
  return /^(project|projectRoot|regenerable|temporary|temporaryRoot|unknown)$/.test(targetKind(root, scope))
}
