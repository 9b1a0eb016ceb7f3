import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOSTILE_PARTS, PAYLOADS, type Payload, type Planted, plant, textIn } from './console-probes.ts'
import { goTo, hasBrowser, onStage, openBrowser, SECRET, signedIn } from './console-stage.ts'

let browser: Browser

describe.skipIf(!hasBrowser)('what others write is text, on every screen', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  test('every field, every payload: shown in full, made into nothing, run by nobody', async () => {
    await onStage(async (stage) => {
      const now = Date.now()
      const planted: Planted[] = []
      for (const [at, payload] of PAYLOADS.entries()) planted.push(await plant(stage.store, now, at, payload))
      const { page, trouble } = await signedIn(stage, browser)
      const found: string[] = []
      const plain = new Map<string, string>()
      for (const [at, payload] of PAYLOADS.entries()) {
        for (const [kind, place, fields] of placesOf(planted[at] as Planted)) {
          await goTo(page, place)
          const seen = await look(page)
          found.push(...faultsOf(seen, fields, payload).map((fault) => `${kind}, ${payload.name}: ${fault}`))
          const shape = plain.get(kind) ?? plain.set(kind, seen.shape).get(kind)
          if (!payload.isRemarked && seen.shape !== shape) found.push(`${kind}, ${payload.name}: other elements`)
        }
      }
      for (const [place, fields, act] of LISTS) {
        await goTo(page, place)
        await act?.(page)
        const seen = await look(page)
        for (const payload of PAYLOADS)
          found.push(...faultsOf(seen, fields, payload).map((fault) => `${place}, ${payload.name}: ${fault}`))
      }
      expect(found.join('\n')).toBe('')
      expect(trouble).toEqual([])
    }, HOSTILE_PARTS)
  }, 180_000)

  test('what is typed, or stands in the address, is text as well', async () => {
    await onStage(async (stage) => {
      const { page, trouble } = await signedIn(stage, browser)
      const [first] = PAYLOADS as readonly [Payload]
      const planted = await plant(stage.store, Date.now(), 0, first)
      for (const { text } of PAYLOADS) {
        for (const hash of [`#/r/<${text}`, `#/${text}`]) {
          await page.evaluate(`location.hash = ${JSON.stringify(hash.slice(0, 300))}`)
          await page.waitForSelector('h1:text-is("Inbox")')
        }
      }
      await goTo(page, 'audit')
      for (const { text } of PAYLOADS) {
        const answer = page.waitForResponse(/api\/audit\?/)
        await page.fill('#search', text)
        await answer
      }
      expect((await look(page)).foreign).toEqual([])
      await goTo(page, 'policies')
      for (const { text } of PAYLOADS) {
        await page.fill('#glob', text)
        await page.click('#try')
        await page.fill('#explain-operation', text)
        await page.fill('#explain-params', text)
        await page.click('#explain')
        await page.waitForSelector('#replay p')
        await page.waitForSelector('text=The parameters must be JSON.')
        expect((await look(page)).foreign).toEqual([])
      }
      await goTo(page, `r/${planted.request}`)
      await page.click('#deny')
      await page.fill(
        '#why',
        PAYLOADS.slice(1, 8)
          .map(({ text }) => text)
          .join(' '),
      )
      await page.click('#deny-yes')
      await page.waitForSelector('.decide.denied')
      expect(await page.textContent('.decide')).toContain('<script>pwned=1</script> <img src=x onerror=pwned=1>')
      await goTo(page, 'agents')
      await page.click('text=Unblock…')
      await page.fill('#why', '<img src=x onerror=pwned=1> was let go')
      await page.fill('#secret', SECRET)
      await page.click('#yes')
      await page.waitForSelector('text=<img src=x onerror=pwned=1> was let go')
      expect((await look(page)).foreign).toEqual([])
      expect(trouble).toEqual([])
    }, HOSTILE_PARTS)
  }, 120_000)
})

type Place = readonly [kind: string, place: string, fields: readonly string[]]

const REQUEST = ['adapter', 'principal', 'client', 'reason']

/** The pages of one payload alone. */
function placesOf(planted: Planted): readonly Place[] {
  return [
    [
      'a request',
      `r/${planted.request}`,
      [
        ...REQUEST,
        'operation',
        'agent',
        'metric',
        'message',
        'layer',
        'why',
        'key',
        'value',
        'inner-key',
        'inner-value',
      ],
    ],
    ['a used request', `r/${planted.used}`, [...REQUEST, 'decided-by', 'outcome']],
    ['a denied request', `r/${planted.denied}`, [...REQUEST, 'decided-by', 'denial', 'told']],
    ['a challenge', `c/${planted.challenge}`, ['stopped', 'stopped-principal', 'hint', 'factor']],
    ['an agent', `agents/${planted.agent}`, ['stopped', 'stopped-principal', 'hint', 'block-reason', 'goal']],
    [
      'a record',
      `audit/${planted.entry}`,
      ['operation', 'source', 'principal', 'session', 'outcome', 'reason', 'key', 'value', 'name'].map(
        (name) => `audit-${name}`,
      ),
    ],
    [
      'a source',
      `sources/${planted.source}`,
      ['source-name', 'source-version', 'source-hash', 'listed-operation', 'level-reason', 'limit', 'limit-per'],
    ],
  ]
}

/** The pages that show all payloads together. */
const LISTS: readonly (readonly [place: string, fields: readonly string[], act?: (page: Page) => Promise<unknown>])[] =
  [
    ['inbox', ['operation', 'adapter', 'agent', 'why', 'hint', 'stopped', 'held-principal', 'held-operation']],
    ['agents', ['stopped', 'stopped-principal', 'hint', 'block-reason', 'lifted', 'lifted-by', 'lift-reason']],
    ['sources', ['source-name', 'source-version', 'source-mode']],
    [
      'policies',
      [
        'policy',
        'condition',
        'place',
        'explained',
        'explained-layer',
        'audit-operation',
        'audit-source',
        'audit-principal',
      ],
      async (page) => {
        await page.fill('#glob', '*')
        await page.fill('#explain-operation', 'delete')
        await page.click('#explain')
        await page.click('#try')
        await page.waitForSelector('.trace')
        await page.waitForSelector('#replay table')
      },
    ],
    ['quotas', ['quota-source', 'quota', 'quota-unit', 'quota-window']],
    ['health', ['channel', 'channel-note', 'store-place', 'os']],
  ]

interface Seen {
  readonly text: string
  /** Every element and the names of its attributes, without the marks on single characters. */
  readonly shape: string
  /** What the console itself would not make. */
  readonly foreign: readonly string[]
}

/** AUDIT-03: of what is longer, the trail keeps the beginning and a hash. */
const MOST_IN_TRAIL = 512

function faultsOf({ text, foreign }: Seen, fields: readonly string[], { text: payload, shown, brief }: Payload) {
  const texts = [payload, shown, brief].filter((each) => each !== undefined).map(squeezed)
  const readable = (field: string) =>
    texts.some((each) => {
      const whole = textIn(field, each)
      if (field.startsWith('audit-') && whole.length > MOST_IN_TRAIL) return /sha-?256/i.test(text)
      return text.includes(whole) || text.includes(whole.replace(/["\\]/g, '\\$&'))
    })
  return [...foreign, ...fields.filter((field) => !readable(field)).map((field) => `${field} cannot be read`)]
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

async function look(page: Page): Promise<Seen> {
  const seen = await page.evaluate<Seen>(LOOK)
  return { ...seen, text: squeezed(seen.text) }
}

const LOOK = `(() => {
  for (const details of document.querySelectorAll('details')) details.open = true
  const elements = [...document.querySelectorAll('#main *')]
  const page = document.querySelector('#main .detail') ?? document.querySelector('#main')
  const own = /^(?:a|article|aside|b|blockquote|button|caption|code|dd|details|div|dl|dt|figcaption|figure|form|h[123]|input|kbd|label|li|nav|ol|option|p|path|rect|section|select|span|strong|summary|svg|table|tbody|td|textarea|th|thead|time|tr|ul)$/
  const named = (element) => element.outerHTML.slice(0, 100)
  const isForeign = (element) => !own.test(element.localName) ||
    (element.localName === 'svg' && element.getAttribute('class') === null) ||
    [...element.attributes].some(({ name, value }) =>
      /^(?:on|style$|src|autofocus$)/.test(name) ||
      (name === 'href' && !/^#\\/[\\w/.:-]*$/.test(value)))
  return {
    text: document.querySelector('#app').innerText,
    shape: [...page.querySelectorAll('*')].filter((element) => !element.matches('.seg, .crumbs *')).map((element) =>
      element.localName + [...element.attributes].map(({ name }) => ' ' + name).sort().join('')).join('\\n'),
    foreign: [
      ...elements.filter(isForeign).map((element) => 'foreign element ' + named(element)),
      ...(Object.hasOwn(globalThis, 'pwned') ? ['a script ran'] : []),
      ...(Object.hasOwn(Object.prototype, 'polluted') ? ['the prototype was changed'] : []),
    ],
  }
})()`
