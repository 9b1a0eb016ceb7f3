import { CATEGORIES } from '../../protocol/categories.ts'
import type {
  OperationDetails,
  OperationInfo,
  ParameterInfo,
  TypeDetails,
  TypeInfo,
} from '../../protocol/introspection.ts'
import type { Operation } from '../registry/compile-operation.ts'
import type { Deprecation, Param } from '../registry/param.ts'
import { isHidden, placesOf, type Types } from '../registry/places.ts'
import type { ToolNames } from '../registry/tool-names.ts'
import type { Field, TypeDefinition } from '../registry/type.ts'

/** Introspection §3.2: exactly four keys. */
export function operationInfo({ name, category, endpoint, description }: Operation): OperationInfo {
  return { name, semantic_category: category, endpoint, description }
}

/** Introspection §3.3, INT-09 to INT-14. */
export function operationDetails(operation: Operation, names: ToolNames, isGateable: boolean): OperationDetails {
  const { category, collection, resource, lifecycle, definition, returns } = operation
  const { readOnly, destructive } = CATEGORIES[category]
  const computed = collection?.computedFields ?? []
  const { relationships } = definition
  return {
    ...operationInfo(operation),
    mcpTool: names.families.get(operation.endpoint) ?? names.unified ?? '',
    permissions: { readOnly, destructive },
    parameters: parametersOf(operation, isGateable),
    returns,
    ...(definition.examples?.length && { examples: definition.examples.map((each) => example(operation.name, each)) }),
    ...(computed.length > 0 && resource && { computed_fields: computed }),
    ...(collection?.aggregationSupport.supported && { aggregation_support: collection.aggregationSupport }),
    ...(relationships && {
      relationship_capabilities: {
        supported: true,
        directions: relationships.directions,
        relationship_types: relationships.types,
        max_depth: relationships.maxDepth,
      },
    }),
    ...(lifecycle && { lifecycle }),
  }
}

/** REQ-08: a gated operation documents the token that it takes, unless the name is its own. */
function parametersOf({ params, definition, types }: Operation, isGateable: boolean): readonly ParameterInfo[] {
  const own = params.map(({ name, param }) => parameterInfo(name, param, types))
  const takesToken = isGateable && !Object.hasOwn(definition.params ?? {}, CONFIRMATION_TOKEN.name)
  return takesToken ? [...own, CONFIRMATION_TOKEN] : own
}

const CONFIRMATION_TOKEN: ParameterInfo = {
  name: 'confirmation_token',
  type: 'string',
  required: false,
  description: 'From CONFIRMATION_REQUIRED, after a human approved.',
}

/** As its author wrote it, to be shown and to work. */
function example(
  operation: string,
  { description, params }: { readonly description?: string; readonly params: object },
) {
  const request = Object.keys(params).length > 0 ? { operation, params } : { operation }
  return description ? { request, description } : { request }
}

/** Introspection §3.4: the row as the validator uses it (INT-17); deprecation goes into the description (INT-12). */
function parameterInfo(name: string, param: Param, types: Types): ParameterInfo {
  const isSecret = hasSecretDefault(param, types)
  const description = described(param, isSecret)
  return {
    name,
    type: param.type,
    required: param.required === true,
    ...(description && { description }),
    ...(param.default !== undefined && !isSecret && { default: param.default }),
    ...(param.enum && { enum: param.enum }),
    ...(param.minimum !== undefined && { minimum: param.minimum }),
    ...(param.maximum !== undefined && { maximum: param.maximum }),
    ...(param.minLength !== undefined && { minLength: param.minLength }),
    ...(param.maxLength !== undefined && { maxLength: param.maxLength }),
    ...(param.pattern !== undefined && { pattern: param.pattern }),
    ...(param.format !== undefined && { format: param.format }),
    ...(param.items && { items: itemInfo(param.items, types) }),
    ...(param.sensitive && { sensitive: true }),
  }
}

function itemInfo(items: Param, types: Types): unknown {
  const { name: _, required: __, ...rest } = parameterInfo('', items, types)
  return rest
}

/** VAL-10: what is filled in for a sensitive parameter, or inside one, is told to nobody. */
export function hasSecretDefault(param: Param, types: Types): boolean {
  if (param.default === undefined) return false
  const { row, place } = placesOf(types)
  return isHidden(param.default, place([row(param)]))
}

function described(param: Field, isSecret: boolean): string {
  const members = param.fields ? `Fields: ${Object.entries(param.fields).map(member).join(', ')}.` : ''
  const restriction = param.readOnly ? 'Read-only.' : param.appendOnly ? `Append-only; use ${param.appendOnly}.` : ''
  const notice = param.deprecated ? deprecationNotice(param.deprecated) : ''
  const fallback = isSecret ? 'Has a default.' : ''
  return [notice, param.description, members, restriction, fallback].filter(Boolean).join(' ')
}

function member([name, { type, required }]: [string, Param]): string {
  return `${name}${required ? '*' : ''}: ${type}`
}

function deprecationNotice({ replacement, removal }: Deprecation): string {
  return `Deprecated${replacement ? `; use ${replacement}` : ''}${removal ? `, goes on ${removal}` : ''}.`
}

/** Introspection §3.5. */
export function typeInfo({ name, kind, description }: TypeDefinition): TypeInfo {
  return { name, kind, ...(description && { description }) }
}

/** Introspection §3.6, TYPE-02: the list that belongs to the kind, and no other. */
export function typeDetails(type: TypeDefinition, types: Types): TypeDetails {
  switch (type.kind) {
    case 'enum':
      return { ...typeInfo(type), values: type.values }
    case 'object':
      return {
        ...typeInfo(type),
        fields: Object.entries(type.fields).map(([name, field]) => parameterInfo(name, field, types)),
      }
    case 'union':
      return { ...typeInfo(type), members: type.members }
    case 'scalar':
      return typeInfo(type)
  }
}
