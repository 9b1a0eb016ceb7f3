import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function lines(level: 'debug' | 'info' | 'warning' | 'error') {
  const written: string[] = []
  const log = createLog(level, { err: (text) => written.push(text), now: () => 0 })
  return { written, log }
}

test('entries below the level are not written', () => {
  const { written, log } = lines('warning')
  for (const level of ['debug', 'info', 'warning', 'error'] as const) log.write({ level, message: level })
  expect(written.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['warning', 'error'])
})

test('an entry is one line of JSON, whatever it holds', () => {
  const { written, log } = lines('debug')
  const circle: Record<string, unknown> = {}
  circle.self = circle
  log.write({ level: 'info', message: 'two\nlines', big: 1n, cause: new Error('why') })
  log.write({ level: 'info', message: 'round', circle })
  expect(written.every((line) => !line.includes('\n'))).toBe(true)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    time: '1970-01-01T00:00:00.000Z',
    message: 'two\nlines',
    big: '1',
    cause: { message: 'why' },
  })
  expect(JSON.parse(written[1] ?? '')).toMatchObject({ message: 'round', unprintable: true })
})
