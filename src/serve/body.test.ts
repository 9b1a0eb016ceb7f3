import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
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

const KIB = 1_024

test('DATA-08 all bodies together take no more than they may; a new one takes the room of the largest', async () => {
  const read = createBodyReader(200 * KIB, 300 * KIB)
  const [one, two, three] = [incoming(), incoming(), incoming()]
  const first = read(one)
  one.write('x'.repeat(150 * KIB))
  const second = read(two)
  two.write('x'.repeat(100 * KIB))
  await turn()
  const third = read(three)
  three.end('x'.repeat(100 * KIB))
  expect(await first).toEqual({ kind: 'no room' })
  two.end()
  expect([await second, await third]).toMatchObject([{ kind: 'whole' }, { kind: 'whole' }])
  const again = incoming()
  const fourth = read(again)
  again.end('x'.repeat(200 * KIB))
  expect(await fourth).toMatchObject({ kind: 'whole' })
})

test('DATA-08 a body that is too large and trickles on holds nothing against a new one', async () => {
  const read = createBodyReader(100 * KIB, 400 * KIB)
  const crowd = Array.from({ length: 4 }, () => incoming())
  const held = crowd.map((each) => read(each))
  for (const each of crowd) each.write('x'.repeat(100 * KIB))
  await turn()
  for (const each of crowd) each.write('x')
  await turn()
  const fresh = incoming()
  const body = read(fresh)
  fresh.end('x'.repeat(100 * KIB))
  expect(await body).toMatchObject({ kind: 'whole' })
  expect(await held[0]).toEqual({ kind: 'no room' })
})

test('DATA-08 a small body always finds room', async () => {
  const read = createBodyReader(100 * KIB, 0)
  const req = incoming()
  const body = read(req)
  for (let count = 0; count < 32; count++) req.write('x'.repeat(KIB))
  req.end()
  expect(await body).toMatchObject({ kind: 'whole' })
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
