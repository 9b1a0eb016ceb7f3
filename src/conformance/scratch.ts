import type { OperationDetails, ParameterInfo } from '../protocol/introspection.ts'
import { operateApproved } from './demand.ts'
import { candidates, exampleParams, isFreeText, isReference, sampleValue } from './samples.ts'
import { asksApproval, codeOf, dataOf, detailsOf, type Target } from './target.ts'
import { type Fields, isObject, objectAt, same } from './values.ts'

/** Operations that make, read, change and remove one kind of resource, found by their names. */
export interface Resource {
  readonly noun: string
  readonly create: OperationDetails
  readonly get: OperationDetails
  readonly update?: OperationDetails
  readonly remove?: OperationDetails
}

/** A resource that this run has made. */
export interface Made {
  readonly resource: Resource
  readonly submitted: Fields
  readonly created: Fields
}

/** Every kind of resource that can be made and read back; those that can also be changed and removed come first. */
export function resources(target: Target): Promise<readonly Resource[]> {
  return target.once('resources', async () => {
    const names = new Set(target.operations.map(({ name }) => name))
    const found: Resource[] = []
    for (const { name, semantic_category: category } of target.operations) {
      const noun = /^(?:create|add|new)_(.+)$/.exec(name)?.[1]
      if (category !== 'CREATE' || !noun || !names.has(`get_${noun}`)) continue
      const create = await target.details(name)
      const get = await target.details(`get_${noun}`)
      const update = await detailsIf(target, names, `update_${noun}`)
      const remove = await detailsIf(target, names, `delete_${noun}`)
      if (create && get) found.push({ noun, create, get, ...(update && { update }), ...(remove && { remove }) })
    }
    return found.sort((a, b) => worth(b) - worth(a))
  })
}

/** One resource with only what is required, made once in a run. */
export function scratch(target: Target): Promise<Made | undefined> {
  return target.once('scratch', async () => {
    for (const resource of await resources(target)) {
      const made = await make(target, resource)
      if (made) return made
    }
    return undefined
  })
}

/** Makes one, and removes it when the run ends. `full` fills in the optional parameters that the server takes. */
export async function make(target: Target, resource: Resource, full = false): Promise<Made | undefined> {
  const { create } = resource
  const [example = {}] = exampleParams(create)
  for (const candidate of candidates(create, `${target.mark}${full ? ' full' : ''}`)) {
    let params: Fields = full ? { ...optionals(create, target.mark), ...candidate } : candidate
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const reply = await target.operate(create.name, params)
      const data = dataOf(reply)
      if (isObject(data)) {
        const made = { resource, submitted: params, created: objectAt(data, resource.noun) ?? data }
        target.onCleanUp(() => remove(target, made))
        return made
      }
      const repaired = repair(create, params, example, culpritOf(detailsOf(reply), params))
      if (!repaired) break
      params = repaired
    }
  }
  return undefined
}

/** The refused value in favour of the example's, or left out where it may be. */
function repair(
  details: OperationDetails,
  params: Fields,
  example: Fields,
  name: string | undefined,
): Fields | undefined {
  if (name === undefined || !Object.hasOwn(params, name)) return undefined
  if (Object.hasOwn(example, name) && !same(example[name], params[name])) return { ...params, [name]: example[name] }
  if (isRequired(details, name)) return undefined
  const { [name]: _refused, ...rest } = params
  return rest
}

/** The stored form; undefined when it cannot be read. */
export async function read(target: Target, made: Made): Promise<Fields | undefined> {
  const data = dataOf(await target.operate(made.resource.get.name, identify(made.resource.get, made)))
  return isObject(data) ? (objectAt(data, made.resource.noun) ?? data) : undefined
}

/** The identifiers that an operation wants, taken from what was created. */
export function identify(details: OperationDetails, made: Made): Fields {
  const { noun } = made.resource
  const rows = details.parameters.filter((row) => row.required && row.name !== 'input')
  return Object.fromEntries(rows.map((row) => [row.name, pick(row, made, noun)]))
}

/** Fields that `update_*` may be expected to take: free texts that `create_*` took, and so are stored. */
export function changeable(made: Made): readonly ParameterInfo[] {
  const ids = new Set(made.resource.update?.parameters.map(({ name }) => name))
  return made.resource.create.parameters.filter((row) => isFreeText(row) && !row.sensitive && !ids.has(row.name))
}

/** A text field that an update has been seen to change, with the identifiers to change it by. */
export function writable(target: Target, made: Made): Promise<Writable | undefined> {
  return target.once(`writable ${made.resource.noun} ${JSON.stringify(made.submitted)}`, async () => {
    const { update } = made.resource
    for (const row of update ? changeable(made) : []) {
      if (!update) continue
      const ids = identify(update, made)
      const value = `first ${target.mark}`.slice(0, row.maxLength ?? 200)
      const reply = await target.operate(update.name, { ...ids, input: { [row.name]: value } })
      if (codeOf(reply) === 'success') return { update, ids, field: row.name, row }
    }
    return undefined
  })
}

export interface Writable {
  readonly update: OperationDetails
  readonly ids: Fields
  readonly field: string
  readonly row: ParameterInfo
}

/** What the server sets by itself and therefore may differ after a change. */
export function isVolatile(name: string): boolean {
  return (
    name.startsWith('_') ||
    /(?:^|_)(?:updated|modified|changed|accessed|viewed)(?:_|$)/.test(name) ||
    /^(?:version|etag|revision)$/.test(name)
  )
}

const MAX_ATTEMPTS = 12

function worth({ create, update, remove }: Resource): number {
  const references = create.parameters.filter((row) => row.required && isReference(row.name)).length
  return (update ? 4 : 0) + (remove ? 4 : 0) - references
}

async function detailsIf(target: Target, names: ReadonlySet<string>, name: string) {
  return names.has(name) ? target.details(name) : undefined
}

function isRequired(details: OperationDetails, name: string): boolean {
  return details.parameters.some((row) => row.name === name && row.required)
}

function optionals(details: OperationDetails, mark: string): Fields {
  const rows = details.parameters.filter((row) => !row.required && !isControl(row.name) && !isReference(row.name))
  return Object.fromEntries(rows.map((row) => [row.name, sampleValue(row, `${mark} ${row.name}`)]))
}

/** Parameters that steer the call and are no part of the resource. */
export function isControl(name: string): boolean {
  return CONTROLS.has(name) || name.startsWith('_')
}

const CONTROLS: ReadonlySet<string> = new Set([
  'dry_run',
  'confirmation_token',
  'if_match',
  'fields',
  'preset',
  'max_tokens',
  'include',
])

/** The parameter that a refusal is about: the one it names, or the one that holds the thing that was not found. */
function culpritOf(details: Fields, params: Fields): string | undefined {
  const named = details.param_name ?? details.field
  if (typeof named === 'string') return named.split(/[.[]/)[0]
  const { resource_id: id } = details
  return Object.keys(params).find((name) => id !== undefined && [params[name]].flat().includes(id))
}

function pick(row: ParameterInfo, { created, submitted }: Made, noun: string): unknown {
  for (const name of [row.name, row.name.replace(`${noun}_`, ''), 'id', `${noun}_id`, 'key', 'name', 'slug']) {
    if (Object.hasOwn(created, name)) return created[name]
  }
  return submitted[row.name]
}

async function remove(target: Target, made: Made): Promise<string | undefined> {
  const operation = made.resource.remove
  if (!operation) return `one ${made.resource.noun} was left behind: there is no delete_${made.resource.noun}`
  const reply = await operateApproved(target, operation.name, identify(operation, made))
  if (reply.result?.success === true || codeOf(reply) === 'NOT_FOUND_RESOURCE') return undefined
  if (asksApproval(reply)) return `one ${made.resource.noun} was left behind: its removal waits for approval`
  return `one ${made.resource.noun} was left behind: ${codeOf(reply)}`
}
