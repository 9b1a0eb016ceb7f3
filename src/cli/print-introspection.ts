import type {
  OperationDetails,
  OperationInfo,
  ParameterInfo,
  TypeDetails,
  TypeInfo,
} from '../protocol/introspection.ts'
import { columns, counted, heading, painter, plainLine, plainText, table, wrap } from './render.ts'
import type { World } from './world.ts'

type Data = Readonly<Record<string, unknown>>

/** An introspection answer for people. What it holds came from a server and is shown as text, whatever it is. */
export function introspectionText(data: Data, world: World): string {
  if (data.operation) return operationText(data.operation as OperationDetails, world)
  if (data.type) return typeText(data.type as TypeDetails, world)
  if (Array.isArray(data.operations)) return listText(data, data.operations as OperationInfo[], world)
  if (Array.isArray(data.types)) return typesText(data.types as TypeInfo[], world)
  if (Array.isArray(data.matches)) return matchesText(data.matches as Match[], world)
  if (Array.isArray(data.results)) {
    const paint = painter(world)
    return (data.results as { readonly text: string; readonly matches: readonly Match[] }[])
      .map(({ text, matches }) => `${heading(plainLine(text), paint)}\n${matchesText(matches, world)}`)
      .join('\n\n')
  }
  return plainText(JSON.stringify(data, null, 2))
}

interface Match {
  readonly operation: string
  readonly endpoint?: string
  readonly signature?: string
  readonly description?: string
}

function listText(data: Data, operations: readonly OperationInfo[], world: World): string {
  const { adapter, display_name, mode, page } = (data._protocol ?? {}) as {
    readonly adapter?: string
    readonly display_name?: string
    readonly mode?: string
    readonly page?: { readonly total?: number }
  }
  const total = page?.total ?? operations.length
  const shown = total > operations.length ? `, the first ${operations.length} (--all for the rest)` : ''
  const title = `${plainLine(String(display_name ?? adapter ?? 'Operations'))}: ${counted(total, 'operation')}${shown}`
  const rows = operations.map(({ name, semantic_category, description }) => [
    name,
    semantic_category,
    firstSentence(description),
  ])
  const about = mode === undefined ? '' : painter(world)('dim', ` (${plainLine(mode)} mode)`)
  return `${heading(title, painter(world))}${about}\n\n${table(['OPERATION', 'CATEGORY', 'WHAT IT DOES'], rows, world)}`
}

function operationText(operation: OperationDetails, world: World): string {
  const paint = painter(world)
  const { name, semantic_category, mcpTool, description, parameters, returns, examples = [] } = operation
  return [
    `${heading(plainLine(name), paint)}  ${paint('dim', `${semantic_category}, tool ${plainLine(mcpTool)}`)}`,
    ...wrap(plainLine(description), columns(world)),
    '',
    ...(parameters.length > 0 ? [parametersText('PARAMETER', parameters, world), ''] : []),
    `${heading('Returns', paint)} ${plainLine(returns?.name ?? 'nothing')}`,
    ...examples.flatMap(({ request, description: says }) => [
      '',
      `${heading('Example', paint)}${says ? ` ${plainLine(says)}` : ''}`,
      `  ${plainLine(JSON.stringify(request))}`,
    ]),
  ].join('\n')
}

function typeText(type: TypeDetails, world: World): string {
  const { name, kind, description, fields, values, members } = type
  const body = fields
    ? parametersText('FIELD', fields, world)
    : (values ?? members ?? []).map((one) => `  ${plainLine(String(one))}`).join('\n')
  return [
    `${heading(plainLine(name), painter(world))}  ${painter(world)('dim', kind)}`,
    ...(description ? wrap(plainLine(description), columns(world)) : []),
    '',
    body,
  ].join('\n')
}

function parametersText(title: string, parameters: readonly ParameterInfo[], world: World): string {
  const rows = parameters.map((parameter) => [
    `${parameter.name}${parameter.required ? ' *' : ''}`,
    parameter.type,
    meaning(parameter),
  ])
  return table([title, 'TYPE', 'MEANING'], rows, world, { folds: true })
}

function meaning({ description, ...parameter }: ParameterInfo): string {
  const limits = limitsOf(parameter).join(', ')
  return description && limits ? `${description} (${limits})` : (description ?? limits)
}

/** Everything that a value is held to, in words. */
function limitsOf(parameter: Limits): readonly string[] {
  const { enum: allowed, default: standard, minimum, maximum, minLength, maxLength, pattern, format } = parameter
  const each = parameter.items ? limitsOf(parameter.items as Limits) : []
  return [
    allowed && `one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
    format !== undefined && `format ${format}`,
    pattern !== undefined && `matches ${pattern}`,
    minLength !== undefined && `at least ${counted(minLength, 'character')}`,
    maxLength !== undefined && `at most ${counted(maxLength, 'character')}`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    each.length > 0 && `each ${each.join(', ')}`,
    standard !== undefined && `default ${JSON.stringify(standard)}`,
    parameter.sensitive && 'sensitive',
  ].filter((part) => typeof part === 'string')
}

type Limits = Omit<ParameterInfo, 'name' | 'type' | 'required' | 'description'>

function typesText(types: readonly TypeInfo[], world: World): string {
  return table(
    ['TYPE', 'KIND', 'MEANING'],
    types.map(({ name, kind, description = '' }) => [name, kind, description]),
    world,
  )
}

function matchesText(matches: readonly Match[], world: World): string {
  const paint = painter(world)
  const width = columns(world)
  if (matches.length === 0) return 'Nothing fits.'
  return matches
    .map(({ operation, signature, description = '' }) => {
      const head = wrap(plainLine(signature ?? operation), width - 2)
      return [
        paint('cyan', head.join('\n  ')),
        ...wrap(plainLine(description), width - 2).map((line) => `  ${line}`),
      ].join('\n')
    })
    .join('\n')
}

function firstSentence(text: string): string {
  const end = text.indexOf('. ')
  return end < 0 ? text : text.slice(0, end + 1)
}
