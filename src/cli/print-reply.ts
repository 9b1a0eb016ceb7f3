import type { Reply } from './connect.ts'
import { escapeUnseen } from './json-line.ts'
import { columns, columnsWithRoom, painter, plainLine, plainText, table, wrap } from './render.ts'
import type { World } from './world.ts'

/** The answer to stdout; what is wrong with it, or worth knowing, to stderr. */
export function printReply({ result, text }: Reply, json: boolean, world: World): void {
  if (json) {
    world.out(escapeUnseen(text, true))
    return
  }
  for (const warning of warningsOf(result)) world.err(painter(world)('yellow', `Warning: ${warning}`))
  if (Array.isArray(result.results)) world.out(batchText(result, result.results, world))
  else if (result.success) world.out(readable(result.data, world))
  else world.err(failure(result, world))
}

/** A page of records as a table, anything else as JSON. */
export function readable(data: unknown, world: World): string {
  const { items, ...rest } = isRecord(data) ? data : { items: data }
  if (!Array.isArray(items) || items.length === 0 || !items.every(isRecord))
    return plainText(JSON.stringify(data, null, 2))
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const header = names.map(plainLine)
  const rows = items.map((item) => names.map((key) => cell(item[key])))
  const shown = columnsWithRoom(header, rows, world)
  const left = header.slice(shown)
  const about = [
    ...(left.length > 0 ? wrap(`No room for ${left.join(', ')}; --json has everything.`, columns(world)) : []),
    ...aboutPage(rest),
  ].join('\n')
  const text = table(
    header.slice(0, shown),
    rows.map((row) => row.slice(0, shown)),
    world,
  )
  return about ? `${text}\n\n${painter(world)('dim', about)}` : text
}

/** Of a page the way to the next one; of anything else that came with the items, all of it. */
function aboutPage(rest: Readonly<Record<string, unknown>>): string[] {
  const { pageInfo, ...others } = rest
  const { hasNextPage, endCursor } = isRecord(pageInfo) ? pageInfo : {}
  const more =
    hasNextPage === true && typeof endCursor === 'string' ? [`More: --param after=${plainLine(endCursor)}`] : []
  return [...more, ...(Object.keys(others).length > 0 ? [plainText(JSON.stringify(others))] : [])]
}

function batchText(
  { halted_at, pending_operations }: Reply['result'],
  results: readonly unknown[],
  world: World,
): string {
  const paint = painter(world)
  const pending = (Array.isArray(pending_operations) ? pending_operations : []) as readonly { operation?: unknown }[]
  const left = pending.map(({ operation }) => plainLine(String(operation))).join(', ')
  const entries = [...results, ...(isRecord(halted_at) ? [halted_at] : [])]
    .map((entry) => {
      const { index, operation, result } = entry as { index: number; operation: string; result: Reply['result'] }
      const isHalted = entry === halted_at
      const mark = result.success ? paint('green', '✓') : isHalted ? paint('yellow', '…') : paint('red', '✗')
      const said = result.success ? readable(result.data, world) : failure(result, world)
      return `${mark} ${paint('bold', `${index} ${plainLine(operation)}`)}\n${said}`
    })
    .join('\n\n')
  return left === '' ? entries : `${entries}\n\n${wrap(`Not run: ${left}`, columns(world)).join('\n')}`
}

function failure({ error }: Reply['result'], world: World): string {
  const { code, message, details } = (error ?? {}) as { code?: string; message?: string; details?: unknown }
  const said = `${plainLine(String(code))}: ${plainLine(String(message))}`
  const whole = world.columns === undefined ? said : wrap(said, columns(world)).join('\n')
  const head = whole.replace(/^[^:\s]*/, (word) => painter(world)('red', word))
  return details === undefined ? head : `${head}\n${plainText(JSON.stringify(details, null, 2))}`
}

function warningsOf({ warnings }: Reply['result']): string[] {
  return Array.isArray(warnings)
    ? warnings.map((warning: { message?: unknown }) => plainLine(String(warning?.message)))
    : []
}

function cell(value: unknown): string | number {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
