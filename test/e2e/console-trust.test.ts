import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperator } from '../../src/core/operator/operator.ts'
import { createOperatorAccount } from '../../src/core/operator/operator-account.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { trustRecord } from '../../src/core/trust/trust-record.ts'
import { openConsole } from '../../src/serve/console/server.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { createRuntime, defineAdapter, defineOperation, type Runtime } from '../support.ts'

const CHROMIUM = '/usr/bin/chromium'
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const SECRET = 'a secret of the operator'
const EVIL = '<img src=x onerror=alert(1)>\u202e'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser)
  // biome-ignore lint/suspicious/noConsole: a skipped browser test must be seen
  console.error(`SKIPPED: trust was NOT changed in a browser, ${CHROMIUM} is missing (apt-get install chromium)`)

let browser: Browser

describe.skipIf(!hasBrowser)('trust in a real browser', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  }, 60_000)
  afterAll(() => browser?.close())

  test('GATE-13 SELF-14 R-43 the operator sees what changed, accepts it, and lowers the trust again', async () => {
    const store = createMemoryStore()
    await (await serve(store, 'Add a note.', 'validated')).close()
    const runtime = await serve(store, `Add a note. ${EVIL}`)
    await onStage(store, async (page, trouble) => {
      await page.click('nav a[href="#/sources"]')
      expect(await page.textContent('table')).toContain('1 changed')
      await page.click('[data-row="notes"]')
      await page.waitForSelector('text=Changed since it was trusted')
      expect(await page.textContent('.drifted')).toContain('onerror')
      expect(await page.locator('.drifted .diff .added').count()).toBe(1)
      expect(await page.locator('#main img').count()).toBe(0)
      expect(await adds(runtime)).toBe(false)
      await page.evaluate(AXE)
      const found = await page.evaluate<readonly string[]>(
        'axe.run().then(({violations}) => violations.map(({id}) => id))',
      )
      expect(found).toEqual([])

      await page.click('text=Change trust…')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Go back')
      await page.fill('#why', 'short')
      await page.click('#yes')
      expect(await page.textContent('#trust-error')).toContain('at least 10 characters')
      await page.fill('#why', 'I have read what it does now')
      await page.fill('#secret', 'not the secret at all')
      await page.click('#yes')
      await page.waitForSelector('#secret-error:not(:empty)')
      expect(await adds(runtime)).toBe(false)
      await page.fill('#secret', SECRET)
      await page.click('#yes')
      await page.waitForSelector('dialog', { state: 'detached' })
      expect(await adds(runtime)).toBe(true)
      await page.waitForSelector('text=Changed since it was trusted', { state: 'detached' })
      expect(await page.textContent('main')).toContain('set by operator on')

      await change(page, 'generated', 'it is not needed any more')
      await expect.poll(() => adds(runtime), { timeout: 2_000 }).toBe(false)
      expect(await store.get(trustRecord('notes'))).toMatchObject({ level: 'generated', isByHand: true })
      await page.waitForSelector('.head .trust.generated')
      expect(trouble).toEqual(['Failed to load resource: the server responded with a status of 401 (Unauthorized)'])
    })
    await runtime.close()
    await store.close()
  }, 60_000)
})

async function change(page: Page, level: string, reason: string): Promise<void> {
  await page.click('text=Change trust…')
  await page.selectOption('#level', level)
  await page.fill('#why', reason)
  await page.fill('#secret', SECRET)
  await page.click('#yes')
  await page.waitForSelector('dialog', { state: 'detached' })
}

function serve(store: Store, description: string, trustSetting?: 'validated'): Promise<Runtime> {
  const add = defineOperation({
    name: 'add_note',
    category: 'CREATE',
    description,
    params: {},
    returns: 'object',
    handler: () => ({}),
  })
  const adapter = defineAdapter({ name: 'notes', description: 'Notes.', operations: [add] })
  return createRuntime(adapter, {
    store,
    clock: { now: Date.now },
    mode: 'single',
    ...(trustSetting && { trustSetting }),
  })
}

async function adds(runtime: Runtime): Promise<boolean> {
  const session = runtime.openSession('agent')
  const call = { tool: runtime.tools[0]?.name ?? '', arguments: { operation: 'add_note', params: {} }, session }
  const { isError, text } = await runtime.call(call)
  return !isError && JSON.parse(text).success
}

async function onStage(store: Store, play: (page: Page, trouble: readonly string[]) => Promise<void>): Promise<void> {
  const clock = { now: Date.now }
  const account = createOperatorAccount({ store, clock, cost: { N: 2, r: 8, p: 1 } })
  await account.set(SECRET, SECRET, 'terminal')
  const operator = createOperator({ store, clock, pollMs: 100 })
  const server = await openConsole({ operator, account, port: 0 })
  const context = await browser.newContext({ viewport: { width: 1280, height: 1_000 } })
  try {
    const page = await context.newPage()
    const trouble: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text())
    })
    page.on('pageerror', (error) => trouble.push(String(error)))
    const right = await account.check(SECRET, 'terminal')
    if (right.kind !== 'right') throw new Error(right.kind)
    await page.goto(`${server.url}#login=${await account.makeLink(right)}`)
    await page.waitForSelector('.shell h1')
    await page.waitForSelector('.dot.live')
    await play(page, trouble)
  } finally {
    await context.close()
    operator.close()
    await server.close()
  }
}
