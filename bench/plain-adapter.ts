import type { AdapterDefinition } from '../src/core/registry/adapter.ts'
import type { OperationDefinition } from '../src/core/registry/operation.ts'
import type { Param } from '../src/core/registry/param.ts'
import { parseType } from '../src/core/registry/type-grammar.ts'
import type { FlatOperation, FlatParam } from './catalogue.ts'
import { snakeCase } from './catalogue.ts'

/** A public API as plain operations that answer nothing: what listing, searching and describing it costs. */
export function plainAdapter(
  name: string,
  description: string,
  operations: readonly FlatOperation[],
): AdapterDefinition {
  return { name, description, operations: operations.map(plainOperation) }
}

function plainOperation(flat: FlatOperation): OperationDefinition {
  const { name, category, description, summary, path, tags, params, deprecated } = flat
  const rows = Object.fromEntries(params.map((param) => [snakeCase(param.name), plainParam(param)]))
  return {
    name,
    category,
    description: description.trim() || summary || name,
    tags,
    params:
      category === 'UPDATE'
        ? { ...rows, input: { type: 'object', required: true, description: 'The changed fields.' } }
        : rows,
    returns: 'object',
    ...(summary && { summary }),
    ...(path && { path }),
    ...(deprecated && { deprecated: {} }),
    handler: () => null,
  }
}

function plainParam({ type, required, description, enum: allowed, default: fallback }: FlatParam): Param {
  const known = parseType(type)?.every(({ base }) => BUILT_IN.has(base)) ? type : 'object'
  const values = allowed?.filter((value) => typeof value === 'string')
  const fits = typeof fallback === 'string' && values?.includes(fallback)
  return {
    type: values?.length ? 'string' : known,
    required,
    ...(description && { description }),
    ...(values?.length && { enum: values }),
    ...(fits && { default: fallback }),
  }
}

const BUILT_IN = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
