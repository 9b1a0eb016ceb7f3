import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { createBodyReader } from './body.ts'

/** A request whose body comes in these pieces. */
function incoming(headers: Readonly<Record<string, string>> = {}): IncomingMessage & PassThrough {
  return Object.assign(new PassThrough(), { headers }) as unknown as IncomingMessage & PassThrough
}

test.each([
  ['', []],
  ['{}', ['{}']],
  ['{"a":"bc"}', ['{', '"a":', '"b', 'c"', '}']],
])('MCP-06 %j is read from its pieces', async (text, pieces) => {
  const req = incoming()
  const body = createBodyReader(10, 100)(req)
  for (const piece of pieces) req.write(piece)
  req.end()
  expect(await body).toEqual({ kind: 'whole', bytes: Buffer.from(text) })
})

test('DATA-08 what is too large is not kept, and known by its envelope', async () => {
  const req = incoming()
  const body = createBodyReader(20, 100)(req)
  for (const piece of ['{"id":7,', '"method":"x",', '"params":{}}']) req.write(piece)
  req.end()
  expect(await body).toMatchObject({
    kind: 'too large',
    parts: { beginning: Buffer.from('{"id":7,'), envelope: { id: 7, method: 'x' }, size: 33 },
  })
})

test('DATA-08 all bodies together take no more than they may; what has been read makes room', async () => {
  const read = createBodyReader(60, 100)
  const [one, two, three] = [incoming(), incoming(), incoming()]
  const first = read(one)
  one.write('x'.repeat(60))
  await turn()
  expect(await read(incoming({ 'content-length': '50' }))).toEqual({ kind: 'no room' })
  const second = read(two)
  two.write('x'.repeat(50))
  expect(await second).toEqual({ kind: 'no room' })
  one.end()
  expect(await first).toMatchObject({ kind: 'whole' })
  const third = read(three)
  three.end('x'.repeat(50))
  expect(await third).toMatchObject({ kind: 'whole' })
})

test('DATA-08 one caller takes no more than its share, and what has stopped arriving makes room for its others', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const read = createBodyReader(60, 200, 100)
  const [stalled, alive, late] = [incoming(), incoming(), incoming()]
  const first = read(stalled, 'unnamed')
  stalled.write('x'.repeat(50))
  await turn()
  vi.advanceTimersByTime(1_001)
  const second = read(alive, 'unnamed')
  alive.write('x'.repeat(50))
  await turn()
  const other = incoming()
  const ofOther = read(other, 'named')
  other.end('x'.repeat(60))
  expect(await ofOther).toMatchObject({ kind: 'whole' })
  const third = read(late, 'unnamed')
  late.write('x'.repeat(40))
  expect(await first).toEqual({ kind: 'no room' })
  expect(await read(incoming({ 'content-length': '60' }), 'unnamed')).toEqual({ kind: 'no room' })
  alive.end()
  late.end()
  expect([await second, await third]).toMatchObject([{ kind: 'whole' }, { kind: 'whole' }])
  vi.useRealTimers()
})

/** A client chooses its pieces, and each takes hundreds of bytes beside what it carries. */
test('DATA-08 the pieces of a body are not held one by one', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const req = incoming()
  const body = createBodyReader(10_000, 100_000)(req)
  const pieces: WeakRef<Buffer>[] = []
  for (let count = 0; count < 1_000; count++) {
    const piece = Buffer.alloc(1, 'x')
    pieces.push(new WeakRef(piece))
    req.write(piece)
    await turn()
  }
  collect()
  expect(pieces.filter((piece) => piece.deref() !== undefined).length).toBeLessThan(10)
  req.end()
  expect(await body).toEqual({ kind: 'whole', bytes: Buffer.alloc(1_000, 'x') })
})
