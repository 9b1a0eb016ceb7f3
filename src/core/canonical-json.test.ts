import { describe, expect, test } from 'vitest'
import { canonicalHash, canonicalJson } from './canonical-json.ts'

/** IEEE 754 bits to the text that RFC 8785, appendix B, gives for them. */
// biome-ignore format: one row a number
const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

describe('RFC 8785', () => {
  test.each(NUMBERS)('TOK-04 appendix B: %s is %s', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, BigInt(`0x${bits}`))
    expect(canonicalJson(view.getFloat64(0))).toBe(text)
  })

  test('TOK-04 section 3.2.3: keys in the order of UTF-16 code units', () => {
    const given = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const names = [...canonicalJson(given).matchAll(/"([^"]+)":/g)].map(([, name]) => name)
    expect(names).toEqual(['\\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'])
  })

  test('TOK-04 section 3.2.2: escapes as short as they can be, everything else as it is', () => {
    const given = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(given)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  // biome-ignore format: one row a case
  test.each([
    ['nothing between the parts', { b: [1, { d: 2, c: 3 }], a: {} }, '{"a":{},"b":[1,{"c":3,"d":2}]}'],
    ['keys that look like numbers sort as text', { 10: 'a', 9: 'b', 1: 'c' }, '{"1":"c","10":"a","9":"b"}'],
    ['a key that is empty', { '': 1, a: 2 }, '{"":1,"a":2}'],
    ['nothing is normalised', ['\u00e9', 'e\u0301'], '["\u00e9","e\u0301"]'],
    ['arrays keep their order', [3, 1, 2], '[3,1,2]'],
    ['an underscore key counts', { _meta: 1 }, '{"_meta":1}'],
    ['what is absent is not there', { a: undefined, b: null }, '{"b":null}'],
    ['a key of the prototype', JSON.parse('{"__proto__":1,"toString":2}'), '{"__proto__":1,"toString":2}'],
  ])('TOK-04 %s', (_, given, text) => {
    expect(canonicalJson(given)).toBe(text)
  })

  test('TOK-04 the hash is SHA-256 of the UTF-8 text', () => {
    expect(canonicalHash({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
    expect(canonicalHash({ b: 1, a: '\u20ac' })).toBe(canonicalHash(JSON.parse('{"a":"€","b":1.0}')))
  })
})
