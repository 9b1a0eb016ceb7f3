import { checksOf, skipped, verdict } from '../check.ts'
import { approve, demandOf, readDemand, withToken } from '../demand.ts'
import {
  firstRemoval,
  identifyFor,
  ifApproved,
  ifBatchGated,
  ifGated,
  ifOperator,
  isThere,
  NOTHING_GATED,
  NOTHING_REMOVABLE,
} from '../removals.ts'
import { make } from '../scratch.ts'
import { codeOf, detailsOf, flagOf } from '../target.ts'
import { at, listAt, objectAt, same, shown, textAt } from '../values.ts'
import { expect } from './request-format.ts'

/** What an operation that destroys something does while no human has agreed, and what it does afterwards. */
export const HUMAN_CONTROL = checksOf('Human Control', 2, [
  {
    id: 'control-holds',
    requirements: ['GATE-01', 'GATE-08', 'DNG-13'],
    title: 'What the server calls destructive or worse does not run before somebody has agreed',
    async run(target) {
      const found = await firstRemoval(target)
      if (!found) return skipped(NOTHING_REMOVABLE)
      const { remove, reply } = found
      const level = textAt(await target.introspect({ query: 'danger', name: remove }), 'result.data.danger.level')
      if (demandOf(reply)) return verdict(1, 'removals', (await isThere(target, found)) ? [] : [`${remove} ran`])
      if (!GATED_LEVELS.has(level)) return skipped(NOTHING_GATED)
      return verdict(1, 'removals', [`${remove} is ${level} and answered ${codeOf(reply)}`])
    },
  },
  {
    id: 'control-demand',
    requirements: ['TOK-01', 'TOK-05', 'ERR-35', 'X-13', 'R-13'],
    title: 'The demand names operation, danger level, token and expiry, and repeats token and expiry in confirmation',
    run: (target) =>
      ifGated(target, async ({ remove, reply, demand }) => {
        const details = detailsOf(reply)
        const confirmation = objectAt(reply.result, 'confirmation')
        const faults = [...expect(reply, 'CONFIRMATION_REQUIRED')]
        if (flagOf(reply) !== false) faults.push(`isError is ${String(flagOf(reply))}`)
        if (details.operation !== remove) faults.push(`operation is ${shown(details.operation)}`)
        if (!LEVELS.has(textAt(details, 'danger_level'))) faults.push(`danger_level is ${shown(details.danger_level)}`)
        if (!isToken(demand.token)) faults.push(`${shown(demand.token)} is no token`)
        if (!ISO_TIME.test(demand.expiresAt)) faults.push(`expires_at is ${shown(demand.expiresAt)}`)
        if (confirmation?.token !== demand.token) faults.push('confirmation does not hold the token')
        if (confirmation?.expires_at !== demand.expiresAt) faults.push('confirmation does not hold the expiry')
        return faults
      }),
  },
  {
    id: 'control-echo',
    requirements: ['TOK-07', 'SELF-03', 'R-01'],
    title: 'Who echoes the token without an approval is asked again with the same token, and nothing runs',
    run: (target) =>
      ifGated(target, async ({ remove, ids, demand, ...gated }) => {
        const echoed = await target.operate(remove, withToken(ids, demand.token), demand.beside)
        const again = demandOf(echoed)
        const faults = [...expect(echoed, 'CONFIRMATION_REQUIRED')]
        if (again && (again.token !== demand.token || again.expiresAt !== demand.expiresAt))
          faults.push('the token or its expiry is another one')
        if (!(await isThere(target, gated))) faults.push(`${remove} ran`)
        return faults
      }),
  },
  {
    id: 'control-unknown-token',
    requirements: ['TOK-01', 'TOK-08', 'TOK-10', 'ERR-42'],
    title: 'A token that was never issued and one that cannot be a token are TOKEN_INVALID, and nothing runs',
    run: (target) =>
      ifGated(target, async ({ remove, ids, demand, ...gated }) => {
        const faults: string[] = []
        for (const token of [`conf_${'0'.repeat(64)}`, 'approved by the user']) {
          const reply = await target.operate(remove, withToken(ids, token), demand.beside)
          faults.push(...expect(reply, 'TOKEN_INVALID').map((fault) => `${shown(token)}: ${fault}`))
          if (detailsOf(reply).token !== token) faults.push(`${shown(token)} is not in the details`)
        }
        if (!(await isThere(target, gated))) faults.push(`${remove} ran`)
        return faults
      }),
  },
  {
    id: 'control-scope',
    requirements: ['TOK-04', 'TOK-08', 'TOK-10', 'ERR-45', 'R-08'],
    title: 'A token, approved or not, is TOKEN_SCOPE_MISMATCH with other parameters than it was asked with',
    run: (target) =>
      ifGated(target, async ({ remove, ids, demand, ...gated }) => {
        const other = await make(target, gated.made.resource)
        const demanded = other && demandOf(await target.operate(remove, ids, demand.beside))
        if (!other || !demanded) return undefined
        const isApproved = await approve(target, demanded)
        const params = withToken(identifyFor(gated.made.resource, other), demanded.token)
        const reply = await target.operate(remove, params, demand.beside)
        const faults = expect(reply, 'TOKEN_SCOPE_MISMATCH')
        if (detailsOf(reply).token_operation !== remove) faults.push('token_operation does not name the operation')
        if (detailsOf(reply).requested_operation !== remove) faults.push('requested_operation does not name it')
        if (!(await isThere(target, { made: other }))) faults.push(`${remove} removed what nobody agreed to`)
        // A mismatch does not use the token up; what was agreed to may still run.
        if (isApproved) await target.operate(remove, withToken(ids, demanded.token), demand.beside)
        return faults
      }),
  },
  {
    id: 'control-once',
    requirements: ['TOK-06', 'TOK-13', 'SELF-02', 'ERR-44'],
    title: 'After an approval the identical call runs, once; a second use is TOKEN_ALREADY_USED',
    run: (target) =>
      ifApproved(target, async ({ remove, ids, demand, ...gated }) => {
        const redeem = () => target.operate(remove, withToken(ids, demand.token), demand.beside)
        const faults = expect(await redeem(), 'success').map((fault) => `approved: ${fault}`)
        if (await isThere(target, gated)) faults.push(`${remove} did not run`)
        const second = await redeem()
        faults.push(...expect(second, 'TOKEN_ALREADY_USED').map((fault) => `used again: ${fault}`))
        if (!textAt(detailsOf(second), 'consumed_at')) faults.push('consumed_at is missing')
        return faults
      }),
  },
  {
    id: 'control-batch',
    requirements: ['BATCH-07', 'BATCH-08', 'RES-03'],
    title: 'A batch halts at what asks for approval: earlier results stay, the rest waits, nothing counts as failed',
    run: (target) =>
      ifBatchGated(target, async ({ tool, entries, isAllThere, demand }) => {
        const reply = await target.call(tool, { operations: [UNKNOWN, ...entries], ...demand.beside })
        const { results, halted_at: halted, pending_operations: pending, summary } = reply.result ?? {}
        const faults = [...expect(reply, 'success')]
        if (flagOf(reply) !== false) faults.push(`isError is ${String(flagOf(reply))}`)
        if (!same(listAt({ results }, 'results').map(indexOf), [0]))
          faults.push('results are not those before the halt')
        if (at(halted, 'index') !== 1 || at(halted, 'operation') !== entries[0]?.operation)
          faults.push(`halted_at is ${shown(halted)}`)
        if (at(halted, 'result.error.code') !== 'CONFIRMATION_REQUIRED') faults.push('halted_at holds no demand')
        if (at(halted, 'result.confirmation') !== undefined) faults.push('an entry holds a confirmation object')
        if (!same(listAt({ pending }, 'pending').map(indexOf), [2])) faults.push(`pending is ${shown(pending)}`)
        if (!same(summary, { total: 3, succeeded: 0, failed: 1, halted: 1, pending: 1 }))
          faults.push(`summary is ${shown(summary)}`)
        if (!(await isAllThere())) faults.push('an entry ran')
        return faults
      }),
  },
  {
    id: 'control-batch-continued',
    requirements: ['BATCH-09', 'TOK-19'],
    title: 'A batch goes on with the token of the entry that was agreed to, and halts at the next',
    run: (target) =>
      ifOperator(target, () =>
        ifBatchGated(target, async ({ tool, entries, demand }) => {
          const [first, second] = entries
          const halted = await target.call(tool, { operations: entries, ...demand.beside })
          const asked = objectAt(halted.result, 'halted_at.result.error.details')
          const granted = asked && readDemand(asked)
          if (!first || !second || !granted || !(await approve(target, granted))) return undefined
          const operations = [{ ...first, params: withToken(first.params, granted.token) }, second]
          const reply = await target.call(tool, { operations, ...demand.beside })
          const faults = [...expect(reply, 'success')]
          if (at(listAt(reply.result, 'results')[0], 'result.success') !== true)
            faults.push('the approved entry failed')
          if (at(reply.result, 'halted_at.index') !== 1) faults.push('the batch did not halt at the second entry')
          if (at(reply.result, 'halted_at.result.error.details.confirmation_token') === granted.token)
            faults.push('both entries have one token')
          return faults
        }),
      ),
  },
  {
    id: 'control-documented',
    requirements: ['REQ-08', 'DNG-20', 'INT-07', 'INT-19'],
    title: 'Capabilities, the danger query and the parameter table tell what asks for approval',
    run: (target) =>
      ifGated(target, async ({ remove, reply }) => {
        const faults = ['confirmation', 'dangerous_operations']
          .filter((name) => at(target.protocol, `capabilities.${name}`) !== true)
          .map((name) => `capabilities.${name} is not true`)
        const level = detailsOf(reply).danger_level
        const all = await target.introspect({ query: 'danger' })
        const one = await target.introspect({ query: 'danger', name: remove })
        if (at(objectAt(all.result, 'data.danger')?.[remove], 'level') !== level)
          faults.push(`the danger query does not list ${remove} as ${shown(level)}`)
        if (at(one.result, 'data.danger.level') !== level) faults.push(`the danger query does not know ${remove}`)
        const row = (await target.details(remove))?.parameters.find(({ name }) => name === 'confirmation_token')
        if (row?.type !== 'string' || row.required !== false)
          faults.push(`${remove} does not document confirmation_token`)
        return faults
      }),
  },
])

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const UNKNOWN = { operation: 'zz_no_such_operation' }
const LEVELS: ReadonlySet<string> = new Set(['safe', 'reversible', 'destructive', 'dangerous', 'forbidden'])
const GATED_LEVELS: ReadonlySet<string> = new Set(['destructive', 'dangerous', 'forbidden'])

/** TOK-01. */
function isToken(token: string): boolean {
  return token.length >= 8 && token.length <= 80 && /^conf_[A-Za-z0-9_-]+$/.test(token)
}

function indexOf(entry: unknown): unknown {
  return at(entry, 'index')
}
