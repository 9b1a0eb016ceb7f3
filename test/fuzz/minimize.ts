import { Buffer } from 'node:buffer'

/** Leaves out of a message whatever is not needed for it to do wrong; ends after so many tries. */
export async function minimize(
  bytes: Buffer,
  isBad: (bytes: Buffer) => Promise<boolean>,
  tries = 150,
): Promise<Buffer> {
  let best = bytes
  let left = tries
  const isSmallerAndBad = async (candidate: Buffer): Promise<boolean> => {
    if (candidate.length >= best.length || left === 0) return false
    left--
    if (!(await isBad(candidate))) return false
    best = candidate
    return true
  }

  const parsed = parse(bytes)
  if (parsed !== undefined) await prune(parsed, (value) => isSmallerAndBad(Buffer.from(JSON.stringify(value))))
  for (let size = best.length >> 1; size > 0 && left > 0; size >>= 1) {
    for (let at = 0; at < best.length && left > 0; ) {
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + size)])
      if (!(await isSmallerAndBad(shorter))) at += size
    }
  }
  return best
}

/** Takes one member after the other out of the value, and leaves out those that are not missed. */
async function prune(root: unknown, isStillBad: (root: unknown) => Promise<boolean>): Promise<void> {
  const visit = async (node: unknown): Promise<void> => {
    if (typeof node !== 'object' || node === null) return
    const holder = node as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      const kept = Object.getOwnPropertyDescriptor(holder, key)
      if (Array.isArray(node) || !kept) continue
      delete holder[key]
      if (await isStillBad(root)) continue
      Object.defineProperty(holder, key, kept)
      await visit(kept.value)
    }
    if (Array.isArray(node)) for (const inner of node) await visit(inner)
  }
  await visit(root)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
