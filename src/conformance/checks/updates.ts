import { checksOf, skipped, verdict } from '../check.ts'
import { type Made, read, scratch, writable } from '../scratch.ts'
import { codeOf, detailsOf, messageOf, type Reply, type Target } from '../target.ts'
import { type Fields, isObject, same, shown } from '../values.ts'
import { expect } from './request-format.ts'

/** Spec §4.5: the input pattern of UPDATE operations and its merge. */
export const UPDATES = checksOf('Updates', 1, [
  {
    id: 'update-input-required',
    requirements: ['UPD-01', 'UPD-02', 'X-07'],
    title:
      'An UPDATE takes its changes in input: missing is VALIDATION_MISSING_PARAM, no object is VALIDATION_INVALID_TYPE',
    run: (target) =>
      withScratch(target, async ({ update, ids }) => {
        const faults: string[] = []
        const missing = await target.operate(update, ids)
        faults.push(...expect(missing, 'VALIDATION_MISSING_PARAM').map((fault) => `without input: ${fault}`))
        if (!messageOf(missing).includes('input')) faults.push('the message does not name input')
        for (const input of [null, [], 'title', 5]) {
          faults.push(
            ...expect(await target.operate(update, { ...ids, input }), 'VALIDATION_INVALID_TYPE').map(
              (fault) => `input ${JSON.stringify(input)}: ${fault}`,
            ),
          )
        }
        return { tested: 5, faults }
      }),
  },
  {
    id: 'update-unknown-field',
    requirements: ['UPD-06', 'UPD-07', 'ERR-24'],
    title: 'An unknown field of input is VALIDATION_UNKNOWN_FIELD, and nothing is stored',
    run: (target) =>
      withScratch(target, async ({ update, ids, field, stored }) => {
        const before = await stored()
        const reply = await target.operate(update, {
          ...ids,
          input: { [field]: 'must not be stored', zz_unknown_field: 1 },
        })
        const faults = expect(reply, 'VALIDATION_UNKNOWN_FIELD')
        if (!same(await stored(), before)) faults.push('the resource was changed nevertheless')
        return { tested: 1, faults }
      }),
  },
  {
    id: 'update-identifier-in-input',
    requirements: ['UPD-08'],
    title: 'An identifier inside input is refused',
    run: (target) =>
      withScratch(target, async ({ update, ids, stored }) => {
        const before = await stored()
        const faults: string[] = []
        for (const [name, value] of Object.entries(ids)) {
          const reply = await target.operate(update, { ...ids, input: { [name]: value } })
          if (codeOf(reply) === 'success') faults.push(`${name} was taken`)
          else if (!REFUSALS.has(codeOf(reply))) faults.push(`${name}: ${codeOf(reply)}`)
        }
        if (!same(await stored(), before)) faults.push('the resource was changed nevertheless')
        return { tested: Object.keys(ids).length, faults }
      }),
  },
  {
    id: 'update-merge',
    requirements: ['UPD-03', 'UPD-04', 'UPD-05', 'X-08'],
    title: 'Objects merge at every depth, arrays and scalars replace, null removes',
    run: (target) =>
      withScratch(target, async ({ update, ids, made, stored }) => {
        const field = await objectField(target, made, update, ids)
        if (!field) return undefined
        const change = (value: Fields) => target.operate(update, { ...ids, input: { [field]: value } })
        const replies = [
          await change({ a: { keep: 1, change: 1, list: [1, 2, 3] }, drop: true }),
          await change({ a: { change: 2, list: [9], added: [null] } }),
          await change({ drop: null }),
        ]
        const faults = replies.flatMap((reply) => expect(reply, 'success'))
        const kept = (await stored())?.[field]
        const expected = { a: { keep: 1, change: 2, list: [9], added: [null] } }
        const seen = isObject(kept)
          ? Object.fromEntries(Object.entries(kept).filter(([key]) => key === 'a' || key === 'drop'))
          : kept
        if (!same(seen, expected)) faults.push(`${field} became ${shown(seen)} in place of ${shown(expected)}`)
        return { tested: 3, faults }
      }),
  },
  {
    id: 'update-prototype',
    requirements: ['UPD-09'],
    title: 'A merge does not write through __proto__, constructor or prototype',
    run: (target) =>
      withScratch(target, async ({ update, ids, made, stored }) => {
        const field = await objectField(target, made, update, ids)
        if (!field) return undefined
        const faults: string[] = []
        for (const key of ['__proto__', 'constructor', 'prototype']) {
          const value: unknown = JSON.parse(`{"${key}":{"polluted":true}}`)
          await target.operate(update, { ...ids, input: { [field]: value } })
          const kept = (await stored())?.[field]
          if (isObject(kept) && Object.hasOwn(kept, key)) faults.push(`${key} was stored`)
          if (isObject(kept) && Object.hasOwn(kept, 'polluted')) faults.push(`${key} reached the object itself`)
        }
        return { tested: 3, faults }
      }),
  },
])

const REFUSALS: ReadonlySet<string> = new Set(['VALIDATION_UNKNOWN_FIELD', 'VALIDATION_READ_ONLY_FIELD'])

interface Scratchpad {
  readonly made: Made
  readonly update: string
  readonly ids: Fields
  /** A text field that can be written. */
  readonly field: string
  readonly stored: () => Promise<Fields | undefined>
}

async function withScratch(
  target: Target,
  use: (pad: Scratchpad) => Promise<{ readonly tested: number; readonly faults: readonly string[] } | undefined>,
) {
  const made = await scratch(target)
  const found = made && (await writable(target, made))
  if (!made || !found) return skipped('No scratch resource that can be updated could be made.')
  const { update, ids, field } = found
  const done = await use({ made, update: update.name, ids, field, stored: () => read(target, made) })
  return done ? verdict(done.tested, 'updates', done.faults) : skipped('The scratch resource has no free object field.')
}

/** A field that takes any object; found by trying those that the resource's type calls objects. */
function objectField(target: Target, made: Made, update: string, ids: Fields): Promise<string | undefined> {
  return target.once('object field', async () => {
    const type = await target.type(made.resource.get.returns.name)
    for (const { name } of type?.fields?.filter((row) => row.type.startsWith('object')) ?? []) {
      const reply: Reply = await target.operate(update, { ...ids, input: { [name]: { probe: 1 } } })
      if (codeOf(reply) === 'success' && !detailsOf(reply).field) return name
    }
    return undefined
  })
}
