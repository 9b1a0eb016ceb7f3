import { checksOf, failed, passed, skipped, verdict } from '../check.ts'
import { callBytes, callHeaders } from '../raw.ts'
import { codeOf, nameOf } from '../target.ts'
import { at, isObject, listAt, same, textAt } from '../values.ts'

/** The MCP rules on which everything else stands. */
export const MCP_BASICS = checksOf('MCP Basics', 1, [
  {
    id: 'mcp-unknown-tool',
    requirements: ['MCP-15', 'ERR-06'],
    title: 'A call of an unregistered tool is the JSON-RPC error -32602',
    async run(target) {
      const answer = await target.request('tools/call', { name: 'zz_no_such_tool', arguments: {} })
      if (answer.kind === 'error' && answer.code === -32602) return passed('-32602')
      return failed(answer.kind === 'error' ? `The error is ${answer.code}.` : `It answers a ${answer.kind}.`)
    },
  },
  {
    id: 'mcp-unknown-method',
    requirements: ['ERR-06', 'MCP-01'],
    title: 'An unknown method is the JSON-RPC error -32601, with the id of the request',
    async run(target) {
      const port = await target.raw()
      if (!port) return skipped('No raw connection could be opened.')
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 71, method: 'zz/none', params: meta(port.era) }))
      const { message } = await port.send(71, bytes, port.era === 'modern' ? { 'Mcp-Method': 'zz/none' } : {})
      if (at(message, 'error.code') === -32601 && message?.id === 71) return passed('-32601')
      return failed(`It answers ${JSON.stringify(message ?? null)}`)
    },
  },
  {
    id: 'mcp-no-batch-arrays',
    requirements: ['MCP-01'],
    title: 'A JSON-RPC array is refused and nothing in it runs',
    async run(target) {
      const port = await target.raw()
      if (!port) return skipped('No raw connection could be opened.')
      const call = Buffer.from(
        callBytes(port.era, 72, target.readTool ?? '', '{"operation":"introspect","params":{"query":"types"}}'),
      )
      const reply = await port.send(
        72,
        Buffer.from(`[${call.toString()}]`),
        callHeaders(port.era, target.readTool ?? ''),
      )
      if (reply.message?.result !== undefined) return failed('The array was executed.')
      return passed(reply.status ? `HTTP ${reply.status}` : 'refused')
    },
  },
  {
    id: 'mcp-version-negotiation',
    requirements: ['MCP-02', 'MCP-03'],
    title: 'initialize echoes a supported revision and offers one in place of an unknown one',
    async run(target) {
      const port = await target.raw()
      if (!port) return skipped('No raw connection could be opened.')
      if (port.era === 'modern') return skipped('The server has no handshake.')
      const faults: string[] = []
      if (port.greeting.protocolVersion !== '2025-06-18')
        faults.push(`2025-06-18 was answered with ${port.greeting.protocolVersion}`)
      if (!isObject(at(port.greeting, 'capabilities.tools'))) faults.push('capabilities.tools is missing')
      if (!textAt(port.greeting, 'serverInfo.name')) faults.push('serverInfo is missing')
      if (port.http) {
        const hello = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'probe', version: '1' } }
        const { body } = await port.http({
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
        })
        const offered = /"protocolVersion"\s*:\s*"([^"]+)"/.exec(body)?.[1]
        if (offered === undefined || offered === '1999-01-01')
          faults.push(`an unknown revision was answered with ${offered ?? 'nothing'}`)
      }
      return verdict(1, 'handshakes', faults)
    },
  },
  {
    id: 'mcp-ping',
    requirements: ['MCP-02'],
    title: 'ping is answered at once with an empty result',
    async run(target) {
      const port = await target.raw()
      if (!port || port.era === 'modern') return skipped('The server has no handshake, and ping belongs to it.')
      const { message } = await port.send(73, Buffer.from('{"jsonrpc":"2.0","id":73,"method":"ping"}'))
      return same(message?.result, {})
        ? passed('An empty result.')
        : failed(`It answers ${JSON.stringify(message ?? null)}`)
    },
  },
  {
    id: 'mcp-stdout-clean',
    requirements: ['MCP-05'],
    title: 'Standard output carries nothing but MCP messages',
    async run(target) {
      const port = await target.raw()
      if (!port || port.http) return skipped('The server is not spoken to over stdio.')
      await port.send(
        74,
        callBytes(port.era, 74, target.readTool ?? '', '{"operation":"introspect","params":{"query":"types"}}'),
      )
      return port.noise.length > 0 ? failed(`Other lines: ${port.noise.join(' · ')}`) : passed('Only messages.')
    },
  },
  {
    id: 'mcp-origin',
    requirements: ['MCP-07'],
    title: 'A foreign Origin is refused with 403',
    async run(target) {
      const port = await target.raw()
      if (!port?.http) return skipped('The server is not spoken to over HTTP.')
      const { status } = await port.http({
        method: 'POST',
        headers: { Origin: 'https://attacker.example' },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      })
      return status === 403 ? passed('403') : failed(`HTTP ${status}`)
    },
  },
  {
    id: 'mcp-version-header',
    requirements: ['MCP-08'],
    title: 'An unsupported MCP-Protocol-Version is refused with 400',
    async run(target) {
      const port = await target.raw()
      if (!port?.http) return skipped('The server is not spoken to over HTTP.')
      const { status } = await port.send(75, Buffer.from('{"jsonrpc":"2.0","id":75,"method":"tools/list"}'), {
        'MCP-Protocol-Version': '1999-01-01',
      })
      return status === 400 ? passed('400') : failed(`HTTP ${status}`)
    },
  },
  {
    id: 'mcp-session-ids',
    requirements: ['MCP-09'],
    title: 'Session ids are long visible ASCII, and an unknown or missing one is refused',
    async run(target) {
      const port = await target.raw()
      if (!port?.http || port.session === undefined) return skipped('The server issues no Mcp-Session-Id.')
      const body = '{"jsonrpc":"2.0","id":76,"method":"tools/list"}'
      const version = { 'MCP-Protocol-Version': '2025-06-18' }
      const foreign = await port.http({
        method: 'POST',
        headers: { ...version, 'Mcp-Session-Id': crypto.randomUUID() },
        body,
      })
      const without = await port.http({ method: 'POST', headers: version, body })
      const faults: string[] = []
      if (!/^[\x21-\x7e]{22,}$/.test(port.session)) faults.push('the id is too short or not visible ASCII')
      if (foreign.status !== 404) faults.push(`an unknown id gets ${foreign.status} in place of 404`)
      if (without.status !== 400) faults.push(`no id gets ${without.status} in place of 400`)
      return verdict(1, 'sessions', faults)
    },
  },
  {
    id: 'mcp-eras',
    requirements: ['MCP-20'],
    title: 'The handshake revisions and 2026-07-28 give the same answers',
    async run(target) {
      const link = await target.reconnect({ era: target.era === 'modern' ? 'legacy' : 'modern' })
      if (!link) return skipped(`The server speaks only the ${target.era} revisions.`)
      const listed = await link.request('tools/list')
      const names = listed.kind === 'result' ? listAt(listed.result, 'tools').filter(isObject).map(nameOf) : []
      if (!same(names, target.allTools.map(nameOf))) return failed('The tool lists differ.')
      const args = { operation: 'introspect', params: { query: 'operations', name: 'introspect' } }
      const there = await link.request('tools/call', { name: target.readTool ?? '', arguments: args })
      const here = await target.call(target.readTool ?? '', args)
      const text = there.kind === 'result' ? textAt(listAt(there.result, 'content')[0], 'text') : ''
      if (codeOf(here) !== 'success') return failed(`introspect answers ${codeOf(here)}`)
      return text === here.text ? passed('Same tools, same answer.') : failed('The same call is answered differently.')
    },
  },
  {
    id: 'mcp-neighbours',
    requirements: ['MULTI-01', 'MULTI-03'],
    title: 'Several adapters on one server keep their names and operations apart',
    async run(target) {
      const names = target.allTools.map(nameOf)
      const twice = names.filter((name, index) => names.indexOf(name) !== index)
      if (twice.length > 0) return failed(`Listed twice: ${twice.join(', ')}`)
      const faults: string[] = []
      for (const [adapter, tools] of target.neighbours) {
        for (const tool of tools) {
          const reply = await target.call(tool, { operation: 'introspect', params: { query: 'operations' } })
          const told = at(reply.result, 'data._protocol.adapter')
          if (codeOf(reply) === 'success' && told === target.protocol.adapter)
            faults.push(`${adapter}* reports the operations of '${String(told)}'`)
        }
      }
      return verdict(target.neighbours.size, 'other adapters', faults)
    },
  },
  {
    id: 'mcp-session-state',
    requirements: ['SES-01', 'SES-06'],
    title: 'Every connection has a session id of its own, which cannot be guessed',
    async run(target) {
      const mine = target.protocol.session_id
      const link = await target.reconnect({ era: 'legacy' })
      if (typeof mine !== 'string' || !link) return skipped('The server publishes no _protocol.session_id.')
      const args = { operation: 'introspect', params: { query: 'operations' } }
      const there = await link.request('tools/call', { name: target.readTool ?? '', arguments: args })
      const text = there.kind === 'result' ? textAt(listAt(there.result, 'content')[0], 'text') : ''
      const theirs = /"session_id":"([^"]+)"/.exec(text)?.[1]
      if (mine.length < 16) return failed('The id is too short to be unpredictable.')
      return theirs === mine ? failed('Two connections have the same session id.') : passed('Ids differ.')
    },
  },
])

function meta(era: 'legacy' | 'modern'): object {
  if (era === 'legacy') return {}
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
}
