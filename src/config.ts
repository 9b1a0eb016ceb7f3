import { RISK_TOLERANCES, type RiskTolerance, SAFETY_MODES } from './protocol/directive.ts'
import { ENDPOINT_MODES } from './protocol/endpoints.ts'
import { LIMITS, type LimitType } from './protocol/limits.ts'
import { MAX_BATCH } from './protocol/request.ts'
import { TRUST_LEVEL_NAMES, type TrustLevel } from './protocol/trust.ts'

/** what the operator's word alone can grant; higher levels need reviews or a certificate. */
const GRANTED = ['', 'untested', 'generated', 'validated'] as const

const TRUST_CHOICES: readonly ('' | TrustLevel)[] = ['', ...TRUST_LEVEL_NAMES]

/** A name, an IPv4 address, or an IPv6 address in brackets. */
const HOST_NAME = /^(?:[A-Za-z0-9.-]{1,253}|\[[\dA-Fa-f:.]{2,45}\])$/

const TOLERANCES = Object.keys(RISK_TOLERANCES) as readonly RiskTolerance[]

const LOOP_PATTERN = /^.{1,200}$/s

/**
 * Every setting there is. Its type, its check, its flag, its environment variable and its line in docs/config.md are
 * all read off this table.
 */
export const CONFIG = Object.freeze({
  endpoint_mode: oneOf(ENDPOINT_MODES, 'semantic', {
    group: 'tools',
    flag: 'mode',
    env: 'MCP_AQL_ENDPOINT_MODE',
    description:
      'Which tools are listed: one for each endpoint family, one for all operations, or both. The older word crude means semantic with the profile crude.',
  }),
  endpoint_profile: text('crude', {
    group: 'tools',
    flag: 'profile',
    env: 'MCP_AQL_ENDPOINT_PROFILE',
    expected: 'crude, or the name of a profile that the adapter defines',
    pattern: /^[a-z][a-z0-9_-]*$/,
    description: 'How operations are grouped into endpoint families.',
  }),
  tool_names: text('', {
    group: 'tools',
    expected: 'classic, bare, or a pattern of letters, digits, _ . - with {endpoint} and perhaps {adapter}',
    pattern: /^(?=.*\{endpoint\})(?:[A-Za-z0-9_.-]|\{adapter\}|\{endpoint\}){1,100}$/,
    words: { classic: 'mcp_aql_{endpoint}', bare: 'mcpaql_{endpoint}' },
    description:
      'How tools are named: classic stands for mcp_aql_{endpoint}, bare for mcpaql_{endpoint}. Empty: what the adapter says, or {adapter}_mcpaql_{endpoint}.',
  }),
  tool_prefix: text('', {
    group: 'tools',
    flag: null,
    env: 'MCP_AQL_TOOL_PREFIX',
    expected: 'small letters, digits and _ with _ at the end, for example github_',
    pattern: /^[a-z0-9_]*_$/,
    description: 'Names the tools {prefix}mcp_aql_{endpoint}. Wins over tool_names.',
  }),
  include: list({
    group: 'tools',
    expected: 'globs of operation names',
    description: 'Only operations whose name matches one of these globs are served.',
  }),
  exclude: list({
    group: 'tools',
    expected: 'globs of operation names',
    description: 'Operations whose name matches one of these globs are not served.',
  }),
  read_only: boolean(false, { group: 'tools', description: 'Refuse every operation that is not a READ.' }),

  store_url: text('', {
    group: 'store',
    flag: 'store',
    expected: 'sqlite:PATH or memory:',
    pattern: /^(?:memory:|sqlite:.+)$/,
    description:
      "Where state is kept; memory: keeps nothing beyond the process. Empty: mcpaql/state.db in the user's state folder.",
  }),

  max_request_size: limit('request_size', 'The largest request.'),
  max_response_size: limit('response_size', 'The largest answer.'),
  max_string_length: limit('string_length', 'The longest string in a request.'),
  max_array_elements: limit('array_elements', 'The longest array in a request.'),
  max_nesting_depth: limit('nesting_depth', 'The deepest nesting in a request.'),
  max_batch: integer(MAX_BATCH.default, [MAX_BATCH.least, MAX_BATCH.most], {
    group: 'limits',
    unit: 'entries',
    description: 'The longest batch.',
  }),
  max_page_size: integer(100, [1, 1_000], {
    group: 'limits',
    unit: 'items',
    description: 'The largest page of a collection.',
  }),
  list_page_size: integer(200, [1, 100_000], {
    group: 'limits',
    unit: 'operations',
    description: 'The list of operations is given in pages of this size.',
  }),

  batch: boolean(true, { group: 'calls', description: 'Accept several operations in one request.' }),
  timeout_ms: integer(30_000, [10, 3_600_000], {
    group: 'calls',
    unit: 'milliseconds',
    description: 'How long an operation may take that does not say so itself.',
  }),
  slow_ms: integer(1_000, [0, 3_600_000], {
    group: 'calls',
    unit: 'milliseconds',
    description: 'A slower answer carries a warning; 0 turns the warning off.',
  }),
  rest_ttl_seconds: integer(600, [1, 86_400], {
    group: 'calls',
    unit: 'seconds',
    description: 'How long the rest of a shortened answer can be read.',
  }),
  strict_mode: boolean(true, {
    group: 'calls',
    description: 'Refuse unknown parameters. Off, for development only: they are ignored with a warning.',
  }),

  trust: oneOf(GRANTED, '', {
    group: 'safety',
    description:
      'Records how far the sources are trusted, and is never exceeded: untested can only be introspected, generated only read, validated also written, with a human for what destroys. Empty: as recorded; a module of your own starts at validated.',
  }),
  policy_file: text('', {
    group: 'safety',
    expected: 'the path of a YAML or JSON file',
    pattern: /./,
    description: 'Operation policies: which operations are allowed, denied, or need a human, and when.',
  }),
  danger_patterns_dangerous: list({
    group: 'safety',
    flag: null,
    expected: 'globs of operation names',
    description: 'Names that are at least dangerous, beside the built-in ones.',
  }),
  danger_patterns_forbidden: list({
    group: 'safety',
    flag: null,
    expected: 'globs of operation names',
    description: 'Names that are forbidden, beside the built-in ones.',
  }),
  danger_patterns_remove: list({
    group: 'safety',
    flag: null,
    expected: 'built-in patterns, such as reset_*',
    description: 'Built-in name patterns that do not apply here.',
  }),
  minimum_trust_for_writes: oneOf(TRUST_CHOICES, '', {
    group: 'safety',
    flag: null,
    description: 'Tightens the trust matrix for CREATE, UPDATE and EXECUTE. Empty: the matrix alone.',
  }),
  minimum_trust_for_deletes: oneOf(TRUST_CHOICES, '', {
    group: 'safety',
    flag: null,
    description: 'Tightens the trust matrix for DELETE. Empty: the matrix alone.',
  }),
  require_confirmation_below: oneOf(TRUST_CHOICES, '', {
    group: 'safety',
    flag: null,
    description: 'Below this trust every operation that is not a READ needs a human. Empty: the matrix alone.',
  }),
  confirmation_seconds: integer(300, [1, 900], {
    group: 'safety',
    flag: null,
    unit: 'seconds',
    description: 'How long a confirmation token lives.',
  }),
  forbidden_confirmation_seconds: integer(120, [1, 300], {
    group: 'safety',
    flag: null,
    unit: 'seconds',
    description: 'How long the token of a forbidden operation lives.',
  }),
  quota_confirmation_seconds: integer(300, [1, 600], {
    group: 'safety',
    flag: null,
    unit: 'seconds',
    description: 'How long a quota continuation lives.',
  }),
  clock_skew_tolerance_seconds: integer(30, [0, 300], {
    group: 'safety',
    flag: null,
    unit: 'seconds',
    description: 'Grace after the expiry of a token; never for forbidden operations and verification codes.',
  }),
  max_wait_seconds: integer(25, [0, 600], {
    group: 'safety',
    flag: null,
    unit: 'seconds',
    description:
      'The longest time that a call may wait for a human (_wait_seconds). With timeout_ms it should stay below the time-out of the client, often 60 seconds.',
  }),
  max_open_prompts: integer(5, [1, 100], {
    group: 'safety',
    flag: null,
    unit: 'requests',
    description:
      'How many open requests of one connection are put before a human; the others wait. Of a named client all connections count as one, of unnamed callers together four times as many.',
  }),
  max_new_prompts: integer(10, [1, 1_000], {
    group: 'safety',
    flag: null,
    unit: 'requests',
    description: 'How many new requests of one connection reach a human within ten minutes; counted in the same way.',
  }),
  elicitation: boolean(true, {
    group: 'safety',
    description: 'Let the user approve inside the client, where the client can ask (MCP elicitation).',
  }),
  elicit_dangerous: boolean(false, {
    group: 'safety',
    flag: null,
    description: 'Let elicitation approve dangerous operations too.',
  }),
  two_person: boolean(false, {
    group: 'safety',
    flag: null,
    description: 'Forbidden operations need two different approvers.',
  }),
  safety_loop: oneOf(SAFETY_MODES, 'disabled', {
    group: 'safety',
    flag: 'safety-mode',
    env: 'MCPAQL_SAFETY_LOOP',
    description: 'The execution safety loop for what an agent does elsewhere.',
  }),
  safety_loop_scope: oneOf(['executions', 'all'], 'executions', {
    group: 'safety',
    flag: null,
    description:
      'What the enforcing loop watches: agents that have started an execution, or all; with all, whatever is not a READ is refused outside of one.',
  }),
  loop_max_steps: integer(10, [0, 100_000], {
    group: 'safety',
    flag: null,
    unit: 'reports',
    description: 'How many steps an agent takes before the loop asks a human whether it may go on.',
  }),
  loop_risk_tolerance: oneOf(TOLERANCES, 'moderate', {
    group: 'safety',
    flag: null,
    description: 'Above which risk the loop pauses: 25, 50 or 75.',
  }),
  loop_deny: list({
    group: 'safety',
    flag: null,
    expected: 'globs of at most 200 characters over actions',
    pattern: LOOP_PATTERN,
    description: 'Actions that stop the agent. Empty: the built-in list.',
  }),
  loop_requires_approval: list({
    group: 'safety',
    flag: null,
    expected: 'globs of at most 200 characters over actions',
    pattern: LOOP_PATTERN,
    description: 'Actions that a human has to approve. Empty: the built-in list.',
  }),
  loop_auto_approve: list({
    group: 'safety',
    flag: null,
    expected: 'globs of at most 200 characters over actions',
    pattern: LOOP_PATTERN,
    description: 'Actions that are not asked about. Empty: the built-in list.',
  }),
  challenge_seconds: integer(300, [30, 3_600], {
    group: 'safety',
    flag: null,
    unit: 'seconds',
    description: 'How long a verification code can be used.',
  }),

  console: boolean(true, {
    group: 'console',
    description: "Serve the operator's console beside the server.",
  }),
  console_port: integer(7421, [0, 65_535], {
    group: 'console',
    unit: 'port',
    description: "The port of the operator's console.",
  }),
  webhook_url: text('', {
    group: 'console',
    flag: null,
    expected: 'an https address',
    pattern: /^$|^https?:/,
    description: 'A webhook that is called when a human is asked. It gets no parameters and decides nothing.',
  }),
  webhook_secret_env: text('MCPAQL_WEBHOOK_SECRET', {
    group: 'console',
    flag: null,
    expected: 'the name of an environment variable',
    pattern: /^\w+$/,
    description: 'The environment variable with the secret that signs the calls, 16 characters or more.',
  }),
  webhook_allowed_hosts: list({
    group: 'console',
    flag: null,
    expected: 'names of hosts',
    description: 'Hosts in a private network that the webhook may call all the same.',
  }),
  audit_reads: boolean(false, {
    group: 'audit',
    flag: null,
    description: 'Record every READ one by one instead of counting them.',
  }),
  audit_anchor: text('', {
    group: 'audit',
    flag: null,
    expected: 'the path of a file outside the store',
    pattern: /./,
    description: 'A file that keeps the head of the audit trail now and then, so that a cut trail is noticed.',
  }),

  http_host: text('127.0.0.1', {
    group: 'http',
    expected: 'a host name or an address',
    pattern: /^[\w.:-]{1,253}$/,
    description: 'The address to listen on.',
  }),
  http_port: port({
    group: 'http',
    description: 'The port of Streamable HTTP; 0 lets the system choose. Without one the server speaks on stdio.',
  }),
  http_allowed_hosts: list({
    group: 'http',
    expected: 'host names without scheme and port, such as example.org',
    pattern: HOST_NAME,
    description: 'Names under which the server may be addressed beside those of this computer (Host header).',
  }),
  http_allowed_origins: list({
    group: 'http',
    expected: 'host names without scheme and port, such as example.org',
    pattern: HOST_NAME,
    description: 'Hosts whose web pages may call the server beside those of this computer (Origin header).',
  }),
  require_client: boolean(false, {
    group: 'http',
    description: 'Refuse callers that bring no token of a named client (mcpaql client add).',
  }),
  http_max_sessions: integer(1_000, [1, 100_000], {
    group: 'http',
    unit: 'sessions',
    description:
      'The most sessions at a time: of each named client, and of all unnamed callers together. One more takes the place of an idle one.',
  }),
  http_session_idle_seconds: integer(1_800, [1, 86_400], {
    group: 'http',
    unit: 'seconds',
    description: 'A session that is silent for longer is closed.',
  }),

  trusted_config_files: list({
    group: 'settings',
    flag: null,
    expected: 'absolute paths of files',
    pattern: /^(?:\/|~\/|[A-Za-z]:[\\/])/,
    description:
      'Files named mcpaql.yaml in a working folder that may set everything, as if they were named with --config.',
  }),

  log_level: oneOf(['debug', 'info', 'warning', 'error'], 'warning', {
    group: 'log',
    description: 'What is written to stderr: entries of this level and above.',
  }),
})

export type SettingName = keyof typeof CONFIG

export type Config = { readonly [K in SettingName]: (typeof CONFIG)[K] extends Setting<infer T> ? T : never }

/** What one place said: a file, the environment, the command line. */
export interface ConfigLayer {
  readonly values: Readonly<Record<string, unknown>>
  /** Where a value stands, as a person would look for it: `mcpaql.yaml:3`, `MCPAQL_STORE_URL`, `--store`. */
  readonly where: (name: string) => string
}

export interface ConfigFault {
  readonly name: string
  readonly where: string
  /** Absent when there is no such setting. */
  readonly expected?: string
  readonly value: unknown
}

/** Later layers win. All faults are reported, not the first alone. Reading the layers is the caller's work. */
export function loadConfig(layers: readonly ConfigLayer[]): {
  readonly config: Config
  readonly faults: readonly ConfigFault[]
} {
  const config: Record<string, unknown> = Object.fromEntries(SETTINGS.map(([name, { fallback }]) => [name, fallback]))
  const faults: ConfigFault[] = []
  for (const layer of layers) {
    for (const [name, value] of Object.entries(spelledOut(layer.values))) {
      const setting = settingOf(name)
      const parsed = setting?.parse(value)
      if (parsed !== undefined) config[name] = parsed
      else faults.push({ name, where: layer.where(name), value, ...(setting && { expected: setting.expected }) })
    }
  }
  return { config: Object.freeze(config) as Config, faults }
}

/** In the order of the table. */
export const SETTINGS = Object.entries(CONFIG) as unknown as readonly (readonly [SettingName, Setting<unknown>])[]

export function settingOf(name: string): Setting<unknown> | undefined {
  return Object.hasOwn(CONFIG, name) ? CONFIG[name as SettingName] : undefined
}

/** The command line's spelling, without the dashes; undefined where there is none. */
export function flagOf(name: SettingName): string | undefined {
  const { flag } = CONFIG[name] as Setting<unknown>
  return flag === null ? undefined : (flag ?? name.replaceAll('_', '-'))
}

export function variableOf(name: SettingName): string {
  return (CONFIG[name] as Setting<unknown>).env ?? `MCPAQL_${name.toUpperCase()}`
}

export interface Setting<T> {
  readonly fallback: T
  readonly kind: 'text' | 'list' | 'boolean' | 'integer' | 'choice'
  /** What is accepted, as it is said to a person. */
  readonly expected: string
  readonly description: string
  readonly group: (typeof GROUPS)[number]
  /** Where it differs from the setting's name; null where there is no flag. */
  readonly flag?: string | null
  /** The name that the specification gives, where it gives one. */
  readonly env?: string
  /** From whatever a file, a variable or a flag held; undefined when it will not do. */
  readonly parse: (value: unknown) => T | undefined
}

export const GROUPS = [
  'tools',
  'store',
  'limits',
  'calls',
  'safety',
  'console',
  'audit',
  'http',
  'settings',
  'log',
] as const

type Row = Pick<Setting<unknown>, 'description' | 'group' | 'flag' | 'env'>

/** What a file in the working folder may set: which operations are served, and limits. A new setting is not among them by default. */
const PROJECT_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  'endpoint_mode',
  'include',
  'exclude',
  'read_only',
  'max_request_size',
  'max_response_size',
  'max_string_length',
  'max_array_elements',
  'max_nesting_depth',
  'max_batch',
  'max_page_size',
  'list_page_size',
  'batch',
  'timeout_ms',
  'slow_ms',
  'rest_ttl_seconds',
  'log_level',
])

/**
 * An agent can write files in the folder that it works in. Everything that could loosen the gate is set by the operator:
 * with a flag, in the environment, or in a file that the operator has named. That includes the names and grouping of the
 * tools, because the user of a client may have allowed a tool by its name, and the transport, because a block on stdio
 * does not stop callers over HTTP.
 */
export function isOperators(name: SettingName): boolean {
  return !PROJECT_SETTINGS.has(name)
}

/** Of what a file in the working folder says, by whatever name, the settings that it may not set. */
export function operatorsAmong(values: Readonly<Record<string, unknown>>): readonly SettingName[] {
  const named = Object.entries(spelledOut(values)).filter(([name]) => settingOf(name) !== undefined)
  return named.filter(([name, value]) => !isFree(name as SettingName, value)).map(([name]) => name as SettingName)
}

/** A setting that the working folder may choose, to a value that loosens nothing. */
function isFree(name: SettingName, value: unknown): boolean {
  if (name === 'read_only') return CONFIG.read_only.parse(value) !== false
  if (name === 'endpoint_profile') return value === CONFIG.endpoint_profile.fallback
  return !isOperators(name)
}

/** MODE-02: the older word `crude` names a mode and a profile at once; beside another profile it is a fault. */
function spelledOut(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const values = withSafetyMode(given)
  const { endpoint_mode, endpoint_profile = 'crude' } = values
  if (endpoint_mode !== 'crude' || endpoint_profile !== 'crude') return values
  return { ...values, endpoint_mode: 'semantic', endpoint_profile }
}

/** LOOP-07: the specification's own name, as one key or as a mapping; beside `safety_loop` it is a fault like any other unknown name. */
function withSafetyMode(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (Object.hasOwn(values, 'safety_loop')) return values
  const { 'safetyLoop.mode': dotted, safetyLoop, ...others } = values
  if (dotted !== undefined) return safetyLoop === undefined ? { ...others, safety_loop: dotted } : values
  const isMapping = typeof safetyLoop === 'object' && safetyLoop !== null && !Array.isArray(safetyLoop)
  const keys = isMapping ? Object.keys(safetyLoop) : []
  if (keys.length !== 1 || keys[0] !== 'mode') return values
  return { ...others, safety_loop: (safetyLoop as { readonly mode: unknown }).mode }
}

function oneOf<const T extends string>(values: readonly T[], fallback: NoInfer<T>, row: Row): Setting<T> {
  const parse = (value: unknown) => values.find((allowed) => allowed === value)
  return { ...row, kind: 'choice', fallback, expected: `one of ${values.filter(Boolean).join(', ')}`, parse }
}

function text(
  fallback: string,
  {
    words = {},
    pattern,
    ...row
  }: Row & {
    readonly expected: string
    readonly pattern: RegExp
    readonly words?: Readonly<Record<string, string>>
  },
): Setting<string> {
  const parse = (value: unknown) => {
    const said = worded(words, value)
    return typeof said === 'string' && (said === fallback || pattern.test(said)) ? said : undefined
  }
  return { ...row, kind: 'text', fallback, parse }
}

function boolean(fallback: boolean, row: Row): Setting<boolean> {
  const parse = (value: unknown) => BOOLEANS.get(value)
  return { ...row, kind: 'boolean', fallback, expected: 'true or false', parse }
}

function integer(
  fallback: number,
  [least, most]: readonly [number, number],
  { unit, ...row }: Row & { readonly unit: string },
): Setting<number> {
  const parse = (value: unknown) => integerOf(value, least, most)
  return { ...row, kind: 'integer', fallback, expected: `an integer from ${least} to ${most} (${unit})`, parse }
}

/** Spec §4.7.5: default and range stand in the protocol's own table. */
function limit(type: LimitType, description: string): Setting<number> {
  const { default: fallback, least, most, unit } = LIMITS[type]
  return integer(fallback, [least, most], { group: 'limits', unit, description })
}

function port(row: Row): Setting<number | null> {
  const parse = (value: unknown) => integerOf(value, 0, 65_535)
  return { ...row, kind: 'integer', fallback: null, expected: 'an integer from 0 to 65535', parse }
}

/** A sequence, or one text with commas between. */
function list({
  pattern = /./,
  ...row
}: Row & { readonly expected: string; readonly pattern?: RegExp }): Setting<readonly string[]> {
  const parse = (value: unknown) => {
    const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value
    return Array.isArray(items) && items.every((item) => typeof item === 'string' && pattern.test(item))
      ? items
      : undefined
  }
  return { ...row, kind: 'list', fallback: Object.freeze([]), parse }
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [false, false],
  ['false', false],
  ['0', false],
])

function integerOf(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isInteger(number) && Number(number) >= least && Number(number) <= most ? Number(number) : undefined
}

function worded(words: Readonly<Record<string, string>>, value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value
}
