import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestRef } from '../../src/core/gatekeeper/request.ts'
import { createOperator } from '../../src/core/operator/operator.ts'
import { createOperatorAccount, type OperatorAccount } from '../../src/core/operator/operator-account.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { listBlocks } from '../../src/core/verification/block.ts'
import { type Console, openConsole } from '../../src/serve/console/server.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { aRequest, ask, block, CHALLENGE, seed } from './console-seed.ts'

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
]
const SECRET = 'a secret of the operator'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser)
  // biome-ignore lint/suspicious/noConsole: a skipped browser test must be seen
  console.error(`SKIPPED: the console was NOT tested in a browser, ${CHROMIUM} is missing (apt-get install chromium)`)

interface Stage {
  readonly store: Store
  readonly server: Console
  readonly account: OperatorAccount
}

let browser: Browser

describe.skipIf(!hasBrowser)('the console in a real browser', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  }, 60_000)
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

  test('OOB-05 R-44 a code is shown once, leaves no trace in the page, and cannot be shown again', async () => {
    await onStage(async (stage) => {
      await block(stage.store, Date.now(), 'infra-scout', 'rm -rf /var/lib')
      const { page } = await signedIn(stage)
      await page.click(`[data-row="${CHALLENGE}"]`)
      await page.click('#reveal')
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

  test('no page can hold the console in a frame or post to it', async () => {
    await onStage(async (stage) => {
      const asked = await ask(stage.store, aRequest(Date.now()))
      const { page, context } = await signedIn(stage)
      const csrf = await page.evaluate<string>(
        "fetch('/api/session').then((reply) => reply.json()).then(({ csrf }) => csrf)",
      )
      const evil = await context.newPage()
      await evil.route('http://evil.example/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>evil</title>' }),
      )
      await evil.goto('http://evil.example/')
      const outcome = await evil.evaluate<string[]>(`(async () => {
        const frame = document.createElement('iframe')
        frame.src = '${stage.server.url}'
        document.body.append(frame)
        await new Promise((resolve) => setTimeout(resolve, 800))
        const body = JSON.stringify({ decision: 'approve', version: 1, params_hash: '${asked.paramsHash}' })
        const post = (headers, mode) =>
          fetch('${stage.server.url}api/requests/${asked.id}/decision', { method: 'POST', mode, credentials: 'include', headers, body })
            .then(({ type }) => type, () => 'refused')
        return [
          await post({ 'content-type': 'application/json', 'x-mcpaql-csrf': '${csrf}' }, 'cors'),
          await post({ 'content-type': 'text/plain' }, 'no-cors'),
        ]
      })()`)
      expect(outcome[0]).toBe('refused')
      const frames = evil.frames().filter((frame) => frame !== evil.mainFrame())
      for (const frame of frames)
        expect(
          await frame
            .locator('#app')
            .count()
            .catch(() => 0),
        ).toBe(0)
      expect(await stateOf(stage, asked.id)).toBe('pending')
    })
  })

  test('markup in every untrusted field is text: no script runs, nothing violates the policy', async () => {
    await onStage(async (stage) => {
      const probe = PROBES.join(' ')
      await seed(stage.store, Date.now())
      await ask(
        stage.store,
        aRequest(Date.now(), {
          id: 'req_probe',
          operation: probe,
          adapter: 'probe',
          principal: probe,
          session: probe,
          client: probe,
          message: probe,
          reasons: [probe],
          params: { [probe]: probe, name: probe, nested: { [probe]: [probe] } },
          trace: [{ layer: probe, verdict: 'confirm', text: probe, decisive: true }],
        }),
      )
      await block(stage.store, Date.now(), probe, probe)
      await stage.store.update({}, () => ({
        audit: [
          {
            timestamp: new Date().toISOString(),
            event: 'OPERATION_OUTCOME',
            operation: probe,
            adapter_name: probe,
            user_id: probe,
            outcome: 'unknown',
            reason: probe,
            parameters: { [probe]: probe },
          },
        ],
        result: undefined,
      }))
      const { page, trouble } = await signedIn(stage)
      const { seq } = await stage.store.trail.head()
      const agents = await page.evaluate<string[]>(
        "fetch('/api/agents').then((reply) => reply.json()).then(({ items }) => items.map(({ id }) => id))",
      )
      const places = [
        'inbox',
        'r/req_probe',
        `c/${CHALLENGE}`,
        'agents',
        ...agents.map((id) => `agents/${id}`),
        'audit',
        `audit/${seq}`,
        'sources',
        'policies',
        'quotas',
        'health',
      ]
      for (const place of places) {
        await page.goto(`${stage.server.url}#/${place}`)
        await page.waitForTimeout(250)
        expect(
          await page
            .locator('#main img, #main script, #main iframe, #main [onerror], #main a[href^="javascript"]')
            .count(),
        ).toBe(0)
      }
      await page.goto(`${stage.server.url}#/r/req_probe`)
      await page.waitForSelector('#deny')
      expect(await page.textContent('.params')).toContain('<img src=x onerror=')
      expect(await page.evaluate("Object.hasOwn(globalThis, 'pwned')")).toBe(false)
      expect(trouble).toEqual([])
    })
  }, 120_000)

  test.each(['#/../..', '#/r/<img>', '#/constructor', '#/__proto__', '#/r/%00', '#javascript:alert(1)'])(
    'the route %s leads to the inbox',
    async (hash) => {
      await onStage(async (stage) => {
        const { page, trouble } = await signedIn(stage)
        await page.goto(`${stage.server.url}${hash}`)
        await page.waitForSelector('h1:text-is("Inbox")')
        expect(trouble).toEqual([])
      })
    },
  )

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'axe finds nothing serious, %s at %i pixels, and nothing is wider than the window',
    async (colorScheme, width) => {
      await onStage(async (stage) => {
        await seed(stage.store, Date.now())
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true })
        const anonymous = await context.newPage()
        await anonymous.goto(stage.server.url)
        await anonymous.waitForSelector('h1')
        expect(await violations(anonymous)).toEqual([])
        const { page } = await signedIn(stage, context)
        const requests = (await stage.store.list<{ id: string; operation: string }>('request')).map(
          ({ id }) => `r/${id}`,
        )
        const places = [
          'inbox',
          ...requests.slice(0, 4),
          `c/${CHALLENGE}`,
          'agents',
          'audit',
          'audit/8',
          'sources',
          'sources/github',
          'policies',
          'quotas',
          'health',
        ]
        for (const place of places) {
          await page.goto(`${stage.server.url}#/${place}`)
          await page.waitForTimeout(350)
          expect([place, await violations(page)]).toEqual([place, []])
          expect([place, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([
            place,
            true,
          ])
        }
        await page.goto(`${stage.server.url}#/${requests[0]}`)
        await page.click('#deny, .decide h2')
        expect(await violations(page)).toEqual([])
        await context.close()
      })
    },
    180_000,
  )
})

/** Each would leave `pwned` behind, or break the policy, if it were ever read as markup. */
const PROBES = [
  '<img src=x onerror="pwned=1">',
  '<script>pwned=1</script>',
  '"><svg onload=pwned=1>',
  "'-pwned=1-'",
  'javascript:pwned=1',
  '<iframe srcdoc="<script>parent.pwned=1</script>">',
  '{{constructor.constructor("pwned=1")()}}',
  '</title><style>*{display:none}</style>',
  '\u202Etxt.exe\u200B\u0000\u001b[31m',
]

async function onStage(play: (stage: Stage) => Promise<void>): Promise<void> {
  const store = createMemoryStore()
  const clock = { now: Date.now }
  const account = createOperatorAccount({ store, clock, cost: { N: 2, r: 8, p: 1 } })
  await account.set(SECRET, SECRET, 'terminal')
  const operator = createOperator({ store, clock, pollMs: 100 })
  const server = await openConsole({ operator, account, port: 0 })
  try {
    await play({ store, server, account })
  } finally {
    operator.close()
    await server.close()
    await store.close()
  }
}

async function signedIn({ server, account }: Stage, given?: BrowserContext) {
  const context = given ?? (await browser.newContext({ viewport: { width: 1280, height: 1_000 } }))
  const page = await context.newPage()
  const trouble: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text())
  })
  page.on('pageerror', (error) => trouble.push(String(error)))
  page.on('dialog', (dialog) => {
    trouble.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  const right = await account.check(SECRET, 'terminal')
  if (right.kind !== 'right') throw new Error(right.kind)
  const link = (await account.makeLink(right)) ?? ''
  await page.goto(`${server.url}#login=${link}`)
  await page.waitForSelector('.shell h1')
  await page.waitForSelector('.dot.live')
  return { page, context, link, trouble }
}

async function stateOf({ store }: Stage, id: string): Promise<string | undefined> {
  return (await store.get(requestRef(id)))?.state
}

/** The page of the console is one document, so the checker is brought in once. */
async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(AXE)
  return page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`)
}
