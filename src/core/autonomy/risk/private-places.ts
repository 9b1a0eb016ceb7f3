import { isAmong } from '../own-places.ts'
import { namesSecret } from '../secret-places.ts'
import { isUnknown, known, type Scope } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'

/** A file whose contents are for its owner alone: keys, and the settings that hold them. */
export function isPrivate(path: string, { cwd, own }: Pick<Scope, 'cwd' | 'own'>): boolean {
  const plain = known(path)
  // `$FROM/*`: which folder is meant is not in the text.
  if (isUnknown(path) && /^\/?[*?]/.test(plain)) return false
  return namesSecret(plain, cwd) || (own !== undefined && isAmong(resolvePath(plain, cwd), own.secret))
}

/** A whole account, or the whole system. */
export function isHomeOrRoot(path: string, scope: Scope): boolean {
  return /^[~/]|^\.\.?(\/|$)/.test(path) && /^(home|root)$/.test(targetKind(path, scope))
}
