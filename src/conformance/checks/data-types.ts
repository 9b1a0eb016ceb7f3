import { checksOf, skipped, verdict } from '../check.ts'
import { askable, sample } from '../probes.ts'
import { read, scratch, writable } from '../scratch.ts'
import { timestamp } from '../shapes.ts'
import { codeOf } from '../target.ts'
import { isObject, shown } from '../values.ts'
import { expect } from './request-format.ts'
import { operationOf } from './responses.ts'

/** Spec §4.7.2 to §4.7.6. */
export const DATA_TYPES = checksOf('Data Types', 1, [
  {
    id: 'data-dates',
    requirements: ['DATA-04'],
    title: 'Date parameters take ISO 8601 and refuse other spellings',
    async run(target) {
      const faults: string[] = []
      let tested = 0
      for (const details of await askable(target)) {
        for (const row of details.parameters.filter(({ format }) => format === 'date' || format === 'date-time')) {
          for (const value of ['04/03/2026', '2026-3-4', '2026-13-40', 'March 4, 2026']) {
            tested += 1
            const reply = await target.operate(details.name, { ...sample(target, details), [row.name]: value })
            if (!codeOf(reply).startsWith('VALIDATION_INVALID_'))
              faults.push(`${details.name}.${row.name} = '${value}': ${codeOf(reply)}`)
          }
        }
      }
      return verdict(tested, 'date spellings', faults)
    },
  },
  {
    id: 'data-timestamps',
    requirements: ['DATA-05'],
    title: 'Timestamps in answers are in UTC and end with Z',
    async run(target) {
      const found = target.transcript.flatMap((reply) => moments(reply.result, operationOf(reply)))
      const faults = found.flatMap(({ path, value }) => timestamp(value, path))
      return verdict(found.length, 'timestamps', [...new Set(faults)], 'should')
    },
  },
  {
    id: 'data-safe-integers',
    requirements: ['DATA-06'],
    title: 'No answer holds an integer that JSON numbers cannot carry',
    async run(target) {
      const seen = target.transcript.filter((reply) => reply.text)
      const faults = seen.flatMap((reply) => {
        const bare = (reply.text ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""')
        return (bare.match(/-?\d{16,}(?![\d.eE])/g) ?? [])
          .filter((digits) => !Number.isSafeInteger(Number(digits)))
          .map((digits) => `${operationOf(reply)}: ${digits}`)
      })
      return verdict(seen.length, 'answers', [...new Set(faults)])
    },
  },
  {
    id: 'data-binary',
    requirements: ['DATA-07'],
    title: 'Binary parameters are base64 beside an encoding and a media type, and anything else is refused',
    async run(target) {
      const faults: string[] = []
      let tested = 0
      for (const details of await askable(target)) {
        const names = details.parameters.map((row) => row.name)
        for (const row of details.parameters.filter(({ format }) => format === 'base64' || format === 'byte')) {
          tested += 1
          if (!names.some((name) => name.endsWith('encoding')) || !names.some((name) => name.endsWith('mime_type')))
            faults.push(`${details.name}.${row.name} has no companions`)
          for (const value of ['SGVsbG8', 'not base64!', 'SGVs_G8-']) {
            const reply = await target.operate(details.name, { ...sample(target, details), [row.name]: value })
            faults.push(
              ...expect(reply, 'VALIDATION_INVALID_VALUE').map(
                (fault) => `${details.name}.${row.name} = '${value}': ${fault}`,
              ),
            )
          }
        }
      }
      return verdict(tested, 'binary parameters', faults)
    },
  },
  {
    id: 'data-unicode',
    requirements: ['DATA-01', 'CONF-06'],
    title: 'Text of every plane comes back as it was sent',
    async run(target) {
      const made = await scratch(target)
      const found = made && (await writable(target, made))
      if (!made || !found) return skipped('No scratch resource that can be updated could be made.')
      const { update, ids, row } = found
      const text = 'é e\u0301 \u{1f642} \u202e\u05d0 "quoted" \\ \u2028 日本'.slice(0, row.maxLength ?? 200)
      const reply = await target.operate(update.name, { ...ids, input: { [row.name]: text } })
      const stored = (await read(target, made))?.[row.name]
      return verdict(1, 'texts', [
        ...expect(reply, 'success'),
        ...(stored === text ? [] : [`read back ${shown(stored)}`]),
      ])
    },
  },
])

/** Members whose names end in `_at`. */
function moments(value: unknown, path: string): readonly { readonly path: string; readonly value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((entry) => moments(entry, path))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => {
    if (key.endsWith('_at') && typeof member === 'string') return [{ path: `${path}.${key}`, value: member }]
    return moments(member, path)
  })
}
