import { expect, test } from 'vitest'
import type { RateLimits } from './rate-limits.ts'
import { type ReadOptions, readRateLimits } from './read-rate-limits.ts'

const errorsOf = (block: unknown, options?: ReadOptions) => readRateLimits(block, options).errors

const limitsOf = (block: unknown, options?: ReadOptions): RateLimits => {
  const limits = readRateLimits(block, options)
  if (limits.errors) throw new Error(limits.errors.join('\n'))
  return limits
}

const GLOBAL = { scope: 'global', limit: 5, window: 'hour' }
const PER_CALL = { model: 'per_call', currency: 'USD', pricing: [{ endpoint: '*', cost_per_call: 0.001 }] }
const quotas = (...limits: unknown[]) => ({ quotas: { enabled: true, limits } })

test('RATE-01 RATE-02 the long form', () => {
  const limits = limitsOf({
    api_limits: [
      { ...GLOBAL, remaining_header: 'X-RateLimit-Remaining', reset_header: 'X-RateLimit-Reset' },
      { scope: 'endpoint', endpoint: 'post /search', limit: 30, window: 'minute' },
      { scope: 'category', category: 'read', limit: 100, window: 'second' },
    ],
    quotas: {
      enabled: true,
      limits: [
        { metric: 'requests_per_hour', warn: 4000, pause: 4800, hard_stop: 5000 },
        { metric: 'cost_per_day', warn: 5, pause: 10.5, currency: 'USD' },
      ],
      persistence: 'file',
    },
    cost: PER_CALL,
  })
  expect(limits).toEqual({
    apiLimits: [
      {
        key: 'global:hour',
        scope: 'global',
        limit: 5,
        window: 'hour',
        remainingHeader: 'x-ratelimit-remaining',
        resetHeader: 'x-ratelimit-reset',
      },
      { key: 'endpoint:POST /search:minute', scope: 'endpoint', endpoint: 'POST /search', limit: 30, window: 'minute' },
      { key: 'category:read:second', scope: 'category', category: 'read', limit: 100, window: 'second' },
    ],
    quotas: [
      {
        key: 'quota:requests_per_hour',
        metric: 'requests_per_hour',
        unit: 'requests',
        window: 'hour',
        warn: 4000,
        pause: 4800,
        hardStop: 5000,
      },
      {
        key: 'quota:cost_per_day:USD',
        metric: 'cost_per_day',
        unit: 'cost',
        window: 'day',
        warn: 5_000_000,
        pause: 10_500_000,
        currency: 'USD',
      },
    ],
    cost: { currency: 'USD', pricing: [{ endpoint: '*', perCall: 1000 }] },
    persistence: 'file',
  })
})

test('RATE-01 the short form becomes global limits, and the burst what one second may hold', () => {
  const block = { requests_per_minute: 60, requests_per_hour: 1000, requests_per_day: 9000, burst_limit: 5 }
  expect(limitsOf(block).apiLimits).toEqual([
    { key: 'global:minute', scope: 'global', limit: 60, window: 'minute' },
    { key: 'global:hour', scope: 'global', limit: 1000, window: 'hour' },
    { key: 'global:day', scope: 'global', limit: 9000, window: 'day' },
    { key: 'global:second', scope: 'global', limit: 5, window: 'second' },
  ])
})

test('RATE-07 quotas that are not enabled are not enforced', () => {
  const limits = [{ metric: 'requests_per_hour', warn: 1, pause: 2 }]
  expect(limitsOf({ quotas: { enabled: false, limits } }).quotas).toEqual([])
  expect(limitsOf({ quotas: { enabled: false } }).quotas).toEqual([])
})

test('RATE-07 a schedule moves the windows that it paces and no others', () => {
  const { quotas } = limitsOf({
    quotas: {
      enabled: true,
      reset_schedule: '0 6 * * *',
      limits: [
        { metric: 'requests_per_minute', warn: 1, pause: 2 },
        { metric: 'requests_per_day', warn: 1, pause: 2 },
      ],
    },
  })
  expect(quotas.map(({ key, schedule }) => [key, schedule?.text])).toEqual([
    ['quota:requests_per_minute', undefined],
    ['quota:requests_per_day:0 6 * * *', '0 6 * * *'],
  ])
})

test('RATE-08 tokens are counted where the source reports them', () => {
  const block = quotas({ metric: 'tokens_per_day', warn: 1, pause: 2 })
  expect(limitsOf(block, { measuresTokens: true }).quotas).toHaveLength(1)
})

test('RATE-16 the most specific pattern comes first', () => {
  const endpoints = ['*', 'POST /premium/*', 'POST /premium/x', 'POST /*', 'buy']
  const pricing = endpoints.map((endpoint) => ({ endpoint, cost_per_call: 1 }))
  expect(limitsOf({ cost: { ...PER_CALL, pricing } }).cost?.pricing.map(({ endpoint }) => endpoint)).toEqual([
    'POST /premium/x',
    'buy',
    'POST /premium/*',
    'POST /*',
    '*',
  ])
})

const api = (entry: unknown) => ({ api_limits: [entry] })
const quota = (limit: object) => quotas({ metric: 'requests_per_hour', warn: 1, pause: 2, ...limit })
const money = (limit: object) => ({
  ...quotas({ metric: 'cost_per_day', warn: 1, pause: 2, ...limit }),
  cost: PER_CALL,
})
const priced = (price: object) => ({ cost: { ...PER_CALL, pricing: [{ endpoint: '*', ...price }] } })
const scheduled = (reset_schedule: unknown, metric = 'requests_per_day') => ({
  quotas: { enabled: true, reset_schedule, limits: [{ metric, warn: 1, pause: 2 }] },
})

test.each<[string, unknown, string]>([
  ['RATE-01 not an object', [], 'rate_limits must be an object with the keys'],
  ['RATE-01 an unknown key', { limits: 5 }, 'rate_limits.limits is unknown: use api_limits, quotas, cost'],
  ['RATE-01 both forms', { ...api(GLOBAL), burst_limit: 1 }, 'rate_limits has both burst_limit and api_limits'],
  ['RATE-01 a short limit of 0', { requests_per_day: 0 }, 'rate_limits.requests_per_day must be a whole number from 1'],
  ['RATE-01 a short limit as text', { burst_limit: '5' }, 'rate_limits.burst_limit must be a whole number from 1'],
  ['RATE-02 api_limits is no list', { api_limits: GLOBAL }, 'rate_limits.api_limits must be a list'],
  ['RATE-02 too many', { api_limits: Array(65).fill(GLOBAL) }, 'rate_limits.api_limits must be a list of at most 64'],
  [
    'RATE-02 twice the same',
    { api_limits: [GLOBAL, GLOBAL] },
    'rate_limits.api_limits[1] repeats the scope and window',
  ],
  ['RATE-02 scope', api({ ...GLOBAL, scope: 'user' }), 'api_limits[0].scope must be one of global, endpoint, category'],
  [
    'RATE-02 window',
    api({ ...GLOBAL, window: 'month' }),
    'api_limits[0].window must be one of second, minute, hour, day',
  ],
  ['RATE-02 limit 0', api({ ...GLOBAL, limit: 0 }), 'api_limits[0].limit must be a whole number from 1'],
  ['RATE-02 half a request', api({ ...GLOBAL, limit: 0.5 }), 'api_limits[0].limit must be a whole number from 1'],
  ['RATE-02 no endpoint', api({ ...GLOBAL, scope: 'endpoint' }), 'api_limits[0].endpoint must be a text such as "GET'],
  ['RATE-02 no category', api({ ...GLOBAL, scope: 'category' }), 'api_limits[0].category must be one of create, read'],
  [
    'RATE-02 an endpoint too many',
    api({ ...GLOBAL, endpoint: '*' }),
    'api_limits[0].endpoint belongs to scope endpoint',
  ],
  ['RATE-02 a category too many', api({ ...GLOBAL, category: 'read' }), 'api_limits[0].category belongs to scope'],
  ['RATE-02 no header name', api({ ...GLOBAL, reset_header: 'a b' }), 'api_limits[0].reset_header must be the name of'],
  ['RATE-02 limits by tokens', api({ ...GLOBAL, metric: 'tokens' }), 'api_limits[0].metric is unknown'],
  ['RATE-07 enabled is missing', { quotas: { limits: [] } }, 'rate_limits.quotas.enabled must be true or false'],
  ['RATE-07 limits are missing', { quotas: { enabled: true } }, 'rate_limits.quotas.limits is missing'],
  ['RATE-07 warn above pause', quota({ warn: 3 }), 'quotas.limits[0] must have warn <= pause <= hard_stop'],
  ['RATE-07 pause above hard_stop', quota({ hard_stop: 1 }), 'quotas.limits[0] must have warn <= pause <= hard_stop'],
  ['RATE-07 no warn', quota({ warn: undefined }), 'quotas.limits[0].warn must be a number from 0'],
  ['RATE-07 no pause', quota({ pause: null }), 'quotas.limits[0].pause must be a number from 0'],
  ['RATE-07 a negative hard_stop', quota({ hard_stop: -1 }), 'quotas.limits[0].hard_stop must be a number from 0'],
  ['RATE-07 money without currency', money({}), 'quotas.limits[0].currency must be a text such as "USD"'],
  [
    'RATE-07 money too fine',
    money({ currency: 'USD', warn: 0.1234567 }),
    'limits[0].warn must be a number from 0 with at',
  ],
  [
    'RATE-07 persistence',
    { quotas: { enabled: false, persistence: 'redis' } },
    'quotas.persistence must be one of memory',
  ],
  ['RATE-07 a schedule of four fields', scheduled('0 0 * *'), 'quotas.reset_schedule must be five fields'],
  ['RATE-07 a schedule that is a number', scheduled(5), 'quotas.reset_schedule must be a text such as'],
  ['RATE-07 a schedule without effect', scheduled('0 0 * * 1'), 'quotas.reset_schedule fires less often than any'],
  ['RATE-08 metric', quota({ metric: 'requests_per_week' }), 'limits[0].metric must be one of requests_per_minute'],
  ['RATE-08 no metric', quota({ metric: 'toString' }), 'limits[0].metric must be one of requests_per_minute'],
  ['RATE-08 tokens unmeasured', quota({ metric: 'tokens_per_day' }), 'tokens_per_day cannot be measured: this adapter'],
  [
    'RATE-08 cost unmeasured',
    quota({ metric: 'cost_per_day', currency: 'USD' }),
    'cost_per_day cannot be measured: write',
  ],
  ['RATE-08 another currency', money({ currency: 'EUR' }), 'limits[0].currency must be USD, the currency of'],
  ['RATE-08 twice', quotas(...Array(2).fill({ metric: 'requests_per_day', warn: 1, pause: 1 })), '[1].metric repeats'],
  ['RATE-16 per_byte', { cost: { ...PER_CALL, model: 'per_byte' } }, 'cost.model per_byte has no specified fields'],
  ['RATE-16 tiered', { cost: { ...PER_CALL, model: 'tiered' } }, 'cost.model tiered has no specified fields'],
  ['RATE-16 model', { cost: { ...PER_CALL, model: 'free' } }, 'cost.model must be one of per_call, per_token'],
  ['RATE-16 no currency', { cost: { ...PER_CALL, currency: '' } }, 'cost.currency must be a text such as "USD"'],
  ['RATE-16 no pricing', { cost: { ...PER_CALL, pricing: [] } }, 'cost.pricing must have a price for each endpoint'],
  ['RATE-16 no price', priced({}), 'cost.pricing[0].cost_per_call is missing, and the model is per_call'],
  ['RATE-16 a negative price', priced({ cost_per_call: -1 }), 'cost.pricing[0].cost_per_call must be a number from 0'],
  [
    'RATE-16 a price too fine',
    priced({ cost_per_call: 1e-7 }),
    'cost_per_call must be a number from 0 to 1000000 with',
  ],
  ['RATE-16 tokens unmeasured', priced({ cost_per_call: 1, cost_per_token: {} }), 'cost_per_token cannot be measured'],
  ['RATE-17 shared_pools', { shared_pools: [] }, 'rate_limits.shared_pools is reserved for a later version'],
  ['RATE-17 scheduling', { scheduling: {} }, 'rate_limits.scheduling is reserved for a later version'],
  ['RATE-17 coordination', { coordination: {} }, 'rate_limits.coordination is reserved for a later version'],
  ['RATE-17 alerts', { quotas: { enabled: false, alerts: [] } }, 'quotas.alerts is reserved for a later version'],
  ['RATE-17 count_method', api({ ...GLOBAL, count_method: 'x' }), 'api_limits[0].count_method is reserved for a later'],
])('%s is a load error', (_, block, message) => {
  expect(errorsOf(block)).toEqual(expect.arrayContaining([expect.stringContaining(message)]))
})

test('RATE-16 a price by tokens needs both directions', () => {
  const block = {
    cost: { ...PER_CALL, model: 'per_token', pricing: [{ endpoint: '*', cost_per_token: { input: 1 } }] },
  }
  expect(errorsOf(block, { measuresTokens: true })).toEqual([
    'rate_limits.cost.pricing[0].cost_per_token must have input and output, numbers from 0 with at most 12 decimals.',
  ])
})

test('RATE-01 all errors are told at once, under the path that was given', () => {
  const block = { api_limits: [{ ...GLOBAL, limit: 0 }], burst: 1 }
  expect(errorsOf(block, { path: 'adapter.rate_limits' })).toEqual([
    expect.stringContaining('adapter.rate_limits.burst is unknown'),
    'adapter.rate_limits.api_limits[0].limit must be a whole number from 1.',
  ])
})
