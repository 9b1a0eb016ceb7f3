import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Config,
  type ConfigFault,
  type ConfigLayer,
  flagOf,
  loadConfig,
  SETTINGS,
  type SettingName,
  variableOf,
} from '../config.ts'
import { nearestNames } from '../core/introspection/letter-pairs.ts'
import { EXIT, isStop, type Stop, stop } from './command.ts'
import { flagValues } from './settings.ts'
import type { World } from './world.ts'

/** Looked for in the working folder when no other is named. */
export const CONFIG_FILE = 'mcpaql.yaml'

/** For flags that stand for others: by the setting, the flag that the user wrote. */
export type Spelling = { readonly [N in SettingName]?: string }

/** File, environment, flags: later wins. A wrong value anywhere stops, with all faults named. */
export async function readConfig(
  values: Readonly<Record<string, unknown>>,
  world: World,
  spelled: Spelling = {},
): Promise<Config | Stop> {
  const file = await fileLayer(typeof values.config === 'string' ? values.config : undefined, world)
  if (isStop(file)) return file
  const { config, faults } = loadConfig([...(file ? [file] : []), environmentLayer(world), flagLayer(values, spelled)])
  if (faults.length > 0) return stop(EXIT.badUsage, faults.map(explain).join('\n'), 'All settings: mcpaql serve --help')
  for (const warning of unknownVariables(world.env, config)) world.err(warning)
  return config
}

async function fileLayer(named: string | undefined, world: World): Promise<ConfigLayer | undefined | Stop> {
  const file = named ?? CONFIG_FILE
  if (named === undefined && !existsSync(resolve(world.cwd, file))) return undefined
  const { readText } = await import('./read-text.ts')
  const text = await readText(file, '--config', world)
  if (isStop(text)) return text
  const { readYaml } = await import('./read-yaml.ts')
  return readYaml(text, file)
}

/** A variable that is set to nothing counts as not set. */
function environmentLayer({ env }: World): ConfigLayer {
  const set = SETTINGS.map(([name]) => [name, env[variableOf(name)]] as const).filter(([, value]) => value)
  return { values: Object.fromEntries(set), where: (name) => variableOf(name as SettingName) }
}

function flagLayer(values: Readonly<Record<string, unknown>>, spelled: Spelling): ConfigLayer {
  const flagFor = (name: SettingName) => spelled[name] ?? flagOf(name)
  return { values: flagValues(values), where: (name) => `--${flagFor(name as SettingName)}` }
}

function explain({ name, where, expected, value }: ConfigFault): string {
  if (expected !== undefined) return `${where}: ${name} is ${shown(value)}, expected ${expected}`
  const names = SETTINGS.map(([setting]) => setting)
  const nearest = nearestNames(name, names, 1)
  return `${where}: there is no setting '${name}'. ${nearest.length > 0 ? `Did you mean ${nearest[0]}?` : `There are: ${names.join(', ')}`}`
}

/** Without the name and password that an address may hold. */
function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? String(value)).replaceAll(/\/\/[^/\s"]*@/g, '//…@')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Other programs may own such a name, so that it is not an error; a misspelt one should not go unnoticed. */
function unknownVariables(env: World['env'], { webhook_secret_env }: Config): string[] {
  const known = SETTINGS.map(([name]) => variableOf(name))
  return Object.keys(env)
    .filter((name) => /^MCP_?AQL_/.test(name) && !known.includes(name) && name !== webhook_secret_env)
    .map((name) => {
      const [nearest] = nearestNames(name, known, 1)
      return `The environment variable ${name} is not used${nearest ? `; did you mean ${nearest}?` : ''}`
    })
}
