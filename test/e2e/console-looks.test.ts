import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClients } from '../../src/core/operator/clients.ts'
import type { OperatorParts } from '../../src/core/operator/operator.ts'
import { record as recordRef, type Store, updateRecord } from '../../src/core/ports/store.ts'
import { aRequest, ask, CHALLENGE, seed } from './console-seed.ts'
import { goTo, hasBrowser, onStage, openBrowser, SECRET, signedIn, violations } from './console-stage.ts'

let browser: Browser

describe.skipIf(!hasBrowser)('the looks of the console', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  test('every screen and dialog: axe finds nothing serious, nothing is too wide, nothing moves, forced colours show all', async () => {
    await onStage(async (stage) => {
      await furnish(stage.store, Date.now())
      const { page } = await signedIn(stage, browser, { bypassCSP: true, reducedMotion: 'reduce' })
      const found: string[] = []
      for (const [name, open] of looks(await idsIn(stage.store))) {
        await open(page)
        for (const trouble of await troubles(page, isScreen(name) ? SCREENS : OPPOSITES))
          found.push(`${name}: ${trouble}`)
        await page.evaluate("document.querySelector('dialog[open]')?.close()")
      }
      await page.click('text=Sign out')
      await page.waitForSelector('#login')
      for (const trouble of await troubles(page, SCREENS)) found.push(`login: ${trouble}`)
      expect(found).toEqual([])
    }, PARTS)
  }, 600_000)

  test('without that wish, buttons fade: so the check above sees what moves', async () => {
    await onStage(async (stage) => {
      const { page } = await signedIn(stage, browser, { reducedMotion: 'no-preference' })
      expect(await page.evaluate(MOVING)).toContain('button.btn menu')
    })
  })
})

/** What only a console beside a server can show. */
const PARTS: Partial<OperatorParts> = {
  quotas: async () => [
    { adapter: 'github', metric: 'requests_per_hour', unit: 'requests', window: 'hour', ...thresholds(1_210, 'ok') },
    { adapter: 'github', metric: 'cost_per_day', unit: 'USD', window: 'day', ...thresholds(4_100, 'warn') },
    { adapter: 'warehouse', metric: 'rows_per_day', unit: 'rows', window: 'day', ...thresholds(4_700, 'paused') },
    { adapter: 'warehouse', metric: 'calls_per_day', unit: 'calls', window: 'day', ...thresholds(5_000, 'exhausted') },
  ],
  explain: async () => ({
    kind: 'explained',
    decision: 'confirm',
    trace: [
      { layer: 'Route', verdict: 'allow', text: 'Known', decisive: false },
      { layer: 'Danger', verdict: 'confirm', text: 'Level 2', decisive: true },
    ],
  }),
  preview: async () => ({
    value: { namespace: 'payments-prod', name: 'ledger-api', replicas: 2, image: 'registry.acme/ledger:2.4.0' },
    readAt: Date.now(),
  }),
  separation: async () => ({ kind: 'same', store: 'ada', here: 'ada', why: 'Both belong to ada.' }),
}

function thresholds(current: number, status: 'ok' | 'warn' | 'paused' | 'exhausted') {
  return { current, warn: 4_000, pause: 4_500, stop: 5_000, status, resetsAt: Date.now() + 900_000 }
}

const ENDED = {
  approved: { state: 'approved', approvedAt: Date.now() },
  cooling: { state: 'approved', approvedAt: Date.now(), cooldownSeconds: 600 },
  consumed: { state: 'consumed', consumedAt: Date.now(), outcome: 'success', useCount: 1 },
  revoked: { state: 'revoked' },
  expired: { state: 'pending', issuedAt: Date.now() - 400_000, expiresAt: Date.now() - 1_000 },
} as const

/** The busy day, and a request in each of the states that it lacks. */
async function furnish(store: Store, now: number): Promise<void> {
  await seed(store, now)
  const clients = createClients(store, { now: () => now })
  for (const name of ['laptop', 'old-desk'])
    await clients.add({ name, elicitation: name === 'laptop', by: 'operator', channel: 'terminal' })
  await clients.revoke({ name: 'old-desk', by: 'operator', channel: 'console' })
  const decision = { decision: 'approve', scope: 'once', by: 'operator', channel: 'console', at: now } as const
  const quota = { kind: 'quota', adapter: 'warehouse', quotaMetric: 'rows_per_day', params: { rows: 900 } } as const
  await ask(store, aRequest(now, { id: 'req_quota', operation: 'export_rows', ...quota }))
  for (const [name, state] of Object.entries(ENDED))
    await ask(store, aRequest(now, { id: `req_${name}`, params: { name }, decisions: [decision], ...state }))
  for (const kind of ['request', 'challenge'])
    for (const { id, value } of await store.list<{ expiresAt: number }>(kind)) {
      const it = { ...value, expiresAt: value.expiresAt + HOUR_MS }
      if (value.expiresAt > now) await updateRecord(store, recordRef(kind, id), () => ({ next: it, result: undefined }))
    }
}

/** What waits must still wait when a slow computer comes to look at it. */
const HOUR_MS = 3_600_000

type Look = readonly [name: string, open: (page: Page) => Promise<unknown>]

interface Ids {
  readonly requests: Readonly<Record<string, string>>
  readonly unknown: number
}

async function idsIn(store: Store): Promise<Ids> {
  const requests = await store.list<{ id: string; operation: string }>('request')
  const [unknown] = await store.trail.read({ text: 'delete_pod' })
  return {
    requests: Object.fromEntries(
      requests
        .filter(({ id }) => !Object.hasOwn(ENDED, id.slice(4)))
        .map(({ value: { id, operation } }) => [operation, id]),
    ),
    unknown: unknown?.seq ?? 0,
  }
}

function looks({ requests, unknown }: Ids): readonly Look[] {
  const at = (place: string): Look => [place, (page) => goTo(page, place)]
  const decide = (operation: string) => `r/${requests[operation]}`
  const question = (name: string, place: string, act: (page: Page) => Promise<unknown>): Look => [
    name,
    async (page) => {
      await goTo(page, place)
      await act(page)
      await page.waitForSelector('dialog[open]')
    },
  ]
  const approve = async (page: Page, button: string) => {
    await page.waitForSelector(`${button}:not([aria-disabled])`)
    await page.click(button)
  }
  return [
    at('inbox'),
    ...['delete_branch', 'update_deployment', 'bulk_delete_rows', 'reset_user_mfa', 'close_issue'].map((name) =>
      at(decide(name)),
    ),
    ...Object.keys(ENDED).map((name) => at(`r/req_${name}`)),
    question('the question before a denial', decide('update_deployment'), (page) => page.click('#deny')),
    question('the question before an approval', decide('update_deployment'), (page) => approve(page, '#approve')),
    question('the question for a session', decide('update_deployment'), (page) => approve(page, '#approve-session')),
    question('the question for the secret', decide('reset_user_mfa'), (page) => approve(page, '#approve')),
    at(`c/${CHALLENGE}`),
    question('the secret before a code', `c/${CHALLENGE}`, (page) => page.click('#reveal')),
    [
      'a code that is shown',
      async (page) => {
        await page.click('#reveal')
        await page.fill('#secret', SECRET)
        await page.click('#yes')
        await page.waitForSelector('.code:not(.mask)')
      },
    ],
    at('agents'),
    question('unblocking', 'agents', (page) => page.click('text=Unblock…')),
    [
      'one agent',
      async (page) => {
        await goTo(page, 'agents')
        await page.click('text=svc-data@acme')
        await page.waitForSelector('text=Stop this agent…')
      },
    ],
    [
      'stopping an agent',
      async (page) => {
        await goTo(page, 'agents')
        await page.click('text=svc-data@acme')
        await page.click('text=Stop this agent…')
        await page.waitForSelector('dialog[open]')
      },
    ],
    at('clients'),
    question('revoking a client', 'clients', (page) => page.click('text=Revoke…')),
    at('audit'),
    at(`audit/${unknown}`),
    [
      'no record',
      async (page) => {
        await goTo(page, 'audit')
        await page.fill('#search', 'nothing like it')
        await page.waitForSelector('text=No record matches')
      },
    ],
    at('sources'),
    at('sources/github'),
    [
      'policies, tried and explained',
      async (page) => {
        await goTo(page, 'policies')
        await page.fill('#explain-operation', 'delete_branch')
        await page.click('#explain')
        await page.fill('#glob', 'create_*')
        await page.selectOption('#permission', 'confirm')
        await page.click('#try')
        await page.waitForSelector('.trace')
        await page.waitForSelector('#replay table')
        await page.waitForSelector('text=That is about 0.14 more questions a day.')
      },
    ],
    [
      'quotas',
      async (page) => {
        await goTo(page, 'quotas')
        await page.waitForSelector('.quota:has-text("rows_per_day") a[href="#/r/req_quota"]')
      },
    ],
    at('health'),
    question('the shortcuts', 'inbox', (page) => page.keyboard.press('?')),
    at('nothing-like-it'),
    ['not here', (page) => goTo(page, 'r/req_nothing')],
  ]
}

/** The dark theme sets colours and nothing else, so there only what rests on colours can differ. */
const COLOURS = ['color-contrast', 'link-in-text-block']
const SCREENS = [
  ['light', 1280, undefined],
  ['dark', 1280, COLOURS],
  ['dark', 390, COLOURS],
  ['light', 390, undefined],
] as const

/** For dialogs and for other states of a screen: each theme and each width once. */
const OPPOSITES = [
  ['light', 1280, undefined],
  ['dark', 390, undefined],
] as const

const isScreen = (name: string) =>
  /^(?:[a-z]+|r\/req_[0-9a-f]{12}|c\/.*|(?:audit|sources)\/\w+|policies, .*|the question before a denial)$/.test(name)

async function troubles(page: Page, variants: typeof SCREENS | typeof OPPOSITES): Promise<readonly string[]> {
  const found: string[] = []
  for (const [colorScheme, width, rules] of variants) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    const faults = [...(await violations(page, rules)), ...(isTooWide ? ['wider than the window'] : [])]
    found.push(...faults.map((fault) => `${colorScheme} at ${width}: ${fault}`))
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  const moving = await page.evaluate<string[]>(MOVING)
  await page.emulateMedia({ forcedColors: 'active' })
  await page.keyboard.press('Shift')
  const faint = await page.evaluate<string[]>(FAINT)
  await page.emulateMedia({ forcedColors: 'none' })
  return [...found, ...moving.map((what) => `moves: ${what}`), ...faint.map((what) => `forced colours: ${what}`)]
}

/** Whatever moves, or would when it changes. */
const MOVING = `[...document.querySelectorAll('*')]
  .filter((element) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element)
    return transitionDuration.split(', ').some((time) => time !== '0s') || animationName !== 'none' || scrollBehavior !== 'auto'
  })
  .map((element) => element.localName + '.' + element.className)
  .concat(document.getAnimations().map((animation) => String(animation)))`

/** What has no edge, no shape or no focus ring where the page has no colours of its own. */
const FAINT = `(() => {
  const seen = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0
  const named = (element) => element.localName + '.' + (element.getAttribute('class') ?? '') + ' ' + element.textContent.slice(0, 30)
  const hasEdge = (element) => {
    const style = getComputedStyle(element)
    return ['Top', 'Right', 'Bottom', 'Left'].some((side) =>
      parseFloat(style['border' + side + 'Width']) > 0 && style['border' + side + 'Style'] !== 'none' &&
      style['border' + side + 'Color'] !== style.backgroundColor)
  }
  const all = (selector) => [...(document.querySelector('dialog[open]') ?? document).querySelectorAll(selector)].filter(seen)
  const canvas = getComputedStyle(document.body).backgroundColor
  const edges = all('.btn:not(.link), input:not([type=radio], [type=checkbox]), select, textarea, .lvl:not(.bare), .tag, .card, .note, .summary, .decide, .block, .value')
  const shapes = all('.meter rect.on, .drain .left, .gauge .used, .gauge .tick')
  const stops = all('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  const before = document.activeElement
  const blind = stops.filter((element) => {
    element.focus({ preventScroll: true })
    if (document.activeElement !== element) return false
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
    return outlineStyle === 'none' || parseFloat(outlineWidth) < 2 || outlineColor === canvas
  })
  before?.focus({ preventScroll: true })
  const stubborn = all('*').filter((element) => getComputedStyle(element).forcedColorAdjust === 'none')
  return [
    ...stubborn.map((element) => 'keeps its own colours ' + named(element)),
    ...edges.filter((element) => !hasEdge(element)).map((element) => 'no edge ' + named(element)),
    ...shapes.filter((element) => getComputedStyle(element).fill === canvas).map((element) => 'no shape ' + named(element)),
    ...blind.map((element) => 'no focus ring ' + named(element)),
  ]
})()`
