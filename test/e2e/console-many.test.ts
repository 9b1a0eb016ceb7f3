import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Store } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { consoleFetch } from '../console-fetch.ts'
import { aRequest, ask } from './console-seed.ts'
import { goTo, hasBrowser, linkOf, onStage, openBrowser, type Stage, signedIn } from './console-stage.ts'

const MANY = 1_000
const LONGEST_TURN_MS = 250

/** Of a hundred principals, partly in a script whose letters are looked at one by one. */
async function askMany(store: Store, length = 100): Promise<void> {
  const now = Date.now()
  await Promise.all(
    Array.from({ length: MANY }, (_, at) =>
      ask(
        store,
        aRequest(now, {
          id: `req_${at}`,
          principal: `agent-${at % 100}`,
          params: { name: `item ${at}`, text: 'Привет мир '.repeat(100), more: 'x'.repeat(length) },
          expiresAt: now + 3_600_000 + at,
        }),
      ),
    ),
  )
}

test('1,000 requests wait: no call to the console stops what else runs in its process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpaql-many-'))
  const store = await openSqliteStore(join(folder, 'state.db'))
  await askMany(store, 50_000)
  await onStage(
    async (stage) => {
      const headers = await bearerHeaders(stage)
      const turns: Record<string, number> = {}
      // The first round is the compiler's.
      for (const _ of ['warm', 'measured'])
        for (const path of [
          '/api/requests',
          '/api/requests?limit=500',
          '/api/requests/req_500',
          '/api/agents',
          '/api/audit',
        ])
          turns[path] = await longestTurn(async () => {
            const response = await consoleFetch(new URL(path, stage.server.url), { headers })
            expect(response.status).toBe(200)
            await response.text()
          })
      expect(Object.entries(turns).filter(([, ms]) => ms > LONGEST_TURN_MS)).toEqual([])
      const listed = await consoleFetch(new URL('/api/requests', stage.server.url), { headers })
      const inbox = (await listed.json()) as { items: { id: string }[]; waiting: string[] }
      expect([inbox.items.length, inbox.waiting.length, inbox.items[0]?.id]).toEqual([100, MANY, 'req_0'])
    },
    {},
    store,
  )
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

test.skipIf(!hasBrowser)(
  '1,000 requests wait: the page counts them all, shows the first, and more when asked',
  async () => {
    const browser = await openBrowser()
    try {
      await onStage(async (stage) => {
        await askMany(stage.store)
        const { page } = await signedIn(stage, browser)
        expect(await page.textContent('[data-count="inbox"]')).toBe(`${MANY} waiting`)
        expect(await page.locator('#inbox .group [data-row]').count()).toBe(100)
        expect(await page.textContent('.unshown')).toContain('900 more requests wait with more time than these.')
        await page.click('#more')
        await page.waitForSelector('[data-row="req_100"]:focus')
        expect(await page.locator('#inbox .group [data-row]').count()).toBe(200)
        await ask(stage.store, aRequest(Date.now(), { id: 'req_late', expiresAt: Date.now() + 7_200_000 }))
        await page.waitForSelector(`[data-count="inbox"]:has-text("${MANY + 1} waiting")`)
        await goTo(page, 'r/req_0')
        await page.click('#deny')
        await page.click('#deny-yes')
        await page.waitForSelector('.decide.denied')
        await page.waitForSelector(`[data-count="inbox"]:has-text("${MANY} waiting")`)
      })
    } finally {
      await browser.close()
    }
  },
  120_000,
)

async function bearerHeaders(stage: Stage): Promise<Record<string, string>> {
  const origin = stage.server.url.replace(/\/$/, '')
  const opened = await consoleFetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ link: await linkOf(stage) }),
  })
  const { bearer } = (await opened.json()) as { readonly bearer: string }
  return { authorization: `Bearer ${bearer}` }
}

/** In time of the processor, so that other programs of this computer do not count. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1_000)
    last = process.cpuUsage()
    if (!isOver) setTimeout(look, 0)
  }
  look()
  await work()
  isOver = true
  return longest
}
