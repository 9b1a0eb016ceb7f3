import { displayText } from '../core/display.ts'
import type { ShownChallenge } from '../core/ports/channel.ts'
import type { Secret } from '../core/ports/secret.ts'
import { codeGroups } from '../core/verification/challenge.ts'

/** OOB-07: the code and, on lines of its own, all that a human needs to know before passing it on. */
export function dialogText(challenge: ShownChallenge, code: Secret): string {
  const { id, element_name, principal, hint, tier, score, factors, expiresAt } = challenge
  return [
    `Code:      ${codeGroups(code).join('-')}`,
    '',
    'Pass it on only if you want exactly this action to happen, once.',
    'If you do not know what this is, close the window: nothing will happen.',
    '',
    `Agent:     ${displayText(element_name)} (${displayText(principal)})`,
    `Action:    ${displayText(hint)}`,
    `Risk:      ${displayText(tier)}, ${score} of 100`,
    ...factors.map((factor) => `           - ${displayText(factor)}`),
    `Expires:   ${new Date(expiresAt).toISOString()}`,
    `Challenge: ${displayText(id)}`,
    '',
  ].join('\n')
}
