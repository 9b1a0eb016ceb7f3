import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { record, type Store, updateRecord } from '../ports/store.ts'

/** Signs what the safety server answers to hooks; hooks hold the public half only. */
export interface HookKey {
  /** The 32 bytes of the Ed25519 public key, base64url. */
  readonly publicKey: string
  sign(body: string): string
}

/** Begins every signed text, so that a signature made here fits nothing else. */
export const SIGNED_AS = 'mcpaql hook answer 1\n'

/** Kept in the store, so that a hook that was installed once believes every later server on that store. */
export async function openHookKey(store: Store): Promise<HookKey> {
  const ref = record<string>('key', 'hook')
  const kept = (await store.get(ref)) ?? (await keepFirst(store))
  const privateKey = createPrivateKey({ key: Buffer.from(kept, 'base64'), format: 'der', type: 'pkcs8' })
  return {
    publicKey: publicKeyOf(privateKey),
    sign: (body) => sign(null, Buffer.from(SIGNED_AS + body), privateKey).toString('base64url'),
  }
}

/** Two servers that start together keep the same one. */
function keepFirst(store: Store): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const fresh = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return updateRecord(store, record<string>('key', 'hook'), (current) => ({
    next: current ?? fresh,
    result: current ?? fresh,
  }))
}

function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: 'jwk' }).x ?? ''
}
