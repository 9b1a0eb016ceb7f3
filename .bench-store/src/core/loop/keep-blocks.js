import { asRecord, blockAt, blockEntry, blockRef, openBlocksRef } from "../verification/block.js";
/** BLOCK-01: what could not be written is written before anything else happens. Rejects while the store does. */
export async function writeKept(store, view) {
    for (const block of view.kept()) {
        const refs = { open: openBlocksRef(), block: blockRef(block.id) };
        const open = await store.update(refs, ({ open: current = {} }) => {
            if (blockAt(current, block.agentKey))
                return { result: current };
            const record = asRecord(block);
            const next = { ...current, [block.agentKey]: block };
            const entry = blockEntry('AGENT_BLOCKED', record, record.blocked_at);
            return { next: { open: next, block: record }, audit: [entry], result: next };
        });
        view.saw(open);
        view.written(block.agentKey);
    }
}
