import type { OperationDetails } from '../../protocol/introspection.ts'
import { STATES } from '../../protocol/lifecycle.ts'
import { checksOf, failed, skipped, verdict } from '../check.ts'
import { candidates } from '../samples.ts'
import { executionShape, lifecycleShape } from '../shapes.ts'
import { asksApproval, codeOf, dataOf, type Reply, type Target } from '../target.ts'
import { type Fields, isObject, textAt } from '../values.ts'
import { expect } from './request-format.ts'

/** Spec §8.4. */
export const LIFECYCLE = checksOf('Lifecycle', 2, [
  {
    id: 'lifecycle-declared',
    requirements: ['LIFE-06'],
    title: 'Long-running operations declare their states, with every core state among them',
    async run(target) {
      const found = (await target.allDetails()).filter((details) => details.lifecycle !== undefined)
      const faults = found.flatMap(({ name, lifecycle, semantic_category: category }) => {
        const states = isObject(lifecycle) && Array.isArray(lifecycle.states) ? lifecycle.states : []
        const lacking = ['running', 'completed', 'failed'].filter((state) => !states.includes(state))
        return [
          ...lifecycleShape(lifecycle, name),
          ...lacking.map((state) => `${name} does not list '${state}'`),
          ...(category === 'EXECUTE' ? [] : [`${name} is ${category}`]),
        ]
      })
      return verdict(found.length, 'life cycles', faults)
    },
  },
  {
    id: 'lifecycle-states',
    requirements: ['LIFE-01', 'LIFE-03', 'LIFE-04'],
    title: 'A started execution reports its id and state in the documented form until it ends',
    run: (target) =>
      withExecution(target, async ({ started, status, cancel, states }) => {
        const faults = [...executionShape(dataOf(started), 'start')]
        let last = textAt(dataOf(started), 'status')
        for (let turn = 0; turn < MAX_LOOKS && !isTerminal(last); turn++) {
          // Cancelled after a few looks, since a run to the end would leave its work behind.
          if (turn === 3) await cancel?.()
          const reply = await status()
          if (codeOf(reply) !== 'success') return [...faults, `status: ${codeOf(reply)}`]
          faults.push(...executionShape(dataOf(reply), 'status'))
          const next = textAt(dataOf(reply), 'status')
          if (!states.includes(next)) faults.push(`'${next}' is not a declared state`)
          if (next !== last && !canFollow(last, next)) faults.push(`${last} became ${next}`)
          last = next
          await pause(30)
        }
        if (cancel && !isTerminal(last)) faults.push(`it stays '${last}' after it was cancelled`)
        return [...new Set(faults)]
      }),
  },
  {
    id: 'lifecycle-cancel',
    requirements: ['LIFE-02', 'ERR-38'],
    title: 'A cancelled execution is cancelled for good: cancelling again is CONFLICT_INVALID_STATE',
    run: (target) =>
      withExecution(target, async ({ started, cancel, status }) => {
        if (!cancel) return undefined
        const first = await cancel()
        const ended = isTerminal(textAt(dataOf(started), 'status'))
        const faults: string[] = []
        if (!ended && codeOf(first) === 'success') {
          const state = textAt(dataOf(await status()), 'status')
          if (state !== 'cancelled') faults.push(`after cancelling the state is '${state}'`)
        } else if (codeOf(first) !== 'CONFLICT_INVALID_STATE') faults.push(`cancel: ${codeOf(first)}`)
        faults.push(...expect(await cancel(), 'CONFLICT_INVALID_STATE').map((fault) => `cancelling again: ${fault}`))
        return faults
      }),
  },
])

const MAX_LOOKS = 30

function isTerminal(state: string): boolean {
  return ['completed', 'failed', 'cancelled'].includes(state)
}

/** LIFE-02, over as many steps as may lie between two looks. */
function canFollow(from: string, to: string): boolean {
  const known = (state: string): readonly string[] =>
    Object.hasOwn(STATES, state) ? STATES[state as keyof typeof STATES].next : [to]
  return known(from).includes(to) || known(from).some((step) => !isTerminal(step) && known(step).includes(to))
}

interface Running {
  readonly started: Reply
  readonly states: readonly string[]
  readonly status: () => Promise<Reply>
  readonly cancel?: () => Promise<Reply>
}

async function withExecution(target: Target, run: (running: Running) => Promise<readonly string[] | undefined>) {
  const all = await target.allDetails()
  const takes = (details: OperationDetails) =>
    details.parameters.some((row) => row.name === 'execution_id' && row.required)
  const status = all.find((details) => details.semantic_category === 'READ' && takes(details))
  const cancel = all.find((details) => details.name.startsWith('cancel_') && takes(details))
  const offered = all.filter((details) => details.lifecycle !== undefined && !takes(details))
  if (offered.length === 0 || !status) return skipped('No long-running operation with a status operation is offered.')
  for (const details of offered) {
    for (const params of candidates(details, target.mark)) {
      const started = await target.operate(details.name, params)
      const id = textAt(dataOf(started), 'execution_id')
      if (asksApproval(started)) return skipped(`${details.name} waits for approval.`)
      if (!id) continue
      const beside = sessionOf(started)
      const ask = (name: string) => () => target.operate(name, { execution_id: id }, beside)
      if (cancel) target.onCleanUp(async () => void (await ask(cancel.name)()))
      const faults = await run({
        started,
        states: details.lifecycle?.states ?? [],
        status: ask(status.name),
        ...(cancel && { cancel: ask(cancel.name) }),
      })
      return faults ? verdict(1, 'executions', faults) : skipped('No cancel operation is offered.')
    }
  }
  return failed('No long-running operation could be started as it is documented.')
}

/** MCP-25: a caller without a session is given one with the answer, and the execution belongs to it. */
function sessionOf({ result }: Reply): Fields {
  const session = textAt(result?._meta, 'session_id')
  return session === '' ? {} : { _session: session }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
