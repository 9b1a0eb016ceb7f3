import type { Config } from '../config.ts'
import { createClients } from '../core/operator/clients.ts'
import type { Store } from '../core/ports/store.ts'
import type { World } from './world.ts'

/** Named clients whose own process puts the form before a human (`client add --elicitation`): it could answer by itself. */
export async function formClients(store: Store, { now }: Pick<World, 'now'>): Promise<readonly string[]> {
  const clients = await createClients(store, { now }).list()
  return clients.filter(({ isActive, elicitation }) => isActive && elicitation).map(({ name }) => name)
}

export interface Approvers {
  readonly config: Pick<Config, 'store_url' | 'elicitation' | 'http_port'>
  readonly consoleUrl: string | undefined
  readonly formClients: readonly string[]
}

/** SELF-10: every channel through which this server's questions can be approved, and no other. */
export function approvalsLine(approvers: Approvers, program: string): string {
  const { config, consoleUrl } = approvers
  const form = formOf(approvers)
  const isKept = config.store_url !== 'memory:'
  const place = consoleUrl === undefined ? '' : ` (${consoleUrl})`
  const ways = [
    ...(isKept ? [`${program} console${place}`, `${program} approvals`] : []),
    ...(form === undefined ? [] : [form]),
  ]
  if (ways.length > 0) return `Approvals: ${ways.join(', or ')}.`
  return 'Approvals: nobody can, so what needs a human is refused. A store on disk has a console and a terminal.'
}

/** On stdio a human has started the client; over HTTP only the operator knows behind which client one sits. */
function formOf({ config, formClients: named }: Approvers): string | undefined {
  if (!config.elicitation) return undefined
  if (config.http_port === null) return 'a form in the client, where it can show one'
  return named.length > 0 ? `a form in ${named.join(', ')} (client add --elicitation)` : undefined
}
