import type { Verified } from '../core/audit/verify-trail.ts'
import { displayText } from '../core/display.ts'
import type { Compared } from '../core/operator/compare-records.ts'
import type { Contradiction } from '../core/operator/read-told.ts'
import { counted } from './render.ts'

/** What a verification has shown, and what it cannot show. */
export function verifiedLines(
  { head, entries, anchors: met, anchoredTo, prunedTo, lost }: Verified,
  anchors: number,
  { unknown }: Compared,
): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  return {
    lines: [
      `The audit trail is ${anchoredTo === head.seq ? 'whole' : 'consistent'}: ${counted(entries, 'record')}, ${anchors === 0 ? 'no anchor' : `${met} of ${counted(anchors, 'anchor')} met`}${anchoredTo === undefined || anchoredTo === head.seq ? '' : `, the last at record ${anchoredTo} of ${head.seq}`}.`,
      ...(prunedTo === undefined ? [] : [`The records up to ${prunedTo} were removed by the operator (TRAIL_PRUNED).`]),
      ...(lost > 0 ? [`${counted(lost, 'record')} could not be written and were lost (RECORDS_LOST).`] : []),
      `head ${head.seq} ${head.hash}`,
    ],
    notes: [
      limitOf(met, anchoredTo, head.seq),
      ...(unknown ? unknownLines(unknown) : []),
      coveredBy(unknown),
      NOT_COVERED,
    ],
  }
}

export function verifiedJson(
  { broken, anchors, anchoredTo, prunedTo, ...verified }: Verified,
  { contradictions, unknown }: Compared,
) {
  return {
    ok: broken === undefined && contradictions.length === 0,
    ...verified,
    anchors,
    anchored_to: anchoredTo ?? null,
    pruned_to: prunedTo ?? null,
    limit: limitOf(anchors, anchoredTo, verified.head.seq),
    compared: coveredBy(unknown),
    not_compared: NOT_COVERED,
    unknown_to: unknown?.to ?? null,
    unknown: unknown?.what ?? [],
    contradictions,
    ...(broken && { broken }),
  }
}

export function contradictionLines(contradictions: readonly Contradiction[]): readonly string[] {
  const shown = contradictions
    .slice(0, MOST_SHOWN)
    .map(({ seq, what }) => `${seq === undefined ? '' : `record ${seq}: `}${displayText(what)}`)
  const rest = contradictions.length - shown.length
  return [
    `${counted(contradictions.length, 'contradiction')} between the records`,
    ...shown,
    ...(rest > 0 ? [`and ${rest} more; --json has all`] : []),
  ]
}

const MOST_SHOWN = 20

/** Where an earlier version has removed records, nobody can tell what the store had then from what was put into it. */
function unknownLines({ to, what }: NonNullable<Compared['unknown']>): readonly string[] {
  const shown = what.slice(0, MOST_SHOWN).map((each) => `  ${displayText(each)}`)
  const rest = what.length - shown.length
  return [
    `NOT COMPARED: the records up to ${to} were removed by an earlier version, which carried nothing forward. What was made before cannot be told from what somebody put into the store: the operator secret, clients, blocks, approvals, trust.`,
    ...(what.length > 0
      ? ['Look at these yourself:', ...shown]
      : ['Everything that the store has of these was told of later.']),
    ...(rest > 0 ? [`  and ${rest} more; --json has all`] : []),
  ]
}

function coveredBy(unknown: Compared['unknown']): string {
  return `Compared with the trail${unknown ? `, as far as it tells of them after record ${unknown.to}` : ''}: ${COVERED}`
}

const COVERED =
  'approvals, what agents were let do after a stop, blocks, clients, trust, safety modes, the operator secret, log-in links and log-ins by them, as the store has them.'

const NOT_COVERED =
  'Not compared: open questions as they are shown, quotas, limits on asking and guessing, pauses and executions, what hooks remember, how far a source is trusted at its first start, where consoles listen. Who wrote an entry shows nowhere: whoever can write the store can also append entries that fit, so look through those for log-ins, clients and approvals that are not yours.'

function limitOf(met: number, anchoredTo: number | undefined, head: number): string {
  if (met === 0 || anchoredTo === undefined)
    return 'Without an anchor this shows that the chain is consistent, not that it was never rewritten as a whole or cut off at its end. Keep the head elsewhere, or set audit_anchor.'
  return anchoredTo === head
    ? 'The anchors vouch for every record.'
    : `The anchors vouch for the records up to ${anchoredTo}; of those after it this shows that they are consistent.`
}
