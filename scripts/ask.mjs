/** Requests of the revision without a handshake, written out: one POST, one answer. */
const REVISION = '2026-07-28'

export async function listTools(url) {
  const { tools } = await ask(url, 'tools/list', {})
  return tools
}

/** The MCP-AQL result inside the tool's answer. */
export async function callTool(url, name, request) {
  const { content } = await ask(url, 'tools/call', { name, arguments: request }, { 'mcp-name': name })
  return JSON.parse(content[0].text)
}

/** The message itself, for other ways to send it. */
export function message(method, params) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'ask', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
}

async function ask(url, method, params, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...headers,
    },
    body: JSON.stringify(message(method, params)),
  })
  const text = await response.text()
  const { result, error } = JSON.parse(text.startsWith('{') ? text : text.slice(text.lastIndexOf('data: ') + 6))
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
