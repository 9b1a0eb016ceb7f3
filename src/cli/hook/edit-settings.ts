import { Buffer } from 'node:buffer'
import { readMessage } from '../../core/pipeline/bytes.ts'
import { type HookClient, isOwnCommand } from './clients.ts'

export type Fields = Readonly<Record<string, unknown>>

export type Edited = { readonly text: string } | { readonly fault: string }

/** The settings with the hook, and with one of ours only. */
export function withHook(text: string | undefined, client: HookClient, command: string): Edited {
  return edit(text, client, client.base, (event, entries) => [
    ...entries,
    ...(client.events.includes(event) ? [client.entry(command)] : []),
  ])
}

/** The settings without what is ours. */
export function withoutHook(text: string | undefined, client: HookClient): Edited {
  return edit(text, client, {}, (_, entries) => entries)
}

function edit(
  text: string | undefined,
  client: HookClient,
  base: Fields,
  change: (event: string, others: readonly unknown[]) => readonly unknown[],
): Edited {
  const read = text === undefined || text.trim() === '' ? { fields: {} } : readSettings(text)
  if ('fault' in read) return read
  const { hooks = {}, ...rest }: Fields = { ...base, ...read.fields }
  if (!isFields(hooks)) return { fault: '"hooks" is not an object' }
  const events = [...new Set([...Object.keys(hooks), ...client.events])]
  const wrong = events.find((event) => hooks[event] !== undefined && !Array.isArray(hooks[event]))
  if (wrong !== undefined) return { fault: `"hooks"."${wrong}" is not a list` }
  const kept = events.flatMap((event) => {
    const before = entriesAt(read.fields, event)
    const next = change(event, before.flatMap(withoutOwn))
    const isOursToDrop = next.length === 0 && (before.length > 0 || hooks[event] === undefined)
    return isOursToDrop ? [] : [[event, next] as const]
  })
  const isEmpty = kept.length === 0 && (read.fields.hooks === undefined || Object.keys(hooks).length > 0)
  const settings = placed({ ...base, ...read.fields }, isEmpty ? undefined : Object.fromEntries(kept), rest)
  const isSame = text !== undefined && JSON.stringify(settings) === JSON.stringify(read.fields)
  return { text: isSame ? text : written(settings, text) }
}

/** The hooks stay where they stood among the other keys. */
function placed(before: Fields, hooks: Fields | undefined, rest: Fields): Fields {
  if (hooks === undefined) return rest
  return Object.hasOwn(before, 'hooks') ? { ...before, hooks } : { ...rest, hooks }
}

/** A group may hold hooks of others beside ours. */
function withoutOwn(entry: unknown): readonly unknown[] {
  if (isOwn(entry)) return []
  const inner = listAt(entry, 'hooks')
  const others = inner.filter((hook) => !isOwn(hook))
  if (others.length === inner.length) return [entry]
  return others.length === 0 ? [] : [{ ...(entry as Fields), hooks: others }]
}

function isOwn(entry: unknown): entry is Fields {
  return isFields(entry) && isOwnCommand(entry.command)
}

function entriesAt({ hooks }: Fields, event: string): readonly unknown[] {
  return listAt(hooks, event)
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return Array.isArray(list) ? list : []
}

/** The object that a settings file holds. */
export function readSettings(text: string): { readonly fields: Fields } | { readonly fault: string } {
  try {
    const plain = text.replace(BOM, '')
    const value: unknown = JSON.parse(plain)
    if (!isFields(value)) return { fault: 'it holds no JSON object' }
    const scanned = readMessage(Buffer.from(plain), LIMITS)
    // One of the two would be lost.
    return scanned.ok || scanned.fault.kind !== 'duplicate_key'
      ? { fields: value }
      : { fault: 'a key stands in it twice' }
  } catch (error) {
    return { fault: `it is no JSON (${(error as Error).message})` }
  }
}

/** With the file's own indentation and line ends. */
function written(settings: Fields, before = ''): string {
  const [, indent = '  '] = /^[{[]\r?\n([ \t]+)/.exec(before.trimStart()) ?? []
  const text = `${JSON.stringify(settings, null, indent)}\n`
  return (BOM.exec(before)?.[0] ?? '') + (before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text)
}

const BOM = /^\ufeff/
const LIMITS = { maxBytes: 67_108_864, maxDepth: 1_000, maxString: 67_108_864, maxArray: 1_000_000 }

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
