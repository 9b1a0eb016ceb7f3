import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../store/memory.ts'
import type { Trail, TrailEntry } from '../ports/store.ts'
import { chainHash, GENESIS } from './chain.ts'
import { type Anchor, type VerifyOptions, verifyTrail } from './verify-trail.ts'

const store = createMemoryStore()
for (let n = 1; n <= 9; n++) {
  const entry = { timestamp: '2026-01-01T00:00:00.000Z', event: 'SERVER_STARTED', n } as const
  await store.update({}, () => ({ audit: [entry], result: undefined }))
}
const WHOLE = await store.trail.read({ order: 'oldest' })
const HEAD = await store.trail.head()
const anchorAt = (n: number): Anchor => ({ seq: n, hash: WHOLE[n - 1]?.hash ?? GENESIS, at: '2026-01-02' })

/** A trail that somebody has edited. */
function trailOf(entries: readonly TrailEntry[]): Trail {
  const sorted = entries.toSorted((a, b) => a.seq - b.seq)
  return {
    read: async ({ after = 0, limit } = {}) => sorted.filter(({ seq }) => seq > after).slice(0, limit),
    head: async () => sorted.at(-1) ?? { seq: 0, hash: GENESIS },
  }
}

const row = (n: number): TrailEntry => WHOLE[n - 1] as TrailEntry
const without = (...gone: readonly number[]) => WHOLE.filter(({ seq }) => !gone.includes(seq))
const put = (n: number, change: Partial<TrailEntry>) =>
  WHOLE.map((entry) => (entry.seq === n ? { ...entry, ...change } : entry))
const other = (n: number) => ({ ...row(n).entry, n: 99 })

/** With all hashes from there on made anew. */
function rehashed(entries: readonly TrailEntry[], to = Number.POSITIVE_INFINITY): readonly TrailEntry[] {
  let previous = GENESIS
  return entries.map((entry, i) => {
    if (i + 1 > to) return entry
    const hash = chainHash(previous, i + 1, JSON.stringify(entry.entry))
    const made = { ...entry, seq: i + 1, previous, hash }
    previous = hash
    return made
  })
}

test.each([1, 2, 4, 9, 1_000])('AUDIT-09 a whole trail is whole, in pages of %i', async (pageSize) => {
  expect(await verifyTrail(store.trail, { pageSize })).toEqual({ head: HEAD, entries: 9, anchors: 0, lost: 0 })
})

test('AUDIT-09 an empty trail is whole', async () => {
  expect(await verifyTrail(createMemoryStore().trail)).toEqual({
    head: { seq: 0, hash: GENESIS },
    entries: 0,
    anchors: 0,
    lost: 0,
  })
})

test('AUDIT-09 anchors that the trail meets are counted', async () => {
  const anchors = [anchorAt(9), anchorAt(3), anchorAt(3)]
  expect(await verifyTrail(store.trail, { anchors })).toEqual({
    head: HEAD,
    entries: 9,
    anchors: 3,
    anchoredTo: 9,
    lost: 0,
  })
})

test('AUDIT-09 a walk may begin at an anchor', async () => {
  const from = anchorAt(7)
  expect(await verifyTrail(store.trail, { from, anchors: [anchorAt(2), from] })).toEqual({
    head: HEAD,
    entries: 2,
    anchors: 1,
    anchoredTo: 7,
    lost: 0,
  })
})

test.each<[string, readonly TrailEntry[], VerifyOptions, object]>([
  ['altered', put(4, { entry: other(4) }), {}, { seq: 4, kind: 'altered' }],
  ['altered in its hash', put(4, { hash: 'f'.repeat(64) }), {}, { seq: 4, kind: 'altered' }],
  ['altered in its link', put(4, { previous: 'f'.repeat(64) }), {}, { seq: 4, kind: 'altered' }],
  [
    'altered, with its own hash made anew',
    put(4, { entry: other(4), hash: chainHash(row(4).previous, 4, JSON.stringify(other(4))) }),
    {},
    { seq: 4, kind: 'altered' },
  ],
  ['the first altered', put(1, { entry: other(1) }), {}, { seq: 1, kind: 'altered' }],
  ['the last altered', put(9, { entry: other(9) }), {}, { seq: 9, kind: 'altered' }],
  ['one removed', without(4), {}, { seq: 4, kind: 'removed', why: 'the records 4 to 4 are missing' }],
  ['several removed', without(4, 5, 6), {}, { seq: 4, kind: 'removed', why: 'the records 4 to 6 are missing' }],
  ['the first removed', without(1), {}, { seq: 1, kind: 'removed' }],
  [
    'one removed and the rest renumbered',
    without(4).map((entry, i) => ({ ...entry, seq: i + 1 })),
    {},
    { seq: 4, kind: 'removed' },
  ],
  [
    'two reordered',
    WHOLE.map((entry) => (entry.seq === 4 ? { ...row(6), seq: 4 } : entry.seq === 6 ? { ...row(4), seq: 6 } : entry)),
    {},
    { seq: 4, kind: 'reordered' },
  ],
  [
    'two texts exchanged',
    WHOLE.map((entry) =>
      entry.seq === 4 ? { ...entry, entry: row(5).entry } : entry.seq === 5 ? { ...entry, entry: row(4).entry } : entry,
    ),
    {},
    { seq: 4, kind: 'reordered' },
  ],
  [
    'everything rewritten after 4',
    rehashed(put(4, { entry: other(4) })),
    { anchors: [anchorAt(3), anchorAt(6)] },
    { seq: 6, kind: 'rewritten' },
  ],
  ['half of it rewritten', rehashed(put(4, { entry: other(4) }), 6), {}, { seq: 6, kind: 'altered' }],
  ['the end cut off', without(8, 9), { anchors: [anchorAt(9)] }, { seq: 8, kind: 'cut' }],
  ['all of it gone', [], { anchors: [anchorAt(9)] }, { seq: 1, kind: 'cut' }],
])('AUDIT-09 %s is found, and the first bad record named', async (_, entries, options, expected) => {
  for (const pageSize of [2, 3, 1_000]) {
    const { broken } = await verifyTrail(trailOf(entries), { ...options, pageSize })
    expect({ seq: broken?.seq }).toEqual({ seq: (expected as { seq: number }).seq })
  }
  expect((await verifyTrail(trailOf(entries), options)).broken).toMatchObject(expected)
})

test('AUDIT-09 what no anchor has seen can be cut off unnoticed: that is what anchors are for', async () => {
  expect((await verifyTrail(trailOf(without(8, 9)))).broken).toBeUndefined()
  expect((await verifyTrail(trailOf(rehashed(put(4, { entry: other(4) }))))).broken).toBeUndefined()
})

test('M5 AUDIT-09 a rewritten trail shows at every anchor inside it, whatever its end', async () => {
  const rewritten = rehashed(put(2, { entry: other(2) }))
  const own = { seq: 9, hash: rewritten[8]?.hash ?? '' }
  for (const seen of [2, 5, 9]) {
    const { broken } = await verifyTrail(trailOf(rewritten), { anchors: [anchorAt(seen), own] })
    expect(broken).toMatchObject({ seq: seen, kind: 'rewritten' })
  }
})

test('AUDIT-10 how many records were lost is counted', async () => {
  const lossy = createMemoryStore()
  const entry = { timestamp: '2026-01-01T00:00:00.000Z', event: 'RECORDS_LOST', lost: 7 } as const
  await lossy.update({}, () => ({ audit: [entry, { ...entry, lost: 3 }], result: undefined }))
  expect(await verifyTrail(lossy.trail)).toMatchObject({ entries: 2, lost: 10 })
})

describe('AUDIT-09 a pruned trail', () => {
  const removed = { seq: 5, hash: row(5).hash }
  const pruned = async (more: object = {}) => {
    const kept = createMemoryStore()
    for (const { entry } of WHOLE) await kept.update({}, () => ({ audit: [entry], result: undefined }))
    const at = { timestamp: '2026-02-01T00:00:00.000Z', event: 'TRAIL_PRUNED', removed: 5 } as const
    await kept.prune(removed, [{ ...at, removed_to: removed.seq, removed_hash: removed.hash, ...more }])
    return kept.trail
  }

  test('verifies from where it was pruned, and says so', async () => {
    const trail = await pruned()
    expect(await verifyTrail(trail, { pageSize: 2 })).toMatchObject({ entries: 5, prunedTo: 5, head: { seq: 10 } })
  })

  test('with anchors only if one of them knows of it; those before it are past', async () => {
    const trail = await pruned()
    const anchors = [anchorAt(3), anchorAt(5), anchorAt(8)]
    expect((await verifyTrail(trail, { anchors })).broken).toMatchObject({ seq: 1, kind: 'removed' })
    const told = [...anchors, { ...(await trail.head()), pruned: removed }]
    expect(await verifyTrail(trail, { anchors: told })).toMatchObject({ anchors: 3, anchoredTo: 10, prunedTo: 5 })
    const wrong = [...anchors, { ...(await trail.head()), pruned: { ...removed, hash: 'f'.repeat(64) } }]
    expect((await verifyTrail(trail, { anchors: wrong })).broken).toMatchObject({ kind: 'removed' })
  })

  test.each([
    ['another number', { removed_to: 4 }],
    ['another hash', { removed_hash: 'f'.repeat(64) }],
    ['nothing', { event: 'SERVER_STARTED' }],
  ])('that says %s of what was removed is broken', async (_, more) => {
    expect((await verifyTrail(await pruned(more))).broken).toMatchObject({ seq: 1, kind: 'removed' })
  })
})
