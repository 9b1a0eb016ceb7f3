import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ApprovalRequest } from '../../src/core/gatekeeper/request.ts'
import { aRequest, ask } from './console-seed.ts'
import { hasBrowser, onStage, openBrowser, type Stage, signedIn, stateOf } from './console-stage.ts'

let browser: Browser
let evil: Server
let evilPort: number

/** A browser takes all ports of one name for one site: the last attacker, who knows our name, is the hardest one. */
const ATTACKERS: readonly (readonly [string, (stage: Stage) => string])[] = [
  ['evil.example', () => 'evil.example'],
  ['127.0.0.1', () => '127.0.0.1'],
  ['another label', () => `${'0'.repeat(24)}.localhost`],
  ['our own name on another port', ({ server }) => new URL(server.url).hostname],
]

describe.skipIf(!hasBrowser)('SELF-08 a page of somebody else, in the browser that is signed in', () => {
  beforeAll(async () => {
    browser = await openBrowser()
    evil = createServer((_, res) => res.setHeader('content-type', 'text/html').end('<title>evil</title><body>'))
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    evilPort = (evil.address() as AddressInfo).port
  }, 60_000)
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(async () => {
    await browser?.close()
    evil.close()
  })

  test.each(ATTACKERS)('%s reads nothing, decides nothing and shows nothing in a frame', async (_, hostOf) => {
    await onStage(async (stage) => {
      const { asked, context } = await signedInWithRequest(stage)
      const page = await pageOf(context, `http://${hostOf(stage)}:${evilPort}/`)
      const decision = `${stage.server.url}api/requests/${asked.id}/decision`
      const body = JSON.stringify({ decision: 'approve', version: 1, params_hash: asked.paramsHash })
      const json = { 'content-type': 'application/json', authorization: `Bearer ${'x'.repeat(43)}` }
      const post = (headers: object, mode: string) => sent(page, decision, { method: 'POST', mode, headers, body })

      expect(await post(json, 'cors')).toBe('refused')
      expect(await post({ 'content-type': 'text/plain' }, 'no-cors')).not.toBe('readable')
      for (const path of ['api/requests', 'api/audit/export', `api/requests/${asked.id}/params`, 'main.js', ''])
        expect([path, await sent(page, stage.server.url + path, { mode: 'cors' })]).toEqual([path, 'refused'])
      expect(await loaded(page, 'script', `${stage.server.url}main.js`)).toBe('error')
      expect(await loaded(page, 'img', `${stage.server.url}icon.svg`)).toBe('error')
      expect(await streamed(page, `${stage.server.url}api/events`)).toBe('error')
      expect(await framed(page, stage.server.url)).toBe(0)
      expect(await posted(context, page, decision, body)).toBe(403)
      expect(await opened(context, page, stage.server.url)).toEqual({ isOpen: true, isReachable: false })
      expect(await stateOf(stage, asked.id)).toBe('pending')
      expect(await stage.store.trail.read({ events: ['REQUEST_VIEWED'] })).toEqual([])
    })
  })

  test('a name that is made to lead here (DNS rebinding) is not served', async () => {
    await onStage(async (stage) => {
      const { asked, context } = await signedInWithRequest(stage)
      const rebound = `http://rebound.example:${stage.server.port}/`
      const page = await context.newPage()
      const answer = await page.goto(rebound)
      expect([answer?.status(), await page.locator('#app').count()]).toEqual([421, 0])
      for (const path of ['api/session', 'api/requests', 'main.js'])
        expect(await page.evaluate<number>(`fetch('/${path}').then(({ status }) => status)`)).toBe(421)
      const body = JSON.stringify({ decision: 'approve', version: 1, params_hash: asked.paramsHash })
      const decided = `fetch('/api/requests/${asked.id}/decision', { method: 'POST', body: ${JSON.stringify(body)},
        headers: { 'content-type': 'application/json' } }).then(({ status }) => status)`
      expect(await page.evaluate<number>(decided)).toBe(421)
      expect(await stateOf(stage, asked.id)).toBe('pending')
    })
  })
})

async function signedInWithRequest(stage: Stage) {
  const asked: ApprovalRequest = await ask(stage.store, aRequest(Date.now()))
  const { context } = await signedIn(stage, browser)
  return { asked, context }
}

async function pageOf(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** The worst case for us: credentials included. `opaque` was sent, and what came back cannot be read. */
function sent(page: Page, url: string, init: object): Promise<string> {
  const options = JSON.stringify({ credentials: 'include', ...init })
  return page.evaluate<string>(
    `fetch('${url}', ${options}).then(({ type }) => (type === 'opaque' ? 'opaque' : 'readable'), () => 'refused')`,
  )
}

function loaded(page: Page, tag: string, url: string): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve) => {
    const element = document.createElement('${tag}')
    element.onload = () => resolve('load')
    element.onerror = () => resolve('error')
    element.src = '${url}'
    document.body.append(element)
  })`)
}

function streamed(page: Page, url: string): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve) => {
    const stream = new EventSource('${url}', { withCredentials: true })
    stream.onopen = () => resolve('open')
    stream.onerror = () => { stream.close(); resolve('error') }
  })`)
}

/** How many elements of the console stand in the frame once it has loaded. */
async function framed(page: Page, url: string): Promise<number> {
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.onload = resolve
    frame.src = '${url}'
    document.body.append(frame)
  })`)
  const inner = page.frames().filter((frame) => frame !== page.mainFrame())
  expect(inner).toHaveLength(1)
  const counts = await Promise.all(inner.map((frame) => frame.locator('#app').count()))
  return Math.max(...counts)
}

/** A form that goes to the console as a page of its own. */
async function posted(context: BrowserContext, page: Page, url: string, body: string): Promise<number> {
  const [answer, popup] = await Promise.all([
    context.waitForEvent('response', (response) => response.url() === url),
    context.waitForEvent('page'),
    page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '${url}', enctype: 'text/plain', target: '_blank' })
      form.append(Object.assign(document.createElement('input'), { name: ${JSON.stringify(body.slice(0, -1))} + ',"x":"', value: '"}' }))
      document.body.append(form)
      form.submit()
    })()`),
  ])
  await popup.close()
  return answer.status()
}

/** A window that the attacker opens is the console's own: they hold nothing of each other. */
async function opened(context: BrowserContext, page: Page, url: string) {
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(`void (globalThis.popup = window.open('${url}'))`),
  ])
  await popup.waitForSelector('h1')
  const isOpen = (await popup.locator('#app').count()) === 1
  const isClosedToOpener = await page.evaluate<boolean>('popup.closed')
  const hasOpener = await popup.evaluate<boolean>('opener !== null')
  await popup.close()
  return { isOpen, isReachable: hasOpener || !isClosedToOpener }
}
