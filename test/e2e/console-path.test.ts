import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment, type Serving, serveOverHttp } from './bin.ts'
import { hasBrowser, openBrowser, SECRET, watched } from './console-stage.ts'
import { type Connected, REAL_CLIENTS } from './real-clients.ts'
import { atTerminal, HAS_SCRIPT } from './terminal.ts'

/** One of each era. */
const AGENTS = REAL_CLIENTS.filter(({ name }) => name === 'SDK 2.4, revision 2026-07-28' || name === 'SDK 2.4, legacy')

test.skipIf(hasBrowser && HAS_SCRIPT)(
  'SKIPPED: without chromium and util-linux `script` nobody signed in and decided (SELF-02)',
  ({ skip }) => skip(),
)

/** Nothing stands in for anything: the built server, agents of the SDK, a terminal, a browser. */
describe.skipIf(!(hasBrowser && HAS_SCRIPT))('an agent asks, a human decides in the console', () => {
  let folder: string
  let env: Record<string, string>
  let server: Serving
  let browser: Browser
  let page: Page
  let trouble: string[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mcpaql-console-'))
    env = { ...plainEnvironment(folder), TERM: 'dumb' }
    server = await serveOverHttp(['demo', '--console-port', '0'], env)
    const link = await signInLink(env)
    browser = await openBrowser()
    page = await browser.newPage()
    trouble = watched(page, link.split('#')[0] ?? '')
    await page.goto(link)
    await page.waitForSelector('h1:text-is("Inbox")')
    await page.waitForSelector('.dot.live')
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(AGENTS)('$name', ({ connect, era }) => {
    let agent: Agent
    beforeAll(async () => {
      agent = await agentOf(await connect({ url: server.url }))
    })
    afterAll(() => agent?.close())
    beforeEach(async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('i')
      await page.waitForSelector('h1:text-is("Inbox")')
    })

    test('SELF-02 SELF-11 GATE-08 TOK-07 TOK-13 approved, it runs once and never again', async () => {
      const key = await agent.makeProject(`A${era}`)
      const asked = await agent.remove(key)
      expect(asked).toMatchObject({ success: false, error: { code: 'CONFIRMATION_REQUIRED' } })
      const { confirmation_token: token, approval_id: id } = asked.error?.details ?? {}
      expect(await agent.remove(key, { _confirmation: token })).toMatchObject({
        error: { code: 'CONFIRMATION_REQUIRED' },
      })
      expect(await agent.has(key)).toBe(true)

      await openRequest(page, id)
      expect(await page.textContent('h1')).toBe('delete_project')
      expect(await page.textContent('.summary')).toContain(key)
      expect(await page.textContent('.claim')).toContain(`Delete project ${key}?`)
      expect(await page.textContent('#main')).toContain('The client, about itself') // SELF-04: a claim, no identity
      expect(await page.textContent('#main')).toContain('clients-test 1')
      expect(await page.textContent('#main')).not.toContain(token)
      await approve(page)
      expect(await agent.has(key)).toBe(true)

      expect(await agent.remove(key, { _confirmation: token })).toMatchObject({ success: true })
      await page.waitForSelector('.decide.consumed')
      expect(await agent.has(key)).toBe(false)
      expect(await agent.remove(key, { _confirmation: token })).toMatchObject({
        success: false,
        error: { code: 'TOKEN_ALREADY_USED' },
      })
      expect(countOf(env, id, 'TOKEN_VALIDATED')).toBe(1)
    })

    test('SELF-02 TOK-07 an agent that waits goes on at the moment of the approval', async () => {
      const key = await agent.makeProject(`W${era}`)
      const { confirmation_token: token, approval_id: id } = (await agent.remove(key)).error?.details ?? {}
      let isBack = false
      const waiting = agent.remove(key, { _confirmation: token, _wait_seconds: 40 }).finally(() => {
        isBack = true
      })
      await openRequest(page, id)
      await page.waitForSelector('#approve:not([aria-disabled])')
      expect([isBack, await agent.has(key)]).toEqual([false, true])
      await approve(page)
      expect(await waiting).toMatchObject({ success: true })
      expect(await agent.has(key)).toBe(false)
      await page.waitForSelector('.decide.consumed')
    })

    test('SELF-11 GATE-08 denied with a reason: the agent is told, and nothing has changed', async () => {
      const key = await agent.makeProject(`D${era}`)
      const { confirmation_token: token, approval_id: id } = (await agent.remove(key)).error?.details ?? {}
      await openRequest(page, id)
      await page.click('#deny')
      await page.click('text=Not needed')
      await page.fill('#why', 'It is still in use')
      await page.fill('#tell', 'Archive it instead')
      await page.click('#deny-yes')
      await page.waitForSelector('.decide.denied')
      expect(await page.textContent('.decide')).toContain('Reason: Not needed: It is still in use')
      expect(await page.textContent('.decide')).toContain('The agent is told: Archive it instead')
      const denied = { success: false, error: { code: 'PERMISSION_DENIED' } }
      const told = await agent.remove(key, { _confirmation: token })
      expect(told).toMatchObject(denied)
      expect(told.error?.details).toEqual({
        reason: 'a human has denied this call',
        operation: 'delete_project',
        operator_message: 'Archive it instead',
      })
      expect(JSON.stringify(told)).not.toContain('still in use')
      expect(await agent.remove(key)).toMatchObject(denied)
      expect(await agent.has(key)).toBe(true)
      expect(countOf(env, id, 'TOKEN_VALIDATED')).toBe(0)
    })
  })

  test('AUDIT-09 the trail of all this is whole, and the page did nothing that it should not', () => {
    const { status, stdout } = mcpaql(env, 'audit', 'verify')
    expect(stdout).toMatch(/^The audit trail is consistent: \d+ records, no anchor/)
    expect(status).toBe(0)
    expect(trouble).toEqual([])
  })
})

/** As an operator does it the first time: a secret, then a link, both on a terminal. */
async function signInLink(env: Readonly<Record<string, string>>): Promise<string> {
  const { shown } = await atTerminal(
    `exec ${process.execPath} ${BIN} console --no-open`,
    [
      ['characters or more: ', `${SECRET}\r`],
      ['same again: ', `${SECRET}\r`],
      ['Operator secret: ', `${SECRET}\r`],
      ['#login=', ''],
    ],
    env,
  )
  return /http:\S+#login=[\w-]+/.exec(shown)?.[0] ?? ''
}

/** It appears by itself: at once in an empty list, behind a button in one that is being read. */
async function openRequest(page: Page, id: unknown): Promise<void> {
  const fresh = page.locator('text=/Show \\d+ new/')
  const row = page.locator(`[data-row="${id}"]`)
  await fresh.or(row).first().waitFor()
  if (await fresh.isVisible()) await fresh.click()
  await row.click()
  await page.waitForSelector('#deny')
}

async function approve(page: Page): Promise<void> {
  await page.waitForSelector('#approve:not([aria-disabled])')
  await page.click('#approve')
  await page.click('#yes')
  await page.waitForSelector('.decide.approved, .decide.consumed')
}

function mcpaql(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return spawnSync(process.execPath, [BIN, ...args], { env: { ...env }, encoding: 'utf8' })
}

/** How often the trail says it of this request. */
function countOf(env: Readonly<Record<string, string>>, id: unknown, event: string): number {
  const { stdout } = mcpaql(env, 'audit', 'export', '--event', event, '--text', String(id))
  return stdout.split('\n').filter((line) => line !== '').length
}

interface Reply {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> }
}

type Agent = Awaited<ReturnType<typeof agentOf>>

async function agentOf(client: Connected) {
  const call = async (family: string, operation: string, params: object, more: object = {}): Promise<Reply> => {
    const { content } = await client.callTool(`tracker_mcpaql_${family}`, { operation, params, ...more })
    return JSON.parse(content[0]?.text ?? '') as Reply
  }
  const about = await call('read', 'introspect', { query: 'operations' })
  const { session_id } = (about.data as { _protocol: { session_id?: string } })._protocol
  const session = session_id === undefined ? {} : { _session: session_id }
  return {
    async makeProject(name: string): Promise<string> {
      const key = name.toUpperCase().slice(0, 4)
      const made = await call('create', 'create_project', { key, name, lead: 'linus' }, session)
      expect(made).toMatchObject({ success: true })
      return key
    },
    remove: (key: string, more: object = {}) => call('delete', 'delete_project', { key }, { ...session, ...more }),
    has: async (key: string) => {
      const { data } = await call('read', 'list_projects', { filter: { key } }, session)
      return (data as { readonly items: readonly unknown[] }).items.length === 1
    },
    close: () => client.close(),
  }
}
