import type { Store } from '../ports/store.ts'
import type { Difference } from './compare-records.ts'
import { LINK_MS, type LoginLink, linkRefOf, OPERATOR_REF, type OperatorRecord } from './operator-record.ts'
import type { ToldLink, ToldState } from './read-told.ts'
import { verifierRef } from './verifier.ts'

/** What lets somebody in as the operator: the secret, and the links that were made with it. */
export async function operatorAgainst(store: Store, told: ToldState): Promise<readonly Difference[]> {
  const account = await store.get(OPERATOR_REF)
  const secret = secretAgainst(account, told)
  const links = account?.links ?? [] // whoever put the record there may have left them out
  if (links.length === 0) return secret
  const [last] = await store.trail.read({ limit: 1 })
  const now = Date.parse(last?.entry.timestamp ?? '')
  return [...secret, ...links.flatMap((link) => linkAgainst(link, told, now))]
}

function secretAgainst(account: OperatorRecord | undefined, { secret }: ToldState): readonly Difference[] {
  if (!account)
    return secret
      ? [{ seq: secret.seq, what: 'The trail says that an operator secret was set, but the store has none' }]
      : []
  if (!secret)
    return [{ what: 'The store has an operator secret, but the trail does not say that one was set', isUntold: true }]
  const { verifier } = secret.entry
  return verifier === undefined || verifier === verifierRef(account.verifier)
    ? []
    : [{ seq: secret.seq, what: 'The operator secret in the store is not the one whose setting the trail records' }]
}

/** One that has expired lets nobody in; earlier versions left theirs here, and recorded none. */
function linkAgainst(link: LoginLink, { links }: ToldState, now: number): readonly Difference[] {
  if (link.expiresAt <= now) return []
  const made = links.get(linkRefOf(link))
  const why = made ? excessOf(link, made) : 'that nobody has made by the trail'
  return why === undefined ? [] : [{ what: `The store has a log-in link ${why}` }]
}

function excessOf({ expiresAt }: LoginLink, { entry, isUsed }: ToldLink): string | undefined {
  if (isUsed) return 'that was used by the trail'
  return expiresAt > Date.parse(entry.timestamp) + LINK_MS ? 'that lives longer than the trail says' : undefined
}
