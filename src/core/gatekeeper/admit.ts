import type { Bound } from '../call.ts'
import type { Reservation } from '../quota/reserve.ts'
import type { Standing } from './standing.ts'

/**
 * A call the gatekeeper let through. Only the gate can make one, and `execute` takes nothing else, so a call that
 * skipped the gate does not compile. It is good for one run: `begin` uses it up.
 */
export interface Admitted extends Bound {
  readonly [admission]: true
  /** What must be settled when the handler has ended; absent for what is merely counted. */
  readonly permit?: Permit
  /** By what it was admitted: the record of the call says what held then, whatever has changed since. */
  readonly standing: Standing
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

/** The one place where the mark is given. */
export function admitted(call: Bound, standing: Standing, permit?: Permit): Admitted {
  if (call.passage !== 'bound') throw new Error('a call is admitted once')
  call.passage = 'admitted'
  const passed = permit ? { ...call, permit } : call
  passed.standing = standing
  return passed as Admitted
}

/** Before the handler is called, and nowhere else: an admission that was used, or never given, runs nothing. */
export function begin(call: Admitted): void {
  if (call.passage !== 'admitted') throw new Error('an admission is good for one run')
  call.passage = 'running'
}

/** Whoever gets true settles the call: the pipeline when the handler has ended, or the execution that it has started. */
export function takeOver(call: Admitted): boolean {
  if (call.passage !== 'running') return false
  call.passage = 'settled'
  return true
}
