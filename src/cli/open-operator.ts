import type { NotGiven } from '../channels/operator-secret.ts'
import type { NoTerminal, Terminal } from '../channels/read-secret.ts'
import type { Config } from '../config.ts'
import type { Operator } from '../core/operator/operator.ts'
import type { OperatorAccount, Right } from '../core/operator/operator-account.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Store } from '../core/ports/store.ts'
import { EXIT, isStop, type Options, type Stop, stop } from './command.ts'
import { openStateStore } from './open-state-store.ts'
import { allOptions } from './settings.ts'
import { storeUrl } from './state-folder.ts'
import type { World } from './world.ts'

/** The operator plane as a command sees it. */
export interface Desk {
  readonly store: Store
  readonly clock: Clock
  readonly operator: Operator
  readonly account: OperatorAccount
  /** The address of the store, for a person to see which one was read. */
  readonly place: string
  /** Somebody has said which store it is. */
  readonly isNamed: boolean
}

/** The flags that say which store a server and its operator share. */
export function storeOptions(): Options {
  return Object.fromEntries(Object.entries(allOptions()).filter(([flag]) => flag === 'store' || flag === 'config'))
}

type Values = Readonly<Record<string, unknown>>

/** Opens the store that the servers of this account use, and closes it when `work` is done. */
export async function atDesk(
  values: Values,
  world: World,
  work: (desk: Desk) => Promise<number | Stop>,
): Promise<number | Stop> {
  const { readConfig } = await import('./read-config.ts')
  const config = await readConfig(values, world, {}, 'operate')
  if (isStop(config)) return config
  const store = await openSharedStore(config, world)
  if (isStop(store)) return store
  const { createOperator } = await import('../core/operator/operator.ts')
  const { createOperatorAccount } = await import('../core/operator/operator-account.ts')
  const clock: Clock = { now: world.now }
  const operator = createOperator({
    store,
    clock,
    rules: { elicitC2: config.elicit_dangerous, twoPerson: config.two_person },
  })
  try {
    const place = storeUrl(config.store_url, world)
    const account = createOperatorAccount({ store, clock })
    return await work({ store, clock, operator, account, place, isNamed: config.store_url !== '' })
  } finally {
    operator.close()
    await store.close()
  }
}

/** SELF-07: a human at the terminal, or nobody. */
export async function withTerminal(
  world: World,
  work: (terminal: Terminal) => Promise<number | Stop>,
): Promise<number | Stop> {
  const { openTerminal } = await import('../channels/read-secret.ts')
  const { stdin, platform, interrupted } = world
  const terminal = openTerminal({ stdin: stdin as { readonly isTTY?: boolean }, platform, interrupted })
  if (typeof terminal === 'string') return noTerminal(terminal)
  try {
    return await work(terminal)
  } finally {
    terminal.close()
  }
}

/** The operator at the terminal, who has just typed the secret. */
export async function asOperator(
  world: World,
  { account }: Desk,
  work: (right: Right, terminal: Terminal) => Promise<number | Stop>,
): Promise<number | Stop> {
  return withTerminal(world, async (terminal) => {
    const { askSecret } = await import('../channels/operator-secret.ts')
    const given = await askSecret(terminal, account)
    return given.kind === 'right' ? work(given, terminal) : notGiven(given, world)
  })
}

function noTerminal(why: NoTerminal): Stop {
  const what =
    why === 'piped' ? 'The standard input is not a terminal' : 'There is no terminal that controls this process'
  return stop(
    EXIT.denied,
    `${what}: only a human at a terminal can decide`,
    'The secret is typed there; it is never read from a pipe, a file, an argument or the environment',
  )
}

function notGiven(given: NotGiven, world: World): Stop {
  switch (given.kind) {
    case 'unset':
      return stop(EXIT.badUsage, 'No operator secret is set', 'To set it: mcpaql secret set')
    case 'locked':
      return stop(
        EXIT.denied,
        `Too many wrong secrets. The next try is possible in ${seconds(given.retryAt - world.now())}`,
      )
    case 'wrong':
      return stop(EXIT.denied, 'The secret was wrong. Nothing was decided')
    case 'broken_off':
      return stop(EXIT.waiting, 'Broken off. Nothing was decided')
  }
}

/** `4 min 10 s`. */
export function seconds(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / 1_000))
  const minutes = Math.floor(all / 60)
  return minutes > 0 ? `${minutes} min ${all % 60} s` : `${all} s`
}

/** A store in memory belongs to the server alone. */
async function openSharedStore(config: Config, world: World): Promise<Store | Stop> {
  const url = storeUrl(config.store_url, world)
  if (url === 'memory:') {
    return stop(
      EXIT.badUsage,
      'A store in memory cannot be reached from another process',
      'Name the store of the server: --store sqlite:PATH',
    )
  }
  return openStateStore(config, world)
}
