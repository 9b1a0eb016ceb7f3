import { type Answer, badBody, type Call, type ConsoleDesk, ok, type Route, refusal, textField } from '../route.ts'
import type { SignIn } from '../sign-ins.ts'

/** Signing in, by a one-time link or by the secret, and out. */
export const SESSION: readonly Route[] = [
  { method: 'POST', path: '/api/session', needs: 'none', answer: openSession },
  {
    method: 'GET',
    path: '/api/session',
    needs: 'viewer',
    answer: async ({ signIn }) => ok(shape(signIn)),
  },
  {
    method: 'DELETE',
    path: '/api/session',
    needs: 'viewer',
    answer: async ({ signIn, body }, { signIns }) => {
      if (body.everywhere === true) signIns.endAll(signIn.subject)
      else signIns.end(signIn.id)
      return ok({ state: 'signed_out' })
    },
  },
]

async function openSession(call: Call, desk: ConsoleDesk): Promise<Answer> {
  const { body, origin, signIn } = call
  // Nobody can put another session in the place of the one that a page has.
  if (signIn) return refusal(409, 'signed_in', 'This page is signed in already. Sign out first.')
  const pass = textField(body, 'pass', 128)
  const isKnown = pass !== undefined && (await desk.account.isPass(pass))
  const who = await whoSignsIn(call, desk, isKnown ? pass : STRANGERS)
  if ('status' in who) return who
  const opened = desk.signIns.open(who, origin)
  const mark = isKnown ? pass : await desk.account.makePass()
  // The only answer that ever carries the bearer.
  return ok({ ...shape(opened.signIn), bearer: opened.bearer, pass: mark ?? null })
}

/** All browsers that have not signed in before. */
const STRANGERS = 'strangers'

async function whoSignsIn({ body }: Call, { account, door }: ConsoleDesk, lane: string) {
  const link = textField(body, 'link', 512)
  const secret = textField(body, 'secret', 1_024)
  if (link !== undefined && secret === undefined) {
    const who = /^[\w-]{43}$/.test(link) ? await account.redeemLink(link) : undefined
    return who ?? refusal(401, 'link', 'This link has expired or was used. Run mcpaql console for a new one.')
  }
  if (secret === undefined || secret === '' || link !== undefined) return badBody('Give a link or the operator secret.')
  const entered = await door.enter(lane, async () => {
    const found = await account.signIn(secret)
    return found === 'wrong' ? undefined : found
  })
  if (entered === 'busy')
    return refusal(429, 'busy', 'Others are trying secrets here at the same time. Try again, or run mcpaql console.')
  if (entered === 'unset')
    return refusal(409, 'unset', 'There is no operator secret yet. Run mcpaql console on your terminal.')
  return entered ?? refusal(401, 'secret', 'That secret is not right.')
}

function shape({ subject, role, since, expiresAt, idleAt }: SignIn) {
  return { operator: subject, role, since, expires_at: expiresAt, idle_at: idleAt }
}
