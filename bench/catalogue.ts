import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { load } from 'js-yaml'
import type { SearchDocument } from '../src/core/introspection/search.ts'
import { VERBS } from '../src/core/introspection/search-vocabulary.ts'
import type { SemanticCategory } from '../src/protocol/categories.ts'

/** One operation of a public API, flat: what a benchmark needs to list, search and describe it. */
export interface FlatOperation {
  /** `METHOD /path`, or the identifier in the data set. */
  readonly id: string
  readonly name: string
  readonly category: SemanticCategory
  readonly summary?: string
  readonly description: string
  readonly path?: string
  readonly tags: readonly string[]
  readonly source?: string
  readonly params: readonly FlatParam[]
  readonly returns?: string
  readonly deprecated: boolean
}

export interface FlatParam {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body'
  readonly enum?: readonly unknown[]
  readonly default?: unknown
}

/** The folder with public test data beside the repository, or undefined where it is absent. */
export const DATA_FOLDER: string | undefined = [
  fileURLToPath(new URL('../../shared/data/', import.meta.url)),
  resolve('../shared/data/'),
].find((folder) => existsSync(folder))

/** The operations of an OpenAPI 3 or Swagger 2 document among the test data, such as `github.json.gz`. */
export function openApiOperations(file: string): readonly FlatOperation[] {
  const document = readData(`openapi/${file}`)
  return flatten(asObject(file.includes('.json') ? JSON.parse(document) : load(document)))
}

/** Reads a file of the test data as text, unpacked. */
export function readData(file: string): string {
  if (DATA_FOLDER === undefined) throw new Error('The folder shared/data is not beside the repository.')
  const bytes = readFileSync(resolve(DATA_FOLDER, file))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

export function toSearchDocument(operation: FlatOperation): SearchDocument {
  const { name, category, summary, description, path, tags, source, params, returns, deprecated } = operation
  return {
    name,
    category,
    description,
    tags,
    deprecated,
    params: params.map((param) => ({
      name: param.name,
      description: param.description,
      inPath: param.in === 'path',
      ...(param.enum && { enum: param.enum }),
    })),
    ...(summary !== undefined && { summary }),
    ...(path !== undefined && { path }),
    ...(source !== undefined && { source }),
    ...(returns !== undefined && { returns }),
  }
}

/**
 * By the HTTP method, corrected by what the operation says of itself: a POST whose path ends in a deed, or a title such
 * as "Star a repository" over a PUT. What reads or deletes by its method is believed.
 */
export function categoryOf(method: string, path: string, title: string): SemanticCategory {
  const usual = USUAL_CATEGORIES.get(method.toUpperCase()) ?? 'CREATE'
  if (usual === 'READ' || usual === 'DELETE') return usual
  if (usual === 'CREATE' && endsInDeed(path)) return 'EXECUTE'
  const said = categoriesOfVerb(/[A-Za-z]+/.exec(title)?.[0] ?? '')
  return [usual, ...WRITES].find((category) => said.includes(category)) ?? usual
}

export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
}

const USUAL_CATEGORIES: ReadonlyMap<string, SemanticCategory> = new Map([
  ['GET', 'READ'],
  ['HEAD', 'READ'],
  ['PUT', 'UPDATE'],
  ['PATCH', 'UPDATE'],
  ['DELETE', 'DELETE'],
])

const WRITES: readonly SemanticCategory[] = ['EXECUTE', 'CREATE', 'UPDATE', 'DELETE']

/** `/merge-upstream` and `/cancel` do something; `/releases`, a plural, is where something is added. */
function endsInDeed(path: string): boolean {
  const words = snakeCase(path.split('/').at(-1) ?? '').split('_')
  const isPlace = path.endsWith('}') || words.at(-1)?.endsWith('s')
  return !isPlace && categoriesOfVerb(words[0] ?? '').includes('EXECUTE')
}

/** "Updates" counts as "update". */
function categoriesOfVerb(word: string): readonly SemanticCategory[] {
  const lower = word.toLowerCase()
  return VERBS.get(lower) ?? VERBS.get(lower.replace(/s$/, '')) ?? VERBS.get(lower.replace(/es$/, '')) ?? []
}

type Json = { readonly [key: string]: unknown }

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const

function flatten(document: Json): FlatOperation[] {
  const find = resolver(document)
  const taken = new Set<string>()
  return entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => isObject(find(item)[method])).map((method) => {
      const operation = find(find(item)[method])
      const id = `${method.toUpperCase()} ${path}`
      const params = [...list(find(item).parameters), ...list(operation.parameters)].map(find)
      const returns = returnTypeOf(operation, find)
      const summary = text(operation.summary)
      const description = text(operation.description)
      return {
        id,
        name: unique(snakeCase(text(operation.operationId) || id), taken),
        category: categoryOf(method, path, summary || description.replace(/<[^>]*>/g, '')),
        summary,
        description,
        path: id,
        tags: list(operation.tags).map(text),
        params: [...params.flatMap((param) => flatParam(param, find)), ...bodyParams(operation, find)],
        deprecated: operation.deprecated === true,
        ...(returns !== undefined && { returns }),
      }
    }),
  )
}

function flatParam(param: Json, find: Resolve): FlatParam[] {
  if (param.in === 'body') return properties(find(param.schema), find)
  const place = param.in === 'formData' ? 'body' : (text(param.in) as FlatParam['in'])
  const schema = isObject(param.schema) ? find(param.schema) : param
  return [flatProperty(text(param.name), { ...schema, description: param.description }, param.required === true, place)]
}

function bodyParams(operation: Json, find: Resolve): FlatParam[] {
  const media = Object.values(asObject(find(operation.requestBody).content))[0]
  return properties(find(asObject(media).schema), find)
}

function properties(schema: Json, find: Resolve): FlatParam[] {
  const parts = [schema, ...list(schema.allOf).map(find)]
  const required = new Set(parts.flatMap((part) => list(part.required)))
  return parts.flatMap((part) =>
    entries(part.properties).map(([name, value]) => flatProperty(name, find(value), required.has(name), 'body')),
  )
}

function flatProperty(name: string, schema: Json, required: boolean, place: FlatParam['in']): FlatParam {
  return {
    name,
    type: typeOf(schema),
    required,
    description: text(schema.description),
    in: place,
    ...(Array.isArray(schema.enum) && { enum: schema.enum }),
    ...(schema.default !== undefined && { default: schema.default }),
  }
}

function typeOf(schema: Json): string {
  const type = list(schema.type).find((name) => name !== 'null') ?? schema.type
  if (type === 'array') return `${typeOf(asObject(schema.items))}[]`
  return text(type) || (isObject(schema.properties) ? 'object' : 'any')
}

function returnTypeOf(operation: Json, find: Resolve): string | undefined {
  const responses = asObject(operation.responses)
  const response = find(responses['200'] ?? responses['201'] ?? responses['202'] ?? {})
  const media = Object.values(asObject(response.content))[0]
  const schema = asObject(response.schema ?? asObject(media).schema)
  if (schema.type === 'array') return withSuffix(typeName(asObject(schema.items)), '[]')
  return typeName(schema)
}

function typeName(schema: Json): string | undefined {
  return text(schema.$ref).split('/').at(-1) || text(schema.title) || undefined
}

function withSuffix(name: string | undefined, suffix: string): string | undefined {
  return name === undefined ? undefined : name + suffix
}

type Resolve = (value: unknown) => Json

/** Follows references inside the document; a reference that leads nowhere is an empty object. */
function resolver(document: Json): Resolve {
  const find = (value: unknown, depth = 0): Json => {
    const reference = text(asObject(value).$ref)
    if (reference === '' || depth > 8) return asObject(value)
    const steps = reference
      .replace(/^#\//, '')
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return find(
      steps.reduce<unknown>((at, step) => asObject(at)[step], document),
      depth + 1,
    )
  }
  return (value) => find(value)
}

function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`
  taken.add(free)
  return free
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {}
}

function entries(value: unknown): [string, unknown][] {
  return Object.entries(asObject(value))
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
