import type { Bound } from '../call.ts'
import type { Reservation } from '../quota/reserve.ts'

/**
 * A call the gatekeeper let through. Only the gate can make one, and `execute` takes nothing else, so a call that
 * skipped the gate does not compile.
 */
export interface Admitted extends Bound {
  readonly [admission]: true
  /** What must be settled when the handler has ended; absent for what is merely counted. */
  readonly permit?: Permit
}
declare const admission: unique symbol

/** The durable side of an admission: written before the effect, closed after it. */
export interface Permit {
  /** Absent where nothing but a quota was reserved. */
  readonly intent?: string
  /** The request whose approval was used. */
  readonly request?: string
  readonly reservation?: Reservation
}

/** The one place where the mark is given; it exists for the compiler alone. */
export function admitted(call: Bound, permit?: Permit): Admitted {
  return (permit ? { ...call, permit } : call) as Admitted
}
