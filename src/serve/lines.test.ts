import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Envelope } from '../core/pipeline/bytes.ts'
import { createLineReader } from './lines.ts'

interface Seen {
  readonly lines: string[]
  readonly oversized: { beginning: string; envelope: Envelope; size: number }[]
}

function read(chunks: readonly string[], most = 20): Seen {
  const seen: Seen = { lines: [], oversized: [] }
  const reader = createLineReader({
    most,
    mayGoOn: () => true,
    onLine: (line) => seen.lines.push(String(line)),
    onOversized: ({ beginning, envelope, size }) =>
      seen.oversized.push({ beginning: String(beginning), envelope, size }),
  })
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  reader.end()
  return seen
}

test.each([
  ['one line in one piece', ['abc\n'], ['abc']],
  ['several lines in one piece', ['a\nb\nc\n'], ['a', 'b', 'c']],
  ['a line in several pieces', ['a', 'b', 'c\nd', '\n'], ['abc', 'd']],
  ['no newline at the end', ['a\nbc'], ['a', 'bc']],
  ['empty lines', ['\n\na\n\n'], ['a']],
  ['nothing', [], []],
])('MCP-05 %s', (_, chunks, lines) => {
  expect(read(chunks)).toEqual({ lines, oversized: [] })
})

test('DATA-08 MCP-01 of a line beyond the limit its beginning and whose it is are kept, and the next one is whole', () => {
  const long = `{"a":"${'x'.repeat(30)}","id":5,"jsonrpc":"2.0"}`
  for (const chunks of [
    [`${long}\nabc\n`],
    [...`${long}\nabc\n`],
    [long.slice(0, 25), long.slice(25), '\nab', 'c\n'],
  ]) {
    const { lines, oversized } = read(chunks)
    expect(lines).toEqual(['abc'])
    expect(oversized).toEqual([{ beginning: long.slice(0, 20), envelope: { id: 5, modern: false }, size: long.length }])
  }
})

test('DATA-08 a line of exactly the limit is whole, and one that never ends takes no more memory', () => {
  expect(read([`${'y'.repeat(20)}\n`]).lines).toEqual(['y'.repeat(20)])
  const { oversized } = read(Array.from({ length: 1_000 }, () => 'z'.repeat(1_000)))
  expect(oversized).toEqual([{ beginning: 'z'.repeat(20), envelope: { modern: false }, size: 1_000_000 }])
})

test('MCP-05 lines are held back while nobody may go on', () => {
  const lines: string[] = []
  let left = 1
  const reader = createLineReader({
    most: 100,
    mayGoOn: () => left > 0,
    onLine: (line) => {
      left--
      lines.push(String(line))
    },
    onOversized: () => {},
  })
  reader.push(Buffer.from('a\nb\nc'))
  reader.end()
  expect([lines, reader.hasMore()]).toEqual([['a'], true])
  left = 1
  reader.run()
  expect([lines, reader.hasMore()]).toEqual([['a', 'b'], true])
  left = 1
  reader.run()
  expect([lines, reader.hasMore()]).toEqual([['a', 'b', 'c'], false])
})

/** A client chooses its pieces, and each takes hundreds of bytes beside what it carries. */
test.each([
  ['within the limit', 10_000],
  ['beyond the limit', 300],
])('DATA-08 the pieces of a line are not held one by one: %s', async (_, most) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const seen: Buffer[] = []
  const reader = createLineReader({
    most,
    mayGoOn: () => true,
    onLine: (line) => seen.push(line),
    onOversized: ({ beginning }) => seen.push(beginning),
  })
  const pieces: WeakRef<Buffer>[] = []
  for (let count = 0; count < 1_000; count++) {
    const piece = Buffer.alloc(1, 'x')
    pieces.push(new WeakRef(piece))
    reader.push(piece)
  }
  await turn()
  collect()
  expect(pieces.filter((piece) => piece.deref() !== undefined).length).toBeLessThan(10)
  reader.push(Buffer.from('\nabc\n'))
  expect(seen.map(String)).toEqual(['x'.repeat(Math.min(most, 1_000)), 'abc'])
})

test('DATA-08 a line that was handed on is not written over by the next', () => {
  const seen: Buffer[] = []
  const reader = createLineReader({
    most: 20,
    mayGoOn: () => true,
    onLine: (line) => seen.push(line),
    onOversized: () => {},
  })
  for (const piece of ['a', 'b', '\n', 'c', 'd', '\n', 'efg\n']) reader.push(Buffer.from(piece))
  expect(seen.map(String)).toEqual(['ab', 'cd', 'efg'])
})
