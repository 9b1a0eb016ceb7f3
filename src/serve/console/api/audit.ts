import type { Operator } from '../../../core/operator/operator.ts'
import { isUnknown } from '../../../core/operator/unknown-outcomes.ts'
import type { TrailEntry, TrailQuery } from '../../../core/ports/store.ts'
import { AUDIT_EVENTS } from '../../../protocol/audit.ts'
import { type Answer, badBody, type Call, type ConsoleDesk, ok, type Route, refusal, textField } from '../route.ts'
import { shown, shownRedacted, shownValue } from '../shown.ts'

/** The trail: search, one entry, whether it is whole, a copy of it, and what was found out about an unknown outcome. */
export const AUDIT: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/audit',
    needs: 'viewer',
    answer: async ({ query }, { operator }) => {
      const { items, next } = await operator.search(queryIn(query))
      return ok({ items: items.map(lineShape), next: next ?? null })
    },
  },
  {
    method: 'GET',
    path: '/api/audit/chain',
    needs: 'viewer',
    answer: async (_, { operator }) => ok(await chainShape(operator)),
  },
  {
    method: 'GET',
    path: '/api/audit/events',
    needs: 'viewer',
    answer: async () => ok({ items: [...AUDIT_EVENTS] }),
  },
  {
    method: 'GET',
    path: '/api/audit/export',
    needs: 'viewer',
    answer: async ({ query }, { operator }) => ({
      status: 200,
      headers: { 'content-disposition': 'attachment; filename="mcpaql-audit.jsonl"' },
      download: { type: 'application/jsonl; charset=utf-8', pieces: lines(operator, queryIn(query)) },
    }),
  },
  {
    method: 'GET',
    path: '/api/audit/:seq',
    needs: 'viewer',
    answer: async ({ names }, { operator }) => {
      const seq = Number(names.seq)
      const found = Number.isSafeInteger(seq) ? await operator.entry(seq) : undefined
      if (!found) return refusal(404, 'unknown', 'There is no such record.')
      const findings = isUnknown(found.entry) ? await operator.findings(seq) : []
      return ok({ ...entryShape(found), findings: findings.map(findingShape) })
    },
  },
  { method: 'POST', path: '/api/audit/:seq/finding', needs: 'approver', answer: addFinding },
]

async function addFinding({ names, body, signIn }: Call, { operator }: ConsoleDesk): Promise<Answer> {
  const note = textField(body, 'note', 500) ?? ''
  if (typeof body.happened !== 'boolean') return badBody('Say whether it happened.')
  const finding = { happened: body.happened, note, by: signIn.subject, channel: 'console' }
  const state = await operator.recordFinding(Number(names.seq), finding)
  return state === 'recorded' ? ok({ state }) : refusal(404, 'unknown', 'That record is no unknown outcome.')
}

function queryIn(query: URLSearchParams): TrailQuery {
  const text = (name: string) => query.get(name)?.slice(0, 200) || undefined
  const number = (name: string) => (/^\d{1,15}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : undefined)
  const given = {
    text: text('text'),
    operation: text('operation'),
    principal: text('agent'),
    adapter: text('source'),
    result: text('result'),
    level: number('level'),
    from: timeIn(query.get('from')),
    to: timeIn(query.get('to')),
    before: number('before'),
    limit: number('limit'),
    events: text('event') && [text('event') as string],
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as TrailQuery
}

function timeIn(text: string | null): string | undefined {
  const at = text === null || text === '' ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

async function* lines(operator: Operator, query: TrailQuery): AsyncIterable<string> {
  let before = query.before
  do {
    const page = await operator.search({ ...query, limit: 200, ...(before !== undefined && { before }) })
    yield page.items.map((item) => `${JSON.stringify(item)}\n`).join('')
    before = page.next
  } while (before !== undefined)
}

async function chainShape(operator: Operator) {
  const state = await operator.chain()
  return {
    running: state.isRunning,
    head: state.head,
    verified_to: state.verifiedTo,
    verified_at: state.verifiedAt,
    anchored_to: state.anchoredTo ?? null,
    anchored_at: state.anchoredAt ?? null,
    place: state.place === undefined ? null : shown(state.place),
    broken_at: state.brokenAt ?? null,
    trouble: state.trouble ?? null,
  }
}

function lineShape({ seq, entry }: TrailEntry) {
  const { timestamp, event, operation, user_id, adapter_name, danger_level, result, outcome, operator } = entry
  return {
    seq,
    at: Date.parse(timestamp),
    event,
    operation: operation === undefined ? null : shown(operation),
    agent: user_id === undefined ? null : shown(user_id),
    source: adapter_name === undefined ? null : shown(adapter_name),
    level: danger_level ?? null,
    result: result ?? (typeof outcome === 'string' ? outcome : null),
    operator: operator === undefined ? null : shown(operator),
    unknown: isUnknown(entry),
  }
}

function findingShape({ seq, entry: { timestamp, outcome, operator, reason } }: TrailEntry) {
  return {
    seq,
    at: Date.parse(timestamp),
    happened: outcome === 'happened',
    by: operator === undefined ? null : shown(operator),
    note: typeof reason === 'string' ? shown(reason) : null,
  }
}

function entryShape({ seq, previous, hash, entry }: TrailEntry) {
  return {
    ...lineShape({ seq, previous, hash, entry }),
    previous,
    hash,
    fields: Object.entries(entry)
      .filter(([name]) => name !== 'timestamp' && name !== 'event')
      .map(([name, value]) => ({ name: shown(name), value: fieldShape(name, value) })),
  }
}

function fieldShape(name: string, value: unknown) {
  return REDACTED.has(name) && typeof value === 'string' ? shownRedacted(value) : shownValue(value)
}

/** Words of an agent, kept without credentials (AUDIT-06). */
const REDACTED: ReadonlySet<string> = new Set(['hint', 'step_description', 'findings', 'goal', 'summary'])
