import { type AutonomyOverrides, autonomyFaults } from './settings.ts'

/** DONGLE-03, R-39: what the policy file of the safety server may say. */
export interface SafetyPolicy {
  readonly autonomy: AutonomyOverrides
  readonly channels: ChannelSettings
  readonly storage?: { readonly url: string }
}

/** Where codes are shown and how a human is called; what is left out is on where it can be. */
export interface ChannelSettings {
  readonly osDialog?: boolean
  readonly console?: boolean
  readonly consolePort?: number
  readonly elicitation?: boolean
  readonly webhook?: WebhookSettings
}

export interface WebhookSettings {
  readonly url: string
  /** The environment variable that holds the secret; the secret itself is never in a file. */
  readonly secretEnv: string
  readonly allowedHosts?: readonly string[]
}

/** Every fault, not the first alone; a policy with one is not used at all. */
export function readSafetyPolicy(value: unknown): SafetyPolicy | { readonly faults: readonly string[] } {
  if (!isObject(value)) return { faults: ['the policy must be a JSON object'] }
  const { channels, storage, ...autonomy } = value
  const faults = [
    ...autonomyFaults(autonomy).map((fault) => fault.replace('is not an autonomy setting; known are', KNOWN)),
    ...(channels === undefined ? [] : faultsOf('channels', channels, CHANNEL_ROWS)),
    ...(storage === undefined ? [] : faultsOf('storage', storage, STORAGE_ROWS)),
  ]
  if (faults.length > 0) return { faults }
  return {
    autonomy: autonomy as AutonomyOverrides,
    channels: (channels ?? {}) as ChannelSettings,
    ...(storage !== undefined && { storage: storage as { readonly url: string } }),
  }
}

const KNOWN = 'is not a setting of the policy; known are channels, storage,'

interface Row {
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
  readonly isRequired?: true
  /** For an object: what it may hold. */
  readonly rows?: Rows
}

type Rows = Readonly<Record<string, Row>>

const SWITCH: Row = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' }
const TEXT: Row = {
  expected: 'a text',
  accepts: (value) => typeof value === 'string' && value !== '',
  isRequired: true,
}

const WEBHOOK_ROWS: Rows = {
  url: TEXT,
  secretEnv: {
    expected: 'the name of an environment variable',
    accepts: (value) => typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(value),
    isRequired: true,
  },
  allowedHosts: {
    expected: 'a list of host names',
    accepts: (value) =>
      Array.isArray(value) && value.every((host) => typeof host === 'string' && /^[\w.:[\]-]+$/.test(host)),
  },
}

const CHANNEL_ROWS: Rows = {
  osDialog: SWITCH,
  console: SWITCH,
  consolePort: {
    expected: 'a port, 0 to 65535',
    accepts: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 65_536,
  },
  elicitation: SWITCH,
  webhook: { expected: 'an object', accepts: isObject, rows: WEBHOOK_ROWS },
}

const STORAGE_ROWS: Rows = {
  url: {
    expected: 'sqlite:PATH or memory:',
    accepts: (value) => typeof value === 'string' && /^(?:memory:|sqlite:.+)$/.test(value),
    isRequired: true,
  },
}

function faultsOf(at: string, value: unknown, rows: Rows): readonly string[] {
  if (!isObject(value)) return [`'${at}' must be an object`]
  const missing = Object.entries(rows).filter(([name, { isRequired }]) => isRequired && !Object.hasOwn(value, name))
  return [
    ...missing.map(([name, { expected }]) => `'${at}.${name}' is missing: ${expected}`),
    ...Object.entries(value).flatMap(([name, entry]) => {
      const row = Object.hasOwn(rows, name) ? rows[name] : undefined
      if (!row) return [`'${at}.${name}' is not a setting of the policy; known are ${Object.keys(rows).join(', ')}`]
      if (!row.accepts(entry)) return [`'${at}.${name}' must be ${row.expected}`]
      return row.rows ? faultsOf(`${at}.${name}`, entry, row.rows) : []
    }),
  ]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
