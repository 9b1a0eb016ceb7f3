import { expect, test } from 'vitest'
import { limitsFor, matchesEndpoint } from './endpoint-pattern.ts'
import { readRateLimits } from './read-rate-limits.ts'

const GET_USER = { operation: 'get_user', category: 'READ', method: 'GET', path: '/users/42' }

test.each([
  ['GET /users/*', true],
  ['GET /users/42', true],
  ['* /users/*', true],
  ['/users/*', true],
  ['get_*', true],
  ['*', true],
  ['POST /users/*', false],
  ['GET /teams/*', false],
  ['GET /users', false],
  ['list_*', false],
])('RATE-02 %s for GET /users/42: %s', (pattern, expected) => {
  expect(matchesEndpoint(pattern, GET_USER)).toBe(expected)
})

test.each([
  ['a query does not lead past the limit', { ...GET_USER, path: '/users/42?fields=all' }, 'GET /users/42', true],
  ['nor does a fragment', { ...GET_USER, path: '/users/42#x' }, 'GET /users/42', true],
  ['a method has no case', { ...GET_USER, method: 'get' }, 'GET /users/*', true],
  ['without a path only the name counts', { operation: 'get_user', category: 'READ' }, 'GET /users/*', false],
])('RATE-02 %s', (_, call, pattern, expected) => {
  expect(matchesEndpoint(pattern, call)).toBe(expected)
})

test('RATE-03 all limits that a request counts against are found', () => {
  const limits = readRateLimits({
    api_limits: [
      { scope: 'global', limit: 1, window: 'day' },
      { scope: 'category', category: 'read', limit: 1, window: 'day' },
      { scope: 'category', category: 'delete', limit: 1, window: 'day' },
      { scope: 'endpoint', endpoint: 'get /users/*', limit: 1, window: 'day' },
      { scope: 'endpoint', endpoint: 'GET /teams/*', limit: 1, window: 'day' },
    ],
  })
  if (limits.errors) throw new Error(limits.errors.join())
  expect(limitsFor(limits, GET_USER).map(({ key }) => key)).toEqual([
    'global:day',
    'category:read:day',
    'endpoint:GET /users/*:day',
  ])
})
