import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aRequest, ask } from './console-seed.ts'
import {
  bearerOf,
  endSession,
  goTo,
  hasBrowser,
  linkOf,
  onStage,
  openBrowser,
  SECRET,
  signedIn,
  stateOf,
} from './console-stage.ts'

let browser: Browser
/** The page that an agent has built, on another port of the same computer. */
let dev: Server
let devPort: number
let received: IncomingMessage[] = []

const WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => event.respondWith(
  new URL(event.request.url).origin === origin ? new Response('caught') : fetch(event.request)))`

beforeAll(async () => {
  dev = createServer((req, res) => {
    received.push(req)
    const isWorker = req.url === '/worker.js'
    res.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html')
    res.end(isWorker ? WORKER : '<title>dev</title><link rel="icon" href="data:,"><body>')
  })
  await new Promise<void>((resolve) => dev.listen(0, '127.0.0.1', resolve))
  devPort = (dev.address() as AddressInfo).port
  if (hasBrowser) browser = await openBrowser()
}, 60_000)
beforeEach(() => {
  received = []
})
afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []))
afterAll(async () => {
  await browser?.close()
  dev.closeAllConnections()
  dev.close()
})

describe.skipIf(!hasBrowser)('SELF-08 the session of the console cannot leave the console', () => {
  test.each(['127.0.0.1', 'localhost', 'our own name'])('another port of %s is sent no credential', async (name) => {
    await onStage(async (stage) => {
      const host = name === 'our own name' ? new URL(stage.server.url).hostname : name
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page, context } = await signedIn(stage, browser)
      const bearer = await bearerOf(page)
      const other = await context.newPage()
      await other.goto(`http://${host}:${devPort}/new-tab`)
      await other.evaluate("fetch('/fetched', { credentials: 'include' })")
      await page.goto(`http://${host}:${devPort}/same-tab`)
      await page.evaluate("fetch('/fetched', { credentials: 'include' })")
      expect(received.map(({ url }) => url)).toEqual(['/new-tab', '/fetched', '/same-tab', '/fetched'])
      for (const { headers, rawHeaders } of received) {
        expect(headers).not.toHaveProperty('cookie')
        expect(headers).not.toHaveProperty('authorization')
        expect(rawHeaders.join('\n')).not.toContain(bearer)
        expect(rawHeaders.join('\n')).not.toContain(String(stage.server.port))
      }
      expect(await context.cookies()).toEqual([])
      expect(await stateOf(stage, asked.id)).toBe('pending')
    })
  })

  test('a script on another port finds nothing, hears nothing and approves nothing', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page, context } = await signedIn(stage, browser)
      const bearer = await bearerOf(page)
      const { url } = stage.server
      const evil = await context.newPage()
      await evil.goto(`http://127.0.0.1:${devPort}/`)
      await evil.evaluate(`globalThis.heard = []
        addEventListener('message', ({ data }) => heard.push(data))
        for (const name of ['mcpaql', 'mcpaql-console', 'mcpaql-console-session', 'mcpaql-console-stream'])
          new BroadcastChannel(name).onmessage = ({ data }) => heard.push(data)`)
      expect(await evil.evaluate("navigator.serviceWorker.register('/worker.js').then(({ scope }) => scope)")).toBe(
        `http://127.0.0.1:${devPort}/`,
      )
      expect(await evil.evaluate('[document.cookie, sessionStorage.length, localStorage.length]')).toEqual(['', 0, 0])

      // From a page of its own, and from the very tab that holds the session.
      await page.goto(`http://127.0.0.1:${devPort}/`)
      for (const from of [evil, page]) {
        expect(await from.evaluate('[document.cookie, sessionStorage.length]')).toEqual(['', 0])
        const popup = await openedBy(from, `${url}#/r/${asked.id}`)
        expect(await from.evaluate('[popup.closed, popup.length]')).toEqual([true, 0])
        await from.evaluate("popup.postMessage({ approve: true }, '*')")
        expect(await popup.evaluate('[opener, navigator.serviceWorker.controller, name]')).toEqual([null, null, ''])
        await popup.close()
        for (const path of ['api/session', 'api/requests', 'api/events', ''])
          expect(await from.evaluate(`fetch('${url}${path}', { credentials: 'include' }).then(() => 1, () => 0)`)).toBe(
            0,
          )
        const frame = await from.evaluate<string>(`new Promise((resolve) => {
          const frame = Object.assign(document.createElement('iframe'), { src: '${url}', onload: () => {
            try { resolve(String(frame.contentWindow.sessionStorage.length)) } catch (error) { resolve(error.name) }
          } })
          document.body.append(frame)
        })`)
        expect(frame).toBe('SecurityError')
      }
      expect(await evil.evaluate('heard')).toEqual([])

      // The session is still there, for the page that it belongs to.
      await page.goto(`${url}#/r/${asked.id}`)
      await page.waitForSelector('#deny')
      expect(await bearerOf(page)).toBe(bearer)
      expect(await page.evaluate("fetch('/icon.svg').then((icon) => icon.text())")).toContain('<svg')
      for (const { rawHeaders } of received) expect(rawHeaders.join('\n')).not.toContain(bearer)
      expect(await stateOf(stage, asked.id)).toBe('pending')
    })
  })

  test('a link that another page plants does not replace a session, and a wrong one does not end it', async () => {
    await onStage(async (stage) => {
      const { page } = await signedIn(stage, browser)
      const bearer = await bearerOf(page)
      const planted = await linkOf(stage)
      for (const link of [planted, 'x'.repeat(43)]) {
        await page.goto(`http://127.0.0.1:${devPort}/`)
        await page.evaluate(`location.href = '${stage.server.url}#login=${link}'`)
        await page.waitForSelector('text=You are signed in already. The link was not used.')
        await page.waitForSelector('.dot.live')
        expect([await bearerOf(page), page.url()]).toEqual([bearer, `${stage.server.url}#/inbox`])
      }
      expect(await stage.account.redeemLink(planted)).toMatchObject({ subject: 'operator' })
    })
  })

  test('neither bearer nor link is in an address, an element, a record or a header to anybody else', async () => {
    await onStage(async (stage) => {
      const asked = await ask(
        stage.store,
        aRequest(Date.now(), { class: 'C3', level: 'forbidden', requiresReauth: true }),
      )
      const { page, link, context } = await signedIn(stage, browser)
      const bearer = await bearerOf(page)
      expect(bearer).toMatch(/^[\w-]{43}$/)
      const sent: string[] = []
      const carriers = new Set<string>()
      context.on('request', (request) => {
        sent.push(request.url())
        for (const [name, value] of Object.entries(request.headers())) if (value.includes(bearer)) carriers.add(name)
      })
      const pages: string[] = []
      for (const place of ['inbox', `r/${asked.id}`, 'agents', 'audit', 'sources', 'policies', 'quotas', 'health']) {
        await goTo(page, place)
        pages.push(await page.content(), page.url(), await page.evaluate<string>('JSON.stringify(history.state)'))
      }
      await goTo(page, 'inbox')
      await endSession(page)
      await page.reload()
      await page.waitForSelector('text=Your session has ended.')
      pages.push(
        await page.content(),
        await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })'),
      )
      const trail = JSON.stringify(await stage.store.trail.read())
      for (const secret of [bearer, link, SECRET])
        expect([...pages, ...sent, trail].filter((text) => text.includes(secret))).toEqual([])
      expect([...carriers]).toEqual(['authorization'])
      expect(sent.filter((url) => !url.startsWith(stage.server.url))).toEqual([])
    })
  })
})

describe.skipIf(!hasBrowser)('a session in the tab', () => {
  test('survives a reload and the ways back and forward, and a copy of the tab has it as well', async () => {
    await onStage(async (stage) => {
      const { page } = await signedIn(stage, browser)
      await goTo(page, 'health')
      await page.reload()
      await page.waitForSelector('h1:text-is("Health and settings")')
      await page.goto(`http://127.0.0.1:${devPort}/`)
      await page.goBack()
      await page.waitForSelector('h1:text-is("Health and settings")')
      await page.goBack()
      await page.waitForSelector('h1:text-is("Inbox")')
      await page.goForward()
      await page.waitForSelector('h1:text-is("Health and settings")')
      await page.waitForSelector('.dot.live')
      const copy = await openedBy(page, `${stage.server.url}#/quotas`)
      await copy.waitForSelector('h1:text-is("Quotas")')
      await page.click('text=Sign out')
      await page.waitForSelector('text=You have signed out.')
      expect(await bearerOf(page)).toBe('')
      await goTo(copy, 'health').catch(() => {})
      await copy.waitForSelector('text=Your session has ended.')
      await page.goBack()
      await page.waitForSelector('#login')
      await page.reload()
      await page.waitForSelector('#login')
    })
  })

  test('a new tab says how to get in, takes the secret, and goes where its address says', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { context } = await signedIn(stage, browser)
      const page = await context.newPage()
      await page.goto(`${stage.server.url}#/r/${asked.id}`)
      await page.waitForSelector('#login')
      expect(await page.textContent('#login')).toMatch(/mcpaql console.*Or type your operator secret here/s)
      expect(await page.textContent('#login')).toContain('Each tab signs in by itself.')
      await page.click('#login-submit')
      await page.waitForSelector('text=Type the operator secret.')
      await page.fill('#login-secret', 'not the secret at all')
      await page.keyboard.press('Enter')
      await page.waitForSelector('text=That secret is not right.')
      expect(await page.inputValue('#login-secret')).toBe('')
      await page.fill('#login-secret', SECRET)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#deny')
      expect(page.url()).toBe(`${stage.server.url}#/r/${asked.id}`)
      expect(await page.content()).not.toContain(SECRET)
    })
  })

  test('a link that is followed in a tab at the door leads to where the tab was', async () => {
    await onStage(async (stage) => {
      const page = await browser.newPage()
      await page.goto(`${stage.server.url}#/health`)
      await page.waitForSelector('#login')
      await page.goto(`${stage.server.url}#login=${'x'.repeat(43)}`)
      await page.waitForSelector('text=This link has expired or was used.')
      await page.goto(`${stage.server.url}#login=${await linkOf(stage)}`)
      await page.waitForSelector('h1:text-is("Health and settings")')
      expect(page.url()).toBe(`${stage.server.url}#/health`)
      await page.goBack()
      expect(page.url()).not.toContain('login')
    })
  })

  test('that has ended says so where it is noticed, and the secret leads back to the same screen', async () => {
    await onStage(async (stage) => {
      const { page } = await signedIn(stage, browser)
      await goTo(page, 'policies')
      await endSession(page)
      await page.evaluate("location.hash = '#/sources'")
      await page.waitForSelector('text=Your session has ended.')
      expect(await bearerOf(page)).toBe('')
      await page.fill('#login-secret', SECRET)
      await page.click('#login-submit')
      await page.waitForSelector('h1:text-is("Sources")')
      await page.waitForSelector('.dot.live')
    })
  })

  test('with a stream that cannot be opened says so, decides nothing, and comes back by itself', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.route('**/api/events', (route) => route.abort())
      await page.goto(`${stage.server.url}#login=${await linkOf(stage)}`)
      await page.waitForSelector('text=Connection lost.')
      await goTo(page, `r/${asked.id}`)
      expect(await page.textContent('#gate')).toContain('Decisions are off')
      await page.unroute('**/api/events')
      await page.waitForSelector('.dot.live', { timeout: 20_000 })
      await page.waitForSelector('#approve:not([aria-disabled])')
    })
  })

  test('of a server that was stopped does not pretend: it can be tried again', async () => {
    await onStage(async (stage) => {
      const { page } = await signedIn(stage, browser)
      await page.route('**/api/session', (route) => route.abort())
      await page.reload()
      await page.waitForSelector('text=The console does not answer.')
      await page.unroute('**/api/session')
      await page.click('#again')
      await page.waitForSelector('h1:text-is("Inbox")')
    })
  })

  test('downloads what a link could not fetch', async () => {
    await onStage(async (stage) => {
      const { page, trouble } = await signedIn(stage, browser)
      await goTo(page, 'audit')
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=Export')])
      expect(file.suggestedFilename()).toBe('mcpaql-audit.jsonl')
      const lines: string[] = []
      for await (const chunk of await file.createReadStream()) lines.push(String(chunk))
      expect(lines.join('')).toContain('OPERATOR_LOGIN')
      expect(trouble).toEqual([])
    })
  })
})

/** The window that a page opens; the page knows it as `popup`. */
async function openedBy(page: Page, url: string): Promise<Page> {
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(`void (globalThis.popup = window.open('${url}'))`),
  ])
  await popup.waitForSelector('h1')
  return popup
}
