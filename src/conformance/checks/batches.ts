import { checksOf, skipped, verdict } from '../check.ts'
import { read, scratch, writable } from '../scratch.ts'
import { batchEntryShape, list } from '../shapes.ts'
import { codeOf, flagOf, messageOf, type Target } from '../target.ts'
import { at, type Fields, isObject, listAt, same } from '../values.ts'
import { sendBatch } from './level-2.ts'
import { expect } from './request-format.ts'

const TYPES = { operation: 'introspect', params: { query: 'types' } }
const UNKNOWN = { operation: 'zz_no_such_operation' }

/** Operations document §7. */
export const BATCHES = checksOf('Batches', 2, [
  {
    id: 'batch-answer',
    requirements: ['BATCH-03', 'BATCH-04', 'BATCH-06', 'X-16'],
    title: 'A batch answers success, data null, results in their order with exact keys, and a summary that adds up',
    run: (target) =>
      ifBatch(target, async () => {
        const reply = await batch(target, [TYPES, UNKNOWN, { ...TYPES, params: { query: 'zz' } }])
        const results = listAt(reply.result, 'results')
        const faults = [...expect(reply, 'success'), ...list(batchEntryShape)(at(reply.result, 'results'), 'results')]
        if (reply.result?.data !== null) faults.push('data is not null')
        if (flagOf(reply) !== false) faults.push('isError is not false')
        if (
          !same(
            results.map((entry) => at(entry, 'index')),
            [0, 1, 2],
          )
        )
          faults.push('the indexes are not 0, 1, 2')
        if (
          !same(
            results.map((entry) => at(entry, 'operation')),
            ['introspect', 'zz_no_such_operation', 'introspect'],
          )
        )
          faults.push('the operations are not those that were sent')
        if (!same(reply.result?.summary, { total: 3, succeeded: 1, failed: 2 }))
          faults.push(`summary is ${JSON.stringify(reply.result?.summary)}`)
        return verdict(1, 'batches', faults)
      }),
  },
  {
    id: 'batch-continues',
    requirements: ['BATCH-05'],
    title: "An entry's failure does not stop the later ones",
    run: (target) =>
      ifBatch(target, async () => {
        const reply = await batch(target, [UNKNOWN, TYPES])
        const [first, second] = listAt(reply.result, 'results').map((entry) => at(entry, 'result.success'))
        return verdict(
          1,
          'batches',
          first === false && second === true ? [] : [`results: ${String(first)}, ${String(second)}`],
        )
      }),
  },
  {
    id: 'batch-same-as-alone',
    requirements: ['BATCH-01', 'BATCH-04'],
    title: 'An entry gives the result that the operation gives alone, with parameters in either place',
    run: (target) =>
      ifBatch(target, async () => {
        const alone = await target.introspect({ query: 'types' })
        const reply = await batch(target, [TYPES, { operation: 'introspect', query: 'types' }])
        const faults = listAt(reply.result, 'results')
          .filter((entry) => !same(at(entry, 'result'), alone.result))
          .map((entry) => `entry ${String(at(entry, 'index'))} differs`)
        return verdict(listAt(reply.result, 'results').length, 'entries', faults)
      }),
  },
  {
    id: 'batch-malformed',
    requirements: ['BATCH-02', 'X-18'],
    title: 'A malformed batch fails as a whole with the code of its fault',
    run: (target) =>
      ifBatch(target, async () => {
        const faults: string[] = []
        for (const [args, code, mention] of MALFORMED) {
          const reply = await target.call(target.readTool ?? '', args)
          const found = expect(reply, code)
          if (flagOf(reply) !== true) found.push(`isError is ${String(flagOf(reply))}`)
          if (mention && !messageOf(reply).includes(mention)) found.push(`${mention} is not named`)
          faults.push(...found.map((fault) => `${JSON.stringify(args)}: ${fault}`))
        }
        return verdict(MALFORMED.length, 'malformed batches', faults)
      }),
  },
  {
    id: 'batch-all-or-nothing',
    requirements: ['BATCH-02'],
    title: 'Of a malformed batch nothing runs',
    run: (target) =>
      ifBatch(target, () =>
        withUpdate(target, async ({ tool, entry, stored, field }) => {
          const before = await stored()
          await target.call(tool, { operations: [entry('must not be stored'), { params: {} }] })
          return verdict(1, 'batches', same((await stored())?.[field], before?.[field]) ? [] : ['the first entry ran'])
        }),
      ),
  },
  {
    id: 'batch-order',
    requirements: ['BATCH-05'],
    title: 'Entries run one after the other in the order of the array',
    run: (target) =>
      ifBatch(target, () =>
        withUpdate(target, async ({ tool, entry, stored, field }) => {
          const values = ['one', 'two', 'three', 'four'].map((word) => `${word} ${target.mark}`)
          const reply = await target.call(tool, { operations: values.map(entry) })
          const seen = listAt(reply.result, 'results').map((each) => at(each, `result.data.${field}`))
          const faults = [...expect(reply, 'success')]
          if ((await stored())?.[field] !== values.at(-1)) faults.push('the last entry did not have the last word')
          if (seen.every((value) => typeof value === 'string') && !same(seen, values))
            faults.push('the entries ran in another order')
          return verdict(1, 'batches', faults)
        }),
      ),
  },
  {
    id: 'batch-wrong-family',
    requirements: ['BATCH-11'],
    title: 'An entry of another family fails alone with VALIDATION_ENDPOINT_MISMATCH',
    run: (target) =>
      ifBatch(target, async () => {
        const [, tool] = [...target.families].find(([, name]) => name !== target.readTool) ?? []
        if (tool === undefined) return skipped('There is one tool only.')
        const reply = await target.call(tool, { operations: [TYPES, UNKNOWN] })
        const codes = listAt(reply.result, 'results').map((entry) => at(entry, 'result.error.code'))
        return verdict(
          1,
          'batches',
          same(codes, ['VALIDATION_ENDPOINT_MISMATCH', 'NOT_FOUND_OPERATION'])
            ? []
            : [`${codeOf(reply)}: ${codes.join(', ')}`],
          'should',
        )
      }),
  },
])

const MALFORMED: readonly (readonly [unknown, string, string?])[] = [
  [{ operations: 'introspect' }, 'VALIDATION_INVALID_TYPE'],
  [{ operations: [] }, 'VALIDATION_INVALID_VALUE'],
  [{ operation: 'introspect', operations: [TYPES] }, 'VALIDATION_INVALID_VALUE'],
  [{ operations: [TYPES, { params: {} }] }, 'VALIDATION_MISSING_PARAM', 'operations[1].operation'],
]

function batch(target: Target, operations: readonly Fields[]) {
  return target.call(target.readTool ?? '', { operations })
}

async function ifBatch(target: Target, run: () => ReturnType<typeof withUpdate>) {
  const announced = at(target.protocol, 'capabilities.batch') === true
  const works = codeOf(await sendBatch(target)) === 'success'
  return announced || works ? run() : skipped('The server does not take batches.')
}

interface Pad {
  readonly tool: string
  readonly field: string
  readonly entry: (value: string) => Fields
  readonly stored: () => Promise<Fields | undefined>
}

async function withUpdate(target: Target, use: (pad: Pad) => Promise<ReturnType<typeof verdict>>) {
  const made = await scratch(target)
  const found = made && (await writable(target, made))
  const tool = found && target.toolOf(found.update.name)
  if (!made || !found || !tool) return skipped('No scratch resource that can be updated could be made.')
  const { update, ids, field } = found
  const entry = (value: string) => ({ operation: update.name, params: { ...ids, input: { [field]: value } } })
  const stored = async () => {
    const found = await read(target, made)
    return isObject(found) ? found : undefined
  }
  return use({ tool, field, entry, stored })
}
