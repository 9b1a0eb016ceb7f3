// Speaks MCP on its standard streams for a server that listens on HTTP. With NOISE it breaks the rule that standard
// output carries nothing else. Plain JavaScript, since it runs in a process of its own.
import { createInterface } from 'node:readline'

const [url] = process.argv.slice(2)
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
if (process.env.NOISE) process.stdout.write('starting up\n')

for await (const line of createInterface({ input: process.stdin })) {
  const response = await fetch(url, { method: 'POST', headers, body: line })
  const session = response.headers.get('mcp-session-id')
  if (session) {
    headers['Mcp-Session-Id'] = session
    headers['MCP-Protocol-Version'] = '2025-06-18'
  }
  const body = await response.text()
  const streamed = response.headers.get('content-type')?.includes('text/event-stream')
  const messages = streamed
    ? body
        .split('\n')
        .filter((each) => each.startsWith('data:'))
        .map((each) => each.slice(5))
    : [body]
  for (const message of messages) if (message.trim()) process.stdout.write(`${message.trim()}\n`)
}
