import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestRef } from '../../src/core/gatekeeper/request.ts'
import { listBlocks } from '../../src/core/verification/block.ts'
import { aRequest, ask, block, CHALLENGE } from './console-seed.ts'
import { hasBrowser, onStage, openBrowser, SECRET, type Stage, signedIn as signIn, stateOf } from './console-stage.ts'

let browser: Browser

const signedIn = (stage: Stage) => signIn(stage, browser)

describe.skipIf(!hasBrowser)('the console in a real browser', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(() => browser?.close())

  test('SELF-02 SELF-11 approve: read, question, go back, approve; then take it back', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage)
      await page.click(`[data-row="${asked.id}"]`)
      await page.waitForSelector('#approve:not([aria-disabled])')
      await page.click('#approve')
      const dialog = page.locator('dialog')
      expect(await dialog.textContent()).toContain('delete_branch')
      expect(await dialog.textContent()).toContain('release/2.3')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Go back')
      await page.keyboard.press('Enter')
      expect(await stateOf(stage, asked.id)).toBe('pending')
      await page.click('#approve')
      await page.click('#yes')
      await page.waitForSelector('h2:focus:text-is("Approved once")')
      const kept = await stage.store.get(requestRef(asked.id))
      expect(kept).toMatchObject({ state: 'approved', maxUses: 1 })
      expect(kept?.decisions).toMatchObject([
        { decision: 'approve', scope: 'once', by: 'operator', channel: 'console' },
      ])
      await page.click('text=Take it back')
      await page.waitForSelector('.decide.revoked')
      expect(await stateOf(stage, asked.id)).toBe('revoked')
    })
  })

  test('SELF-11 deny with a reason; BLOCK-10 a denial as manipulated stops the agent', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage)
      await page.goto(`${stage.server.url}#/r/${asked.id}`)
      await page.click('#deny')
      await page.click('text=Looks manipulated')
      await page.fill('#why', 'The branch name imitates another')
      await page.click('#deny-yes')
      await page.waitForSelector('.decide.denied')
      const kept = await stage.store.get(requestRef(asked.id))
      expect(kept?.decisions[0]?.reason).toBe('Looks manipulated: The branch name imitates another')
      expect(kept?.state).toBe('denied')
      expect(await listBlocks(stage.store)).toMatchObject([{ agentKey: 'svc-release@acme', trigger: 'operator' }])
    })
  })

  test('SELF-12 approve works only after the end of every value was on the screen', async () => {
    await onStage(async (stage) => {
      const script = Array.from({ length: 200 }, (_, line) => `step ${line}`).join('\n')
      const asked = await ask(stage.store, aRequest(Date.now(), { params: { name: 'job', script } }))
      const { page } = await signedIn(stage)
      await page.goto(`${stage.server.url}#/r/${asked.id}`)
      await page.waitForTimeout(1_300)
      expect(await page.textContent('#gate')).toContain('Read every value to its end first: 1 of 2.')
      await page.click('#approve', { force: true })
      expect(await page.locator('dialog').count()).toBe(0)
      expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Value of script')
      await page.evaluate("document.querySelector('.value.long').scrollTo(0, 1e6)")
      await page.waitForSelector('#approve:not([aria-disabled])')
      expect(await page.textContent('.value.long')).toContain('step 199')
    })
  })

  test('SELF-14 class C3 asks for the secret once more; a wrong one decides nothing', async () => {
    await onStage(async (stage) => {
      const asked = await ask(
        stage.store,
        aRequest(Date.now(), { class: 'C3', level: 'forbidden', requiresReauth: true, params: { user: 'cfo' } }),
      )
      const { page } = await signedIn(stage)
      await page.goto(`${stage.server.url}#/r/${asked.id}`)
      await page.waitForSelector('#approve:not([aria-disabled])')
      expect(await page.locator('#approve-session').count()).toBe(0)
      await page.click('#approve')
      await page.fill('#secret', 'not the secret at all')
      await page.click('#yes')
      await page.waitForSelector('#secret-error:not(:empty)')
      expect(await page.textContent('#secret-error')).toContain('4 tries are left')
      expect(await page.inputValue('#secret')).toBe('')
      expect(await stateOf(stage, asked.id)).toBe('pending')
      await page.fill('#secret', SECRET)
      await page.keyboard.press('Enter')
      await page.waitForSelector('.decide.approved')
      expect(await stateOf(stage, asked.id)).toBe('approved')
    })
  })

  test('OOB-05 R-44 a code is shown once, after the secret, leaves no trace in the page, and cannot be shown again', async () => {
    await onStage(async (stage) => {
      await block(stage.store, Date.now(), 'infra-scout', 'rm -rf /var/lib')
      const { page } = await signedIn(stage)
      await page.click(`[data-row="${CHALLENGE}"]`)
      await page.click('#reveal')
      await page.fill('#secret', 'not the secret at all')
      await page.click('#yes')
      await page.waitForSelector('#secret-error:not(:empty)')
      expect(await page.locator('.code:not(.mask)').count()).toBe(0)
      await page.fill('#secret', SECRET)
      await page.click('#yes')
      await page.waitForSelector('.code:not(.mask)')
      const groups = await page.locator('.code span').allTextContents()
      expect(groups).toHaveLength(7)
      expect(groups.join('')).toMatch(/^[A-Z2-7]{28}$/)
      await page.click('#hide')
      expect(await page.textContent('.code-box')).toContain('The code was shown')
      expect(await page.content()).not.toContain(groups[0])
      await page.reload()
      await page.waitForSelector('.code-box')
      expect(await page.locator('#reveal').count()).toBe(0)
      expect(JSON.stringify(await stage.store.trail.read())).not.toContain(groups.join(''))
    })
  })

  test('BLOCK-07 unblocking needs a reason of ten characters and the secret', async () => {
    await onStage(async (stage) => {
      await block(stage.store, Date.now(), 'infra-scout', 'rm -rf /var/lib')
      const { page } = await signedIn(stage)
      await page.goto(`${stage.server.url}#/agents`)
      await page.click('text=Unblock…')
      await page.fill('#why', 'too short')
      await page.fill('#secret', SECRET)
      await page.click('#yes')
      expect(await page.textContent('#reason-error')).toContain('at least 10 characters')
      await page.fill('#why', 'Checked with the owner of the machine')
      await page.fill('#secret', SECRET)
      await page.click('#yes')
      await page.waitForSelector('.blocks', { state: 'detached' })
      const [lifted] = await listBlocks(stage.store)
      expect(lifted).toMatchObject({
        unblocked_by: 'operator',
        unblock_reason: 'Checked with the owner of the machine',
      })
      expect(await stage.store.trail.read({ events: ['ADMIN_OVERRIDE'] })).toHaveLength(1)
    })
  })

  test('new requests wait to be shown, decisions made elsewhere show at once', async () => {
    await onStage(async (stage) => {
      const first = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage)
      await page.waitForSelector(`[data-row="${first.id}"]`)
      const box = await page.locator(`[data-row="${first.id}"]`).boundingBox()
      const second = await ask(stage.store, aRequest(Date.now(), { params: { name: 'second' } }))
      await page.waitForSelector('text=Show 1 new')
      expect(await page.locator(`[data-row="${second.id}"]`).count()).toBe(0)
      expect(await page.locator(`[data-row="${first.id}"]`).boundingBox()).toEqual(box)
      await page.click('text=Show 1 new')
      await page.waitForSelector(`[data-row="${second.id}"]`)
      await page.click(`[data-row="${first.id}"]`)
      await page.waitForSelector('#approve')
      const denied = {
        ...first,
        state: 'denied' as const,
        version: 2,
        decisions: [
          { decision: 'deny' as const, scope: 'once' as const, by: 'operator', channel: 'terminal', at: Date.now() },
        ],
      }
      await ask(stage.store, denied)
      await page.waitForSelector('.decide.denied')
      expect(await page.textContent('.decide')).toContain('By operator on the terminal')
    })
  })

  test('the keyboard alone suffices: sign in, list, read, go back, deny', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage)
      await page.waitForSelector(`[data-row="${asked.id}"]`)
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#approve:not([aria-disabled])')
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
      await page.keyboard.press('a')
      await page.waitForSelector('dialog[open]')
      await page.keyboard.press('Enter')
      await page.waitForSelector('dialog', { state: 'detached' })
      expect(await stateOf(stage, asked.id)).toBe('pending')
      await page.keyboard.press('d')
      await page.waitForSelector('dialog[open]')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.decide.denied')
      expect(await stateOf(stage, asked.id)).toBe('denied')
      for (const [keys, heading] of [
        ['ga', 'Agents and blocks'],
        ['gu', 'Audit trail'],
        ['gs', 'Sources'],
        ['gp', 'Policies'],
        ['gq', 'Quotas'],
        ['gh', 'Health and settings'],
        ['gi', 'Inbox'],
      ] as const) {
        for (const key of keys) await page.keyboard.press(key)
        await page.waitForSelector(`h1:text-is("${heading}")`)
      }
    })
  })

  test('without a connection nothing can be decided, and the page says so', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page } = await signedIn(stage)
      await page.goto(`${stage.server.url}#/r/${asked.id}`)
      await page.waitForSelector('#approve:not([aria-disabled])')
      await stage.server.close()
      await page.waitForSelector('text=Connection lost.')
      expect(await page.getAttribute('#approve', 'aria-disabled')).toBe('true')
      expect(await page.textContent('#gate')).toContain('Decisions are off')
      await page.keyboard.press('d')
      expect(await page.locator('dialog').count()).toBe(0)
    })
  })

  test('a one-time link signs in once and leaves the address', async () => {
    await onStage(async (stage) => {
      const { page, link } = await signedIn(stage)
      expect(page.url()).toBe(`${stage.server.url}#/inbox`)
      const other = await browser.newContext()
      const again = await other.newPage()
      await again.goto(`${stage.server.url}#login=${link}`)
      await again.waitForSelector('text=This link has expired or was used.')
      await other.close()
    })
  })

  test('a route that is none leads to the inbox', async () => {
    await onStage(async (stage) => {
      const { page, trouble } = await signedIn(stage)
      for (const hash of ['#/../..', '#/r/<img>', '#/constructor', '#/__proto__', '#/r/%00', '#javascript:alert(1)']) {
        await page.goto(`${stage.server.url}#/health`)
        await page.waitForSelector('h1:text-is("Health and settings")')
        await page.goto(`${stage.server.url}${hash}`)
        await page.waitForSelector('h1:text-is("Inbox")')
      }
      expect(trouble).toEqual([])
    })
  })
})
