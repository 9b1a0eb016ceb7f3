import type { Finding } from './ledger.ts'
import { words } from './options.ts'

/** What the verbs of command lines, tool names and paths of interfaces have in common. */
export const VERB_KINDS = Object.freeze({
  read: { score: 12, why: 'reads' },
  run: { score: 26, why: 'builds, tests or checks' },
  create: { score: 30, why: 'adds or starts something' },
  change: { score: 48, why: 'changes something that exists' },
  publish: { score: 62, why: 'changes what others get' },
  stop: { score: 62, why: 'stops, disables or reverts something in use' },
  destroy: { score: 72, why: 'deletes or ends something' },
})

export type VerbKind = keyof typeof VERB_KINDS

export type Verbs = ReadonlyMap<string, VerbKind>

export function verbTable(rows: Partial<Record<VerbKind, string>>): Verbs {
  return new Map(
    Object.entries(rows).flatMap(([kind, text]) => words(text).map((verb) => [verb, kind as VerbKind] as const)),
  )
}

export const VERBS: Verbs = verbTable({
  read: `get list ls describe show view status info version help cat search find inspect logs log ps top diff plan validate check
    lint explain history whoami can-i what-if analyze query scan head read fetch tail events doctor print dump stats stat summary count tree select
    locate lookup browse compare preview peek ping health export download exists test verify audit outdated why usage account display
    dir receive watch wait poll snapshots versions metrics trace graph output outputs render template completion
    capabilities simulate consume console whoami me who listremotes hashsum cryptcheck health environment extract
    export-tar estimate monitor report current discover resolve retrieve details filter parse`,
  run: 'build compile bench package pack fmt synth pull clone checkout dev serve renew gen generate repro local scaffold offline types',
  create: `create add new init register issue upload import copy cp clone subscribe enable start resume make post insert invite
    tag label annotate comment open append save launch provision backup mkdir mb touch request schedule attach connect join
    login authenticate expose forward proxy send publish write produce emit submit install up assign mount record store declare`,
  change: `update set put patch edit modify apply deploy replace restore scale resize move mv rename upgrade configure config promote
    restart reload rollout sync merge migrate push change alter transfer convert lock unlock close archive finish
    complete approve grant allow switch adjust refresh trigger invoke exec execute run call process tune rebase rebuild import-key
    release bump override overwrite`,
  stop: `stop disable suspend pause cancel detach abort drain cordon evict rollback revert undo unset untag unassign unmount
    deactivate demote taint reject ban block mute quiesce freeze downgrade rotate rekey logout reboot failover seal hibernate rotate-keys
    fail halt scale-down deallocate unlist recreate seek`,
  destroy: `delete del rm remove cleanup rmi rb rmdir destroy drop purge prune wipe erase flush truncate terminate uninstall unregister
    deregister revoke reset nuke expire forget clear clean empty kill unlink unsubscribe unpublish decommission shutdown obliterate
    disassociate withdraw discard scrub shred evaporate deprovision flushall flushdb zap teardown down force-unlock undefine
    bulkdelete undeploy expunge garbage-collect eject vacate dropdb format-volume trash revoke-all reap trim leave yank deletion removal termination`,
})

/** Words that only say how: the verb is the next one. */
const NEUTRAL: ReadonlySet<string> = new Set(
  words('batch bulk admin force do async begin bg try safe hard soft mass multi quick api'),
)

/** Verbs that ask, whatever the rest of the name or line says: `get-delete-marker`, `auth can-i delete pods`. */
const ASKING: ReadonlySet<string> = new Set(
  words(
    'get list ls describe show view status info help cat search find inspect logs read head query explain can-i what-if',
  ),
)

export function asks(verb: string): boolean {
  return ASKING.has(verb) || ASKING.has(partsOf(verb)[0] ?? '')
}

/** Things that hand rights to somebody, and the verbs that do it. */
const RIGHTS: ReadonlySet<string> = new Set(
  words(
    'policy policies role roles iam permission permissions acl acls binding rolebinding clusterrolebinding assignment',
  ),
)
const GIVES: ReadonlySet<string> = new Set(words('add attach assign bind'))
const GIFTS: ReadonlySet<string> = new Set(words('binding rolebinding clusterrolebinding assignment rbac'))

/** Things whose change moves rights or secrets. */
const SENSITIVE: ReadonlySet<string> = new Set(
  words(`secret secrets key keys iam policy policies role roles acl acls token tokens password passwords passwd credential credentials
    permission permissions user users grant grants rbac rolebinding clusterrolebinding kms certificate sso mfa firewall lifecycle retention versioning route53 dns`),
)

/** The parts of `delete_user`, `batchDeleteItems`, `purge-queue`, `github.deleteRepo`, in lower case. */
export function partsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== '')
}

/** The kind of the word's verb: the first part that says one. */
export function verbKind(word: string, own: Verbs = VERBS): VerbKind | undefined {
  const whole = word.toLowerCase()
  const exact = own.get(whole) ?? VERBS.get(whole)
  if (exact) return exact
  const parts = partsOf(word)
  if (parts.includes('deletion') || parts.includes('removal') || parts.includes('termination')) return 'destroy'
  // `db:migrate:reset`: what stands last is done.
  const last = whole.includes(':') ? parts.at(-1) : undefined
  if (last !== undefined && (own.has(last) || VERBS.has(last))) return own.get(last) ?? VERBS.get(last)
  const every = whole.endsWith('all') ? (own.get(whole.slice(0, -3)) ?? VERBS.get(whole.slice(0, -3))) : undefined
  if (every) return every
  if (GLUED.test(whole) && !NO_DEED.test(whole)) return 'destroy'
  const undone = whole.startsWith('un') ? VERBS.get(whole.slice(2)) : undefined
  if (undone) return undone === 'destroy' || undone === 'stop' ? 'change' : 'stop'
  for (const part of parts) {
    const kind = own.get(part) ?? VERBS.get(part)
    // `history_clear`, `log-delete`: a word that may be a thing does not say that the rest only reads.
    if (kind === 'read' && !ASKING.has(part)) break
    if (kind) return kind
    if (!NEUTRAL.has(part)) break
  }
  return gravest(parts.map((part) => own.get(part) ?? VERBS.get(part)))
}

/** `clearsnapshot`, `deletebucket`, `droptable`: verb and thing in one word; not a thing or a property that begins so. */
const GLUED = /^(delete|destroy|drop|clear|remove|purge|wipe|erase|truncate|terminate)[a-z]{3,}$/
const NO_DEED = /^drop(let|box|down|bear|wizard|zone|shadow|cap|in)|(ed|er|ers|ing|ion|ions|able|ance|al|ness)$/

/** `cluster_status`, `queue-delete`: a name whose verb stands last. */
function gravest(kinds: readonly (VerbKind | undefined)[]): VerbKind | undefined {
  return kinds.reduce(
    (worst, kind) => (kind && (!worst || VERB_KINDS[kind].score > VERB_KINDS[worst].score) ? kind : worst),
    undefined,
  )
}

/** What the verb is worth on things with these names. */
export function verbFinding(kind: VerbKind, verb: string, nouns: readonly string[]): Finding {
  const { score, why } = VERB_KINDS[kind]
  const parts = [verb, ...nouns].flatMap(partsOf)
  const gives = parts.some((part) => GIVES.has(part)) && parts.some((part) => RIGHTS.has(part))
  const isKey = parts.some((part) => part === 'key' || part === 'keys') && parts.some((part) => ISSUERS.has(part))
  if (kind === 'create' && (gives || isKey || parts.some((part) => GIFTS.has(part))))
    return { score: 63, why: `${verb}: gives rights` }
  if (kind === 'destroy' && isCache(verb, nouns)) return { score: 30, why: `${verb}: empties a cache` }
  const sensitive = parts.find((part) => SENSITIVE.has(part))
  if (sensitive === undefined || (kind !== 'change' && kind !== 'create')) return { score, why: `${verb}: ${why}` }
  return { score: kind === 'change' ? 63 : 48, why: `${verb}: ${why}, and ${sensitive} moves rights or secrets` }
}

/** `cache:clear`, `cache clean`: what is emptied is made again. Deleting a cache server is another thing. */
function isCache(verb: string, nouns: readonly string[]): boolean {
  const parts = partsOf(verb)
  const empties = parts.some((part) => EMPTIES.has(part))
  const isNamed = verb.includes(':') && parts[0] === 'cache'
  return empties && (isNamed || nouns.at(-1) === 'cache' || nouns.at(-2) === 'cache')
}

/** Words beside `key` that say whose rights the key gives. */
const ISSUERS: ReadonlySet<string> = new Set(words('access accounts api iam service account ssh deploy gpg'))

const EMPTIES: ReadonlySet<string> = new Set(words('clear clean prune purge'))
