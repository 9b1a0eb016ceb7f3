import { clearCookie, setCookie } from '../cookie.ts'
import { type Answer, type ConsoleDesk, ok, type Route, refusal, textField } from '../route.ts'
import type { SignIn } from '../sign-ins.ts'

/** Signing in by a one-time link, and out. The page never asks for the secret. */
export const SESSION: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/session',
    needs: 'none',
    answer: async ({ body, signIn }, desk) => {
      const locked = lockedAnswer(desk)
      if (locked) return locked
      const link = textField(body, 'link', 512)
      const who = link === undefined || link === '' ? undefined : await desk.account.redeemLink(link)
      if (!who) {
        desk.linkThrottle.failed()
        return (
          lockedAnswer(desk) ??
          refusal(401, 'link', 'This link has expired or was used. Run mcpaql console for a new one.')
        )
      }
      desk.linkThrottle.succeeded()
      // The same browser signs in again: its cookie is about to be replaced.
      if (signIn) desk.signIns.end(signIn.id)
      const opened = desk.signIns.open(who)
      if (!opened) return refusal(503, 'busy', 'Too many sessions are open.')
      return { ...ok(shape(opened.signIn)), headers: { 'set-cookie': setCookie(desk.cookieName, opened.cookie) } }
    },
  },
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
    answer: async ({ signIn, body }, { signIns, cookieName }) => {
      if (body.everywhere === true) signIns.endAll(signIn.subject)
      else signIns.end(signIn.id)
      return { ...ok({ state: 'signed_out' }), headers: { 'set-cookie': clearCookie(cookieName) } }
    },
  },
]

function lockedAnswer({ linkThrottle }: ConsoleDesk): Answer | undefined {
  const retryAt = linkThrottle.lockedUntil()
  if (retryAt === undefined) return undefined
  return refusal(429, 'locked', 'Too many failed sign-ins. Wait, then run mcpaql console again.', { retry_at: retryAt })
}

function shape({ subject, role, csrf, since, expiresAt, idleAt }: SignIn) {
  return { operator: subject, role, csrf, since, expires_at: expiresAt, idle_at: idleAt }
}
