import { note } from './ledger.ts'
import { known, type Scope } from './scope.ts'
import { targetKind } from './targets.ts'
import { VERB_KINDS, verbKind } from './verbs.ts'

/** Words that would be grave for most programs that take them. */
export function suspect(args: readonly string[], scope: Scope): void {
  const plain = args.map(known)
  const forced = plain.some((arg) =>
    /^-[a-z]*r[a-z]*f|^-[a-z]*f[a-z]*r|^--(hard|force|recursive|delete|purge|no-preserve-root)|^-f$|^-D$|^-delete$/.test(
      arg,
    ),
  )
  const grave = plain.some(
    (arg) => arg !== '' && /^[/~]/.test(arg) && ['root', 'system', 'home', 'device'].includes(targetKind(arg, scope)),
  )
  if (forced || grave) note(scope.ledger, 66, 'words that would be grave for most programs')
  for (const arg of plain) {
    const kind = /^[a-z][a-z_:-]+$/i.test(arg) ? verbKind(arg) : undefined
    if (kind === 'destroy' || kind === 'stop')
      note(scope.ledger, Math.max(62, VERB_KINDS[kind].score - 6), `${arg}: ${VERB_KINDS[kind].why}`)
  }
}
