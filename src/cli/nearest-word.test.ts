import { expect, test } from 'vitest'
import { nearestWord } from './nearest-word.ts'

const FLAGS = ['mode', 'json', 'help', 'http', 'store', 'all', 'types', 'max-batch', 'read-only', 'evidence']

// biome-ignore format: a table reads by columns
test.each([
  ['two letters swapped',         'moed',      'mode'],
  ['a letter left out',           'jsn',       'json'],
  ['a letter too many',           'storee',    'store'],
  ['a wrong letter',              'tupes',     'types'],
  ['the end is missing',          'evid',      'evidence'],
  ['another way of writing it',   'readOnly',  'read-only'],
  ['two slips in a long word',    'max-bacth', 'max-batch'],
  ['a short word, one slip',      'al',        'all'],
  ['nothing like it',             'colour',    undefined],
  ['nothing at all',              '',          undefined],
  ['more than anybody types',     'mode'.repeat(20), undefined],
])('%s: %s', (_, given, meant) => {
  expect(nearestWord(given, FLAGS)).toBe(meant)
})
