import { badBody, ok, type Route, refusal, textField } from '../route.ts'

/** C3: the secret once more, for one purpose. */
export const REAUTH: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/reauth',
    needs: 'approver',
    answer: async ({ body, signIn }, { account, reauths }) => {
      const purpose = textField(body, 'purpose', 200)
      const secret = textField(body, 'secret', 1_024)
      if (!purpose || !secret) return badBody('Give a purpose and the operator secret.')
      const checked = await account.check(secret, 'console')
      switch (checked.kind) {
        case 'right': {
          const { id, validUntil } = reauths.issue(signIn.id, purpose)
          return ok({ reauth_id: id, valid_until: validUntil })
        }
        case 'wrong':
          return checked.retryAt === undefined
            ? refusal(401, 'secret', 'That secret is not right.', { tries_left: checked.triesLeft })
            : locked(checked.retryAt)
        case 'locked':
          return locked(checked.retryAt)
        case 'unset':
          return refusal(409, 'unset', 'There is no operator secret yet. Run mcpaql console on your terminal.')
      }
    },
  },
]

function locked(retryAt: number) {
  return refusal(429, 'locked', 'Too many wrong secrets.', { retry_at: retryAt })
}

/** What a proof is for. The page names it, the decision names it again. */
export const PURPOSES = {
  request: (id: string) => `request:${id}`,
  block: (id: string) => `block:${id}`,
  challenge: (id: string) => `challenge:${id}`,
  trust: (adapter: string) => `trust:${adapter}`,
} as const
