import { type HookClient, isOwnCommand } from './clients.ts'

type Fields = Readonly<Record<string, unknown>>

export type Edited = { readonly text: string } | { readonly fault: string }

/** The settings with the hook, and with one of ours only. */
export function withHook(text: string | undefined, client: HookClient, command: string): Edited {
  return edit(text, client, (event, entries) => [
    ...entries,
    ...(client.events.includes(event) ? [client.entry(command)] : []),
  ])
}

/** The settings without what is ours. */
export function withoutHook(text: string | undefined, client: HookClient): Edited {
  return edit(text, client, (_, entries) => entries)
}

/** The commands of ours in the settings, by event, with the entry that holds the client's switch. */
export function ownEntries(
  text: string,
  client: HookClient,
): readonly { readonly event: string; readonly entry: Fields }[] {
  const settings = readSettings(text)
  if ('fault' in settings) return []
  return client.events.flatMap((event) =>
    entriesAt(settings.fields, event).flatMap((entry) =>
      [entry, ...listAt(entry, 'hooks')].filter(isOwn).map((own) => ({ event, entry: own })),
    ),
  )
}

function edit(
  text: string | undefined,
  client: HookClient,
  change: (event: string, others: readonly unknown[]) => readonly unknown[],
): Edited {
  const read = text === undefined || text.trim() === '' ? { fields: client.base } : readSettings(text)
  if ('fault' in read) return read
  const { hooks = {}, ...rest } = read.fields
  if (!isObject(hooks)) return { fault: '"hooks" is not an object' }
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
  const settings = placed(read.fields, isEmpty ? undefined : Object.fromEntries(kept), rest)
  return { text: written(settings, text) }
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
  return isObject(entry) && isOwnCommand(entry.command)
}

function entriesAt({ hooks }: Fields, event: string): readonly unknown[] {
  return listAt(hooks, event)
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return Array.isArray(list) ? list : []
}

function readSettings(text: string): { readonly fields: Fields } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return isObject(value) ? { fields: value } : { fault: 'it holds no JSON object' }
  } catch (error) {
    return { fault: `it is no JSON (${(error as Error).message})` }
  }
}

/** In the file's own indentation. */
function written(settings: Fields, before: string | undefined): string {
  const [, indent = '  '] = /^[{[]\r?\n([ \t]+)/.exec(before?.trimStart() ?? '') ?? []
  return `${JSON.stringify(settings, null, indent)}\n`
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
