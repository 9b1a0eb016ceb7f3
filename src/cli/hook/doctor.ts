import { randomBytes } from 'node:crypto'
import { EXIT } from '../command.ts'
import type { World } from '../world.ts'
import type { HookClient } from './clients.ts'
import { DOCTOR_CASES, type DoctorCase, openStage, type Stage } from './doctor-cases.ts'
import { hookCommand, quoteFor, serverIn } from './hook-command.ts'
import { type Expected, type Finding, inspectInstallation } from './inspect-installation.ts'
import { eventFor, playLine } from './play-line.ts'
import { playOthers } from './play-others.ts'

/**
 * Section 6, 5: compares what stands in the client's settings with what install writes, runs the very line that stands
 * there against the failures, and says which end in a block.
 */
export async function runDoctor(client: HookClient, expected: Expected, world: World): Promise<number> {
  const { findings, lines, others } = await inspectInstallation(client, expected, world)
  const rows = [
    ...findings,
    ...(await playOthers(client, others, world)),
    ...(await playLive(client, lines, world)),
    ...(await playFailures(client, lines.length === 0 ? [ownLine(client, expected, world)] : lines, expected, world)),
  ]
  for (const row of rows) world.out(`${markOf(row)} ${row.name}: ${row.found}`)
  const wrong = rows.filter(({ isGood }) => !isGood).length
  world.err(
    wrong === 0
      ? `${client.title} asks before its tools run, and every failure above blocks. ${client.gaps}`
      : `${wrong} of ${rows.length} are not as they must be: do not rely on this hook yet.`,
  )
  return wrong === 0 ? EXIT.ok : EXIT.failed
}

function markOf({ isGood, isWarning }: Finding): string {
  if (!isGood) return 'BAD '
  return isWarning ? 'WARN' : 'ok  '
}

/** What install would write, for a client without a hook: can this computer run it at all? */
function ownLine(client: HookClient, { node, script }: Expected, { platform }: World): string {
  return hookCommand({ node, script, client: client.name, url: NOWHERE, key: 'none' }, platform)
}

const NOWHERE = 'http://127.0.0.1:1/hook'

/** As the client asks it and with the server that it names: a harmless call passes, a destructive one does not. */
async function playLive(client: HookClient, lines: readonly string[], world: World): Promise<readonly Finding[]> {
  const rows: Finding[] = []
  for (const line of lines) {
    const session = `doctor-${randomBytes(8).toString('hex')}`
    const play = (command: string, isTold = false) => playLine(line, eventFor(client, command, isTold, session), world)
    const harmless = await play('ls')
    rows.push(rowOf('a harmless call, asked for real', false, harmless))
    if (harmless.exit === 0) rows.push(rowOf('its report, told for real', false, await play('ls', true)))
    rows.push(rowOf('a destructive call, asked for real', true, await play('mkfs.ext4 /dev/sda')))
  }
  return rows
}

async function playFailures(
  client: HookClient,
  lines: readonly string[],
  expected: Expected,
  world: World,
): Promise<readonly Finding[]> {
  const stage = await openStage()
  const rows: Finding[] = []
  const left = lines.flatMap((line) => DOCTOR_CASES.map((each) => ({ line, each }))).entries()
  const work = async () => {
    for (const [at, { line, each }] of left) {
      const played = playedLine(line, each, stage, expected, world.platform)
      const event = eventFor(client, 'ls', each.isReport === true, 'doctor')
      rows[at] = rowOf(each.name, each.blocks, await playLine(played, event, world, each.env))
    }
  }
  try {
    await Promise.all([work(), work()])
  } finally {
    await stage.close()
  }
  return rows
}

/** The line as it stands in the settings, with our own server in place of the real one. */
function playedLine(
  line: string,
  each: DoctorCase,
  stage: Stage,
  { node, script }: Expected,
  platform: string,
): string {
  const server = serverIn(line)
  const quote = quoteFor(platform)
  const staged = server
    ? line.replaceAll(server.url, stage.urlOf(each)).replaceAll(` --key ${server.key}`, ` --key ${stage.key}`)
    : line
  if (each.without === 'node') return staged.replaceAll(quote(node), quote(`${node}.missing`))
  if (each.without === 'script') return staged.replaceAll(quote(script), quote(`${script}.missing`))
  return staged
}

function rowOf(name: string, blocks: boolean, { exit, ms }: { readonly exit: number | null; readonly ms: number }) {
  const isBlocked = exit === 2
  const found = `${isBlocked ? 'blocks' : 'does not block'} (exit code ${exit}, ${ms} ms)`
  return { name, found, isGood: isBlocked === blocks && (isBlocked || exit === 0) }
}
