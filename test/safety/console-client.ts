import { findConsole } from '../../src/core/operator/console-record.ts'
import { createOperatorAccount } from '../../src/core/operator/operator-account.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { consoleFetch } from '../console-fetch.ts'

/** A human at the console of a running server, signed in by a one-time link; everything but codes is kept. */
export interface ConsoleClient {
  get(path: string): Promise<string>
  post(path: string, body: object): Promise<Readonly<Record<string, unknown>>>
  approve(id: string): Promise<void>
  /** The code, as it stands on the page. */
  reveal(challenge: string): Promise<string>
  /** What the page is told while it is open. */
  readonly events: () => string
  close(): void
}

export async function signIn(store: Store, secret: string, keep: (text: string) => void): Promise<ConsoleClient> {
  const account = createOperatorAccount({ store, clock: { now: () => Date.now() } })
  await account.set(secret, secret, 'terminal')
  const right = await account.check(secret, 'terminal')
  if (right.kind !== 'right') throw new Error(right.kind)
  const link = await account.makeLink(right)
  const origin = ((await findConsole(store))?.url ?? '').replace(/\/$/, '')
  const headers: Record<string, string> = { origin, 'content-type': 'application/json' }
  const send = (path: string, body: object) =>
    consoleFetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })

  const opened = await send('/api/session', { link })
  const { bearer } = (await opened.json()) as { readonly bearer: string }
  headers.authorization = `Bearer ${bearer}`

  const get = async (path: string) => {
    const response = await consoleFetch(origin + path, { headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    keep(text)
    return text
  }
  const raw = async (path: string, body: object) => {
    const response = await send(path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return text
  }
  const stop = new AbortController()
  let events = ''
  void listen()

  return {
    get,
    async post(path, body) {
      const text = await raw(path, body)
      keep(text)
      return JSON.parse(text)
    },
    async approve(id) {
      const { version, params_hash } = JSON.parse(await get(`/api/requests/${id}`))
      keep(await raw(`/api/requests/${id}/decision`, { decision: 'approve', version, params_hash }))
    },
    async reveal(challenge) {
      const proof = JSON.parse(await raw('/api/reauth', { purpose: `challenge:${challenge}`, secret }))
      const { groups } = JSON.parse(await raw(`/api/challenges/${challenge}/reveal`, { reauth_id: proof.reauth_id }))
      return groups.join('-')
    },
    events: () => events,
    close: () => stop.abort(),
  }

  async function listen(): Promise<void> {
    try {
      const { body } = await consoleFetch(`${origin}/api/events`, { headers, signal: stop.signal })
      const decoder = new TextDecoder()
      for await (const chunk of body ?? []) events += decoder.decode(chunk as Uint8Array, { stream: true })
    } catch {
      // It ends with the server, or with the test.
    }
  }
}
