import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { createAccounts, type Fault, shown } from './accounts.ts'
import { driveHttp, openHttpTrial } from './drive-http.ts'
import { casesOf, driveStdio, openStdioTrial } from './drive-stdio.ts'
import { expectationOf } from './expectation.ts'
import type { Case, Era, Material } from './generate.ts'
import { spoiltPost } from './http-cases.ts'
import { judge } from './judge.ts'
import { minimize } from './minimize.ts'
import { createRandom } from './random.ts'
import type { Counts, Outcome, Round } from './round.ts'

/** Each transport and era gets half of 8,000 and 2,000 messages, or with `MCPAQL_FUZZ=full` of 10^6 and 2·10^5. */
const IS_FULL = process.env.MCPAQL_FUZZ === 'full'
const ROUNDS = IS_FULL ? 5 : 1
const MESSAGES: Counts = IS_FULL ? { structured: 100_000, mutated: 20_000 } : { structured: 4_000, mutated: 1_000 }
const WARM_UP: Counts = IS_FULL ? { structured: 15_000, mutated: 3_000 } : { structured: 1_500, mutated: 300 }
const HANDLES = IS_FULL ? 10_000 : 0
const SEED = Number(process.env.MCPAQL_FUZZ_SEED ?? 20_260_728)
const TIME_LIMIT = IS_FULL ? 7_200_000 : 240_000

const TRANSPORTS = {
  stdio: { drive: driveStdio, openTrial: openStdioTrial },
  http: { drive: driveHttp, openTrial: openHttpTrial },
} as const

type TransportName = keyof typeof TRANSPORTS

test.each<[TransportName, Era]>([
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
  ['http', 'legacy'],
  ['http', 'modern'],
])(
  'DATA-01 DATA-02 DATA-08 VAL-02 MCP-01 ERR-04 ERR-06 %s, %s era: every id is answered once, and nothing breaks',
  async (transport, era) => {
    for (let number = 0; number < ROUNDS; number++) {
      const round: Round = {
        seed: SEED + number,
        era,
        messages: MESSAGES,
        warmUp: WARM_UP,
        handles: HANDLES,
        ...progress(transport, era, number),
      }
      const outcome = await TRANSPORTS[transport].drive(round)
      if (IS_FULL)
        process.stderr.write(`${transport} ${era}, round ${number + 1} of ${ROUNDS}: ${summaryOf(outcome)}\n`)
      if (outcome.faults.length > 0) expect.fail(await explain(transport, round, outcome))
      expect(outcome.works, 'an ordinary call afterwards').toBe(true)
      expect(outcome.answers).toBeGreaterThan(MESSAGES.structured * 0.8)
      expect(outcome.heapAfter / outcome.heapBefore, 'heap after a collection, beside before').toBeLessThan(1.2)
    }
  },
  TIME_LIMIT,
)

function progress(transport: string, era: Era, number: number): Pick<Round, 'onProgress'> {
  if (!IS_FULL) return {}
  const began = performance.now()
  return {
    onProgress: (sent) => {
      const seconds = ((performance.now() - began) / 1_000).toFixed(0)
      process.stderr.write(`${transport} ${era}, round ${number + 1} of ${ROUNDS}: ${sent} messages in ${seconds} s\n`)
    },
  }
}

function summaryOf({ sent, answers, faults, heapBefore, heapAfter }: Outcome): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  const heap = `heap ${megabytes(heapBefore)} MB before, ${megabytes(heapAfter)} MB after`
  return `${sent} sent, ${answers} answers, ${faults.length} faults, ${heap}`
}

/** The seed, what went wrong, and the smallest message found that makes it go wrong. */
async function explain(transport: TransportName, round: Round, { faults, material }: Outcome): Promise<string> {
  const kinds = [...new Set(faults.map(({ what }) => what.slice(0, 300)))]
  const lines = [
    `${transport}, ${round.era} era, seed ${round.seed}:`,
    `${faults.length} faults`,
    ...kinds.slice(0, 10),
  ]
  const culprit = faults.find(({ sent }) => sent !== undefined) ?? (await findCulprit(transport, round, material))
  if (!culprit?.sent) return [...lines, 'No single message does it alone.'].join('\n')
  const minimal = await smallest(transport, round.era, culprit.sent)
  return [...lines, `Message: ${shown(culprit.sent.bytes)}`, `Smallest: ${shown(minimal)}`].join('\n')
}

async function findCulprit(
  transport: TransportName,
  { seed, era, messages }: Round,
  material: Material,
): Promise<Fault | undefined> {
  const trial = TRANSPORTS[transport].openTrial(era)
  try {
    for (const sent of casesOf(seed, era, material, messages)) {
      const what = sent.isSlow ? undefined : await trial.faultOf(sent)
      if (what !== undefined) return { what, sent }
    }
    return undefined
  } finally {
    await trial.close()
  }
}

async function smallest(transport: TransportName, era: Era, { bytes, ...about }: Case): Promise<Buffer> {
  const trial = TRANSPORTS[transport].openTrial(era)
  // A piece of the message may be something else altogether, so what it must bring about is read from the piece.
  const isBad = async (piece: Buffer) =>
    (await trial.faultOf({ ...about, expect: 'anything', bytes: piece })) !== undefined
  try {
    return (await isBad(bytes)) ? await minimize(bytes, isBad) : bytes
  } finally {
    await trial.close()
  }
}

const MATERIAL: Material = {
  tools: ['t_read'],
  operations: [
    { name: 'list', tool: 't_read', params: [{ name: 'first', type: 'integer', required: false }], example: {} },
  ],
  ...{ cursors: ['c'], rests: ['r'], executions: ['e'] },
}

test('the same seed gives the same messages, another seed others', () => {
  const bytes = (seed: number) =>
    [...casesOf(seed, 'legacy', MATERIAL, { structured: 300, mutated: 100 })].map((each) =>
      each.bytes.toString('latin1'),
    )
  expect(bytes(1)).toEqual(bytes(1))
  expect(bytes(1)).not.toEqual(bytes(2))
  expect(bytes(1)).toHaveLength(400)
})

test.each([
  ['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}', 'ERR-06'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"TypeError"}}', 'ERR-04'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"in a/src/b"}}', 'ERR-04'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"b.ts:12"}}', 'ERR-04'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"x\\n    at y"}}', 'ERR-04'],
  ['{"jsonrpc":"2.0","id":1}', 'MCP-01'],
  ['{"id":1,"result":{}}', 'MCP-01'],
  ['{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'RES-05'],
  ['{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"success\\":true}"}]}}', 'must'],
])('the judge objects to %s', (text, reason) => {
  expect(judge(JSON.parse(text), text).join()).toContain(reason)
})

test('VAL-02 the judge takes an internal error for an exception', () => {
  const failed = { success: false, error: { code: 'INTERNAL_ERROR', message: "Internal error: 'unexpected'" } }
  const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: JSON.stringify(failed) }] } }
  expect(judge(message, JSON.stringify(message)).join()).toContain('VAL-02')
})

test('MCP-01 the accounts notice an answer that is missing, one too many, and one that nobody asked for', () => {
  const ask = (id: number): Case => ({ bytes: Buffer.from('{}'), id, expect: 'answer', era: 'legacy' })
  const faultsAfter = (asked: readonly number[], settled: readonly (number | null)[]) => {
    const accounts = createAccounts()
    for (const id of asked) accounts.ask(ask(id))
    for (const id of settled) accounts.settle(id)
    return accounts.faults().length
  }
  expect(faultsAfter([1, 2], [2, 1])).toBe(0)
  expect(faultsAfter([1, 1], [1, 1])).toBe(0)
  expect(faultsAfter([1, 2], [1])).toBe(1)
  expect(faultsAfter([1], [1, 1])).toBe(1)
  expect(faultsAfter([1], [1, 7])).toBe(1)
  expect(faultsAfter([1], [1, null])).toBe(1)
})

test.each([
  ['{"jsonrpc":"2.0","id":7,"method":"x"}', 'answer'],
  ['{"jsonrpc":"2.0","id":7,"method":"x"', 'refusal'],
  ['{"jsonrpc":"2.0","id":7,"id":8,"method":"x"}', 'refusal'],
  ['{"jsonrpc":"2.0","id":1.5,"method":"x"}', 'refusal'],
  ['{"jsonrpc":"2.0","id":"\\ud800","method":"x"}', 'refusal'],
  ['{"id":null,"id":"7","method":"x"}', 'refusal'],
  ['{"id":true,"method":"x","params":{},"method":"x","id":"7"}', 'refusal'],
  ['{"id":{},"id":7,"method":"x"}', 'refusal'],
  ['{"\\u0069d":1,"id":7,"method":"x"}', 'refusal'],
  ['{"id":7,"method":"x","params":{"id":8,"x":"\\"id\\":9"}}', 'answer'],
  ['{"id" : 7,"method":"x","params":"\\u00e9"}', 'answer'],
  ['{"id":7,"method":5}', 'answer'],
  ['[]', 'refusal'],
  ['  ', 'silence'],
  ['{"jsonrpc":"2.0","id":7,"result":{}}', 'anything'],
])('MCP-01 %s asks for %s', (line, kind) => {
  expect(expectationOf(Buffer.from(line)).kind).toBe(kind)
})

test('MCP-01 a message with bytes that are no UTF-8 asks for an answer by its id where that is plain', () => {
  const line = (id: string) => Buffer.from(`{"id":${id},"method":"x","params":{"a":"\xff"}}`, 'latin1')
  expect(expectationOf(line('"7"'))).toEqual({ kind: 'answer', id: '7', candidates: [] })
  expect(expectationOf(line('"\xfe"')).kind).toBe('refusal')
})

test.each([
  ['{"id":12', []],
  ['{"id":12,', [12, 12]],
  ['{"id":12x,', []],
  ['{"id":"a","id":"b', ['a', 'a']],
])('MCP-01 %s may be answered by %j', (line, candidates) => {
  expect(expectationOf(Buffer.from(line))).toEqual({ kind: 'refusal', candidates })
})

test.each(['', 'x', 'xy'])('a chunked body of %j ends once', (body) => {
  const sent: Case = { bytes: Buffer.from(body), expect: 'anything', era: 'legacy' }
  const random = createRandom(1)
  const sound = Array.from({ length: 200 }, () => spoiltPost(random, sent, 's')).filter(({ isSound }) => isSound)
  expect(sound.length).toBeGreaterThan(0)
  for (const { bytes } of sound) expect(bytes.toString().split('0\r\n\r\n')).toHaveLength(2)
})

test('the smallest message that still does wrong is found', async () => {
  const isBad = async (bytes: Buffer) => bytes.includes('bad')
  const bytes = Buffer.from('{"a":[1,2,{"x":"very bad thing"}],"b":{"c":1}}')
  expect((await minimize(bytes, isBad)).toString()).toBe('bad')
})
