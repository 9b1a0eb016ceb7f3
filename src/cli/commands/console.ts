import { isAbsolute } from 'node:path'
import type { Terminal } from '../../channels/read-secret.ts'
import type { Config } from '../../config.ts'
import type { Right } from '../../core/operator/operator-account.ts'
import { defineCommand, EXIT, isStop, messageOf, type Stop, stop } from '../command.ts'
import { asOperator, atDesk, type Desk, storeOptions, withTerminal } from '../open-operator.ts'
import type { Settings } from '../read-config.ts'
import type { World } from '../world.ts'

export const consoleCommand = defineCommand({
  name: 'console',
  summary: "Open the operator's console in the browser.",
  usage: ['[--port PORT] [--no-open]', '--check [--agent ACCOUNT]'],
  about: [
    'Asks for the operator secret on this terminal and prints a link that signs you in: it works once, for 60 seconds, and is shown nowhere else. When a server of the same store serves a console, the link leads there; otherwise this command serves it until it is interrupted.',
    'The first time it sets the secret.',
  ],
  examples: ['mcpaql console', 'mcpaql console --no-open', 'mcpaql console --check'],
  options: {
    port: {
      type: 'string',
      value: 'PORT',
      description: 'Where to listen when no console runs yet (default: console_port).',
    },
    open: { type: 'boolean', isOn: true, description: 'Open the browser, where the link can be passed unseen.' },
    check: { type: 'boolean', description: 'Say whether a process of an agent could approve, and end.' },
    agent: {
      type: 'string',
      value: 'ACCOUNT',
      description: 'With --check, under the account of the store: the account under which agents run.',
    },
    ...storeOptions(),
  },
  positionals: [0, 0],

  async run({ values }, world) {
    const { readSettings } = await import('../read-config.ts')
    const { storeUrl } = await import('../state-folder.ts')
    const settings = await readSettings(values, world, {}, 'operate')
    if (isStop(settings)) return settings
    const { config } = settings
    const place = storeUrl(config.store_url, world)
    if (values.check) return check(place, values.agent, settings, world)
    if (values.agent !== undefined) return stop(EXIT.badUsage, '--agent belongs to --check')
    const port = readPort(values.port, config.console_port)
    if (isStop(port)) return port
    return atDesk(values, world, async (desk) => {
      const first = await setFirstSecret(desk, world)
      if (first !== undefined) return first
      return asOperator(world, desk, (right, terminal) =>
        signIn({ right, terminal, desk, port, place, config, opens: values.open !== false }, world),
      )
    })
  },
})

interface Order {
  readonly right: Right
  readonly terminal: Terminal
  readonly desk: Desk
  readonly port: number
  readonly place: string
  readonly config: Config
  readonly opens: boolean
}

async function signIn(order: Order, world: World): Promise<number | Stop> {
  const { findConsole } = await import('../../core/operator/console-record.ts')
  const running = await findConsole(order.desk.store)
  if (running) {
    await showLink(running.url, order, world)
    return EXIT.ok
  }
  return serve(order, world)
}

/** From this process, until it is interrupted. */
async function serve(order: Order, world: World): Promise<number | Stop> {
  const { openOperatorConsole } = await import('../open-console.ts')
  const { desk, port, place, config, terminal } = order
  const { store, clock, account } = desk
  try {
    const onError = (error: unknown) => world.err(`The console failed: ${messageOf(error)}`)
    const opened = await openOperatorConsole({ store, clock, account, place, config, port, onError })
    await showLink(opened.url, order, world)
    terminal.write(
      'The console runs until you press Ctrl-C. For another link, run mcpaql console in a second terminal.\n',
    )
    await interruption(world.interrupted)
    await opened.close()
    return EXIT.ok
  } catch (error) {
    return stop(
      EXIT.failed,
      `The console cannot start: ${messageOf(error)}`,
      'End that program, or name another port: mcpaql console --port PORT',
    )
  }
}

/** SELF-08: on this terminal and nowhere else, once. */
async function showLink(url: string, { desk, right, terminal, opens }: Order, world: World): Promise<void> {
  const { openBrowser } = await import('../open-browser.ts')
  const link = await desk.account.makeLink(right)
  if (link === undefined) return terminal.write('That took too long. Run mcpaql console again.\n')
  const address = `${url}#login=${link}`
  const isOpened = opens && openBrowser(address, world.platform)
  terminal.write(
    `${isOpened ? 'The browser opens the console; if not, follow' : 'Follow'} this link within 60 seconds. It works once.\n\n  ${address}\n\n`,
  )
}

async function setFirstSecret({ account }: Desk, world: World): Promise<number | Stop | undefined> {
  if (await account.isSet()) return undefined
  const { setSecret } = await import('../../channels/operator-secret.ts')
  const done = await withTerminal(world, async (terminal) => {
    terminal.write('No operator secret is set yet. Whoever knows it decides what agents may do.\n')
    return (await setSecret(terminal, account)) === 'set' ? EXIT.ok : stop(EXIT.waiting, 'Broken off. No secret is set')
  })
  return done === EXIT.ok ? undefined : done
}

/** SELF-01: by the store, which whoever writes it decides with, or by a form that a client answers itself. */
async function check(
  place: string,
  agent: string | undefined,
  { config, trusted }: Settings,
  world: World,
): Promise<number | Stop> {
  const { findAccount, osSeparation } = await import('../os-separation.ts')
  const { storePointer } = await import('../state-folder.ts')
  const account = agent === undefined ? undefined : findAccount(agent)
  if (agent !== undefined && account === undefined)
    return stop(
      EXIT.badUsage,
      `There is no account ${agent} on this system`,
      'Name the account under which agents run, or its number: --agent NAME, --agent 1001',
    )
  const program = world.self.filter((word) => isAbsolute(word))
  const { kind, store, here, why } = osSeparation(place, account, undefined, [
    ...trusted,
    storePointer(world),
    ...program,
  ])
  const isOwn = store !== undefined && store === here // nobody else leaves files of their own beside the store
  const forms = isOwn ? await seenForms(config, world) : undefined
  const leads = {
    separate: 'The store belongs to another OS account than the agents.',
    same: 'The store is within reach of agents that run under this OS account with a shell.',
    unknown: 'It is not known whether agents can reach the store.',
  }
  const lines = [
    leads[kind],
    why,
    store ? `store: ${store}` : '',
    here ? `this account: ${here}` : '',
    kind === 'unknown' ? '' : approversLine(forms),
    world.platform === 'linux' ? '' : UNSEEN,
  ]
  world.out(lines.filter(Boolean).join('\n'))
  return kind === 'separate' && forms?.length === 0 ? EXIT.ok : EXIT.failed
}

/** On Linux they show in the mode, as rights of the group. */
const UNSEEN = 'Access lists of files and folders cannot be seen from here; look at them with ls -le.'

/** Undefined where this account cannot look. */
async function seenForms(config: Config, world: World): Promise<readonly string[] | undefined> {
  const { openStateStore } = await import('../open-state-store.ts')
  const { formClients } = await import('../approvers.ts')
  const store = await openStateStore(config, world)
  if (isStop(store)) return undefined
  try {
    return await formClients(store, world)
  } finally {
    await store.close()
  }
}

function approversLine(forms: readonly string[] | undefined): string {
  const always =
    'Approves: the console and the terminal, with the operator secret; a form on stdio, answered by the client'
  if (forms === undefined)
    return `${always}. Which named clients answer forms (client add --elicitation) cannot be seen from this account, so this check fails; run it under the account of the store, with --agent ACCOUNT.`
  if (forms.length === 0) return `${always}. No named client answers forms.`
  return `${always}; over HTTP a form that one of these clients answers: ${forms.join(', ')}. A process with its token could approve its own requests: mcpaql client revoke NAME.`
}

function readPort(given: string | undefined, fallback: number): number | Stop {
  if (given === undefined) return fallback
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN
  return port <= 65_535 ? port : stop(EXIT.badUsage, `--port ${given} must be a port`, 'For example --port 7421')
}

function interruption(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
