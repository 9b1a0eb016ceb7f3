import type { World } from './world.ts'

/** What the shell learns (design of the command line: every command ends with one of these). */
export const EXIT = Object.freeze({
  ok: 0,
  /** The operation, the suite, or the start failed. */
  failed: 1,
  /** Bad usage or bad configuration. */
  badUsage: 2,
  denied: 3,
  /** Waiting for a human. */
  waiting: 4,
})

/** A command is data and a function of its arguments and its world. */
export interface Command<O extends Options = Options> {
  readonly name: string
  readonly summary: string
  /** What stands after the command's name, one line for each form. */
  readonly usage: readonly string[]
  /** Sentences between usage and options. */
  readonly about?: readonly string[]
  readonly examples: readonly string[]
  readonly options: O
  /** What else the help text lists, after the options. */
  readonly more?: { readonly heading: string; readonly rows: readonly (readonly [string, string])[] }
  /** How many positional arguments make sense. */
  readonly positionals: readonly [least: number, most: number]
  /** True when what follows `--` is a command to start. */
  readonly takesCommand?: boolean
  readonly run: (given: Given<O>, world: World) => Promise<number | Stop>
}

export interface OptionRow {
  readonly type: 'boolean' | 'string'
  /** The option may be repeated; its value is a list. */
  readonly multiple?: boolean
  readonly short?: string
  /** The value names a file that the command writes: the risk tables judge it as an output. */
  readonly writes?: boolean
  /** What the value is called in the help text. */
  readonly value?: string
  readonly description: string
  /** True where `--no-NAME` is what one would want to write. */
  readonly isOn?: boolean
  /** Headline under which the help text shows it. */
  readonly group?: string
  /** The command whose help text describes it; that of others only names it. */
  readonly describedBy?: string
}

export type Options = Readonly<Record<string, OptionRow>>

export interface Given<O extends Options = Options> {
  readonly values: Values<O>
  readonly positionals: readonly string[]
  /** What stood after `--`, where the command takes one. */
  readonly command: readonly string[]
}

export type Values<O extends Options> = {
  readonly [K in keyof O]?: O[K]['multiple'] extends true
    ? readonly string[]
    : O[K]['type'] extends 'boolean'
      ? boolean
      : string
}

/** Identity at run time; at compile time the values are read off the options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  // `main` parses with the command's own options, so the values are those that `run` expects.
  return command as unknown as Command
}

/** A reason to end early: what is wrong, and what to do next. Made by `stop` alone. */
export interface Stop {
  readonly exit: number
  readonly message: string
  readonly next: readonly string[]
}

export function stop(exit: number, message: string, ...next: readonly string[]): Stop {
  const made = Object.freeze({ exit, message, next: Object.freeze(next.filter((line) => line !== '')) })
  STOPS.add(made)
  return made
}

/** For the operator, who is told why. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function isStop(value: unknown): value is Stop {
  return typeof value === 'object' && value !== null && STOPS.has(value)
}

const STOPS = new WeakSet<object>()
