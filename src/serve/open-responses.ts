import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The responses under way, by their connection: one, or several where a client does not wait for its answers. */
export interface OpenResponses {
  countOn(socket: Duplex): number
  /** That to the last request. */
  latestOn(socket: Duplex): ServerResponse | undefined
}

/**
 * MCP-12. When a connection ends, Node says so only to the response whose turn it is. Here those that wait behind it
 * are closed as well, so that whoever works on them stops.
 */
export function trackResponses(server: Server): OpenResponses {
  const open = new WeakMap<Duplex, Set<ServerResponse>>()

  function openOn(socket: Duplex): Set<ServerResponse> {
    const known = open.get(socket)
    if (known) return known
    const responses = new Set<ServerResponse>()
    open.set(socket, responses)
    socket.once('close', () => {
      for (const waiting of responses) if (!waiting.closed) waiting.destroy().emit('close')
    })
    return responses
  }

  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    const responses = openOn(socket)
    responses.add(res)
    res.once('close', () => responses.delete(res))
  })

  return {
    countOn: (socket) => open.get(socket)?.size ?? 0,
    latestOn: (socket) => [...(open.get(socket) ?? [])].at(-1),
  }
}
