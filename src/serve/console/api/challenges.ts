import { agentId } from '../../../core/operator/agents.ts'
import type { ChallengeView } from '../../../core/operator/challenges.ts'
import { deedShape } from '../deed-shape.ts'
import { ok, type Route, refusal, textField } from '../route.ts'
import { shown } from '../shown.ts'
import { PURPOSES } from './reauth.ts'

/** How long a code stays on the page. */
export const CODE_SHOWN_MS = 60_000

/** OOB-05, OOB-07: the console as a place where a code is shown, once, to one person who has just typed the secret. */
export const CHALLENGES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/challenges/:id',
    needs: 'viewer',
    answer: async ({ names }, { operator }) => {
      const challenge = await operator.challenges.get(names.id ?? '')
      if (!challenge) return refusal(404, 'unknown', 'There is no such challenge.')
      const history = await operator.history(challenge.principal)
      return ok({ ...shape(challenge), history: history.map(deedShape) })
    },
  },
  {
    method: 'POST',
    path: '/api/challenges/:id/reveal',
    needs: 'approver',
    answer: async ({ names, body, signIn }, { operator, reauths }) => {
      const proof = reauths.redeem(textField(body, 'reauth_id', 64), signIn.id, PURPOSES.challenge(names.id ?? ''))
      if (proof === undefined)
        return refusal(403, 'reauth', 'This needs the operator secret once more.', { needs: 'reauth' })
      const revealed = await operator.challenges.reveal(names.id ?? '', signIn.subject)
      void operator.watch.look()
      if (revealed.kind === 'shown')
        return ok({ groups: revealed.groups, shown_until: operator.clock.now() + CODE_SHOWN_MS })
      const [status, message] = REFUSED[revealed.why]
      return refusal(status, revealed.why, message)
    },
  },
]

const REFUSED = {
  unknown: [404, 'There is no such challenge.'],
  expired: [410, 'The challenge has expired. The agent stays stopped.'],
  already: [409, 'The code was shown already. It cannot be shown again.'],
} as const

function shape(challenge: ChallengeView) {
  const { agentKey, element_name, principal, session, trigger, hint, tier, score, factors, shownBy, shownAt } =
    challenge
  return {
    id: challenge.id,
    agent: {
      id: agentId(agentKey),
      name: shown(element_name),
      principal: shown(principal),
      session: shown(session.slice(0, 8)),
    },
    hint: shown(hint),
    trigger,
    tier,
    score,
    factors: factors.map(shown),
    state: challenge.state,
    issued_at: challenge.issuedAt,
    expires_at: challenge.expiresAt,
    shown_at: shownAt ?? null,
    shown_by: shownBy === undefined ? null : shown(shownBy),
  }
}
