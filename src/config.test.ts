import { describe, expect, test } from 'vitest'
import { type Config, flagOf, loadConfig, SETTINGS, type SettingName, variableOf } from './config.ts'

const layer = (values: Readonly<Record<string, unknown>>) => ({ values, where: (name: string) => `test:${name}` })
const load = (...layers: Readonly<Record<string, unknown>>[]) => loadConfig(layers.map(layer))

test('MODE-03 without configuration the mode is semantic and the profile crude', () => {
  const { config, faults } = loadConfig([])
  expect(faults).toEqual([])
  expect(config).toMatchObject({
    endpoint_mode: 'semantic',
    endpoint_profile: 'crude',
    tool_names: '',
    tool_prefix: '',
  })
})

// biome-ignore format: a table reads by columns
test.each<[string, Readonly<Record<string, unknown>>, Partial<Config>]>([
  ['MODE-02 the mode single',             { endpoint_mode: 'single' },           { endpoint_mode: 'single', endpoint_profile: 'crude' }],
  ['MODE-02 the mode all',                { endpoint_mode: 'all' },              { endpoint_mode: 'all' }],
  ['MODE-02 the older word crude',        { endpoint_mode: 'crude' },            { endpoint_mode: 'semantic', endpoint_profile: 'crude' }],
  ['MODE-02 crude said twice',            { endpoint_mode: 'crude', endpoint_profile: 'crude' }, { endpoint_mode: 'semantic', endpoint_profile: 'crude' }],
  ['MODE-02 a profile of the adapter',    { endpoint_profile: 'operate' },       { endpoint_profile: 'operate' }],
  ['TOOL-02 classic names',               { tool_names: 'classic' },             { tool_names: 'mcp_aql_{endpoint}' }],
  ['TOOL-02 bare names',                  { tool_names: 'bare' },                { tool_names: 'mcpaql_{endpoint}' }],
  ['TOOL-03 a pattern',                   { tool_names: '{adapter}.{endpoint}' }, { tool_names: '{adapter}.{endpoint}' }],
  ['MULTI-02 a prefix',                   { tool_prefix: 'github_' },            { tool_prefix: 'github_' }],
  ['DATA-08 the least request size',      { max_request_size: 65_536 },          { max_request_size: 65_536 }],
  ['DATA-08 the most request size',       { max_request_size: '10485760' },      { max_request_size: 10_485_760 }],
  ['VAL-06 strict mode off',              { strict_mode: false },                { strict_mode: false }],
  ['a list from the environment',         { include: 'get_*, list_*' },          { include: ['get_*', 'list_*'] }],
  ['a list from a file',                  { exclude: ['delete_*'] },             { exclude: ['delete_*'] }],
  ['a boolean as text',                   { read_only: '1' },                    { read_only: true }],
  ['hosts and addresses',                 { http_allowed_hosts: 'a.org,[::1]' },  { http_allowed_hosts: ['a.org', '[::1]'] }],
  ['a port',                              { http_port: '0' },                    { http_port: 0 }],
])('%s is accepted', (_, values, expected) => {
  const { config, faults } = load(values)
  expect(faults).toEqual([])
  expect(config).toMatchObject(expected)
})

// biome-ignore format: a table reads by columns
test.each<[string, SettingName, unknown, string]>([
  ['MODE-03 an unknown mode',              'endpoint_mode', 'crud',             'one of semantic, single, all'],
  ['MODE-03 a profile that is no name',    'endpoint_profile', 'no such',       'crude, or the name of a profile that the adapter defines'],
  ['TOOL-03 a pattern without {endpoint}', 'tool_names', '{adapter}_tools',     'classic, bare, or a pattern of letters, digits, _ . - with {endpoint} and perhaps {adapter}'],
  ['TOOL-03 a pattern with a space',       'tool_names', 'a {endpoint}',        'classic, bare, or a pattern of letters, digits, _ . - with {endpoint} and perhaps {adapter}'],
  ['MULTI-02 a prefix without underscore', 'tool_prefix', 'github',             'small letters, digits and _ with _ at the end, for example github_'],
  ['MULTI-02 a prefix in capitals',        'tool_prefix', 'GitHub_',            'small letters, digits and _ with _ at the end, for example github_'],
  ['DATA-08 below the range',              'max_request_size', 65_535,          'an integer from 65536 to 10485760 (bytes)'],
  ['DATA-08 above the range',              'max_response_size', 104_857_601,    'an integer from 1048576 to 104857600 (bytes)'],
  ['DATA-08 no number',                    'max_string_length', '1 MB',         'an integer from 65536 to 10485760 (bytes)'],
  ['DATA-08 elements above the range',     'max_array_elements', 100_001,       'an integer from 100 to 100000 (elements)'],
  ['DATA-08 depth below the range',        'max_nesting_depth', 7,              'an integer from 8 to 64 (levels)'],
  ['an empty text is no number',           'max_batch', '',                     'an integer from 1 to 1000 (entries)'],
  ['true is no number',                    'max_batch', true,                   'an integer from 1 to 1000 (entries)'],
  ['a fraction',                           'max_batch', 1.5,                    'an integer from 1 to 1000 (entries)'],
  ['yes is no boolean',                    'batch', 'yes',                      'true or false'],
  ['a list with a hole',                   'include', ['a', 1],                 'globs of operation names'],
  ['an origin with its scheme',            'http_allowed_origins', 'https://example.org', 'host names without scheme and port, such as example.org'],
  ['a host with its port',                 'http_allowed_hosts', ['a.org:80'],  'host names without scheme and port, such as example.org'],
  ['a store of another kind',              'store_url', 'mysql://x',            'sqlite:PATH or memory:'],
])('%s is a fault', (_, name, value, expected) => {
  expect(load({ [name]: value }).faults).toEqual([{ name, where: `test:${name}`, value, expected }])
})

test('MODE-02 crude beside another profile contradicts itself', () => {
  const { faults } = load({ endpoint_mode: 'crude', endpoint_profile: 'operate' })
  expect(faults.map(({ name }) => name)).toEqual(['endpoint_mode'])
})

test('MODE-02 crude in a later layer sets the profile too', () => {
  expect(load({ endpoint_profile: 'operate' }, { endpoint_mode: 'crude' }).config).toMatchObject({
    endpoint_profile: 'crude',
  })
})

test.each(['endpoint_mod', '__proto__', 'toString'])('an unknown key %s is a fault', (name) => {
  const values = Object.fromEntries([[name, 1]])
  expect(load(values).faults).toEqual([{ name, where: `test:${name}`, value: 1 }])
})

test('later layers win, and every fault is reported', () => {
  const { config, faults } = load({ max_batch: 5, slow_ms: -1 }, { max_batch: 7, batch: 'maybe' })
  expect(config.max_batch).toBe(7)
  expect(faults.map(({ name }) => name)).toEqual(['slow_ms', 'batch'])
})

describe('spelling', () => {
  // biome-ignore format: a table reads by columns
  test.each<[SettingName, string, string | undefined]>([
    ['endpoint_mode',    'MCP_AQL_ENDPOINT_MODE',    'mode'],
    ['endpoint_profile', 'MCP_AQL_ENDPOINT_PROFILE', 'profile'],
    ['tool_prefix',      'MCP_AQL_TOOL_PREFIX',      undefined],
    ['store_url',        'MCPAQL_STORE_URL',         'store'],
    ['max_request_size', 'MCPAQL_MAX_REQUEST_SIZE',  'max-request-size'],
  ])('MODE-02 MULTI-02 %s is %s in the environment', (name, variable, flag) => {
    expect(variableOf(name)).toBe(variable)
    expect(flagOf(name)).toBe(flag)
  })

  test('no two settings share a flag or a variable', () => {
    const names = SETTINGS.map(([name]) => name)
    expect(new Set(names.map(variableOf)).size).toBe(names.length)
    const flags = names.map(flagOf).filter((flag) => flag !== undefined)
    expect(new Set(flags).size).toBe(flags.length)
  })
})

test('DATA-11 the default limits are those of the specification', () => {
  expect(loadConfig([]).config).toMatchObject({
    max_request_size: 1_048_576,
    max_response_size: 10_485_760,
    max_string_length: 1_048_576,
    max_array_elements: 10_000,
    max_nesting_depth: 32,
  })
})
