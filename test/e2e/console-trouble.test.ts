import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createOperator } from '../../src/core/operator/operator.ts'
import { createOperatorAccount } from '../../src/core/operator/operator-account.ts'
import { sourceRef } from '../../src/core/operator/source-record.ts'
import { openConsole } from '../../src/serve/console/server.ts'
import { consoleFetch } from '../console-fetch.ts'
import { aRequest, aSource, ask, block, CHALLENGE, record } from './console-seed.ts'
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

describe.skipIf(!hasBrowser)('the console when something goes wrong', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(() => browser?.close())

  test('a question goes with the screen that asked it', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage, browser)
      await page.click(`[data-row="${asked.id}"]`)
      await page.click('#approve:not([aria-disabled])')
      await page.waitForSelector('#yes')
      await page.goBack()
      await page.waitForSelector('h1:text-is("Inbox")')
      expect(await page.locator('dialog').count()).toBe(0)
    })
  })

  test('what does not load says so and is tried again; what is slow says so and leaves nothing to press', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage, browser)
      await page.route('**/api/quotas', (route) => route.abort())
      await goTo(page, 'quotas')
      expect(await page.textContent('#main')).toContain('The console does not answer.')
      expect(await page.textContent('h1')).toBe('Not loaded')
      await page.unroute('**/api/quotas')
      await page.click('#again')
      await page.waitForSelector('h1:text-is("Quotas")')
      await goTo(page, `r/${asked.id}`)
      await page.waitForSelector('#deny')
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/api/sources', async (route) => {
        await held
        await route.continue()
      })
      await page.evaluate("location.hash = '#/sources'")
      await page.waitForSelector('text=Loading…')
      expect(await page.locator('#deny').count()).toBe(0)
      answer()
      await page.waitForSelector('h1:text-is("Sources")')
    })
  })

  test('a session that has ended ends once: the page at the door stays as it is', async () => {
    await onStage(async (stage) => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.clock.install()
      await page.goto(`${stage.server.url}#login=${await linkOf(stage)}`)
      await page.waitForSelector('.dot.live')
      await endSession(page)
      await page.clock.fastForward(31_000)
      await page.waitForSelector('text=Your session has ended.')
      await page.focus('.command')
      let calls = 0
      page.on('request', () => calls++)
      await page.clock.fastForward(120_000)
      await page.waitForTimeout(200)
      expect(await page.evaluate('document.activeElement.className')).toBe('command')
      expect(calls).toBe(0)
    })
  })

  test('a console that was started again has another address, and a page of the old one says so', async () => {
    await onStage(async (stage) => {
      const { page } = await signedIn(stage, browser)
      await stage.server.close()
      const clock = { now: Date.now }
      const operator = createOperator({ store: stage.store, clock })
      const account = createOperatorAccount({ store: stage.store, clock, cost: { N: 2, r: 8, p: 1 } })
      const again = await openConsole({ operator, account, port: stage.server.port })
      await page.waitForSelector('text=The console was started again.', { timeout: 10_000 })
      expect([await page.locator('#login-secret').count(), await bearerOf(page)]).toEqual([0, ''])
      await page.reload()
      await page.waitForSelector('h1:text-is("The console has another address")')
      operator.close()
      await again.close()
    })
  })

  test('R-44 two clicks show one code, and it stays', async () => {
    await onStage(async (stage) => {
      await block(stage.store, Date.now(), 'infra-scout', 'rm -rf /var/lib')
      const { page } = await signedIn(stage, browser)
      await goTo(page, `c/${CHALLENGE}`)
      await page.click('#reveal')
      await page.fill('#secret', SECRET)
      await page.evaluate("const yes = document.querySelector('#yes'); yes.click(); yes.click()")
      await page.waitForSelector('.code:not(.mask)')
      await page.waitForTimeout(300)
      expect(await page.locator('.code:not(.mask) span').count()).toBe(7)
    })
  })

  test('a decision is sent once, says that it is on its way, and what is not known is not claimed', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage, browser)
      await goTo(page, `r/${asked.id}`)
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      let sent = 0
      // It arrives, and the answer to it is lost.
      await page.route('**/decision', async (route) => {
        sent++
        await held
        const request = route.request()
        const body = request.postData() ?? ''
        await consoleFetch(request.url(), { method: 'POST', headers: await request.allHeaders(), body })
        await route.abort()
      })
      await page.click('#approve:not([aria-disabled])')
      await page.click('#yes')
      await page.waitForSelector('text=Your decision is on its way.')
      expect(await page.getAttribute('#deny', 'aria-disabled')).toBe('true')
      await page.keyboard.press('d')
      await page.keyboard.press('a')
      expect(await page.locator('dialog').count()).toBe(0)
      answer()
      await page.waitForSelector('text=it is not known whether this counted')
      await page.waitForSelector('.decide.approved')
      expect([sent, await stateOf(stage, asked.id)]).toEqual([1, 'approved'])
      await page.unroute('**/decision')
      await page.evaluate(
        "const back = [...document.querySelectorAll('.decide .btn')].find((each) => each.textContent === 'Take it back'); back.click(); back.click()",
      )
      await page.waitForSelector('.decide.revoked')
      await page.waitForTimeout(200)
      expect(await page.locator('.decide .note').count()).toBe(0)
    })
  })

  test('TOK-14 an approval for the session that was used and then ended does not say that nothing ran', async () => {
    await onStage(async (stage) => {
      const now = Date.now()
      const approve = { decision: 'approve', scope: 'session', by: 'operator', channel: 'console', at: now } as const
      const used = { maxUses: 5, useCount: 2, decisions: [approve] }
      await ask(stage.store, aRequest(now, { id: 'req_revoked', params: { n: 1 }, ...used, state: 'revoked' }))
      const late = { state: 'approved', expiresAt: now - 1_000 } as const
      await ask(stage.store, aRequest(now, { id: 'req_expired', params: { n: 2 }, ...used, ...late }))
      const { page } = await signedIn(stage, browser)
      for (const id of ['req_revoked', 'req_expired']) {
        await goTo(page, `r/${id}`)
        expect(await page.textContent('.decide')).toContain('It was used 2 of 5 times before.')
        expect(await page.textContent('.decide')).not.toContain('Nothing ran')
      }
      expect(await page.textContent('.decide')).toContain('The approval ended at')
    })
  })

  test('a long trail: an open record leaves the list where it was, and what does not load is said', async () => {
    await onStage(async (stage) => {
      const timestamp = new Date(Date.now() - 400 * 86_400_000).toISOString()
      const many = Array.from({ length: 1_000 }, (_, at) => ({
        timestamp,
        event: 'OPERATION_CALLED' as const,
        operation: `op_${at}`,
        user_id: 'svc',
      }))
      await record(stage.store, ...many)
      const { page } = await signedIn(stage, browser)
      await goTo(page, 'audit')
      await page.click('text=Show older')
      await page.waitForSelector('text=100 records')
      const row = page.locator('a.record').nth(80)
      await row.click()
      await page.waitForSelector('.detail h2:focus')
      expect(await page.locator('a.record').count()).toBe(100)
      expect(await page.evaluate('scrollY')).toBeGreaterThan(500)
      expect(await page.textContent('.detail')).toMatch(/\d\d \w+ 20\d\d/)
      await page.click('.detail >> text=Close')
      await page.waitForSelector('a.record:nth-of-type(81):focus')
      await page.route('**/api/audit?*', (route) => route.abort())
      await page.fill('#search', 'op_7')
      await page.waitForSelector('#records .note:has-text("The console does not answer.")')
      await page.unroute('**/api/audit?*')
      await page.fill('#search', 'op_77')
      await page.waitForSelector('text=11 records')
      await goTo(page, 'inbox')
      await goTo(page, 'audit')
      expect(await page.textContent('#hits')).toBe('11 records')
    })
  })

  test('an unknown outcome is recorded once, and its record says what was found', async () => {
    await onStage(async (stage) => {
      const timestamp = new Date().toISOString()
      await record(stage.store, { timestamp, event: 'OPERATION_OUTCOME', operation: 'delete_pod', outcome: 'unknown' })
      const { seq } = await stage.store.trail.head()
      const { page } = await signedIn(stage, browser)
      await goTo(page, `audit/${seq}`)
      await page.fill('#note', 'The pod is gone')
      await page.evaluate("const yes = document.querySelector('.detail .pair .btn'); yes.click(); yes.click()")
      await page.waitForSelector('text=Recorded: it happened.')
      await page.waitForTimeout(200)
      expect(await stage.store.trail.read({ events: ['OUTCOME_FINDING'] })).toHaveLength(1)
      await goTo(page, 'inbox')
      await goTo(page, `audit/${seq}`)
      expect(await page.textContent('.detail')).toContain('Found out: it happened. By operator')
      expect(await page.textContent('.detail')).toContain('The pod is gone')
    })
  })

  test('R-43 a source that has changed is in the inbox and counted beside it', async () => {
    await onStage(async (stage) => {
      const drift = [{ operation: 'wipe', what: 'added' as const }]
      const wiki = aSource(Date.now(), { adapter: 'my wiki', display_name: 'Wiki', drift })
      await stage.store.update({ it: sourceRef('my wiki') }, () => ({ next: { it: wiki }, result: undefined }))
      const { page } = await signedIn(stage, browser)
      expect(await page.textContent('.attention')).toContain('Wiki has changed since it was trusted: 1 operation.')
      expect(await page.textContent('[data-count="sources"]')).toBe('1 changed')
      await page.click('text=Review the change')
      await page.waitForSelector('h1:text-is("Wiki")')
    })
  })

  test('the zone of the page is the zone of every time on it, at once', async () => {
    await onStage(async (stage) => {
      const { page } = await signedIn(stage, browser, { timezoneId: 'Asia/Tokyo' })
      await goTo(page, 'health')
      const since = () => page.textContent('dl:has-text("Signed in") time')
      const local = await since()
      await page.click('text=Show times in UTC')
      await page.waitForSelector('.zone:text-is("UTC")')
      expect(Number(local?.slice(0, 2))).toBe((Number((await since())?.slice(0, 2)) + 9) % 24)
      expect(await page.evaluate('document.activeElement.type')).toBe('checkbox')
    })
  })

  test('a notice of the browser comes when nobody looks, and says nothing of what waits', async () => {
    await onStage(async (stage) => {
      const { page, context } = await signedIn(stage, browser)
      await context.addInitScript(`globalThis.notices = []
        globalThis.Notification = class extends EventTarget {
          static permission = 'default'
          static async requestPermission() { return (this.permission = globalThis.answer) }
          constructor(...given) { super(); notices.push(given) }
        }`)
      await page.goto(`${stage.server.url}#/health`)
      await page.reload()
      await page.waitForSelector('.dot.live')
      const box = page.locator('label:has-text("Browser notices") input')
      await page.evaluate("answer = 'denied'")
      await box.click()
      await page.waitForSelector('text=The browser does not allow notices from this page.')
      expect(await box.isChecked()).toBe(false)
      await page.evaluate("answer = 'granted'")
      await box.check()
      await page.waitForSelector('.prefs .error', { state: 'hidden' })
      await ask(stage.store, aRequest(Date.now()))
      await page.waitForSelector('[data-count="inbox"]:has-text("1 waiting")')
      expect(await page.evaluate('notices')).toEqual([])
      await lookAway(page)
      await block(stage.store, Date.now(), 'infra-scout', 'rm -rf /var/lib')
      await page.waitForSelector('[data-count="inbox"]:has-text("2 waiting")')
      expect(await page.evaluate('notices')).toEqual([
        ['mcpaql', { body: 'Something waits for your decision.', tag: 'mcpaql-console' }],
      ])
      expect(await page.textContent('#say')).toBe(
        'New request from infra-scout: a verification code is needed. 2 waiting.',
      )
    })
  })

  test('of the pages that nobody looks at one keeps the stream, so that many tabs leave room for answers', async () => {
    await onStage(async (stage) => {
      const { page: first, context } = await signedIn(stage, browser)
      const second = await context.newPage()
      await second.goto(`${stage.server.url}#login=${await linkOf(stage)}`)
      await second.waitForSelector('.dot.live')
      await lookAway(first)
      const keepers = () => first.evaluate<number>('navigator.locks.query().then(({ held }) => held.length)')
      await expect.poll(keepers, { timeout: 30_000 }).toBe(1) // the first page, before the other one asks
      await lookAway(second)
      await second.waitForSelector('.dot.off')
      expect(await first.locator('.dot.live').count()).toBe(1)
      await first.close()
      await second.waitForSelector('.dot.live')
      const asked = await ask(stage.store, aRequest(Date.now()))
      await second.waitForSelector(`[data-row="${asked.id}"]`)
    })
  })
})

/** As the browser tells a page that its tab was left, or is looked at again. */
async function lookAway(page: Page, isAway = true): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isAway}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
}
