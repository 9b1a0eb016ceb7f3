import { CATEGORIES } from '../../protocol/categories.ts'
import { DANGER_LEVELS, type DangerLevel } from '../../protocol/danger.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { TrustLevel, TrustPolicy } from '../../protocol/trust.ts'
import type { Fields } from '../call.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { type Classification, classify } from '../trust/classify.ts'
import type { DangerPatterns } from '../trust/danger-patterns.ts'
import { gateByTrust } from '../trust/gate-by-trust.ts'
import { type Danger, readDanger } from '../trust/read-danger.ts'
import type { KnownTrust } from '../trust/source-trust.ts'

import { type Permission, type Policy, policiesFor, SEVERITY, strictest } from './policies.ts'
import type { LayerVerdict } from './request.ts'

/** What the gate thinks of an operation before it has seen a call: everything that does not depend on parameters. */
export interface Standing {
  readonly danger: Danger
  readonly classification: Classification
  readonly level: DangerLevel
  /** Of the source, for the runtime's own operations too. */
  readonly trust: TrustLevel
  /** Where the trust comes from; absent for the runtime's own operations. */
  readonly trustFrom?: KnownTrust
  readonly hasDrift: boolean
  readonly permission: Permission
  readonly opinions: readonly Opinion[]
  /** Records whose conditions look at the parameters. */
  readonly conditional: readonly Policy[]
  /** Nothing but the permission stands between the call and its handler. */
  readonly isPlain: boolean
  /** One of the runtime's own operations. */
  readonly isOwn: boolean
}

/** One voice of layer 2 or 3. The strictest decides, the first among equals (GATE-07). */
export interface Opinion {
  readonly layer: string
  readonly permission: Permission | 'none'
  readonly text: string
  /** How a refusal by this voice is told. */
  readonly refusal?: Refusal
  /** The refusal itself, where the voice has made it. */
  readonly failure?: OperationFailure
}

export interface Refusal {
  readonly code: 'PERMISSION_DENIED' | 'PERMISSION_DANGER_LEVEL_DENIED' | 'PERMISSION_TRUST_LEVEL_INSUFFICIENT'
  readonly details: Fields
}

export interface StandingSettings {
  readonly trust: (operation: string) => KnownTrust
  /** The source is no longer what the operator trusted (SELF-14). */
  readonly hasDrift: boolean
  readonly trustPolicy: TrustPolicy
  readonly patterns: DangerPatterns
  readonly policies: readonly Policy[]
  readonly readOnly: boolean
  /** Levels that the operator has fixed (DNG-11). */
  readonly pinned: Readonly<Record<string, DangerLevel>>
  /** Operations of the runtime's own, and what each needs (GATE-12); they are no adapter operations (TRUST-18). */
  readonly own: ReadonlyMap<string, Permission>
}

/** Layers 2 and 3 in their order, as far as the operation alone decides them. Throws on a wrong danger block. */
export function standingOf(operation: Operation, settings: StandingSettings): Standing {
  const { name, category, definition } = operation
  const own = settings.own.get(name)
  const danger = dangerOf(operation)
  const known = settings.trust(name)
  const pinned = Object.hasOwn(settings.pinned, name) ? settings.pinned[name] : undefined
  const method = METHOD.exec(definition.path ?? '')?.[1]
  const classification = classify(
    { name, category, danger, dangerous: definition.dangerous === true, ...(method && { method }) },
    // The runtime's own operations are not the source's, so they are classified as they are declared.
    {
      trust: own === undefined ? known.level : 'certified',
      patterns: own === undefined ? settings.patterns : [],
      ...(pinned && { pinned }),
    },
  )
  const { level } = classification
  const matching = own === undefined ? policiesFor(settings.policies, name) : []
  const opinions = [
    tier(operation, settings.readOnly),
    ...matching.filter(({ holds }) => !holds).map(recordOpinion),
    ...(own === undefined || name === 'introspect' // TRUST-19: introspection of an untested adapter can be closed
      ? [trusted(operation, classification, known, settings.trustPolicy)]
      : []),
    ...(own === undefined ? [minimum(level)] : []),
    ...(danger.requiresConfirmation ? [DECLARED] : []),
    ...(own === undefined ? [] : [{ layer: 'safety', permission: own, text: 'an operation of the safety loop' }]),
  ]
  const conditional = matching.filter(({ holds }) => holds)
  const permission = permissionOf(opinions)
  return {
    danger,
    classification,
    level,
    trust: known.level,
    ...(own === undefined && { trustFrom: known }),
    hasDrift: own === undefined && settings.hasDrift,
    permission,
    opinions,
    conditional,
    isPlain: permission === 'allow' && conditional.length === 0,
    isOwn: own !== undefined,
  }
}

export function permissionOf(opinions: readonly Opinion[]): Permission {
  return strictest(opinions.map(({ permission }) => (permission === 'none' ? 'allow' : permission)))
}

/** The voice that decided. */
export function decisive(opinions: readonly Opinion[]): Opinion | undefined {
  const permission = permissionOf(opinions)
  if (SEVERITY[permission] === 0) return undefined
  return opinions.find((opinion) => opinion.permission === permission)
}

export function traceOf(opinions: readonly Opinion[]): readonly LayerVerdict[] {
  const chosen = decisive(opinions)
  return [
    { layer: 'route', verdict: 'allow', text: 'the operation exists and was called on its own tool', decisive: false },
    ...opinions.map((opinion) => ({
      layer: opinion.layer,
      verdict: opinion.permission,
      text: opinion.text,
      decisive: opinion === chosen,
    })),
  ]
}

export function recordOpinion({ record }: Policy): Opinion {
  const place = record.place ? ` (${record.place})` : ''
  return {
    layer: 'policy',
    permission: record.permission,
    text: `policy '${record.operation}' says ${record.permission}${place}`,
    refusal: { code: 'PERMISSION_DENIED', details: { reason: 'an operation policy of this server denies it' } },
  }
}

const METHOD = /^([A-Z]+) \//

function dangerOf({ definition }: Operation): Danger {
  const reading = readDanger(definition)
  if (Object.hasOwn(reading, 'error')) throw new Error((reading as { readonly error: string }).error)
  return (reading as { readonly danger: Danger }).danger
}

/** Layer 2 (GATE-03): the flags describe the category; under `--read-only` they decide. */
function tier({ category }: Operation, readOnly: boolean): Opinion {
  const isReading = CATEGORIES[category].readOnly
  if (!readOnly || isReading)
    return { layer: 'tier', permission: 'allow', text: `${category}${isReading ? ', reads only' : ''}` }
  const reason = `the server is read-only, and this is a ${category} operation`
  return {
    layer: 'tier',
    permission: 'deny',
    text: reason,
    refusal: { code: 'PERMISSION_DENIED', details: { reason } },
  }
}

function trusted(
  { name, category }: Operation,
  { level, reasons }: Classification,
  { level: trust, from, text: why }: KnownTrust,
  policy: TrustPolicy,
): Opinion {
  const verdict = gateByTrust({ operation: name, category, level, reasons, trust }, policy)
  const { permission, reason } = verdict
  const text = from === 'drift' ? `${reason}; ${why}` : reason
  if (permission !== 'deny') return { layer: 'trust', permission, text }
  return { layer: 'trust', permission, text, refusal: { code: verdict.code, details: { ...verdict.details } } }
}

/** DNG-13. */
function minimum(level: DangerLevel): Opinion {
  const asks = DANGER_LEVELS[level] >= DANGER_LEVELS.destructive
  return {
    layer: 'danger',
    permission: asks ? 'confirm' : 'none',
    text: asks ? `level '${level}' always needs a human` : `level '${level}' asks for nothing by itself`,
  }
}

const DECLARED: Opinion = { layer: 'declared', permission: 'confirm', text: 'the operation asks for a confirmation' }
