import type { OperatorAccount } from '../../core/operator/operator-account.ts'
import type { OperatorRole } from '../../core/ports/human.ts'

/** Who may sign in, and how it is proved. The console itself knows no secret; who guesses is slowed down there. */
export type Account = Pick<OperatorAccount, 'check' | 'redeemLink' | 'signIn' | 'makePass' | 'isPass'>

export interface SignedIn {
  readonly subject: string
  readonly role: OperatorRole
}
