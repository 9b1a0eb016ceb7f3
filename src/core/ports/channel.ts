import type { Secret } from './secret.ts'

/** How a verification code reaches a human (OOB-05). A display shows; it never approves. */
export type DisplayChannel = DialogChannel | ConsoleChannel

/** Shows at once, on the desktop of whoever runs the server. */
export interface DialogChannel {
  readonly kind: 'dialog'
  readonly name: string
  /** `delivered` when the dialog reports that it is visible. The code goes by pipe, never by argument or file. */
  show(challenge: ShownChallenge, code: Secret): Promise<'delivered' | 'failed'>
}

/** Shows when a human asks for it, within the challenge's lifetime. */
export interface ConsoleChannel {
  readonly kind: 'console'
  readonly name: string
  /** In words for the agent to pass on: `the web console at http://127.0.0.1:7777`. */
  readonly where: string
}

/** OOB-07: what stands beside the code. The hint is untrusted text; the channel makes it safe to show. */
export interface ShownChallenge {
  readonly id: string
  readonly element_name: string
  readonly principal: string
  readonly hint: string
  readonly tier: string
  readonly score: number
  readonly factors: readonly string[]
  readonly expiresAt: number
}
