import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { display, displayHost, displayText, displayValue, textOf } from './display.ts'
import { ALIKE, ALIKE_SIGNS } from './display-tables.ts'

// biome-ignore format: a table reads by columns
test.each([
  // what it is             given                                shown
  ['plain',                 'rm -rf /tmp/x',                     'rm -rf /tmp/x'],
  ['prose with accents',    'Grüße, garçon — “ça va…”',          'Grüße, garçon — “ça va…”'],
  ['Russian prose',         'Привет, друзья',                    'Привет, друзья'],
  ['Chinese prose',         '删除所有文件，好吗？',                 '删除所有文件，好吗？'],
  ['Hindi prose',           'नमस्ते दुनिया',                       'नमस्ते दुनिया'],
  ['emoji',                 'ship it 🚀',                        'ship it 🚀'],
  ['line feed',             'a\nb',                              'a↵b'],
  ['carriage return',       'safe\rrm',                          'safe⟨U+000D CARRIAGE RETURN⟩rm'],
  ['tab',                   'a\tb',                              'a⇥b'],
  ['escape sequence',       '\u001b[2K',                         '⟨U+001B ESCAPE⟩[2K'],
  ['8-bit sequence',        '\u009b2J',                          '⟨U+009B CONTROL SEQUENCE INTRODUCER⟩2J'],
  ['delete',                'a\u007f',                           'a⟨U+007F DELETE⟩'],
  ['override',              'exe\u202egpj',                      'exe⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩gpj'],
  ['isolate',               '\u2066x\u2069',                     '⟨U+2066 LEFT-TO-RIGHT ISOLATE⟩x⟨U+2069 POP DIRECTIONAL ISOLATE⟩'],
  ['zero width',            'pay\u200bpal',                      'pay⟨U+200B ZERO WIDTH SPACE⟩pal'],
  ['tag block',             'ok\u{e0041}',                       'ok⟨U+E0041 TAG A⟩'],
  ['variation selector',    'x\ufe0f\u{e0101}',                  'x⟨U+FE0F VARIATION SELECTOR⟩⟨U+E0101 VARIATION SELECTOR⟩'],
  ['soft hyphen',           'de\u00adlete',                      'de⟨U+00AD SOFT HYPHEN⟩lete'],
  ['unusual space',         'a\u00a0b\u3000c',                   'a⟨U+00A0 NO-BREAK SPACE⟩b⟨U+3000 IDEOGRAPHIC SPACE⟩c'],
  ['blank letter',          'a\u3164\u2800',                     'a⟨U+3164 HANGUL FILLER⟩⟨U+2800 BRAILLE PATTERN BLANK⟩'],
  ['line separator',        'a\u2028b',                          'a⟨U+2028 LINE SEPARATOR⟩b'],
  ['private use',           '\ue000',                            '⟨U+E000 PRIVATE USE⟩'],
  ['noncharacter',          '\uffff\ufdd0',                      '⟨U+FFFF NONCHARACTER⟩⟨U+FDD0 NONCHARACTER⟩'],
  ['unassigned',            '\u0378',                            '⟨U+0378 UNASSIGNED⟩'],
  ['lone surrogate',        'a\ud800b',                          'a⟨U+D800 LONE SURROGATE⟩b'],
  ['combining',             'e\u0301',                           'e⟨U+0301 COMBINING⟩'],
  ['mark without a letter', '\u0301',                            '⟨U+0301 COMBINING⟩'],
  ['edge spaces',           ' a  b ',                            '␠a␠␠b␠'],
  ['forged escape',         '⟨U+202E⟩',                          '⟨U+27E8 MATHEMATICAL LEFT ANGLE BRACKET⟩U+202E⟨U+27E9 MATHEMATICAL RIGHT ANGLE BRACKET⟩'],
  ['forged line end',       '↵',                                 '⟨U+21B5 DOWNWARDS ARROW WITH CORNER LEFTWARDS⟩'],
  ['Cyrillic in a name',    'pаypal',                            'pа⟨U+0430⟩ypal'],
  ['wholly alike word',     'сс',                                'с⟨U+0441⟩с⟨U+0441⟩'],
  ['Latin in a Russian word', 'Пpивет',                          'П⟨U+041F⟩pи⟨U+0438⟩в⟨U+0432⟩е⟨U+0435⟩т⟨U+0442⟩'],
  ['a digit that is a letter', 'ж3 жЗ',                          'ж⟨U+0436⟩3 жЗ'],
  ['Greek',                 'gοοgle',                            'gο⟨U+03BF⟩ο⟨U+03BF⟩gle'],
  ['full-width',            'ｒｍ',                                'ｒ⟨U+FF52⟩ｍ⟨U+FF4D⟩'],
  ['mathematical',          '𝐫𝗆',                                '𝐫⟨U+1D42B⟩𝗆⟨U+1D5C6⟩'],
  ['dotless i',             'admın',                             'admı⟨U+0131⟩n'],
  ['digit of another script', '١٢',                              '١⟨U+0661⟩٢⟨U+0662⟩'],
  ['slash that is none',    'a∕b',                               'a∕⟨U+2215⟩b'],
  ['hyphen that is none',   'rm ‐rf',                            'rm ‐⟨U+2010⟩rf'],
  ['Hebrew',                'שלום 5',                            'שלום⟨right-to-left⟩ 5'],
])('DNG-17 %s', (_, given, shown) => {
  expect(displayText(given)).toBe(shown)
})

describe('DNG-17 flags', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['abc',          { hidden: false, alike: false, scripts: ['Latin'] }],
    ['Привет',       { hidden: false, alike: false, scripts: ['Cyrillic'] }],
    [' a\n\tb',      { hidden: false, alike: false, scripts: ['Latin'] }],
    ['⟨',            { hidden: false, alike: false, scripts: [] }],
    ['a\u200b',      { hidden: true,  alike: false, scripts: ['Latin'] }],
    ['pаypal',       { hidden: false, alike: true,  scripts: ['Latin', 'Cyrillic'] }],
    ['e\u0301',      { hidden: false, alike: true,  scripts: ['Latin'] }],
  ] as const)('%o', (given, flags) => {
    expect(display(given)).toMatchObject(flags)
  })

  test('a segment says what it is', () => {
    expect(display('pа\u202e').segments).toEqual([
      { kind: 'text', text: 'p' },
      { kind: 'alike', text: 'а⟨U+0430⟩', name: 'Cyrillic, looks like a' },
      { kind: 'escape', text: '⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩', name: 'RIGHT-TO-LEFT OVERRIDE' },
    ])
  })
})

// biome-ignore format: a table reads by columns
test.each([
  ['keys in the order given', { b: 1, a: [true, null, -0] },  '{"b": 1, "a": [true, null, -0]}'],
  ['a string is no number',   ['1', 1],                       '["1", 1]'],
  ['quotes and backslashes',  'a"b\\"',                       '"a\\"b\\\\\\""'],
  ['a hidden key',            { 'a\u200b': '\u202e' },        '{"a⟨U+200B ZERO WIDTH SPACE⟩": "⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩"}'],
  ['what JSON cannot say',    [undefined, Number.NaN],        '[⟨undefined undefined⟩, ⟨number NaN⟩]'],
  ['a plain address',         'https://example.org:8443/a',   '"https://example.org:8443/a"'],
  ['an address in disguise',  'http://0x7f.1/',               '"http://0x7f.1/"⟨host 127.0.0.1⟩'],
  ['a host in another script', 'https://аррӏе.com/',          '"https://а⟨U+0430⟩р⟨U+0440⟩р⟨U+0440⟩ӏ⟨U+04CF⟩е⟨U+0435⟩.com/"⟨host xn--80ak6aa92e.com⟩'],
  ['a host behind a user',    'https://example.org@evil.org', '"https://example.org@evil.org"'],
])('SELF-12 displayValue: %s', (_, value, shown) => {
  expect(textOf(displayValue(value))).toBe(shown)
})

test('SELF-12 nothing of a long value is cut', () => {
  expect(textOf(displayValue('x'.repeat(100_000)))).toHaveLength(100_002)
})

// biome-ignore format: a table reads by columns
test.each([
  ['example.org',                'example.org'],
  ['https://münchen.de:81/a',    'münchen.de ⟨host xn--mnchen-3ya.de⟩'],
  ['2130706433',                 '2130706433 ⟨host 127.0.0.1⟩'],
  ['a b',                        'a b ⟨not an address⟩'],
])('displayHost(%o)', (given, shown) => {
  expect(displayHost(given)).toBe(shown)
})

describe('the tables', () => {
  test.each(ALIKE.map((row) => [row.script, row] as const))('%s: every letter has its look', (script, row) => {
    const ofScript = new RegExp(`\\p{Script=${script}}`, 'u')
    expect([...row.letters].length).toBe([...row.like].length)
    expect([...row.letters].filter((letter) => !ofScript.test(letter))).toEqual([])
  })

  test('no sign of ASCII is called a look-alike', () => {
    expect(ALIKE_SIGNS.flatMap(([signs]) => [...signs]).filter((sign) => sign < '\u0080')).toEqual([])
  })
})

const RUNS = { numRuns: 2_000 }

/** Awkward characters beside ordinary ones; few, so that two draws often come close. */
const AWKWARD = [
  ...'aAeiopc lI013-_/"\'\\.<>',
  ...[
    '\n',
    '\t',
    '\r',
    '\u001b',
    '\u0000',
    '\u007f',
    '\u0085',
    '\u200b',
    '\u202e',
    '\u2028',
    '\ufeff',
    '\u00a0',
    '\u00ad',
  ],
  ...['\u0301', '\u0308', '\u0327', '\u093c', '\u05b0', '\ufe0f', '\u{e0061}', '\ue000', '\uffff', '\ud800', '\udc00'],
  ...'é ëÅ\u212bкПиасеоАЅжЗιοαωΓ١אבم한ᄒ\u1161ﬁｒ𝐫²…–—’⟨⟩↵⇥␠〈क',
  ...['\u0915', '\u0928', '\u0929', '⟨U+200B ZERO WIDTH SPACE⟩', '⟨right-to-left⟩', 'а⟨U+0430⟩'],
]
const awkward = fc.array(fc.constantFrom(...AWKWARD), { maxLength: 6 }).map((parts) => parts.join(''))
const anyText = fc.oneof(
  awkward,
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
)

/** What the eye makes of it: look-alikes become what they look like, and letters that compose are composed. */
const LOOKS = new Map([
  ...ALIKE.flatMap(({ letters, like }) => [...letters].map((letter, at) => [letter, [...like][at] ?? ''] as const)),
  ...ALIKE_SIGNS.flatMap(([signs, like]) => [...signs].map((sign) => [sign, like] as const)),
])
const seen = (text: string) => [...text.normalize('NFC')].map((letter) => LOOKS.get(letter) ?? letter).join('')

describe('properties', () => {
  test('DNG-17 different texts are shown differently', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        fc.pre(a !== b)
        expect(displayText(a)).not.toBe(displayText(b))
      }),
      RUNS,
    )
  })

  test('DNG-17 the shown text can be read back, character by character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readBack(displayText(text))).toBe(text)
      }),
      RUNS,
    )
  })

  test('DNG-17 different texts look different to the eye', () => {
    const shown = new Map<string, string>()
    fc.assert(
      fc.property(awkward, (text) => {
        const look = seen(displayText(text))
        expect(shown.get(look) ?? text).toBe(text)
        shown.set(look, text)
      }),
      { numRuns: 10_000 },
    )
  })

  test('no control, invisible or bidirectional character is in the output', () => {
    const bad = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u
    fc.assert(
      fc.property(anyText, (text) => {
        expect(displayText(text)).not.toMatch(bad)
        expect(displayHost(text)).not.toMatch(bad)
        expect(textOf(displayValue({ [text]: [text] }))).not.toMatch(bad)
      }),
      RUNS,
    )
  })

  test('DNG-17 different values are shown differently', () => {
    const value = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom(...AWKWARD) })
    fc.assert(
      fc.property(value, value, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b))
        expect(textOf(displayValue(a))).not.toBe(textOf(displayValue(b)))
      }),
      RUNS,
    )
  })
})

/** The inverse of `displayText`: one token of the output is one character of the input, or none. */
function readBack(shown: string): string {
  const tokens = shown.matchAll(
    /⟨right-to-left⟩|⟨U\+(?<escaped>[0-9A-F]+) [^⟩]*⟩|(?<letter>.)(?<code>⟨U\+[0-9A-F]+⟩)?/gsu,
  )
  return [...tokens].map(({ groups }) => characterOf(groups ?? {})).join('')
}

function characterOf({ escaped, letter = '' }: Record<string, string>): string {
  if (escaped !== undefined) return String.fromCodePoint(Number.parseInt(escaped, 16))
  return { '↵': '\n', '⇥': '\t', '␠': ' ' }[letter] ?? letter
}
