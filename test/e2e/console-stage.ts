import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { requestRef } from '../../src/core/gatekeeper/request.ts'
import { createOperator, type OperatorParts } from '../../src/core/operator/operator.ts'
import { createOperatorAccount, type OperatorAccount } from '../../src/core/operator/operator-account.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { type Console, openConsole } from '../../src/serve/console/server.ts'
import { createMemoryStore } from '../../src/store/memory.ts'

const CHROMIUM = '/usr/bin/chromium'
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Names of an attacker that lead to this computer, as a hostile resolver would have it.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
]

export const SECRET = 'a secret of the operator'

export const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser)
  // biome-ignore lint/suspicious/noConsole: a skipped browser test must be seen
  console.error(`SKIPPED: the console was NOT tested in a browser, ${CHROMIUM} is missing (apt-get install chromium)`)

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS })
}

export interface Stage {
  readonly store: Store
  readonly server: Console
  readonly account: OperatorAccount
}

/** A console over a store of its own, for as long as the play takes. */
export async function onStage(
  play: (stage: Stage) => Promise<void>,
  parts: Partial<Omit<OperatorParts, 'store' | 'clock'>> = {},
  store: Store = createMemoryStore(),
  port = 0,
): Promise<void> {
  const clock = { now: Date.now }
  const account = createOperatorAccount({ store, clock, cost: { N: 2, r: 8, p: 1 } })
  await account.set(SECRET, SECRET, 'terminal')
  const operator = createOperator({ store, clock, pollMs: 100, ...parts })
  const server = await openConsole({ operator, account, port })
  try {
    await play({ store, server, account })
  } finally {
    operator.close()
    await server.close()
    await store.close()
  }
}

export interface SignedIn {
  readonly page: Page
  readonly context: BrowserContext
  readonly link: string
  /** Errors, warnings, dialogs, breaches of the policy and calls elsewhere: whatever the page should not do. */
  readonly trouble: string[]
}

export async function signedIn(
  { server, account }: Stage,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<SignedIn> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1_000 }, ...options })
  const page = await context.newPage()
  const trouble = watched(page, server.url)
  const link = await linkOf({ account })
  await page.goto(`${server.url}#login=${link}`)
  await page.waitForSelector('.shell h1')
  await page.waitForSelector('.dot.live')
  return { page, context, link, trouble }
}

/** As `mcpaql console` makes it. */
export async function linkOf({ account }: Pick<Stage, 'account'>): Promise<string> {
  const right = await account.check(SECRET, 'terminal')
  if (right.kind !== 'right') throw new Error(right.kind)
  return (await account.makeLink(right)) ?? ''
}

/** What the page keeps of its session. */
export function bearerOf(page: Page): Promise<string> {
  return page.evaluate<string>("sessionStorage.getItem('mcpaql-console-session') ?? ''")
}

/** On the server alone, as if it had lasted too long: the page does not know yet. */
export async function endSession(page: Page): Promise<void> {
  await page.evaluate(`fetch('/api/session', { method: 'DELETE', body: '{}', headers: {
    'content-type': 'application/json', authorization: 'Bearer ' + sessionStorage.getItem('mcpaql-console-session') } })`)
}

export function watched(page: Page, url: string): string[] {
  const trouble: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text())
  })
  page.on('pageerror', (error) => trouble.push(String(error)))
  page.on('dialog', (dialog) => {
    trouble.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) trouble.push(`request ${request.url().slice(0, 200)}`)
  })
  return trouble
}

/** To another screen of the page that is open; done when that screen is there. */
export async function goTo(page: Page, place: string): Promise<void> {
  const hash = JSON.stringify(`#/${place}`)
  await page.evaluate(`new Promise((resolve, reject) => {
    if (location.hash === ${hash}) return resolve()
    const late = setTimeout(() => reject(new Error('no screen ' + ${hash})), 30_000)
    new MutationObserver((_, observer) => {
      if (document.querySelector('#main > p[role=status]:only-child')) return // Loading…
      observer.disconnect()
      clearTimeout(late)
      resolve()
    }).observe(document.querySelector('#main'), { childList: true })
    location.hash = ${hash}
  })`)
}

export async function stateOf({ store }: Stage, id: string): Promise<string | undefined> {
  return (await store.get(requestRef(id)))?.state
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe holds against the page, or the open question before it, of those rules or of all. The page is one document,
 * so axe is brought in once.
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(AXE)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  return page.evaluate<
    string[]
  >(`axe.run(document.querySelector('dialog[open]') ?? document, ${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`)
}
