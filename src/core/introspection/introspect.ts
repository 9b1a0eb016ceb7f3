import { CATEGORY_NAMES, type SemanticCategory } from '../../protocol/categories.ts'
import { fail } from '../../protocol/errors.ts'
import { QUERY_KINDS, type QueryKind } from '../../protocol/introspection.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { type Context, defineOperation, type OperationDefinition } from '../registry/operation.ts'
import type { Registry } from '../registry/registry.ts'
import type { ToolNames } from '../registry/tool-names.ts'
import type { Session } from '../session.ts'
import { operationDetails, operationInfo, typeDetails, typeInfo } from './describe.ts'
import { type Finder, findOperations } from './find-operations.ts'
import type { Rests } from './rests.ts'

/** What introspection looks at. Built after the registry, which holds `introspect` itself. */
export interface Catalogue {
  readonly registry: Registry
  readonly names: ToolNames
  readonly finder: Finder
  readonly rests: Rests
  readonly gate: GateView
  /** INT-18. */
  readonly trust: () => Readonly<Record<string, unknown>>
  readonly listPage: number
  /** `_protocol` for one session (INT-05 to INT-08). */
  readonly protocol: (session: Session) => Readonly<Record<string, unknown>>
}

/** What introspection may know of the gate. */
export interface GateView {
  standing(operation: Operation): {
    readonly level: string
    readonly danger: { readonly confirmationMessage?: string }
    readonly classification: { readonly reasons: readonly string[] }
  }
  isGateable(operation: Operation): boolean
  /** INT-20; undefined for an adapter without limits. */
  quotaStatus(): Promise<unknown>
}

/** Spec §7.2 — an operation like any other; `catalogue` is read at the first call. */
export function introspectOperation(catalogue: () => Catalogue, hasQuotas: boolean): OperationDefinition {
  return defineOperation({
    name: 'introspect',
    category: 'READ',
    description: 'Discover operations and types; search for what you need.',
    params: {
      query: {
        type: 'string',
        required: true,
        enum: QUERY_KINDS.filter((kind) => kind !== 'quota_status' || hasQuotas),
        description: 'The kind of answer.',
      },
      name: { type: 'string', description: 'One operation or type in detail; for rest, its handle.' },
      text: {
        type: 'string | string[]',
        description: 'search: what you want to do; several texts at once are cheaper.',
      },
      category: {
        type: 'string',
        enum: [...CATEGORY_NAMES],
        description: 'Narrows search or list; pass it when you know it.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        description: 'search: matches per text; 5, or 3 for several texts.',
      },
      after: { type: 'string', description: 'Continues a long list: `_protocol.page.next`.' },
    },
    returns: 'object',
    examples: [
      { params: { query: 'search', text: 'what I want to do' } },
      { params: { query: 'operations', name: 'introspect' } },
    ],
    weight: 100,
    handler: (params, context) => answer(params as Asked, context, catalogue()),
  })
}

interface Asked {
  readonly query: QueryKind
  readonly name?: string
  readonly text?: string | readonly string[]
  readonly category?: SemanticCategory
  readonly limit?: number
  readonly after?: string
}

function answer(asked: Asked, context: Context, catalogue: Catalogue): unknown {
  const { adapter } = catalogue.registry
  switch (asked.query) {
    case 'operations':
      return asked.name === undefined ? listOperations(asked, context, catalogue) : oneOperation(asked.name, catalogue)
    case 'types':
      return asked.name === undefined ? listTypes(catalogue) : oneType(asked.name, catalogue)
    case 'search':
      return findOperations(asked, catalogue.finder)
    case 'danger':
      return dangerOf(asked.name, catalogue)
    case 'adapter_info':
      return { name: adapter.name, version: adapter.version ?? '0.0.0', trust: catalogue.trust() }
    case 'quota_status':
      return catalogue.gate.quotaStatus()
    case 'rest':
      return readRest(asked.name, context, catalogue)
  }
}

/** INT-03: all of them, or the first page above the limit. */
function listOperations({ category, after }: Asked, context: Context, catalogue: Catalogue): unknown {
  const { registry, listPage, gate } = catalogue
  const all = [...registry.operations.values()].filter((each) => category === undefined || each.category === category)
  const start = after === undefined ? 0 : all.findIndex(({ name }) => name === after) + 1
  if (after !== undefined && start === 0) return badParam('after', 'the next value of the page before')
  const shown = all.slice(start, start + listPage)
  const protocol = { ...catalogue.protocol(context.session as Session), danger: dangerLevels(shown, gate) }
  return {
    _protocol: all.length > listPage ? { ...protocol, page: pageOf(all, shown, start) } : protocol,
    operations: shown.map(operationInfo),
  }
}

function pageOf(all: readonly Operation[], shown: readonly Operation[], start: number) {
  const more = start + shown.length < all.length
  return {
    total: all.length,
    ...(more && { next: shown.at(-1)?.name }),
    hint: 'Search is cheaper: {"query":"search","text":"what you want to do"}; `after` continues this list.',
  }
}

/** INT-16: an unknown name is a success with null. */
function oneOperation(name: string, { registry, names, gate }: Catalogue): unknown {
  const operation = registry.operations.get(name)
  return { operation: operation ? operationDetails(operation, names, gate.isGateable(operation)) : null }
}

/** INT-19, DNG-20. */
function dangerOf(name: string | undefined, { registry, gate }: Catalogue): unknown {
  if (name !== undefined) {
    const operation = registry.operations.get(name)
    return { danger: operation ? dangerEntry(operation, gate) : null }
  }
  return {
    danger: Object.fromEntries([...registry.operations.values()].map((each) => [each.name, dangerEntry(each, gate)])),
  }
}

function dangerEntry(operation: Operation, gate: GateView): unknown {
  const { level, danger, classification } = gate.standing(operation)
  const { confirmationMessage: confirmation_message } = danger
  return {
    level,
    ...(level !== 'safe' && { reasons: classification.reasons }),
    ...(confirmation_message !== undefined && { confirmation_message }),
  }
}

/** DNG-20: what is not `safe`, by name; whatever is not listed is. */
function dangerLevels(operations: readonly Operation[], gate: GateView): Readonly<Record<string, string>> {
  const levels = operations.map((each) => [each.name, gate.standing(each).level] as const)
  return Object.fromEntries(levels.filter(([, level]) => level !== 'safe'))
}

function listTypes({ registry }: Catalogue): unknown {
  return { types: [...registry.types.values()].map(typeInfo) }
}

function oneType(name: string, { registry }: Catalogue): unknown {
  const type = registry.types.get(name)
  return { type: type ? typeDetails(type, registry.types) : null }
}

async function readRest(name: string | undefined, { session }: Context, { rests }: Catalogue): Promise<unknown> {
  if (name === undefined)
    return fail('VALIDATION_MISSING_PARAM', {
      param_name: 'name',
      operation: 'introspect',
      expected: 'string (the handle of a rest)',
    })
  const rest = await rests.read(session as Session, name)
  return rest ? { rest } : fail('NOT_FOUND_RESOURCE', { resource_type: 'rest', resource_id: name.slice(0, 64) })
}

function badParam(param_name: string, constraint: string) {
  return fail('VALIDATION_INVALID_VALUE', { param_name, constraint, operation: 'introspect' })
}
