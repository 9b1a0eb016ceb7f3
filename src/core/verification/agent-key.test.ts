import { describe, expect, test } from 'vitest'
import { agentKey, lookAlike, normaliseName } from './agent-key.ts'

describe('LOOP-10 the agent key', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['Release Bot',         'release bot'],
    ['  Release \t\n Bot ', 'release bot'],
    ['ＲＥＬＥＡＳＥ bot',   'release bot'],
    ['Straße',              'strasse'],
    ['ﬁx',                  'fix'],
  ])('%j is normalised to %j', (name, expected) => {
    expect(normaliseName(name)).toBe(expected)
  })

  test('belongs to one principal and one name, whatever they contain', () => {
    const keys = [
      agentKey('a', 'b'),
      agentKey('a","b', ''),
      agentKey('', 'a b'),
      agentKey('a b', ''),
      agentKey('a', 'B '),
    ]
    expect(new Set(keys).size).toBe(4)
  })
})

describe('BLOCK-04 look-alike spellings count as the same name', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['bot',       'BOT'],         ['bot',       'b0t'],         ['bot',       'bоt'],          // Cyrillic о
    ['bot',       'b\u200bot'],   ['bot',       'bot.'],        ['bot',       'b-o-t'],
    ['bot',       'bót'],         ['bot',       'ｂｏｔ'],      ['bill',      'biII'],
    ['bill',      'b1l1'],        ['clean',     'сlеаn'],       ['modern',    'modem'],
    ['worker',    'vvorker'],     ['release bot', 'release_bot'],
    ['bot',       'bot\u202e'],   ['scan5',     'scans'],
  ])('%j and %j', (a, b) => {
    expect(lookAlike(a)).toBe(lookAlike(b))
  })

  // biome-ignore format: a table reads by columns
  test.each([['bot', 'cat'], ['agent a', 'agent b'], ['bot', 'bots'], ['тест', 'привет'], ['日本', '中国']])('not %j and %j', (a, b) => {
    expect(lookAlike(a)).not.toBe(lookAlike(b))
  })
})
