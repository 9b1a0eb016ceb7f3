import { expect, test } from 'vitest'
import { META, MODERN, post, resultOf, toolCall } from '../e2e/raw-client.ts'
import { bearer, type IdentityWorld, openIdentityWorld, TOOL } from './identity-world.ts'

/**
 * Agents over HTTP that answer the server's own forms: without a name, under a name that may not ask its user, and with
 * the form that another client was sent. All sequences of what they can send; only the client whose user the operator
 * has vouched for could approve, and it never answers here.
 */
const DEPTH = process.env.MCPAQL_SEQUENCES === 'full' ? 4 : 2

interface Known {
  readonly thing: string
  readonly token: string
  readonly approval: string
  readonly session?: string
  /** The state of a form that this caller, or another, was sent. */
  readonly form?: string
}

interface Letter {
  readonly name: string
  readonly args: (known: Known) => object
  readonly more?: (known: Known) => object
}

const YES = { confirm: { action: 'accept', content: { confirm: true } } }
const deleting = (params: object) => ({ operation: 'delete_thing', params })

const ALPHABET: readonly Letter[] = [
  { name: 'delete', args: ({ thing }) => deleting({ thing }) },
  { name: 'delete, own token', args: ({ thing, token }) => deleting({ thing, confirmation_token: token }) },
  { name: 'delete, accepted', args: ({ thing }) => deleting({ thing }), more: () => ({ inputResponses: YES }) },
  {
    name: 'delete, accepted, the state of a form',
    args: ({ thing }) => deleting({ thing }),
    more: ({ form }) => ({ inputResponses: YES, requestState: form ?? 'eyJhIjoxfQ.x' }),
  },
  {
    name: 'delete, own token, the state of a form',
    args: ({ thing, token }) => deleting({ thing, confirmation_token: token }),
    more: ({ form }) => ({ inputResponses: YES, requestState: form ?? '' }),
  },
  {
    name: 'confirm',
    args: ({ approval }) => ({
      operation: 'confirm_operation',
      params: { approval_id: approval, decision: 'approve' },
    }),
    more: () => ({ inputResponses: YES }),
  },
  {
    name: 'batch, accepted',
    args: ({ thing, token }) => ({ operations: [deleting({ thing }), deleting({ thing, confirmation_token: token })] }),
    more: ({ form }) => ({ inputResponses: YES, ...(form !== undefined && { requestState: form }) }),
  },
]

const CAPABLE = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } } }

let ids = 0

async function say(world: IdentityWorld, bearerToken: string | undefined, letter: Letter, known: Known) {
  const headers = {
    ...bearer(bearerToken),
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  }
  const args = { ...letter.args(known), ...(known.session !== undefined && { _session: known.session }) }
  const call = toolCall(++ids, TOOL, args, CAPABLE)
  const message = { ...call, params: { ...call.params, ...letter.more?.(known) } }
  const { messages } = await post(world.server.url, message, headers)
  const last = messages.at(-1)
  const asked = last?.result as { requestState?: string; inputRequests?: object } | undefined
  if (asked?.inputRequests) return { outcome: 'form', known: { ...known, form: asked.requestState ?? '' } }
  if (!last?.result) return { outcome: `error ${last?.error?.code}`, known }
  const result = resultOf(last)
  const { confirmation_token = known.token, approval_id = known.approval, session_id } = result?.error?.details ?? {}
  const session = known.session ?? result?._meta?.session_id ?? session_id
  return {
    outcome: String(result?.error?.code ?? 'done'),
    known: { ...known, token: confirmation_token, approval: approval_id, ...(session && { session }) },
  }
}

const CALLERS = ['anonymous', 'named', 'with a form of another'] as const

test.each(CALLERS)(
  `SELF-05, SELF-01 an agent that answers forms itself approves nothing, %s: all sequences to depth ${DEPTH}`,
  async (who) => {
    const seen = new Map<string, number>()
    let sequences = 0
    for (const first of ALPHABET) {
      const world = await openIdentityWorld({ elicitation: { isOn: true, allowsDangerous: true } })
      const own = who === 'named' ? await world.token('bob') : undefined
      const vouched = await world.token('alice', true)
      const explore = async (path: readonly Letter[], known: Known): Promise<void> => {
        if (path.length === DEPTH) return
        for (const letter of path.length === 0 ? [first] : ALPHABET) {
          const trace = [...path, letter]
          let state = await opening(world, vouched, `t${++sequences}`, who)
          let outcome = ''
          for (const each of trace) ({ outcome, known: state } = await say(world, own, each, state))
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
          expect(world.runs, trace.map(({ name }) => name).join(' → ')).toEqual([])
          expect(outcome).not.toBe('form')
          await explore(trace, known)
        }
      }
      await explore([], NOTHING)
      const granted = await world.store.trail.read({ events: ['CONFIRMATION_GRANTED'] })
      expect(granted).toEqual([])
      await world.close()
    }
    expect(seen.get('CONFIRMATION_REQUIRED')).toBeGreaterThan(DEPTH)
    process.stdout.write(`${sequences} sequences over HTTP, ${who}: none approved, none ran\n`)
  },
  1_200_000,
)

const NOTHING: Known = { thing: '', token: `conf_${'0'.repeat(64)}`, approval: '0123456789abcdef' }

/** What the agent knows at first: nothing, or the state of the form that another client was sent for the same thing. */
async function opening(world: IdentityWorld, vouched: string, thing: string, who: string): Promise<Known> {
  const known = { ...NOTHING, thing }
  if (who !== 'with a form of another') return known
  const { known: theirs, outcome } = await say(world, vouched, ALPHABET[0] as Letter, known)
  if (outcome !== 'form') return known // alice has asked too often
  return { ...known, ...(theirs.form !== undefined && { form: theirs.form }) }
}
