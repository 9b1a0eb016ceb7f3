import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { BIN, plainEnvironment, serveOverHttp } from './bin.ts'
import { atTerminal, HAS_SCRIPT, type Step } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-full-disk-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'none', disk])
const isMounted = mounted.status === 0
const why = isMounted ? '' : ` SKIPPED: no small file system could be mounted; run as root (${mounted.stderr})`
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk])
  rmSync(folder, { recursive: true, force: true })
})

const effects = join(folder, 'effects.txt')
const adapter = join(folder, 'adapter.mjs')
writeFileSync(effects, '')
writeFileSync(
  adapter,
  `import { appendFileSync } from 'node:fs'
const run = (name) => ({ text = '' }) => { appendFileSync(${JSON.stringify(effects)}, name + '\\n'); return { length: text.length } }
const params = { text: { type: 'string' } }
const operation = (name, category) => ({ name, category, description: name, params, returns: 'object', handler: run(name) })
export const adapter = {
  name: 'shop',
  description: 'A shop.',
  operations: [
    operation('set_retention', 'EXECUTE'),
    operation('create_order', 'CREATE'),
    operation('delete_order', 'DELETE'),
    { name: 'get_order', category: 'READ', description: 'Get.', params, returns: 'object', handler: () => ({}) },
  ],
}
`,
)

test.runIf(isMounted)(
  `S3 AUDIT-10 on a full disk nothing is done of which there is no record, and all goes on when there is room${why}`,
  async () => {
    const file = join(disk, 'state.db')
    const server = await serveOverHttp(
      [adapter, '--store', `sqlite:${file}`, '--mode', 'single', '--no-console'],
      plainEnvironment(folder),
    )
    let said = ''
    server.child.stderr?.on('data', (text: string) => {
      said += text
    })
    const client = new Client({ name: 'full-disk-test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
    const [tool] = (await client.listTools()).tools
    const send = async (operation: string, params: object = {}) => {
      const { content } = await client.callTool({ name: tool?.name ?? '', arguments: { operation, params } })
      const { success, error } = JSON.parse((content as { text: string }[])[0]?.text ?? '{}')
      return success ? 'done' : `${error.code} ${error.message}`
    }
    const done = () =>
      readFileSync(effects, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize

    const typed = (line: string, steps: readonly Step[]) =>
      atTerminal(`${process.execPath} ${BIN} ${line} --store sqlite:${file}`, steps, {
        ...plainEnvironment(folder),
        TERM: 'dumb',
      })
    const secret = 'correct horse battery\r'
    const choose: readonly Step[] = [
      ['characters or more: ', secret],
      ['same again: ', secret],
    ]
    if (HAS_SCRIPT) expect((await typed('secret set', choose)).exit).toBe(0)

    // The agent cannot fill it: what it repeats costs nothing, and what it asks is bounded.
    for (let i = 0; i < 40; i++) await send('delete_order', { text: 'x'.repeat(900_000) })
    expect(free()).toBeGreaterThan(16 * 1_048_576)
    expect(await send('set_retention')).toBe('done')

    // Somebody else does.
    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'other')}`, 'bs=1M'])
    expect(free()).toBeLessThan(65_536)
    await new Promise((resolve) => setTimeout(resolve, 150)) // as long as room is taken for granted
    const before = done().length
    for (let i = 0; i < 50; i++) {
      for (const operation of ['set_retention', 'create_order', 'delete_order'])
        expect(await send(operation)).toMatch(/^INTERNAL_ERROR .*nothing was run/)
    }
    expect(done()).toHaveLength(before)
    expect(await send('get_order')).toBe('done')
    await expect.poll(() => said, { timeout: 5_000 }).toContain('every write is refused until they can be')

    if (HAS_SCRIPT) {
      const stopped = await typed('block --principal anonymous --reason "looks wrong"', [['Operator secret: ', secret]])
      expect([stopped.exit, stopped.shown]).toEqual([1, expect.stringContaining('could NOT be stored')])
      expect(stopped.shown).toContain('End the server')
      expect(stopped.shown).not.toContain('bug')
    }

    rmSync(join(disk, 'other'))
    await expect.poll(() => send('set_retention'), { timeout: 10_000 }).toBe('done')
    expect(await send('create_order')).toBe('done')
    await client.close()
    expect(await server.stop()).toBe(0)

    const store = await openSqliteStore(file)
    const recorded = await store.trail.read({ order: 'oldest', events: ['OPERATION_CALLED'] })
    const [loss] = await store.trail.read({ events: ['RECORDS_LOST'] })
    await store.close()
    // What was refused for lack of a record, whatever its level.
    expect(loss?.entry.lost).toBeGreaterThanOrEqual(150)
    expect(recorded.map(({ entry }) => entry.operation)).toEqual(done())
    const verified = spawnSync(process.execPath, [BIN, 'audit', 'verify', '--store', `sqlite:${file}`], {
      env: plainEnvironment(folder),
      encoding: 'utf8',
    })
    expect([verified.status, verified.stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('consistent')])
  },
  120_000,
)
