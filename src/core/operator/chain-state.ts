import { type Anchor, type Verified, verifyTrail } from '../audit/verify-trail.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store, TrailHead } from '../ports/store.ts'
import type { ChainState } from './audit-view.ts'

export interface ChainParts {
  readonly store: Store
  readonly clock: Clock
  /** Heads of the trail that were noted elsewhere, and where. */
  readonly anchors?: () => readonly Anchor[]
  readonly anchorPlace?: string
}

/**
 * AUDIT-09: whether the trail is whole, as far as it was walked. The whole walk is made once and again every ten
 * minutes; between them only what is new is added to it. Nobody waits longer than a moment: a long walk goes on behind.
 */
export function createChainState({ store, clock, anchors, anchorPlace }: ChainParts): () => Promise<ChainState> {
  let known: { readonly verified: Verified; readonly at: number; readonly wholeAt: number } | undefined
  let walking: Promise<void> | undefined

  /** Undefined when what was noted elsewhere cannot be read. */
  const noted = () => {
    try {
      return anchors?.() ?? []
    } catch {
      return undefined
    }
  }

  const walk = async () => {
    const now = clock.now()
    const isWhole = !known || known.verified.broken !== undefined || now - known.wholeAt >= WHOLE_MS
    const from: TrailHead | undefined = isWhole ? undefined : known?.verified.head
    const verified = await verifyTrail(store.trail, { anchors: noted() ?? [], ...(from && { from }) })
    known = { verified, at: now, wholeAt: isWhole ? now : (known?.wholeAt ?? now) }
  }

  return async () => {
    walking ??= walk().finally(() => {
      walking = undefined
    })
    await Promise.race([walking, patience()])
    const { seq } = await store.trail.head()
    if (!known) return { head: seq, verifiedTo: 0, verifiedAt: clock.now(), isRunning: true }
    const { verified, at } = known
    const found = noted()
    const anchor = found?.at(-1)
    return {
      head: seq,
      verifiedTo: verified.broken ? verified.broken.seq - 1 : verified.head.seq,
      verifiedAt: at,
      isRunning: walking !== undefined,
      ...(anchor && { anchoredTo: anchor.seq }),
      ...(anchor?.at !== undefined && { anchoredAt: Date.parse(anchor.at) }),
      ...(anchorPlace !== undefined && { place: anchorPlace }),
      ...(!found && { trouble: 'What was noted outside the store cannot be read.' }),
      ...(verified.broken && { brokenAt: verified.broken.seq, trouble: verified.broken.why }),
    }
  }
}

const WHOLE_MS = 600_000
const PATIENCE_MS = 2_000

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS).unref?.()
  })
}
