import type { Bound, Fields } from '../call.ts'

type Asked = Pick<Bound, 'target' | 'params'>

/** By the names that a caller sends: `mapTo` is the handler's business (REQ-11). */
export function publicParams({ target, params }: Asked): Fields {
  const rows = target.params.filter(({ name, param: { mapTo = name } }) => Object.hasOwn(params, mapTo))
  return Object.fromEntries(rows.map(({ name, param: { mapTo = name } }) => [name, params[mapTo]]))
}

/** Policies and messages name parameters as introspection does; the handler's own names for them hold as well. */
export function asDeclared(call: Asked): Fields {
  return call.target.hasNotes ? { ...call.params, ...publicParams(call) } : call.params
}
