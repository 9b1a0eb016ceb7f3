import { displayText } from '../core/display.ts'
import type { SourceDrift } from '../core/operator/source-record.ts'
import type { TrustedSource } from '../core/operator/trusts.ts'
import { table } from './render.ts'
import type { Line } from './show-request.ts'
import type { World } from './world.ts'

export function trustText(known: readonly TrustedSource[], world: World): string {
  if (known.length === 0) return 'No source is known. A server records its sources when it starts.'
  const rows = known.map(({ source: { adapter, trust, trust_why = '', drift = [] } }) => [
    displayText(adapter),
    trust,
    drift.length === 0 ? '' : String(drift.length),
    displayText(trust_why),
  ])
  return table(['SOURCE', 'TRUST', 'CHANGED', 'WHERE IT COMES FROM'], rows, world, { folds: true })
}

export function trustJson({ source, history }: TrustedSource) {
  const { adapter, trust, claim, trust_from, trust_why, hash, drift = [] } = source
  return {
    source: adapter,
    trust,
    ...(trust_from && { from: trust_from, why: trust_why }),
    ...(claim !== '' && { claimed: claim }),
    hash,
    drift: drift.map(({ operation, what }) => ({ operation, what })),
    history,
  }
}

/** Everything that a word of the operator would be about; nothing is cut. */
export function trustLines({ source, history }: TrustedSource): readonly Line[] {
  const { adapter, version, trust, trust_why = '', claim, hash, drift = [] } = source
  return [
    ['Source', `${displayText(adapter)}, version ${displayText(version)}`],
    ['Trust', `${trust}: ${displayText(trust_why)}`],
    ...(claim === '' ? [] : [['It claims', `${displayText(claim)} (not verified)`] as const]),
    ['SHA-256', hash],
    ['Seen', new Date(source.updated_at).toISOString()],
    ...history.map(
      ({ from, to, at, by, reason = '' }, index): Line => [
        index === 0 ? 'History' : '',
        `${at}, ${from} to ${to}, by ${displayText(by)}: ${displayText(reason)}`,
      ],
    ),
    ['Changed', drift.length === 0 ? 'nothing since it was trusted' : `${drift.length} since it was trusted`],
    ...drift.flatMap(driftLines),
  ]
}

/** The words are the source's own. */
function driftLines({ operation, what, fields = [] }: SourceDrift): readonly Line[] {
  return [
    [`  ${what}`, displayText(operation)],
    ...fields.flatMap(({ path, lines }) => [
      ['', `${displayText(path)}:`] as const,
      ...lines.filter(({ sign }) => sign !== ' ').map(({ sign, text }): Line => ['', `${sign} ${displayText(text)}`]),
    ]),
  ]
}
