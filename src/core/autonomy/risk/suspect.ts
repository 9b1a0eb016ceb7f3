import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { known, type Scope } from './scope.ts'
import { targetKind } from './targets.ts'
import { partsOf, VERB_KINDS, verbKind } from './verbs.ts'

/** Verbs of flags that say what is lost, whatever the program. */
const ENDS = wordSet(
  'delete destroy purge wipe erase drop disable revoke terminate uninstall nuke obliterate shred deregister unregister',
)

/** Words that would be grave for most programs that take them. */
export function suspect(args: readonly string[], scope: Scope, isOwnFile = false): void {
  const plain = args.map(known)
  const forced = plain.some((arg) =>
    /^-(?=[a-zA-Z]*[rR])(?=[a-zA-Z]*f)[a-zA-Z]{2,4}$|^--(hard|recursive|delete|purge|no-preserve-root|overwrite)|^-delete$/.test(
      arg,
    ),
  )
  if (plain.some((arg) => /^(-f|-D|--force)$/.test(arg)))
    note(
      scope.ledger,
      plain.some((arg) => /^[a-z]/i.test(arg)) && !isOwnFile ? 62 : 45,
      'force, whatever it is used for',
    )
  const grave = plain.some(
    (arg) => arg !== '' && /^[/~]/.test(arg) && ['root', 'system', 'home', 'device'].includes(targetKind(arg, scope)),
  )
  if (forced || grave) note(scope.ledger, 66, 'words that would be grave for most programs')
  for (const arg of isOwnFile ? [] : plain) {
    const [, name = ''] = /^--?([a-z][\w-]{3,})$/i.exec(arg) ?? []
    const [verb = ''] = partsOf(name)
    if (name !== '' && !name.includes('cache') && ENDS.has(verb))
      note(scope.ledger, 62, `${arg}: ${VERB_KINDS.destroy.why}`)
  }
  for (const [at, arg] of plain.entries()) {
    if (isOwnFile && plain[at - 1]?.startsWith('--')) continue
    const kind = /^[a-z][a-z_:-]+$/i.test(arg) ? verbKind(arg) : undefined
    if (kind === 'stop' && isOwnFile) note(scope.ledger, 45, `${arg}: ${VERB_KINDS[kind].why}`)
    else if (kind === 'destroy' || kind === 'stop')
      note(scope.ledger, Math.max(62, VERB_KINDS[kind].score - 6), `${arg}: ${VERB_KINDS[kind].why}`)
  }
}
