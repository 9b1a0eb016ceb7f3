import { trustFile } from '../../channels/trusted-file.ts'
import { displayText } from '../../core/display.ts'
import { whoCanWrite } from '../who-can-write.ts'
import type { World } from '../world.ts'
import { askServer } from './ask-server.ts'
import { type HookClient, isHarmlessVariable, settingsPath } from './clients.ts'
import { differencesOf } from './compare-entry.ts'
import { isFields } from './edit-settings.ts'
import { foreignCommands } from './foreign-commands.ts'
import { hookCommand, serverIn } from './hook-command.ts'
import { commandsOf, type FoundEntry, type ReadPlaces, readPlaces } from './read-places.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly name: string
  readonly found: string
  readonly isGood: boolean
  /** Not wrong by itself, but somebody must look at it. */
  readonly isWarning?: true
}

/** What install would write here. */
export interface Expected {
  readonly node: string
  readonly script: string
  /** The public key of the safety server, or why it is not known. */
  readonly key: string | { readonly why: string }
}

export interface Installation {
  readonly findings: readonly Finding[]
  /** The command lines of ours that stand in the settings, each once. */
  readonly lines: readonly string[]
  /** Those of others that the client asks before a tool runs. */
  readonly others: readonly FoundEntry[]
}

/** What stands in the client's settings, compared with what install writes, and whether the server named there answers. */
export async function inspectInstallation(client: HookClient, expected: Expected, world: World): Promise<Installation> {
  const read = await readPlaces(client, world)
  const own = read.entries.filter(({ isOwn }) => isOwn)
  const lines = [...new Set(own.flatMap(({ entry }) => commandsOf(entry).map(({ command }) => command)))].filter(
    (line) => typeof line === 'string',
  )
  const others = read.entries.filter(({ isOwn, event }) => !isOwn && isAsking(client, event))
  const findings = [
    installedIn(client, own, read, world),
    ...read.faults.map((fault) => bad('a settings file can be read', fault)),
    ...(own.length === 0 ? [] : [sameAsInstalled(client, own, expected, world), failsClosed(client, own)]),
    switchedOn(client, own, read, world),
    ...(await foreignCommands(read, world)),
    ...(own.length === 0
      ? []
      : [onlyOursCanWrite(read, world), onlyOursCanChange(expected, world), await serverOf(lines, expected)]),
  ]
  return { findings, lines, others }
}

/** The events in which the client waits for a yes or a no. */
function isAsking({ events }: HookClient, event: string): boolean {
  return ASKING.has(event) || (events.includes(event) && /^(before|Pre|pre)/.test(event))
}

const ASKING: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'preToolUse', 'beforeReadFile'])

function installedIn(client: HookClient, own: readonly FoundEntry[], read: ReadPlaces, world: World): Finding {
  const name = 'installed'
  const paths = [false, true].map((isUser) => settingsPath(client, isUser, world))
  if (own.length === 0) return bad(name, `no, not in ${paths.join(' or ')}; ${repair(client)}`)
  const missing = client.events.filter((event) => !own.some((found) => found.event === event))
  if (missing.length > 0) return bad(name, `no, not under ${missing.join(', ')}; ${repair(client)}`)
  const places = read.places.filter((place) => own.some((found) => found.place === place))
  const lacking = places.find(({ fields }) => Object.entries(client.base).some(([key, value]) => fields[key] !== value))
  if (lacking) return bad(name, `${lacking.path} lacks ${JSON.stringify(client.base)}; ${repair(client)}`)
  return good(name, places.map(({ path }) => path).join(', '))
}

/** Matcher, command, time limit, switches and event: every key and every character. */
function sameAsInstalled(
  client: HookClient,
  own: readonly FoundEntry[],
  { node, script }: Expected,
  { platform }: World,
): Finding {
  const name = 'the entries are what install writes'
  const wrong = own.flatMap(({ place, event, entry }) => {
    if (![...client.events, ...client.moreEvents].includes(event))
      return [`${place.path}, ${event}: install writes nothing there`]
    const [command = ''] = commandsOf(entry).map((each) => String(each.command))
    const server = serverIn(command) ?? { url: '?', key: '?' }
    const isHere = /^http:\/\/127\.0\.0\.1:\d{1,5}\/hook$/.test(server.url)
    const line = hookCommand({ node, script, client: client.name, ...server }, platform)
    const differences = differencesOf(entry, client.entry(line))
    const all = isHere ? differences : [...differences, `the address is ${server.url}`]
    return all.map((difference) => `${place.path}, ${event}: ${difference}`)
  })
  const doubled = own.filter((a, at) =>
    own.some((b, other) => other < at && a.event === b.event && a.place === b.place),
  )
  const all = [...wrong, ...doubled.map(({ place, event }) => `${place.path}, ${event}: more than one entry of ours`)]
  return all.length === 0
    ? good(name, `${own.length} of them`)
    : bad(name, `${all.map((text) => displayText(text)).join('; ')}; ${repair(client)}`)
}

function failsClosed({ failClosed: { key, value, since }, title }: HookClient, own: readonly FoundEntry[]): Finding {
  const name = 'the client blocks when the hook cannot run'
  const isClosed = own.every(({ entry }) => commandsOf(entry).every((each) => each[key] === value))
  return isClosed ? good(name, `${key} is set (needs ${title} ${since})`) : bad(name, `${key} is not set`)
}

/** A switch of the administrator leaves out the hooks of everybody else. */
function switchedOn(client: HookClient, own: readonly FoundEntry[], { places }: ReadPlaces, world: World): Finding {
  const name = 'the client has its hooks switched on'
  const isByAdministrator = own.length > 0 && own.every(({ place }) => place.isManaged)
  const off = places.flatMap(({ path, fields, isManaged }) => [
    ...client.off
      .filter(({ key, isOn }) => Object.hasOwn(fields, key) && isOn(fields[key]))
      .filter((each) => (each.isManaged ? isManaged && !isByAdministrator : true))
      .map(({ key }) => `${key} is set in ${path}`),
    ...(isFields(fields.env) ? Object.keys(fields.env) : [])
      .filter((variable) => !isHarmlessVariable(variable))
      .map((variable) => `${path} sets the variable ${variable}, and it is not known to leave hooks alone`),
    ...(isFields(fields.env) || fields.env === undefined ? [] : [`${path} holds an "env" that is no object`]),
  ])
  const around = client.offVariables.filter((variable) => (world.env[variable] ?? '') !== '')
  const all = [...off, ...around.map((variable) => `the variable ${variable} is set here`)]
  const keys = client.off.map(({ key }) => key)
  if (all.length > 0) return bad(name, `no: ${all.map((text) => displayText(text)).join('; ')}; take it out`)
  return good(name, `${keys.length === 0 ? 'nothing that leaves them out' : keys.join(', ')} is not set`)
}

/** A file that is missing is one that another account may make: one more settings file can switch all hooks off. */
function onlyOursCanWrite({ paths }: ReadPlaces, { platform }: World): Finding {
  const name = 'no other account can change the settings of the client'
  if (process.getuid === undefined) return good(name, 'this system does not tell owners apart')
  const account = { uid: process.getuid(), gid: process.getgid?.(), platform }
  const faults = [...new Set(paths.flatMap((path) => whoCanWrite(path, account)))]
  return faults.length === 0
    ? good(name, 'nor the folders above them')
    : bad(name, faults.map((fault) => displayText(fault)).join('; '))
}

/** The interpreter and the script are files that no third account can change. */
function onlyOursCanChange({ node, script }: Expected, { platform }: World): Finding {
  const name = 'no other account can change the program of the hook'
  const account = { uid: process.getuid?.(), gid: process.getgid?.(), platform }
  const faults = [node, script].map((path) => trustFile(path, account)).filter((trust) => trust.kind === 'untrusted')
  return faults.length === 0 ? good(name, script) : bad(name, faults.map(({ why }) => why).join('; '))
}

async function serverOf(lines: readonly string[], { key }: Expected): Promise<Finding> {
  const name = 'the safety server answers with the key of the hook'
  const [server] = lines.map(serverIn).filter((found) => found !== undefined)
  if (!server) return bad(name, 'the line names no server')
  if (typeof key !== 'string')
    return bad(name, `the key cannot be compared: ${key.why}; say --key with the key that mcpaql safety prints`)
  if (lines.some((line) => serverIn(line)?.key !== key))
    return bad(name, 'the line holds another key than the store; say --store or --key if that is meant')
  const call = { client: 'doctor', event: 'doctor', tool: 'TodoRead', input: {}, session: 'doctor', cwd: '' }
  const word = await askServer(call, { url: server.url, key }, AbortSignal.timeout(3_000))
  return word.kind === 'allow' ? good(name, server.url) : bad(name, word.reason)
}

function repair({ name }: HookClient): string {
  return `mcpaql hook install ${name} --yes writes it anew, with --user in the home folder; take it out of other files by hand`
}

function good(name: string, found: string): Finding {
  return { name, found, isGood: true }
}

export function bad(name: string, found: string): Finding {
  return { name, found, isGood: false }
}
