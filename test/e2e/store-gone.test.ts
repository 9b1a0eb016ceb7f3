import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { plainEnvironment, serveOverHttp } from './bin.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-store-gone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.runIf(process.platform !== 'win32')(
  'AUDIT-08 while its store is away a server reads, asks nobody, goes on when it is back, and stops in order',
  async () => {
    const store = join(folder, 'state.db')
    const server = await serveOverHttp(
      ['demo', '--store', `sqlite:${store}`, '--console-port', '0'],
      plainEnvironment(folder),
    )
    let said = ''
    server.child.stderr?.on('data', (text: string) => {
      said += text
    })
    const client = new Client({ name: 'store-gone-test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
    const send = async (name: string, operation: string, params: object) => {
      const { content } = await client.callTool({ name, arguments: { operation, params } })
      const { success, error } = JSON.parse((content as { text: string }[])[0]?.text ?? '{}')
      return success ? 'done' : error.code
    }
    const reading = () => send('tracker_mcpaql_read', 'list_labels', {})
    const deleting = (name: string) => send('tracker_mcpaql_delete', 'delete_label', { name })

    expect([await reading(), await deleting('design')]).toEqual(['done', 'CONFIRMATION_REQUIRED'])
    renameSync(store, `${store}.away`)
    expect([await reading(), await deleting('bug')]).toEqual(['done', 'INTERNAL_ERROR'])
    renameSync(`${store}.away`, store)
    expect([await reading(), await deleting('bug')]).toEqual(['done', 'CONFIRMATION_REQUIRED'])
    rmSync(store)
    await client.close()
    expect(await server.stop()).toBe(0)
    expect(said).toContain('its file was deleted, moved or replaced while it was in use')
    expect(said).not.toContain('this is a bug')
  },
  60_000,
)
