import type { Store } from '../ports/store.ts'
import { asRecord, blockAt, blockEntry, blockRef, openBlocksRef } from '../verification/block.ts'
import type { View } from './view.ts'

/** BLOCK-01: what could not be written is written before anything else happens. Rejects while the store does. */
export async function writeKept(store: Store, view: View): Promise<void> {
  for (const block of view.kept()) {
    const refs = { open: openBlocksRef(), block: blockRef(block.id) }
    await store.update<typeof refs, void>(refs, ({ open: current = {} }) => {
      if (blockAt(current, block.agentKey)) return { result: undefined }
      const record = asRecord(block)
      const next = { ...current, [block.agentKey]: block }
      const entry = blockEntry('AGENT_BLOCKED', record, record.blocked_at)
      return { next: { open: next, block: record }, audit: [entry], result: undefined }
    })
    view.written(block.agentKey)
  }
}
