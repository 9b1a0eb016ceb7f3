import { expect, test } from 'vitest'
import { openTracker } from '../../../examples/tracker/adapter.ts'
import { createMemoryStore, createRuntime } from '../../support.ts'

test('DNG-20 what the demo asks a human about', async () => {
  const { adapter, close } = openTracker(':memory:')
  const runtime = await createRuntime(adapter, { store: createMemoryStore(), clock: { now: () => 0 } })
  const asks = adapter.operations
    .map(({ name }) => runtime.explain(name, {}))
    .flatMap((explained) => ('decision' in explained && explained.decision !== 'allow' ? [explained] : []))
  expect(
    asks.map(({ operation, danger_level, decision }) => `${operation} ${danger_level} ${decision}`).toSorted(),
  ).toEqual([
    'delete_attachment destructive confirm',
    'delete_comment destructive confirm',
    'delete_issue destructive confirm',
    'delete_label destructive confirm',
    'delete_project destructive confirm',
    'delete_user destructive confirm',
  ])
  await runtime.close()
  close()
})
