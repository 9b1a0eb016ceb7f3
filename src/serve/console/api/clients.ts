import type { ClientView } from '../../../core/operator/clients.ts'
import { type Answer, type Call, type ConsoleDesk, ok, type Route, refusal } from '../route.ts'
import { shown } from '../shown.ts'

/** Who may call under a name of its own. Names are given at the terminal, where the token is shown; here they are taken. */
export const CLIENTS: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/clients',
    needs: 'viewer',
    answer: async (_, { operator }) => ok({ items: (await operator.clients.list()).map(clientShape) }),
  },
  { method: 'POST', path: '/api/clients/:name/revoke', needs: 'admin', answer: revokeClient },
]

async function revokeClient({ names, signIn }: Call, { operator }: ConsoleDesk): Promise<Answer> {
  const state = await operator.clients.revoke({ name: names.name ?? '', by: signIn.subject, channel: 'console' })
  if (state === 'unknown') return refusal(404, 'unknown', 'No client of this name has a token.')
  void operator.watch.look()
  return ok({ state })
}

function clientShape(client: ClientView) {
  const { name, isActive, elicitation, createdAt, createdBy, lastUsedAt, revokedAt, revokedBy } = client
  return {
    id: name,
    name: shown(name),
    active: isActive,
    elicitation,
    created_at: createdAt,
    created_by: shown(createdBy),
    last_used_at: lastUsedAt ?? null,
    revoked_at: revokedAt ?? null,
    revoked_by: revokedBy === undefined ? null : shown(revokedBy),
  }
}
