import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { isReport } from '../../core/hook/hook-events.ts'
import { EXIT } from '../command.ts'
import type { World } from '../world.ts'
import { askServer } from './ask-server.ts'
import { readSettingsFile } from './change-settings.ts'
import { type HookClient, isOwnCommand, settingsPath } from './clients.ts'
import { DOCTOR_CASES, type DoctorCase, openStage, type Stage } from './doctor-cases.ts'
import { isSwitchedOff, ownEntries } from './edit-settings.ts'
import { hookCommand } from './hook-command.ts'

/** Section 6, 5: plays the failures to the hook as the client would start it, and says which end in a block. */
export async function runDoctor(
  client: HookClient,
  self: { readonly node: string; readonly script: string },
  world: World,
): Promise<number> {
  const rows = [...(await installation(client, world)), ...(await failures(client, self, world))]
  for (const { name, found, isGood } of rows) world.out(`${isGood ? 'ok  ' : 'BAD '} ${name}: ${found}`)
  const bad = rows.filter(({ isGood }) => !isGood).length
  world.err(
    bad === 0
      ? `${client.title} asks before its tools run, and every failure above blocks. ${client.gaps}`
      : `${bad} of ${rows.length} are not as they must be: do not rely on this hook yet.`,
  )
  return bad === 0 ? EXIT.ok : EXIT.failed
}

interface Row {
  readonly name: string
  readonly found: string
  readonly isGood: boolean
}

/** What stands in the client's settings, and whether the server that is named there answers. */
async function installation(client: HookClient, world: World): Promise<readonly Row[]> {
  const places = [false, true].map((isUser) => settingsPath(client, isUser, world))
  const found: (ReturnType<typeof ownEntries>[number] & { readonly path: string })[] = []
  for (const path of places) {
    const text = await readSettingsFile(path)
    if (typeof text === 'string') found.push(...ownEntries(text, client).map((own) => ({ ...own, path })))
  }
  const missing = client.events.filter((event) => !found.some((own) => own.event === event))
  if (found.length === 0 || missing.length > 0) {
    const named = found.length === 0 ? places.join(' or ') : missing.join(', ')
    return [{ name: 'installed', found: `no, not in ${named}`, isGood: false }]
  }
  const { key, value, since } = client.failClosed
  const isClosed = found.every(({ entry }) => entry[key] === value)
  const offAt = await switchedOffAt(client, places, world)
  const served = await serverOf(found.map(({ entry }) => entry.command).find(isOwnCommand))
  return [
    { name: 'installed', found: [...new Set(found.map(({ path }) => path))].join(', '), isGood: true },
    {
      name: 'the client blocks when the hook cannot run',
      found: isClosed ? `${key} is set (needs ${client.title} ${since})` : `${key} is not set`,
      isGood: isClosed,
    },
    ...(client.off === undefined
      ? []
      : [
          {
            name: 'the client has its hooks switched on',
            found: offAt === undefined ? `${client.off} is not set` : `no: ${client.off} is set in ${offAt}`,
            isGood: offAt === undefined,
          },
        ]),
    served,
  ]
}

async function switchedOffAt(client: HookClient, places: readonly string[], { cwd }: World) {
  for (const path of [...places, ...(client.besides ?? []).map((file) => join(cwd, ...file))]) {
    const text = await readSettingsFile(path)
    if (typeof text === 'string' && isSwitchedOff(text, client)) return path
  }
  return undefined
}

async function serverOf(command: unknown): Promise<Row> {
  const name = 'the safety server answers with the key of the hook'
  const [, url = '', key = ''] = / --url (\S+) --key (\S+)/.exec(String(command)) ?? []
  const call = { client: 'doctor', event: 'doctor', tool: 'TodoRead', input: {}, session: 'doctor', cwd: '' }
  const word = await askServer(call, { url, key }, AbortSignal.timeout(3_000))
  return { name, found: word.kind === 'allow' ? url : word.reason, isGood: word.kind === 'allow' }
}

async function failures(
  client: HookClient,
  self: { readonly node: string; readonly script: string },
  world: World,
): Promise<readonly Row[]> {
  const stage = await openStage()
  const rows: Row[] = []
  const left = [...DOCTOR_CASES.entries()]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, each] = next
      const { exit, ms } = await start(commandFor(each, stage, client, self, world.platform), eventFor(client, each))
      const isBlocked = exit === 2
      const found = `${isBlocked ? 'blocks' : 'does not block'} (exit code ${exit}, ${ms} ms)`
      rows[at] = { name: each.name, found, isGood: isBlocked === each.blocks && (isBlocked || exit === 0) }
    }
  }
  try {
    await Promise.all([work(), work()])
  } finally {
    await stage.close()
  }
  return rows
}

function commandFor(
  each: DoctorCase,
  stage: Stage,
  client: HookClient,
  { node, script }: { readonly node: string; readonly script: string },
  platform: string,
): string {
  return hookCommand(
    {
      node: each.without === 'node' ? `${node}.missing` : node,
      script: each.without === 'script' ? `${script}.missing` : script,
      client: client.name,
      url: stage.urlOf(each),
      key: stage.key,
      deadlineMs: 3_000,
    },
    platform,
  )
}

/** The shortest event that the client could send. */
function eventFor({ events }: HookClient, { isReport: isMeant }: DoctorCase): string {
  const event = events.find((each) => isReport(each) === (isMeant === true)) ?? ''
  const call = /ShellExecution$/.test(event) ? { command: 'ls' } : { tool_name: 'Bash', tool_input: { command: 'ls' } }
  return JSON.stringify({ hook_event_name: event, session_id: 'doctor', cwd: '/', ...call })
}

/** As clients do: by the shell, the event on the standard input. */
function start(command: string, event: string): Promise<{ readonly exit: number | null; readonly ms: number }> {
  const began = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'ignore'] })
    const done = (exit: number | null) => resolve({ exit, ms: Math.round(performance.now() - began) })
    child.on('error', () => done(null))
    child.on('close', done)
    child.stdin.on('error', () => {})
    child.stdin.end(event)
  })
}
