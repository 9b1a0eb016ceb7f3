import { spawn } from 'node:child_process'
import { isReport } from '../../core/hook/hook-events.ts'
import { EXIT } from '../command.ts'
import type { World } from '../world.ts'
import type { HookClient } from './clients.ts'
import { DOCTOR_CASES, type DoctorCase, openStage, type Stage } from './doctor-cases.ts'
import { hookCommand } from './hook-command.ts'
import { type Finding, inspectInstallation } from './inspect-installation.ts'

/** Section 6, 5: plays the failures to the hook as the client would start it, and says which end in a block. */
export async function runDoctor(
  client: HookClient,
  self: { readonly node: string; readonly script: string },
  world: World,
): Promise<number> {
  const rows = [...(await inspectInstallation(client, world)), ...(await failures(client, self, world))]
  for (const { name, found, isGood } of rows) world.out(`${isGood ? 'ok  ' : 'BAD '} ${name}: ${found}`)
  const bad = rows.filter(({ isGood }) => !isGood).length
  world.err(
    bad === 0
      ? `${client.title} asks before its tools run, and every failure above blocks. ${client.gaps}`
      : `${bad} of ${rows.length} are not as they must be: do not rely on this hook yet.`,
  )
  return bad === 0 ? EXIT.ok : EXIT.failed
}

async function failures(
  client: HookClient,
  self: { readonly node: string; readonly script: string },
  world: World,
): Promise<readonly Finding[]> {
  const stage = await openStage()
  const rows: Finding[] = []
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
