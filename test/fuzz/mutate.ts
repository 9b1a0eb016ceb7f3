import { Buffer } from 'node:buffer'
import type { Case } from './generate.ts'
import type { Random } from './random.ts'

/** Takes two sound messages and spoils the bytes of the first. */
export function mutate(random: Random, first: Case, second: Case): Case {
  let bytes = first.bytes
  for (let times = 1 + random.below(3); times > 0; times--) bytes = spoil(random, bytes, second.bytes)
  return {
    bytes,
    expect: 'anything',
    era: first.era,
    ...(first.method && { method: first.method }),
    ...(first.tool && { tool: first.tool }),
  }
}

function spoil(random: Random, bytes: Buffer, other: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  const until = Math.min(bytes.length, at + 1 + random.below(12))
  const join = (...parts: readonly (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (random.below(13)) {
    case 0:
      return flipped(bytes, at, random.below(8))
    case 1:
      return join(head, Buffer.from([random.below(256)]), tail)
    case 2:
      return join(head, bytes.subarray(until))
    case 3:
      return join(head, bytes.subarray(at, until), tail)
    case 4:
      return random.chance(50) ? head : join(head)
    case 5:
      return join(head, other.subarray(random.below(other.length)))
    case 6:
      return join(head, random.pick(BAD_UTF8), tail)
    case 7:
      return join(head, random.pick(['\n', '\r\n', '\r', '\n\n', '\u2028']), tail)
    case 8:
      return join(BOM, bytes)
    case 9:
      return join(head, random.pick(SNIPPETS), tail)
    case 10:
      return join(bytes, random.pick(['}', ']', ',', ' ', '\t', '{}', other, '\u0000']))
    case 11:
      return random.chance(3)
        ? join(head, ' '.repeat(random.pick([1_048_000, 1_049_000])), tail)
        : join(head, '   ', tail)
    default:
      return join(head, random.pick(['"', '\\', '{', '}', '[', ']', ',', ':']), tail)
  }
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = Math.min(at, copy.length - 1)
  if (index >= 0) copy[index] = (copy[index] as number) ^ (1 << bit)
  return copy
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** Overlong, surrogates in UTF-8, beyond the last code point, cut off, continuation without a start. */
const BAD_UTF8 = [
  ...[
    [0xc0, 0xaf],
    [0xe0, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ],
  ...[[0xe2, 0x82], [0x80], [0xff], [0xfe, 0xff], [0xf0, 0x9f, 0x98], [0xc3]],
].map((sequence) => Buffer.from(sequence))

const SNIPPETS = [
  ...['\\ud800', '\\udfff\\ud800', '\\u0000', '\\x41', '\\', '"', '1e999', '-', '0x10', 'NaN', '01', '.5', '/**/'],
  ...[
    "'",
    ',,',
    '"__proto__":1,',
    '"id":1,"id":2,',
    '[[[[[[[[[[',
    '{"a":{"a":{"a":',
    '\u0000',
    'null',
    '"jsonrpc":"2.0",',
  ],
]
