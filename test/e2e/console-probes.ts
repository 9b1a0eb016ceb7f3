import { agentId } from '../../src/core/operator/agents.ts'
import type { OperatorParts } from '../../src/core/operator/operator.ts'
import { sourceRef } from '../../src/core/operator/source-record.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { agentKey } from '../../src/core/verification/agent-key.ts'
import { blockRef } from '../../src/core/verification/block.ts'
import { aRequest, aSource, ask, block, record } from './console-seed.ts'

export interface Payload {
  readonly name: string
  readonly text: string
  /** As a page must show it, where that is not the text itself; `brief` in lists. */
  readonly shown?: string
  readonly brief?: string
  /** Deceptive or long: the page says so, and therefore is not built like that of plain words. */
  readonly isRemarked?: boolean
}

/** The first says nothing, so that its pages show what the console itself is made of. */
export const PAYLOADS: readonly Payload[] = [
  { name: 'plain words', text: 'nothing special' },
  { name: 'a script', text: '<script>pwned=1</script>' },
  { name: 'an image', text: '<img src=x onerror=pwned=1>' },
  { name: 'a drawing', text: '<svg onload=pwned=1><script>pwned=1</script></svg>' },
  { name: 'double quotes', text: '"><img src=x onerror="pwned=1"> " onfocus="pwned=1" autofocus="' },
  { name: 'single quotes', text: "'><img src=x onerror='pwned=1'> ' onfocus='pwned=1' autofocus='" },
  { name: 'backticks', text: '`><img src=x onerror=`pwned=1`> `-pwned=1-`' },
  { name: 'a script address', text: 'javascript:pwned=1//' },
  { name: 'a data address', text: 'data:text/html;base64,PHNjcmlwdD5wYXJlbnQucHduZWQ9MTwvc2NyaXB0Pg==' },
  { name: 'a template', text: '{{constructor.constructor("pwned=1")()}} $' + '{pwned=1} <%= pwned=1 %>' },
  { name: 'entities', text: '&lt;img src=x onerror=pwned=1&gt; &#60;img src=x onerror=pwned=1&#62; &quot;' },
  {
    name: 'the end of an element',
    text: '</textarea></title></style></script><iframe srcdoc="<script>parent.pwned=1</script>">',
  },
  { name: 'a style', text: '<style>*{display:none}</style><link rel=stylesheet href=//evil.example/x.css>' },
  { name: 'a name of the language', text: '__proto__' },
  {
    name: 'a text that runs backwards',
    text: '\u202Etxt.exe<b>',
    shown: '⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩txt.exe<b>',
    brief: '⟨U+202E⟩txt.exe<b>',
    isRemarked: true,
  },
  {
    name: 'what cannot be seen',
    text: 'pay\u200Bpal\u0000\u001b[31m<b>',
    shown: 'pay⟨U+200B ZERO WIDTH SPACE⟩pal⟨U+0000 NULL⟩⟨U+001B ESCAPE⟩[31m<b>',
    brief: 'pay⟨U+200B⟩pal⟨U+0000⟩⟨U+001B⟩[31m<b>',
    isRemarked: true,
  },
  { name: 'a very long text', text: `${'long '.repeat(500)}<img src=x onerror=pwned=1>END`, isRemarked: true },
]

/** The text of one field: it says which one, so that it can be found, and that it is the whole of it. */
export function textIn(field: string, text: string): string {
  return `${field} ${text} ${field}-end`
}

/** What one payload has become, by the places where it shows. */
export interface Planted {
  readonly request: string
  readonly used: string
  readonly denied: string
  readonly challenge: string
  readonly agent: string
  readonly entry: number
  readonly source: string
}

/** One payload in every field that somebody else writes. */
export async function plant(store: Store, now: number, at: number, { text }: Payload): Promise<Planted> {
  const t = (field: string) => textIn(field, text)
  const principal = t('principal')
  const common = { adapter: t('adapter'), principal, session: text, client: t('client'), reasons: [t('reason')] }
  const request = aRequest(now, {
    ...common,
    id: `req_${at}_open`,
    kind: 'quota',
    quotaMetric: t('metric'),
    operation: t('operation'),
    agent: { key: agentKey(principal, t('agent')), element_name: t('agent') },
    message: t('message'),
    trace: [{ layer: t('layer'), verdict: 'confirm', text: t('why'), decisive: true }],
    params: {
      name: t('value'),
      [t('key')]: 1,
      nested: { [t('inner-key')]: [t('inner-value')] },
      ...JSON.parse('{"__proto__": {"polluted": true}}'),
    },
    preview: { operation: 'get', params: {} },
  })
  await ask(store, request)
  const decided = { scope: 'once', by: t('decided-by'), channel: 'terminal', at: now } as const
  const used = aRequest(now, {
    ...common,
    id: `req_${at}_used`,
    state: 'consumed',
    consumedAt: now,
    outcome: t('outcome'),
    decisions: [{ ...decided, decision: 'approve' }],
  })
  await ask(store, used)
  const denied = aRequest(now, {
    ...common,
    id: `req_${at}_denied`,
    state: 'denied',
    decisions: [{ ...decided, decision: 'deny', reason: t('denial'), tellAgent: t('told') }],
  })
  await ask(store, denied)
  const held = { principal: t('held-principal'), operation: t('held-operation'), shown: false }
  await ask(store, aRequest(now, { ...held, id: `req_${at}_held` }))

  const challenge = `challenge_${at}`
  const stopped = { principal: t('stopped-principal'), name: t('stopped') }
  await block(store, now, stopped.name, t('hint'), {
    id: challenge,
    principal: stopped.principal,
    session: text,
    factors: [t('factor')],
    reason: t('block-reason'),
    goal: t('goal'),
  })
  const lifted = {
    id: `lifted_${at}`,
    agentKey: agentKey(principal, t('lifted')),
    principal,
    element_name: t('lifted'),
    trigger: 'operator' as const,
    hint: '',
    reason: '',
    blocked_at: new Date(now - 9_000).toISOString(),
    unblocked_at: new Date(now - 1_000).toISOString(),
    unblocked_by: t('lifted-by'),
    unblock_reason: t('lift-reason'),
  }
  await store.update({ it: blockRef(lifted.id) }, () => ({ next: { it: lifted }, result: undefined }))

  await record(store, {
    timestamp: new Date(now).toISOString(),
    event: 'OPERATION_CALLED',
    operation: t('audit-operation'),
    adapter_name: t('audit-source'),
    user_id: t('audit-principal'),
    session_id: t('audit-session'),
    outcome: t('audit-outcome'),
    reason: t('audit-reason'),
    parameters: { [t('audit-key')]: t('audit-value') },
    [t('audit-name')]: 1,
  })
  const { seq } = await store.trail.head()

  const source = `source_${at}`
  const hostile = aSource(now, {
    adapter: source,
    display_name: t('source-name'),
    version: t('source-version'),
    hash: t('source-hash'),
    trust: t('source-trust'),
    claim: t('source-claim'),
    mode: t('source-mode'),
    operations: [
      {
        name: t('listed-operation'),
        category: 'READ',
        endpoint: t('endpoint'),
        level: 'safe',
        reasons: [t('level-reason')],
        permission: 'allow',
      },
    ],
    policies: [{ operation: t('policy'), permission: 'deny', conditions: [t('condition')], place: t('place') }],
    limits: [{ what: t('limit'), per: t('limit-per'), most: 1 }],
    channels: [{ name: t('channel'), state: 'available', classes: ['C1'], note: t('channel-note') }],
  })
  await store.update({ it: sourceRef(source) }, () => ({ next: { it: hostile }, result: undefined }))
  return {
    request: request.id,
    used: used.id,
    denied: denied.id,
    challenge,
    agent: agentId(agentKey(stopped.principal, stopped.name)),
    entry: seq,
    source,
  }
}

/** What a server tells the console about itself, in hostile words as well. */
export const HOSTILE_PARTS: Partial<OperatorParts> = {
  quotas: async () =>
    PAYLOADS.map(({ text }) => ({
      adapter: textIn('quota-source', text),
      metric: textIn('quota', text),
      unit: textIn('quota-unit', text),
      window: textIn('quota-window', text),
      current: 1,
      warn: 2,
      status: 'ok',
    })),
  explain: async () => ({
    kind: 'explained',
    decision: 'confirm',
    trace: PAYLOADS.map(({ text }) => ({
      layer: textIn('explained-layer', text),
      verdict: 'confirm',
      text: textIn('explained', text),
      decisive: false,
    })),
  }),
  preview: async ({ params }) => ({ value: { name: `before ${String(params.name)}` }, readAt: Date.now() }),
  storeName: { kind: 'SQLite', place: PAYLOADS.map(({ text }) => textIn('store-place', text)).join(' ') },
  separation: async () => ({ kind: 'same', ...said('os') }),
  version: PAYLOADS.map(({ text }) => text).join(' '),
}

function said(field: string) {
  const words = PAYLOADS.map(({ text }) => textIn(field, text)).join(' ')
  return { store: words, here: words, why: words }
}
