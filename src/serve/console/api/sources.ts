import type { SourceRecord } from '../../../core/operator/source-record.ts'
import { DANGER_LEVELS } from '../../../protocol/danger.ts'
import { isTrustLevel, TRUST_LEVEL_NAMES, TRUST_MATRIX } from '../../../protocol/trust.ts'
import { ok, type Route, refusal } from '../route.ts'
import { shown } from '../shown.ts'

/** What agents can reach, and how far each source is trusted. */
export const SOURCES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/sources',
    needs: 'viewer',
    answer: async (_, { operator }) => ok({ items: (await operator.sources()).map(summary) }),
  },
  {
    method: 'GET',
    path: '/api/sources/:id',
    needs: 'viewer',
    answer: async ({ names }, { operator }) => {
      const source = (await operator.sources()).find(({ adapter }) => adapter === names.id)
      return source ? ok(whole(source)) : refusal(404, 'unknown', 'There is no such source.')
    },
  },
]

function summary(source: SourceRecord) {
  const { adapter, display_name, version, trust, claim, operations, mode, updated_at } = source
  return {
    id: adapter,
    name: shown(display_name),
    version: shown(version),
    trust,
    claim,
    mode,
    updated_at,
    operations: operations.length,
    matrix: matrixOf(trust),
  }
}

function whole(source: SourceRecord) {
  return {
    ...summary(source),
    hash: source.hash,
    ladder: TRUST_LEVEL_NAMES,
    counts: Object.keys(DANGER_LEVELS).map((level) => source.operations.filter((each) => each.level === level).length),
    list: source.operations.map(({ name, category, endpoint, level, reasons, permission }) => ({
      name: shown(name),
      category,
      endpoint: shown(endpoint),
      level: DANGER_LEVELS[level],
      reasons: reasons.map(shown),
      permission,
    })),
    limits: source.limits.map(({ what, per, most }) => ({ what: shown(what), per: shown(per), most })),
  }
}

/** What trust alone says to each of the five levels; from level 2 on a person is asked whatever it says (DNG-13). */
function matrixOf(trust: string): readonly string[] {
  const level = isTrustLevel(trust) ? trust : 'untested'
  return Object.entries(TRUST_MATRIX).map(([danger, row]) => {
    const cell = row[level]
    const asks = DANGER_LEVELS[danger as keyof typeof TRUST_MATRIX] >= DANGER_LEVELS.destructive
    return cell === 'allow' ? (asks ? 'asks' : 'runs') : cell === 'confirm' ? 'asks' : 'refused'
  })
}
