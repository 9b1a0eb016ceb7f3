import { displayText } from '../core/display.ts'
import type { ClientView } from '../core/operator/clients.ts'
import type { Snippet } from './client-snippets.ts'
import { table } from './render.ts'
import type { World } from './world.ts'

export function clientsText(clients: readonly ClientView[], world: World): string {
  if (clients.length === 0) return `No client has a name yet. To name one: ${world.program} client add NAME`
  const rows = clients.map(({ name, elicitation, createdAt, lastUsedAt, revokedAt }) => [
    name,
    revokedAt === undefined ? 'active' : `revoked ${timeOf(revokedAt)}`,
    elicitation ? 'yes' : 'no',
    timeOf(createdAt),
    lastUsedAt === undefined ? 'never' : timeOf(lastUsedAt),
  ])
  return table(['CLIENT', 'STATE', 'MAY APPROVE IN THE CLIENT', 'CREATED', 'LAST USED'], rows, world)
}

export function clientsJson(clients: readonly ClientView[]) {
  return {
    clients: clients.map(({ name, isActive, elicitation, createdAt, createdBy, lastUsedAt, revokedAt, revokedBy }) => ({
      name,
      active: isActive,
      elicitation,
      created_at: timeOf(createdAt),
      created_by: createdBy,
      ...(lastUsedAt !== undefined && { last_used_at: timeOf(lastUsedAt) }),
      ...(revokedAt !== undefined && { revoked_at: timeOf(revokedAt) }),
      ...(revokedBy !== undefined && { revoked_by: revokedBy }),
    })),
  }
}

/** For the terminal: the token once, and how the usual clients are told of it. */
export function addedText(name: string, token: string, snippets: readonly Snippet[], isAsked: boolean): string {
  return [
    `${displayText(name)} may call with this token. It is shown once and cannot be read again:`,
    '',
    `  ${token}`,
    '',
    isAsked
      ? 'Whoever answers its forms approves what it asks for: give this token only to a client at which a human sits.'
      : 'What it asks for is approved in the console or at a terminal, not inside the client (--elicitation).',
    ...snippets.flatMap(({ client, where, text }) => ['', `${client} (${where}):`, ...indented(text)]),
    '',
  ].join('\n')
}

function indented(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`)
}

function timeOf(time: number): string {
  return new Date(time).toISOString()
}
