import { type ApprovalRequest, usableUntil } from '../gatekeeper/request.ts'
import type { Store } from '../ports/store.ts'
import type { Difference } from './compare-records.ts'
import type { Expiry, ToldGrant, ToldState } from './read-told.ts'

/** Requests of which a record has made more than the trail bears out. */
export async function requestsAgainst(store: Store, told: ToldState): Promise<readonly Difference[]> {
  const requests = await store.list<ApprovalRequest>('request')
  return requests.flatMap(({ id, value }) => {
    const fault = faultOf(id, value, told)
    if (fault === undefined) return []
    const { why, ...rest } = fault
    return [{ what: `The store has request ${id} (${value.operation}) as ${why}`, ...rest }]
  })
}

interface Fault {
  readonly why: string
  readonly isUntold?: true
}

function faultOf(id: string, request: ApprovalRequest, told: ToldState): Fault | undefined {
  const { state, approvedAt } = request
  const grant = told.grants.get(id)
  if ((state === 'approved' || approvedAt !== undefined) && !grant)
    return { why: 'approved, but the trail has no grant of it', isUntold: true }
  if (state === 'denied' && !told.denials.has(id))
    return { why: 'denied, but the trail has no denial of it', isUntold: true }
  if (state !== 'approved' || !grant) return undefined
  const why = excessOf(id, request, grant, told)
  return why === undefined ? undefined : { why }
}

/** What an approval that can be used is worth more than the one that was given. */
function excessOf(id: string, request: ApprovalRequest, grant: ToldGrant, told: ToldState): string | undefined {
  const { approvedAt = 0, useCount, maxUses } = request
  if (told.denials.has(id)) return 'approved, but the trail says that it was denied'
  if (told.revoked.has(id)) return 'approved, but the trail says that it was taken back'
  if (maxUses > grant.maxUses) return `approved for ${maxUses} uses, more than were granted`
  const used = told.used.get(id) ?? 0
  if (useCount < used) return `used ${useCount} times, but the trail says ${used}`
  const expiry = told.expiries.get(id)
  if (approvedAt > grant.at || (expiry && isLonger(request, expiry))) return 'approved for longer than the trail says'
  return isAnother(request, grant) ? 'approved, but for another call than the one that was granted' : undefined
}

function isLonger(request: ApprovalRequest, told: Expiry): boolean {
  const { expiresAt, usableUntil: lastUse = Number.POSITIVE_INFINITY } = told
  return request.expiresAt > expiresAt || usableUntil(request) > lastUse
}

function isAnother({ paramsHash, operation, principal, session }: ApprovalRequest, { entry }: ToldGrant): boolean {
  const { params_hash, operation: named, user_id, session_id } = entry
  return paramsHash !== params_hash || operation !== named || principal !== user_id || session !== session_id
}
