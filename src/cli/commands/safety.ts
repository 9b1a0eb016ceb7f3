import { defineCommand, EXIT, isStop, type Stop, stop } from '../command.ts'
import { allOptions } from '../settings.ts'

const HOOK_PORT = 7422

/** DONGLE-03, DONGLE-08: also the executable `mcpaql-safety-dongle`. */
export const safety = defineCommand({
  name: 'safety',
  summary: 'Serve the safety loop alone: agents report what they are about to do, anywhere.',
  usage: ['[--policy FILE] [--http [HOST:]PORT] [OPTIONS]'],
  about: [
    'A server of its own for any client and any other servers: an agent reports each action before it acts, and acts only on a yes. What is risky waits for a human, what is worse needs a code, what is forbidden blocks the agent.',
    'Reporting is cooperative: an action that is not reported cannot be stopped here. For clients with hooks, mcpaql hook install makes the client itself ask.',
    'The policy is a JSON file with deny, requiresApproval, autoApprove (globs over actions), maxAutonomousSteps, riskTolerance (conservative, moderate, aggressive), channels and storage. Without one the built-in lists apply. A policy with a fault is not used: the server does not start.',
  ],
  examples: [
    'mcpaql safety',
    'mcpaql safety --policy policy.json --http 7423',
    'mcpaql safety --policy policy.json --store sqlite:./safety.db',
  ],
  options: {
    ...allOptions(),
    policy: { type: 'string', value: 'FILE', description: 'The policy, a JSON file.' },
    http: { type: 'string', value: '[HOST:]PORT', description: 'Streamable HTTP at /mcp in place of stdio.' },
    'hook-port': {
      type: 'string',
      value: 'N',
      description: `Where client hooks are answered (default: ${HOOK_PORT}; 0: any; off: nowhere).`,
    },
    json: { type: 'boolean', description: 'Say where the server listens as JSON on stdout (with --http).' },
  },
  positionals: [0, 0],

  async run({ values }, world) {
    const hookPort = readHookPort(values['hook-port'])
    if (isStop(hookPort)) return hookPort
    const address = readAddress(values.http)
    if (isStop(address)) return address
    const { readSafetyFile } = await import('../safety/read-safety-file.ts')
    const policy = await readSafetyFile(values.policy, world)
    if (isStop(policy)) return policy
    const { readSettings, tellFiles } = await import('../read-config.ts')
    const { channels, storage } = policy
    const settings = await readSettings(
      {
        ...(storage && { store: storage.url }),
        ...(channels.console !== undefined && { console: channels.console }),
        ...(channels.consolePort !== undefined && { 'console-port': String(channels.consolePort) }),
        ...(channels.elicitation !== undefined && { elicitation: channels.elicitation }),
        ...values,
        ...address,
      },
      world,
    )
    if (isStop(settings)) return settings
    const { config } = settings
    const files = [...settings.files, ...(values.policy === undefined ? [] : [values.policy])]
    tellFiles({ config, files }, world)
    const mode = modeOf(config.safety_loop, (values as Values)['safety-mode'], world.env)
    if (mode === 'disabled') return stop(EXIT.badUsage, 'A safety server whose loop is disabled has nothing to serve')
    const { serveSafety } = await import('../safety/serve-safety.ts')
    return serveSafety({ config, policy, mode, hookPort, files, json: values.json === true }, world)
  },
})

type Values = Readonly<Record<string, unknown>>

/** LOOP-07: here the loop enforces unless somebody said otherwise for this very server. */
function modeOf<M extends string>(
  configured: M,
  flag: unknown,
  { MCPAQL_SAFETY_LOOP }: Readonly<Record<string, string | undefined>>,
): M | 'enforcing' {
  const isSaid = flag !== undefined || Boolean(MCPAQL_SAFETY_LOOP)
  return configured === 'disabled' && !isSaid ? 'enforcing' : configured
}

function readHookPort(given: string | undefined): number | null | Stop {
  if (given === 'off') return null
  const port = Number(given ?? HOOK_PORT)
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : stop(EXIT.badUsage, `--hook-port ${given} must be a port, or off`)
}

/** `7423`, `127.0.0.1:7423`, `[::1]:7423`. */
function readAddress(http: string | undefined): Readonly<Record<string, string>> | Stop {
  if (http === undefined) return {}
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(http) ?? []
  if (port === undefined)
    return stop(EXIT.badUsage, `--http ${http} must be a port, or host and port`, 'For example --http 7423')
  return { 'http-port': port, ...(host !== undefined && { 'http-host': host.replace(/^\[|\]$/g, '') }) }
}
