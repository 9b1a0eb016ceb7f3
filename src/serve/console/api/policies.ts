import type { Permission } from '../../../core/operator/replay.ts'
import {
  type Answer,
  badBody,
  type Call,
  type ConsoleDesk,
  notHere,
  ok,
  type Route,
  refusal,
  textField,
} from '../route.ts'
import { shown } from '../shown.ts'
import { sourceId } from '../source-id.ts'

/** GATE-13: the console shows policies and tries them out; they are changed in the operator's file. */
export const POLICIES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/policies',
    needs: 'viewer',
    answer: async (_, { operator }) => {
      const items = (await operator.policies()).map(({ adapter, operation, permission, conditions, place, calls }) => ({
        source: shown(adapter),
        operation: shown(operation),
        permission,
        conditions: (conditions ?? []).map(shown),
        place: place === undefined ? null : shown(place),
        calls,
      }))
      return ok({ items, can_explain: operator.explain !== undefined })
    },
  },
  { method: 'POST', path: '/api/policies/replay', needs: 'viewer', answer: replay },
  { method: 'POST', path: '/api/explain', needs: 'viewer', answer: explain },
]

const PERMISSIONS: readonly unknown[] = ['allow', 'confirm', 'deny']

async function replay({ body }: Call, { operator }: ConsoleDesk): Promise<Answer> {
  const operation = textField(body, 'operation', 200)?.trim()
  const source = textField(body, 'source', 128)
  const days = body.days ?? 7
  if (!operation) return badBody('Name an operation, or a pattern such as delete_*.')
  if (!PERMISSIONS.includes(body.permission)) return badBody('The permission must be allow, confirm or deny.')
  if (typeof days !== 'number' || !(days >= 1 && days <= 90)) return badBody('Between 1 and 90 days can be tried.')
  const draft = { operation, permission: body.permission as Permission, ...(source && { adapter: source }) }
  const { total, matched, changed, rows, isWhole } = await operator.replay(draft, days)
  return ok({
    total,
    matched,
    changed,
    whole: isWhole,
    rows: rows.slice(0, 200).map(({ operation: name, adapter, principal, calls, was, wouldBe }) => ({
      operation: shown(name),
      source: shown(adapter),
      agent: shown(principal),
      calls,
      was,
      would_be: wouldBe,
    })),
  })
}

async function explain({ body }: Call, { operator }: ConsoleDesk): Promise<Answer> {
  if (!operator.explain) return notHere('Explaining a call')
  const source = textField(body, 'source', 128)
  const operation = textField(body, 'operation', 200)
  if (!source || !operation) return badBody('Name a source and an operation.')
  const named = (await operator.sources()).find(({ adapter }) => sourceId(adapter) === source)
  const explained = await operator.explain(named?.adapter ?? source, operation, body.params ?? {})
  if (explained.kind === 'refused') return refusal(400, 'explain', explained.why)
  return ok({
    decision: explained.decision,
    trace: explained.trace.map(({ layer, verdict, text, decisive }) => ({
      layer: shown(layer),
      verdict,
      text: shown(text),
      decisive,
    })),
  })
}
