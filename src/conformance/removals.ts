import { type Outcome, skipped, verdict } from './check.ts'
import { approve, type Demand, demandOf } from './demand.ts'
import { identify, type Made, make, type Resource, read, resources } from './scratch.ts'
import type { Reply, Target } from './target.ts'
import { at, type Fields } from './values.ts'

export const NOTHING_REMOVABLE = 'No scratch resource that can be removed could be made.'
export const NOTHING_GATED = 'Nothing that a scratch resource can be put through asks for approval.'

export interface Removal {
  readonly made: Made
  readonly remove: string
  readonly ids: Fields
  /** What the removal answered without a token. */
  readonly reply: Reply
}

export type Gated = Removal & { readonly demand: Demand }

/** A fresh resource, and the first answer to its removal. Sent once in a run; the resource is this check's own. */
export function firstRemoval(target: Target): Promise<Removal | undefined> {
  return target.once('first removal', () => askRemoval(target))
}

async function askRemoval(target: Target, beside?: Fields): Promise<Removal | undefined> {
  for (const resource of (await resources(target)).filter(({ remove }) => remove)) {
    const made = await make(target, resource)
    if (!made || !resource.remove) continue
    const remove = resource.remove.name
    const ids = identifyFor(resource, made)
    return { made, remove, ids, reply: await target.operate(remove, ids, beside) }
  }
  return undefined
}

export function identifyFor({ remove }: Resource, made: Made): Fields {
  return remove ? identify(remove, made) : {}
}

type Run<T> = (given: T) => Promise<readonly string[] | undefined>

/** A removal that was asked about and that nobody has decided on. */
export async function ifGated(target: Target, run: Run<Gated>) {
  const found = await firstRemoval(target)
  const demand = found && demandOf(found.reply)
  if (!found || !demand) return skipped(found ? NOTHING_GATED : NOTHING_REMOVABLE)
  const faults = await run({ ...found, demand })
  return faults ? verdict(1, 'removals', faults) : skipped('What was asked about first could not be asked about again.')
}

/** A removal of its own that the operator has agreed to. */
export async function ifApproved(target: Target, run: Run<Gated>) {
  return ifOperator(target, () =>
    ifGated(target, async ({ demand: { beside } }) => {
      const found = await askRemoval(target, beside)
      const demand = found && demandOf(found.reply)
      if (!found || !demand) return undefined
      if (!(await approve(target, demand))) return ['the operator agreed, and it did not count']
      return run({ ...found, demand: { ...demand, beside } })
    }),
  )
}

export async function ifOperator({ spec }: Target, run: () => Promise<Outcome>): Promise<Outcome> {
  return spec.approve ? run() : skipped('There is no operator who could agree to anything.')
}

export interface GatedBatch {
  readonly tool: string
  readonly demand: Demand
  readonly entries: readonly { readonly operation: string; readonly params: Fields }[]
  readonly isAllThere: () => Promise<boolean>
}

/** Two removals in one batch. */
export async function ifBatchGated(target: Target, run: Run<GatedBatch>) {
  if (at(target.protocol, 'capabilities.batch') !== true) return skipped('The server does not take batches.')
  return ifGated(target, async ({ made: { resource }, remove, demand }) => {
    const tool = target.toolOf(remove)
    const pair = [await make(target, resource), await make(target, resource)].filter((made) => made !== undefined)
    if (!tool || pair.length < 2) return undefined
    const entries = pair.map((made) => ({ operation: remove, params: identifyFor(resource, made) }))
    const isAllThere = async () => {
      const found = [await read(target, pair[0] as Made), await read(target, pair[1] as Made)]
      return found.every((stored) => stored !== undefined)
    }
    return run({ tool, demand, entries, isAllThere })
  })
}

export async function isThere(target: Target, { made }: Pick<Removal, 'made'>): Promise<boolean> {
  return (await read(target, made)) !== undefined
}
