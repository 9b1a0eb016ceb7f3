import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { decide } from '../approve.ts'
import { sayAtOnce } from '../say-at-once.ts'
import { type Answered, deletion, openGated } from './gated-adapter.ts'
import { LIMITS, SAFETY } from './kill-settings.ts'

/**
 * `kill-worker STORE EFFECTS CYCLE LANES`: says `ready` before it opens the store, and begins when something comes in.
 * Each lane deletes one thing after the other: asks, has it approved, says `asked THING SESSION TOKEN`, redeems, and says
 * `did THING` when it has the answer. Now and then an agent is stopped: `blocked NAME`. It goes on until it is killed.
 */
const [file = '', effects = '', cycle = '', lanes = '1'] = process.argv.slice(2)
sayAtOnce('ready')
await once(process.stdin, 'readable')

const store = await openSqliteStore(file)
const { runtime, call } = await openGated(store, effects, LIMITS, SAFETY)
await Promise.all([...Array(Number(lanes)).keys()].map(lane))

async function lane(number: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const name = `${cycle}-${number}-${turn}`
    await (turn % 3 === 2 ? beBlocked(name) : remove(name))
  }
}

async function remove(thing: string): Promise<void> {
  const id = randomBytes(18).toString('base64url')
  const session = runtime.openSession(`agent ${thing}`, { id })
  const token = await approved(await call(deletion(thing), session))
  sayAtOnce(`asked ${thing} ${id} ${token}`)
  const { success, error } = await call(deletion(thing, token), session)
  if (!success) throw new Error(`${thing}: ${error?.code}`)
  sayAtOnce(`did ${thing}`)
}

async function beBlocked(name: string): Promise<void> {
  const session = runtime.openSession(`agent ${name}`)
  const start = { operation: 'execute_agent', params: { element_name: name } }
  const token = await approved(await call(start, session))
  await call({ ...start, params: { ...start.params, confirmation_token: token } }, session)
  const params = { element_name: name, next_action_hint: 'rm -rf /' }
  const { data } = await call({ operation: 'record_execution_step', params }, session)
  const { stopped } = (data?.autonomy ?? {}) as { readonly stopped?: boolean }
  if (stopped !== true) throw new Error(`${name} was not stopped`)
  sayAtOnce(`blocked ${name}`)
}

async function approved({ error }: Answered): Promise<string> {
  const { approval_id, confirmation_token } = error?.details ?? {}
  const decided = await decide(runtime, approval_id)
  if (decided.kind !== 'decided') throw new Error(`${error?.code}: ${decided.why}`)
  return String(confirmation_token)
}
