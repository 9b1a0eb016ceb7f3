import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server'

/** What a client says of the questions that it can put before its user. */
export interface ElicitationCapability {
  readonly form?: unknown
  readonly url?: unknown
}

/** SELF-05: declared with this request (2026-07-28), or once in the handshake. */
export function elicitationOf(server: Server, ctx: ServerContext): ElicitationCapability | undefined {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  return (declared as { readonly elicitation?: ElicitationCapability } | undefined)?.elicitation
}

/** An empty declaration means forms. */
export function showsForms(elicitation: ElicitationCapability | undefined): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** SELF-10: only a form approves by itself. A client that opens addresses leads its user to the console, which is a channel of its own. */
export function canElicit(server: Server, ctx: ServerContext): boolean {
  return showsForms(elicitationOf(server, ctx))
}
