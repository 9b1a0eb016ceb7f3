import { expect, test } from 'vitest'
import { eachWord, fold, termsOfText } from './search-text.ts'

test.each([
  ['list_pull_requests', ['list', 'pull', 'request']],
  ['getRandomImage', ['random', 'imag']],
  ['HTTPServer URLs 2FA', ['http', 'server', 'url', 'two', 'factor', 'authent']],
  ["harbor's web-hooks don't", ['harbor', 'web', 'hook']],
  ['the PR of my repo', ['pull', 'request', 'repositori']],
  ['next first currently new list', ['next', 'first', 'current', 'new', 'list']],
  ['Café Ångström “l’état”', ['cafe', 'angstrom', 'etat']],
  ['constructor __proto__ toString', ['constructor', 'proto', 'string']],
  ['', []],
])('design §5 search reads %j as terms', (text, terms) => {
  expect(termsOfText(text)).toEqual(terms)
})

test('design §5 search hands over a word of two humps as one word too', () => {
  const seen: unknown[] = []
  eachWord('GitHub token', (word, whole) => seen.push([word, whole]))
  expect(seen).toEqual([
    ['git', undefined],
    ['hub', 'github'],
    ['token', undefined],
  ])
})

test('design §5 search folds accents, ligatures and quotation marks', () => {
  expect(fold('ﬁche “à” l’été 한국')).toBe('fiche "a" l\'ete 한국')
})
