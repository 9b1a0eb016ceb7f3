import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { plainEnvironment, serveOverHttp } from './bin.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-webhook-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const SECRET = 'a secret of some length'

test('SELF-02 a question to the human rings the webhook of the server, signed and without its parameters', async () => {
  const rings: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const bell = createServer(async (req, res) => {
    let body = ''
    for await (const piece of req.setEncoding('utf8')) body += piece
    rings.push({ headers: req.headers, body })
    res.end()
  }).listen(0, '127.0.0.1')
  await once(bell, 'listening')
  const server = await serveOverHttp(['demo', '--console-port', '0'], {
    ...plainEnvironment(join(folder, 'state')),
    MCPAQL_WEBHOOK_URL: `http://127.0.0.1:${(bell.address() as AddressInfo).port}/`,
    MCPAQL_WEBHOOK_SECRET: SECRET,
  })
  const client = new Client({ name: 'webhook-test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
  const call = { operation: 'delete_label', params: { name: 'design' } }
  const { content } = await client.callTool({ name: 'tracker_mcpaql_delete', arguments: call })
  expect(JSON.stringify(content)).toContain('CONFIRMATION_REQUIRED')
  // The name of the console is for the operator; the agent is given the plain address.
  expect(JSON.stringify(content)).toMatch(/a human at http:\/\/127\.0\.0\.1:\d+/)
  expect(JSON.stringify(content)).not.toContain('.localhost')
  await expect.poll(() => rings.length, { timeout: 10_000 }).toBe(1)
  await client.close()
  await server.stop()
  bell.close()

  const { headers, body } = rings[0] ?? { headers: {}, body: '' }
  const signed = createHmac('sha256', SECRET).update(`${headers['mcpaql-timestamp']}.${body}`).digest('hex')
  expect(headers['mcpaql-signature']).toBe(`sha256=${signed}`)
  expect(JSON.parse(body)).toEqual({
    kind: 'approval',
    level: 'destructive',
    from: { principal: 'anonymous', session: expect.stringMatching(/^[\w-]{8}$/) },
    link: expect.stringMatching(/^http:\/\/[a-z0-9]{16,}\.localhost:\d+\/$/),
    at: expect.any(String),
  })
})

test.each([
  ['https://example.org/', '', "'webhook_url' needs a secret of 16 characters or more in the environment variable"],
  ['http://example.org/', SECRET, "'webhook_url' must be https"],
])('SELF-02 a webhook %s with the secret %j stops the start with the reason', async (url, secret, reason) => {
  const env = { MCPAQL_WEBHOOK_URL: url, MCPAQL_WEBHOOK_SECRET: secret }
  await expect(
    serveOverHttp(['demo', '--store', 'memory:'], { ...plainEnvironment(join(folder, 'other')), ...env }),
  ).rejects.toThrow(reason)
})
