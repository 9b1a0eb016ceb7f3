import type { Verified } from '../core/audit/verify-trail.ts'
import { displayText } from '../core/display.ts'
import type { Contradiction } from '../core/operator/compare-records.ts'
import { counted } from './render.ts'

/** What a verification has shown, and what it cannot show. */
export function verifiedLines(
  { head, entries, anchors: met, anchoredTo, prunedTo, lost }: Verified,
  anchors: number,
): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  return {
    lines: [
      `The audit trail is ${anchoredTo === head.seq ? 'whole' : 'consistent'}: ${counted(entries, 'record')}, ${anchors === 0 ? 'no anchor' : `${met} of ${counted(anchors, 'anchor')} met`}${anchoredTo === undefined || anchoredTo === head.seq ? '' : `, the last at record ${anchoredTo} of ${head.seq}`}.`,
      ...(prunedTo === undefined ? [] : [`The records up to ${prunedTo} were removed by the operator (TRAIL_PRUNED).`]),
      ...(lost > 0 ? [`${counted(lost, 'record')} could not be written and were lost (RECORDS_LOST).`] : []),
      `head ${head.seq} ${head.hash}`,
    ],
    notes: [limitOf(met, anchoredTo, head.seq), COVERED],
  }
}

export function verifiedJson(
  { broken, anchors, anchoredTo, prunedTo, ...verified }: Verified,
  contradictions: readonly Contradiction[],
) {
  return {
    ok: broken === undefined && contradictions.length === 0,
    ...verified,
    anchors,
    anchored_to: anchoredTo ?? null,
    pruned_to: prunedTo ?? null,
    limit: limitOf(anchors, anchoredTo, verified.head.seq),
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

const COVERED =
  'Compared with the trail: approvals, blocks, clients and the operator secret as the store has them. Its other records (trust, quotas, executions, open questions) are not covered.'

function limitOf(met: number, anchoredTo: number | undefined, head: number): string {
  if (met === 0 || anchoredTo === undefined)
    return 'Without an anchor this shows that the chain is consistent, not that it was never rewritten as a whole or cut off at its end. Keep the head elsewhere, or set audit_anchor.'
  return anchoredTo === head
    ? 'The anchors vouch for every record.'
    : `The anchors vouch for the records up to ${anchoredTo}; of those after it this shows that they are consistent.`
}
