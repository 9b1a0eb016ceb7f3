import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { displayHost } from '../../src/core/display.ts'
import { compilePolicies } from '../../src/core/gatekeeper/policies.ts'
import type { ApprovalRequest } from '../../src/core/gatekeeper/request.ts'
import { readAgents } from '../../src/core/operator/agents.ts'
import { searchTrail } from '../../src/core/operator/audit-view.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { FORMATS } from '../../src/core/registry/formats.ts'
import { loadMatchers } from '../../src/core/registry/matchers.ts'
import { fullBudget } from '../../src/core/registry/patterns.ts'
import { createFlags } from '../../src/serve/console/flags.ts'
import { requestBody, requestItem, valuePart } from '../../src/serve/console/request-shape.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { cpuTime } from '../cpu-time.ts'
import { pressure } from './calibrate.ts'
import { IS_LONG, MOST_MS } from './search-worst.ts'
import { ALPHABETS, times } from './shapes.ts'

/** What an agent sends, as the operator looks at it: nobody else waits for that. */
const BYTES = 1_000_000
const MOST_ANSWER = 5_000_000

const filled = (letters: string) => letters.repeat(BYTES / Buffer.byteLength(letters))

/** Every script in the long search; in the suite the dearest ones of each sort. */
const SHORT = ['ж', 'שלום עולם ', 'a\u0301\u0302\u0303', '\u202e\u2066a']
const TEXTS = [...new Set([...SHORT, ...(IS_LONG ? ALPHABETS : [])])]

describe('ATTACK-10 no text of an agent holds up the others when the operator looks at it', () => {
  test.each(TEXTS)('a request full of %j', async (letters) => {
    const text = filled(letters)
    for (const params of [{ text }, { input: { [text]: 1 } }, { list: times(9_000, () => text.slice(0, 40)) }]) {
      const flags = createFlags()
      const page = await longestTurn(() => requestBody(viewOf(params), 0, flags))
      const item = await longestTurn(() => requestItem(requestOf(params), 0, createFlags()))
      const part = await longestTurn(async () => valuePart(requestOf(params), 0, 100_000))
      expect(Math.max(page.ms, item.ms, part.ms)).toBeLessThan(MOST_MS * pressure())
      expect(JSON.stringify(page.answer).length).toBeLessThan(MOST_ANSWER)
      expect(JSON.stringify(item.answer).length).toBeLessThan(10_000)
      expect(JSON.stringify(part.answer).length).toBeLessThan(MOST_ANSWER)
    }
  })

  test('a host of another script, each letter another one', () => {
    const host = `http://${times(300_000, (at) => String.fromCodePoint(0x4e00 + (at % 20_000))).join('')}`
    expect(cpuTime(() => displayHost(host))).toBeLessThan(MOST_MS * pressure())
    expect(cpuTime(() => expect(FORMATS.uri?.test(host)).toBe(false))).toBeLessThan(MOST_MS * pressure())
  })
})

describe('ATTACK-10 a busy agent does not hold up the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpaql-busy-'))
  const ENTRIES = IS_LONG ? 20_000 : 4_000
  let store: Store

  beforeAll(async () => {
    store = await openSqliteStore(join(folder, 'state.db'))
    for (let n = 0; n < ENTRIES; n += 500) {
      const audit = times(500, (at) => ({
        timestamp: new Date(1_800_000_000_000 + n + at).toISOString(),
        event: 'OPERATION_CALLED' as const,
        operation: 'create_thing',
        user_id: 'agent',
        session_id: 's1',
        outcome: 'success',
        findings: 'Ж'.repeat(4_000),
      }))
      await store.update({}, () => ({ audit, result: undefined }))
    }
  }, 120_000)

  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('when the agents are listed, all of whose entries count', async () => {
    const { ms, answer } = await longestTurn(() => readAgents(store, [], 1_800_000_000_000 + ENTRIES))
    expect(answer).toMatchObject([{ principal: 'agent', day: { ran: ENTRIES } }])
    expect(ms).toBeLessThan(MOST_MS * pressure())
  })

  test('when the trail is searched', async () => {
    const { ms, answer } = await longestTurn(() => searchTrail(store, { text: `${'Ж'.repeat(100)}q` }))
    expect(answer.items).toEqual([])
    expect(ms).toBeLessThan(MOST_MS * pressure())
  })
})

/** Patterns that need very many states, and texts that lead into all of them. */
const PATTERNS = [
  '(?i)(password|secret).{0,200}(prod|live)',
  '(?i)select.{1,100}from',
  '(?i)\\b(drop|truncate)\\s+table\\b',
] as const
const HOSTILE = ['password ', 'passwordx', 'select ', 'drop ', 'live', 'from', 'table', 'Ж', 'a']

describe('ATTACK-10 no text holds up the others while a pattern is looked for', () => {
  test.each(PATTERNS)('GATE-11 %s in a policy: the stricter outcome counts where nobody can tell', async (value) => {
    const conditions = [{ param: 'text', op: 'matches', value } as const]
    const policies = await compilePolicies(
      (['deny', 'confirm', 'allow'] as const).map((permission) => ({ operation: '*', permission, conditions })),
    )
    for (const text of [...HOSTILE.map((words) => filled(words)), mixed()]) {
      const budget = fullBudget()
      const all = () => policies.map(({ holds }) => holds?.({ text }, budget))
      expect(cpuTime(all)).toBeLessThan(MOST_MS * pressure())
    }
  })

  test('GATE-11 a value too long to be looked through satisfies deny and confirm, and not allow', async () => {
    const conditions = [{ param: 'text', op: 'matches', value: PATTERNS[0] } as const]
    const found = async (text: string) => {
      const records = (['deny', 'confirm', 'allow'] as const).map((permission) => ({
        ...{ operation: '*', permission, conditions },
      }))
      return (await compilePolicies(records)).map(({ holds }) => holds?.({ text }, fullBudget()))
    }
    expect(await found('a secret of prod')).toEqual([true, true, true])
    expect(await found('a'.repeat(50_000))).toEqual([false, false, false])
    expect(await found('a'.repeat(60_000))).toEqual([true, true, false])
  })

  test('VAL-04 texts of a request share what may be spent on patterns; the next request begins anew', async () => {
    const { pattern } = await loadMatchers([{ type: 'string', pattern: PATTERNS[0] }])
    const { test: look, longest } = pattern(PATTERNS[0])
    expect(longest).toBe(58_139)
    expect(look('a'.repeat(longest + 1))).toBeUndefined()
    await undefined
    expect([look('a'.repeat(50_000)), look('a'.repeat(50_000))]).toEqual([false, undefined])
    await undefined
    expect(look('a secret of prod')).toBe(true)
  })
})

/** At random, so that no state comes twice. */
function mixed(): string {
  let seed = 1
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return HOSTILE[seed % HOSTILE.length] ?? ''
  }
  return times(200_000, next).join('').slice(0, BYTES)
}

async function longestTurn<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly answer: T }> {
  let longest = 0
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
  }
  const timer = setInterval(look, 1)
  await sleep(5)
  longest = 0
  const answer = await work()
  look()
  clearInterval(timer)
  return { ms: longest, answer }
}

function viewOf(params: ApprovalRequest['params']) {
  return {
    request: requestOf(params),
    state: 'pending',
    history: [],
    denials: { count: 0, most: 3 },
    session: { allowed: true, maxUses: 5 },
  } as const
}

function requestOf(params: ApprovalRequest['params']): ApprovalRequest {
  return {
    id: 'req_1',
    kind: 'operation',
    class: 'C2',
    version: 1,
    adapter: 'lab',
    operation: 'delete_thing',
    category: 'DELETE',
    endpoint: 'delete',
    level: 'destructive',
    trust: 'untrusted',
    params,
    paramsHash: 'x',
    scope: '',
    session: 's1',
    principal: 'agent',
    reasons: [],
    trace: [],
    issuedAt: 0,
    expiresAt: 1,
    toleranceMs: 0,
    cooldownSeconds: 0,
    requiresReauth: false,
    state: 'pending',
    shown: true,
    decisions: [],
    maxUses: 1,
    useCount: 0,
  }
}
