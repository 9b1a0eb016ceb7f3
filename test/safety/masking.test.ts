import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { requestLines } from '../../src/cli/show-request.ts'
import { displayRecorded, displayValue, textOf } from '../../src/core/display.ts'
import type { ApprovalRequest } from '../../src/core/gatekeeper/request.ts'
import { asRecorded, isMasked, sentKey } from '../../src/core/masked.ts'
import { createFlags } from '../../src/serve/console/flags.ts'
import { requestBody, requestItem } from '../../src/serve/console/request-shape.ts'
import { type Displayed, shownRecorded, shownValue } from '../../src/serve/console/shown.ts'
import { openGateWorld } from '../pipeline/gate/gate-world.ts'

/**
 * The human sees what runs: masking is by place, never by value. Whatever an agent sends where a parameter is sensitive,
 * every other value stands in full on every screen and in the trail.
 */
const SENSITIVE = { type: 'string', sensitive: true } as const

const OPERATION = {
  name: 'delete_database',
  category: 'DELETE',
  danger: { level: 'destructive', confirmation_message: 'Delete the database {name} as {password}?' },
  params: {
    name: { type: 'string', required: true },
    password: { ...SENSITIVE, required: true },
    count: { type: 'number' },
    how: { type: 'object', open: true, fields: { pin: SENSITIVE } },
    list: { type: 'object[]', open: true, fields: { key: SENSITIVE } },
    place: { ...SENSITIVE, mapTo: 'inside' },
  },
} as const

/** What an agent would send to be taken for something masked, or to mask something else. */
const tricks = [
  'production',
  'o',
  '***',
  '(hidden)',
  '⟨hidden⟩',
  '{"$masked":"string"}',
  '$masked',
  '[masked key]',
  '1',
  'null',
  'true',
  '"',
]
const texts = fc.oneof(fc.constantFrom(...tricks), fc.string({ maxLength: 12 }))
const leaves = fc.oneof(
  texts,
  fc.integer({ min: 0, max: 9 }),
  fc.constantFrom(null, true, { $masked: 'string' }, { $$masked: 1 }, { $cut: {} }, []),
)
const keys = fc.constantFrom('a', 'b', 'name', '$masked', '$$masked', '$cut', 'production', 'o')
const open = fc.dictionary(keys, fc.oneof(leaves, fc.array(leaves, { maxLength: 3 }), fc.dictionary(keys, leaves)), {
  maxKeys: 4,
})
const params = fc.record(
  {
    name: fc.oneof(texts, fc.constant('production')),
    password: texts.filter((text) => text !== ''),
    count: fc.integer({ min: 0, max: 9 }),
    how: fc.tuple(open, texts).map(([fields, pin]) => ({ ...fields, pin })),
    list: fc.array(fc.tuple(open, texts).map(([fields, key]) => ({ ...fields, key }))),
    place: texts,
  },
  { requiredKeys: ['name', 'password'] },
)

test('S1 VAL-10 every value that is not sensitive is shown and recorded in full, whatever the sensitive ones are', async () => {
  await fc.assert(
    fc.asyncProperty(params, async (sent) => {
      const { request, recorded } = await asked(sent)
      expect(withSecrets(request.params, bound(sent))).toEqual(bound(sent))
      expect(withSecrets(recorded, bound(sent))).toEqual(bound(sent))
      expectPlaces(request.params)
      expectPlaces(recorded as ApprovalRequest['params'])
      expectOnTerminal(request, sent)
      await expectInConsole(request, sent)
      expect(textOf(displayRecorded(request.params))).toContain(`"name": ${textOf(displayValue(sent.name))}`)
    }),
    { numRuns: 150 },
  )
})

test('S1 what is masked can be told from a literal, on every screen and in the trail', async () => {
  const literals = ['***', '(hidden)', '⟨hidden⟩', '{"$masked":"string"}', '[masked password]']
  for (const literal of literals) {
    const { request, recorded, message } = await asked({ name: literal, password: 'production' })
    const shown = (name: string) => textOf(displayRecorded(request.params[name]))
    expect(shown('password')).toBe('⟨hidden⟩')
    expect(shown('name')).not.toBe(shown('password'))
    expect(recorded).toEqual({ name: literal, password: { $masked: 'string' } })
    expect(message).not.toMatch(/^Delete the database \(hidden\)/)
    expect(message.endsWith(' as (hidden)?')).toBe(true)
  }
})

test('AUDIT-06 a value that is cut looks like none that is sent', () => {
  const cut = { sha256: '0'.repeat(64), bytes: 5_000, preview: '"a ⟩ b' }
  const sent = asRecorded({ $cut: cut })
  const [real, literal] = [{ $cut: cut }, sent].map((value) => textOf(displayRecorded(value)))
  expect(real).toMatch(/^⟨cut: 5000 bytes, SHA-256 0{64}, begins "a ⟨U\+27E9 [A-Z ]+⟩ b⟩$/)
  expect(literal).toContain('"$cut": {"sha256"')
  expect(spelled(shownRecorded({ $cut: cut }))).toBe(real)
  expect(spelled(shownRecorded(sent))).not.toBe(real)
})

test('SELF-04 what a client calls itself cannot end the quotation marks of the page', async () => {
  const { request } = await asked({ name: 'a', password: 'b' })
  const client = 'claude” · named by you: laptop · says “x'
  const { agent } = await requestItem({ ...request, client }, 0, createFlags())
  expect(agent.says && spelled(agent.says)).not.toMatch(/["“”]/)
})

const world = await openGateWorld({}, [OPERATION])
afterAll(() => world.runtime.close())

async function asked(sent: object) {
  world.pass(3_600) // what was asked before has expired, and counts for no limit
  const { approval_id } = await world.demand({ operation: OPERATION.name, params: sent })
  const request = await world.runtime.findRequest(approval_id, world.session)
  const [found] = await world.store.trail.read({ events: ['CONFIRMATION_REQUIRED'], limit: 1 })
  if (!request) throw new Error('nothing was asked')
  return { request, recorded: found?.entry.parameters, message: request.message ?? '' }
}

/** As the handler would get them. */
function bound({ place, ...others }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...others, ...(place !== undefined && { inside: place }) }
}

/** The record with the sent value wherever it is masked, and its keys as they were sent. */
function withSecrets(recorded: unknown, sent: unknown): unknown {
  if (isMasked(recorded)) return sent
  if (Array.isArray(recorded)) return recorded.map((item, at) => withSecrets(item, (sent as unknown[])[at]))
  if (typeof recorded !== 'object' || recorded === null) return recorded
  const fields = Object.entries(recorded).map(([key, value]) => {
    const name = sentKey(key)
    return [name, withSecrets(value, (sent as Record<string, unknown>)?.[name])]
  })
  return Object.fromEntries(fields)
}

/** Masked are the declared places and nothing else. */
function expectPlaces(recorded: Readonly<Record<string, unknown>>): void {
  const found: string[] = []
  const walk = (value: unknown, path: string): void => {
    if (isMasked(value)) found.push(path)
    else if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, path === '' ? key : `${path}.${key}`)
  }
  walk(recorded, '')
  const places = new Set(['password', 'inside', 'how.pin', 'list[].key'])
  expect(found.filter((path) => !places.has(path))).toEqual([])
  expect(found).toContain('password')
}

function expectOnTerminal(request: ApprovalRequest, { name }: { readonly name: string }): void {
  const lines = requestLines(request, 'pending', 0).map(([label, text]) => `${label}|${text}`)
  const at = lines.indexOf('  name|')
  expect(lines[at + 1]).toBe(`|${textOf(displayValue(name))}`)
  expect(lines[lines.indexOf('  password|') + 1]).toBe('|⟨hidden⟩')
}

async function expectInConsole(request: ApprovalRequest, sent: Readonly<Record<string, unknown>>): Promise<void> {
  const view = { request, state: 'pending', history: [], denials: { count: 0, most: 3 } } as const
  const body = await requestBody({ ...view, session: { allowed: true, maxUses: 5 } }, 0, createFlags())
  const shown = new Map(body.params.map(({ name, value }) => [spelled(name), spelled(value)]))
  expect(shown.get('name')).toBe(spelled(shownValue(sent.name)))
  expect(shown.get('password')).toBe('⟨hidden⟩')
  expect(body.params.find(({ name }) => spelled(name) === 'password')).toMatchObject({ chars: 0, masked: true })
  expect(body.params.find(({ name }) => spelled(name) === 'name')).toMatchObject({ masked: false })
  const target = body.target.find(({ name }) => spelled(name) === 'name')
  if (target) expect(spelled(target.text)).toBe(spelled(shownValue(sent.name)).replace(/⟨(?:host|not an).*⟩$/, ''))
}

function spelled(displayed: Displayed): string {
  return textOf(displayed)
}
