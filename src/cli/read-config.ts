import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type Config,
  type ConfigFault,
  type ConfigLayer,
  flagOf,
  loadConfig,
  operatorsAmong,
  SETTINGS,
  type SettingName,
  variableOf,
} from '../config.ts'
import { displayText } from '../core/display.ts'
import { nearestNames } from '../core/introspection/letter-pairs.ts'
import { EXIT, isStop, type Stop, stop } from './command.ts'
import { flagValues } from './settings.ts'
import { configFolder, type StoreUse } from './state-folder.ts'
import type { World } from './world.ts'

/** Looked for in the working folder and in the user's own configuration folder. */
export const CONFIG_FILE = 'mcpaql.yaml'

/** For flags that stand for others: by the setting, the flag that the user wrote. */
export type Spelling = { readonly [N in SettingName]?: string }

/** The settings, and every file that had a say in them. */
export interface Settings {
  readonly config: Config
  readonly files: readonly string[]
  /** Where the operator's settings are read from, or would be: whoever can write there decides what they are. */
  readonly trusted: readonly string[]
}

/** As `readSettings`, for whoever does not start anything. */
export async function readConfig(
  values: Readonly<Record<string, unknown>>,
  world: World,
  spelled: Spelling = {},
  use: StoreUse = 'serve',
): Promise<Config | Stop> {
  const settings = await readSettings(values, world, spelled, use)
  return isStop(settings) ? settings : settings.config
}

/**
 * The file of the working folder, the user's own file, environment, flags: later wins. A wrong value anywhere stops,
 * with all faults named. A file in the working folder, which an agent may have written, cannot set what is the
 * operator's, and takes nothing back that the operator's own file says, unless the operator has said that it may.
 */
export async function readSettings(
  values: Readonly<Record<string, unknown>>,
  world: World,
  spelled: Spelling = {},
  use: StoreUse = 'serve',
): Promise<Settings | Stop> {
  const given = [environmentLayer(world), flagLayer(values, spelled)]
  const named = typeof values.config === 'string' ? values.config : world.env[CONFIG_VARIABLE] || undefined
  const found = await fileLayer(userFile(world), world)
  if (isStop(found)) return found
  const own = found && withOwnPaths(found)
  const here = resolve(world.cwd, CONFIG_FILE)
  const looks = named === undefined && here !== userFile(world)
  const isOwn = looks && isTrusted(here, own, given, world)
  const project = looks ? await projectLayer(here, world, use === 'operate' && !isOwn) : undefined
  if (isStop(project)) return project
  const chosen = named === undefined ? undefined : await namedLayer(named, world)
  if (isStop(chosen)) return chosen
  const files = (isOwn ? [own, project, chosen] : [project, own, chosen]).filter((layer) => layer !== undefined)
  const { config, faults } = loadConfig([...files, ...given])
  if (faults.length > 0) return stop(EXIT.badUsage, explained(faults).join('\n'), 'All settings: mcpaql serve --help')
  const foreign = project && !isOwn ? operatorsIn(project) : []
  if (foreign.length > 0) return stop(EXIT.badUsage, foreign.join('\n'), howToTrust(world))
  for (const warning of unknownVariables(world.env, config)) world.err(warning)
  const trusted = [
    userFile(world),
    ...files.filter((layer) => layer !== project || isOwn).map(({ file }) => file),
    // A server that is started in another folder takes the one of that folder.
    ...trustedFiles(own, given, world),
  ]
  return {
    config: project ? withExclusions(config, project) : config,
    files: files.map(({ file }) => file),
    trusted: [...new Set(config.policy_file === '' ? trusted : [...trusted, resolve(world.cwd, config.policy_file)])],
  }
}

/** Paths in the operator's own file start from its folder, so that no working folder can put its own file there. */
function withOwnPaths(layer: FileLayer): FileLayer {
  const paths = PATHS.flatMap((name) => {
    const path = layer.values[name]
    return typeof path === 'string' && path !== '' ? [[name, resolve(dirname(layer.file), path)]] : []
  })
  const { store_url: url } = layer.values
  const file = typeof url === 'string' && url.startsWith(SQLITE) ? url.slice(SQLITE.length) : ''
  const store = file === '' ? {} : { store_url: SQLITE + resolve(dirname(layer.file), file) }
  return { ...layer, values: { ...layer.values, ...Object.fromEntries(paths), ...store } }
}

const PATHS = ['policy_file', 'audit_anchor']
const SQLITE = 'sqlite:'

/** What the working folder excludes stays excluded, whatever else is. */
function withExclusions(config: Config, project: ConfigLayer): Config {
  const { exclude } = loadConfig([project]).config
  return { ...config, exclude: [...new Set([...config.exclude, ...exclude])] }
}

/**
 * Whoever operates must not be kept from it by a file that an agent may have written: one with a fault, or with what is
 * the operator's to set, is passed over and named. One that would never end is not read at all.
 */
async function projectLayer(file: string, world: World, passesOver: boolean): Promise<FileLayer | undefined | Stop> {
  if (!existsSync(file)) return undefined
  const stats = statSync(file)
  const isReadable = stats.isFile() && stats.size <= LONGEST_FILE
  const found = isReadable ? await fileLayer(file, world, CONFIG_FILE) : stop(EXIT.badUsage, NO_FILE)
  if (!passesOver || found === undefined) return found
  const why = isStop(found)
    ? found.message
    : [...explained(loadConfig([found]).faults), ...operatorsIn(found)].join('; ')
  if (why === '') return found
  world.err(`${CONFIG_FILE} of the working folder is passed over: ${displayText(why)}`)
  return undefined
}

const LONGEST_FILE = 1_048_576
const NO_FILE = `${CONFIG_FILE} is no regular file, or longer than 1 MiB`

/** Whoever starts a server sees where its settings come from. */
export function tellFiles(
  { config: { policy_file }, files }: Pick<Settings, 'config' | 'files'>,
  { err }: World,
): void {
  const all = [...files, ...(policy_file === '' ? [] : [policy_file])]
  if (all.length > 0) err(`Settings from ${all.map(displayText).join(', ')}.`)
}

const CONFIG_VARIABLE = 'MCPAQL_CONFIG'

interface FileLayer extends ConfigLayer {
  /** Its absolute path. */
  readonly file: string
}

/** The operator's own file, at the place for the settings of the user's programs. */
export function userFile(world: Pick<World, 'env' | 'home' | 'platform'>): string {
  return join(configFolder(world), CONFIG_FILE)
}

async function fileLayer(path: string, world: World, shown = path): Promise<FileLayer | undefined | Stop> {
  return existsSync(path) ? layerOf(path, shown, shown, world) : undefined
}

function namedLayer(named: string, world: World): Promise<FileLayer | Stop> {
  return layerOf(resolve(world.cwd, named), named, '--config', world)
}

async function layerOf(path: string, shown: string, flag: string, world: World): Promise<FileLayer | Stop> {
  const { readText } = await import('./read-text.ts')
  const text = await readText(shown, flag, world)
  if (isStop(text)) return text
  const { readYaml } = await import('./read-yaml.ts')
  const layer = readYaml(text, shown)
  return isStop(layer) ? layer : { ...layer, file: path }
}

/** The file itself has no say in whether it is trusted. */
function isTrusted(file: string, own: FileLayer | undefined, given: readonly ConfigLayer[], world: World): boolean {
  return trustedFiles(own, given, world).includes(file)
}

function trustedFiles(own: FileLayer | undefined, given: readonly ConfigLayer[], { home }: World): readonly string[] {
  const { trusted_config_files } = loadConfig([...(own ? [own] : []), ...given]).config
  return trusted_config_files.map((path) => path.replace(/^~(?=\/)/, home))
}

function operatorsIn({ values, where }: FileLayer): string[] {
  return operatorsAmong(values).map(
    (name) => `${where(name)}: ${name} is the operator's to set, and this file lies in the working folder`,
  )
}

function howToTrust(world: World): string {
  return `Set it with a flag, in the environment or in ${userFile(world)}; or say that you trust this file: --config ${CONFIG_FILE}, or its path in trusted_config_files of your own file`
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

/** A file of very many faults needs no more than its first ones to be corrected. */
function explained(faults: readonly ConfigFault[]): readonly string[] {
  const more = faults.length - MOST_FAULTS
  return [...faults.slice(0, MOST_FAULTS).map(explain), ...(more > 0 ? [`and ${more} more`] : [])]
}

const MOST_FAULTS = 20

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

/** No setting: what `call` and `introspect` show a server, so that it knows them as a named client. */
export const CLIENT_TOKEN = 'MCPAQL_TOKEN'

/** Other programs may own such a name, so that it is not an error; a misspelt one should not go unnoticed. */
function unknownVariables(env: World['env'], { webhook_secret_env }: Config): string[] {
  const known = [...SETTINGS.map(([name]) => variableOf(name)), CLIENT_TOKEN]
  return Object.keys(env)
    .filter(
      (name) =>
        /^MCP_?AQL_/.test(name) && !known.includes(name) && name !== webhook_secret_env && name !== CONFIG_VARIABLE,
    )
    .map((name) => {
      const [nearest] = nearestNames(name, known, 1)
      return `The environment variable ${name} is not used${nearest ? `; did you mean ${nearest}?` : ''}`
    })
}
