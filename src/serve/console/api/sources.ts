import { SHORTEST_REASON } from '../../../core/operator/blocks.ts'
import type { Operator } from '../../../core/operator/operator.ts'
import type { SourceRecord } from '../../../core/operator/source-record.ts'
import type { TrustedSource } from '../../../core/operator/trusts.ts'
import { DANGER_LEVELS } from '../../../protocol/danger.ts'
import {
  HIGHEST_BY_WORD,
  isTrusted,
  isTrustLevel,
  TRUST_LEVEL_NAMES,
  TRUST_MATRIX,
  type TrustLevel,
} from '../../../protocol/trust.ts'
import { type Answer, badBody, type Call, type ConsoleDesk, ok, type Route, refusal, textField } from '../route.ts'
import { shown } from '../shown.ts'
import { sourceId } from '../source-id.ts'
import { PURPOSES } from './reauth.ts'

/** What agents can reach, how far each source is trusted, and the change of it (GATE-13, SELF-14). */
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
      const found = await find(operator, names.id)
      return found ? ok(whole(found)) : noSource()
    },
  },
  { method: 'POST', path: '/api/sources/:id/trust', needs: 'admin', answer: setTrust },
]

async function setTrust({ names, body, signIn }: Call, { operator, reauths }: ConsoleDesk): Promise<Answer> {
  const { id = '' } = names
  const level = textField(body, 'level', 64)
  const hash = textField(body, 'hash', 64)
  const reason = textField(body, 'reason', 500)?.trim() ?? ''
  if (!isTrustLevel(level) || hash === undefined) return badBody('Name a level, and the content that you were shown.')
  if (reason.length < SHORTEST_REASON) return badBody(`Give a reason of ${SHORTEST_REASON} to 500 characters.`)
  const found = await find(operator, id)
  if (!found) return noSource()
  if (reauths.redeem(textField(body, 'reauth_id', 64), signIn.id, PURPOSES.trust(id)) === undefined)
    return refusal(403, 'reauth', 'This needs the operator secret once more.', { needs: 'reauth' })
  const { adapter } = found.source
  const done = await operator.trusts.set({ adapter, level, hash, reason, by: signIn.subject, channel: 'console' })
  void operator.watch.look()
  if (done.kind === 'refused') return refusal(done.why === 'unknown' ? 404 : 409, done.why, `Not done: ${done.text}.`)
  return ok({ state: done.kind })
}

async function find(operator: Operator, id: string | undefined): Promise<TrustedSource | undefined> {
  return (await operator.trusts.list()).find(({ source }) => sourceId(source.adapter) === id)
}

function noSource(): Answer {
  return refusal(404, 'unknown', 'There is no such source.')
}

function summary(source: SourceRecord) {
  const { display_name, version, trust, claim, operations, mode, updated_at, drift = [] } = source
  return {
    id: sourceId(source.adapter),
    name: shown(display_name),
    version: shown(version),
    trust,
    claim: claim === '' ? null : shown(claim),
    from: source.trust_from ?? null,
    drift: drift.length,
    mode,
    updated_at,
    operations: operations.length,
    matrix: matrixOf(trust),
  }
}

function whole({ source, history }: TrustedSource) {
  const { drift = [], trust_why, trust_from } = source
  return {
    ...summary(source),
    hash: source.hash,
    why: trust_why === undefined ? null : shown(trust_why),
    ladder: TRUST_LEVEL_NAMES,
    /** What a word of the operator can set; nothing where the serving program has fixed it, or is too old to say. */
    levels: source.content && trust_from !== 'program' ? TRUST_LEVEL_NAMES.filter(isByWord) : [],
    changes: drift.map(({ operation, what, fields = [] }) => ({
      operation: shown(operation),
      what,
      fields: fields.map(({ path, lines }) => ({
        path: shown(path),
        lines: lines.map(({ sign, text }) => ({ sign, text: shown(text) })),
      })),
    })),
    history: history.toReversed().map(({ from, to, at, by, reason = '' }) => ({
      from,
      to,
      at: Date.parse(at),
      by: shown(by),
      reason: shown(reason),
    })),
    counts: Object.keys(DANGER_LEVELS).map((level) => source.operations.filter((each) => each.level === level).length),
    list: source.operations.map(({ name, category, endpoint, level, reasons, permission, trust }) => ({
      name: shown(name),
      category,
      endpoint: shown(endpoint),
      level: DANGER_LEVELS[level],
      reasons: reasons.map(shown),
      permission,
      trust: trust ?? null,
    })),
    limits: source.limits.map(({ what, per, most }) => ({ what: shown(what), per: shown(per), most })),
  }
}

function isByWord(level: TrustLevel): boolean {
  return isTrusted(HIGHEST_BY_WORD, level)
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
