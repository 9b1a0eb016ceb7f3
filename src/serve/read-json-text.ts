import { Buffer } from 'node:buffer'
import { type ByteLimits, readMessage } from '../core/pipeline/bytes.ts'
import type { Warning } from '../protocol/result.ts'
import { warn } from '../protocol/warnings.ts'

/** The arguments of a tool call, and what had to be read out of a text. */
export interface ReadArguments {
  readonly arguments: unknown
  readonly warnings?: readonly Warning[]
}

/**
 * REQ-02: several clients send an object among the arguments as JSON text. At this edge alone, such a text is taken as
 * what it holds. It passes the same checks as the message around it; a text that is not such JSON stays as it is, and is
 * refused by the runtime.
 */
export function readJsonTexts(args: unknown, limits: ByteLimits): ReadArguments {
  if (!isObject(args) || !mayHoldText(args)) return { arguments: args }
  const found: string[] = []
  const whole = readOperations(readParams(args, 'params', found, limits), found, limits)
  if (found.length === 0) return { arguments: args }
  return { arguments: whole, warnings: found.map((param_name) => warn(CODE, { param_name }, 'low')) }
}

const CODE = 'VALIDATION_JSON_TEXT_WARNING'

type Members = Readonly<Record<string, unknown>>

/** Nearly no call does, and none of those is looked at any further. */
function mayHoldText({ params, operations }: Members): boolean {
  return typeof params === 'string' || operations !== undefined
}

function readOperations(args: Members, found: string[], limits: ByteLimits): Members {
  if (!Object.hasOwn(args, 'operations')) return args
  const { operations } = args
  const read = typeof operations === 'string' ? jsonIn(operations, Array.isArray, limits) : undefined
  if (read) found.push('operations')
  const entries = read ?? operations
  if (!Array.isArray(entries)) return args
  const known = found.length
  const next = entries.map((entry: unknown, index) => readEntry(entry, `operations[${index}]`, found, limits))
  return read || found.length > known ? { ...args, operations: next } : args
}

function readEntry(entry: unknown, name: string, found: string[], limits: ByteLimits): unknown {
  const read = typeof entry === 'string' ? jsonIn(entry, isObject, limits) : undefined
  if (read) found.push(name)
  const members = read ?? entry
  return isObject(members) ? readParams(members, `${name}.params`, found, limits) : entry
}

function readParams(members: Members, name: string, found: string[], limits: ByteLimits): Members {
  if (!Object.hasOwn(members, 'params') || typeof members.params !== 'string') return members
  const params = jsonIn(members.params, isObject, limits)
  if (!params) return members
  found.push(name)
  return { ...members, params }
}

function jsonIn<T>(text: string, is: (value: unknown) => value is T, limits: ByteLimits): T | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const read = readMessage(Buffer.from(text), limits)
  return read.ok && is(read.value) ? read.value : undefined
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
