import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { type Challenge, challengeRef, codeGroups } from '../verification/challenge.ts'
import { reveal } from '../verification/reveal.ts'

/** OOB-07: everything that a human needs to know before a code is shown; the code itself is nowhere in it. */
export interface ChallengeView extends Omit<Challenge, 'state' | 'salt' | 'hash' | 'opener' | 'hintHash'> {
  readonly state: ChallengeState
}

/** `void`: made by a process that has ended; the agent's next call makes a new one (BLOCK-05). */
export type ChallengeState = Challenge['state'] | 'expired' | 'void'

export interface Challenges {
  /** Those that can still be answered, the first to expire first. */
  open(): Promise<readonly ChallengeView[]>
  get(id: string): Promise<ChallengeView | undefined>
  /** once, to one person. The code exists from this moment on, and only in the answer. */
  reveal(id: string, by: string): Promise<Revealed>
}

export type Revealed =
  | { readonly kind: 'shown'; readonly groups: readonly string[] }
  | { readonly kind: 'refused'; readonly why: 'unknown' | 'expired' | 'already' }

export function createChallenges(store: Store, clock: Clock): Challenges {
  const viewOf = async (challenge: Challenge): Promise<ChallengeView> => {
    const { salt: _, hash: __, opener, hintHash: ___, ...known } = challenge
    return { ...known, state: await stateOf(challenge, opener) }
  }

  const stateOf = async ({ state, expiresAt }: Challenge, opener: string): Promise<ChallengeState> => {
    if (!OPEN.has(state)) return state
    if (clock.now() > expiresAt) return 'expired'
    return (await store.isGone(opener)) ? 'void' : state
  }

  return {
    async open() {
      const now = clock.now()
      const live = (await store.list<Challenge>('challenge'))
        .map(({ value }) => value)
        .filter(({ state, expiresAt }) => OPEN.has(state) && now <= expiresAt)
      const views = await Promise.all(live.map(viewOf))
      return views.filter(({ state }) => OPEN.has(state)).sort((a, b) => a.expiresAt - b.expiresAt)
    },

    async get(id) {
      const challenge = await store.get(challengeRef(id))
      return challenge && viewOf(challenge)
    },

    async reveal(id, by) {
      const revealed = await reveal(store, clock, id, by)
      return revealed.kind === 'shown' ? { kind: 'shown', groups: codeGroups(revealed.code) } : revealed
    },
  }
}

const OPEN: ReadonlySet<string> = new Set(['waiting', 'shown'])
