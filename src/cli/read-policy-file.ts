import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { EVENT_ID, getScalarValue, load, parseEvents, YAMLException } from 'js-yaml'
import { compilePolicies, type PolicyRecord } from '../core/gatekeeper/policies.ts'
import { type PolicyFault, readPolicies } from '../core/gatekeeper/read-policies.ts'
import { EXIT, type Stop, stop } from './command.ts'
import type { World } from './world.ts'

const BOUNDS = { maxDepth: 10, maxAliases: 0 }

/** GATE-05: the records of a policy file with their lines, or every fault with file and line. JSON is YAML too. */
export async function readPolicyFile(
  file: string,
  { cwd }: Pick<World, 'cwd'>,
): Promise<readonly PolicyRecord[] | Stop> {
  let source: string
  try {
    source = readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    return stop(EXIT.badUsage, `The policy file ${file} cannot be read: ${(error as Error).message.split(',')[0]}`)
  }
  let lines: Lines
  let value: unknown
  try {
    value = load(source, BOUNDS)
    lines = linesOf(source)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return stop(EXIT.badUsage, `${file}${error.mark ? `:${error.mark.line + 1}` : ''}: ${error.reason}`, EXAMPLE)
  }
  const read = readPolicies(value)
  if ('faults' in read) {
    return stop(EXIT.badUsage, read.faults.map((fault) => told(file, fault, lines)).join('\n'), EXAMPLE)
  }
  const name = basename(file)
  const records = read.map((record, index) => ({ ...record, place: `${name}:${lineOf(lines, ['policies', index])}` }))
  const broken = await firstBroken(records)
  return broken
    ? stop(EXIT.badUsage, `${file}:${broken.place?.split(':')[1]}: a pattern of '${broken.operation}' cannot be used`)
    : records
}

const EXAMPLE = 'A record looks like this: - { operation: "delete_*", permission: confirm }'

async function firstBroken(records: readonly PolicyRecord[]): Promise<PolicyRecord | undefined> {
  for (const record of records) {
    try {
      await compilePolicies([record])
    } catch {
      return record
    }
  }
  return undefined
}

function told(file: string, { path, message }: PolicyFault, lines: Lines): string {
  const where = path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  )
  return `${file}:${lineOf(lines, path)}: ${where ? `${where}: ` : ''}${message}`
}

type Lines = ReadonlyMap<string, number>

/** The line of the nearest place that the file has. */
function lineOf(lines: Lines, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const line = lines.get(path.slice(0, length).join('/'))
    if (line !== undefined) return line
  }
  return 1
}

/** Where each key and item stands, from the parser's events. */
function linesOf(source: string): Lines {
  const lines = new Map<string, number>()
  const open: { readonly path: string; readonly kind: 'map' | 'list'; count: number; key: string | undefined }[] = []
  for (const event of parseEvents(source, BOUNDS)) {
    if (event.type === EVENT_ID.DOCUMENT) continue
    if (event.type === EVENT_ID.POP) {
      open.pop()
      continue
    }
    const place = open.at(-1)
    const line = source.slice(0, startOf(event)).split('\n').length
    let path = ''
    if (place?.kind === 'map' && place.key === undefined) {
      place.key = event.type === EVENT_ID.SCALAR ? getScalarValue(source, event) : ''
      lines.set(join(place.path, place.key), line)
      continue
    }
    if (place) {
      path = join(place.path, place.kind === 'map' ? (place.key ?? '') : String(place.count++))
      place.key = undefined
      if (!lines.has(path)) lines.set(path, line)
    }
    if (event.type === EVENT_ID.MAPPING) open.push({ path, kind: 'map', count: 0, key: undefined })
    if (event.type === EVENT_ID.SEQUENCE) open.push({ path, kind: 'list', count: 0, key: undefined })
  }
  return lines
}

function startOf(event: object): number {
  const { valueStart, start } = event as { readonly valueStart?: number; readonly start?: number }
  return valueStart ?? start ?? 0
}

function join(path: string, step: string): string {
  return path === '' ? step : `${path}/${step}`
}
