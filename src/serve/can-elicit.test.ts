import { expect, test } from 'vitest'
import { showsForms } from './can-elicit.ts'

test.each([
  ['nothing', undefined, false],
  ['an empty declaration, which means forms', {}, true],
  ['forms', { form: {} }, true],
  ['addresses alone', { url: {} }, false],
  ['both', { form: {}, url: {} }, true],
])('SELF-05, SELF-10 a client that declares %s', (_, declared, shows) => {
  expect(showsForms(declared)).toBe(shows)
})
