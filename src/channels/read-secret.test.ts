import { expect, test } from 'vitest'
import { createLineEditor, openTerminal } from './read-secret.ts'

// biome-ignore format: a table reads by columns
test.each([
  ['a line',                ['secret\r'],                    'secret'],
  ['letter by letter',      ['a', 'b', 'c', '\n'],           'abc'],
  ['backspace',             ['abx\u007fc\r'],                'abc'],
  ['backspace on a rocket', ['a🚀\u007fb\r'],                'ab'],
  ['backspace too often',   ['a\u007f\u007f\u007fb\r'],      'b'],
  ['Ctrl-U',                ['wrong\u0015right\r'],          'right'],
  ['an arrow key',          ['a\u001b[Db\r'],                'ab'],
  ['other keys',            ['a\u0001\u0000b\r'],            'ab'],
  ['Ctrl-C',                ['secret\u0003\r'],              undefined],
  ['Ctrl-D',                ['secret\u0004'],                undefined],
  ['nothing',               ['\r'],                          ''],
])('SELF-07 the terminal without echo: %s', (_, typed, text) => {
  const take = createLineEditor()
  const answers = typed.map(take)
  expect(answers.at(-1)).toEqual({ text })
  expect(answers.slice(0, -1).every((answer) => answer === undefined)).toBe(true)
})

test.each([{}, { isTTY: false }])('SELF-07 standard input %o is no terminal', (stdin) => {
  const { signal } = new AbortController()
  expect(openTerminal({ stdin, platform: 'linux', interrupted: signal })).toBe('piped')
})
