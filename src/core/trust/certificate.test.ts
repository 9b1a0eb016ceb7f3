import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Certification } from '../../protocol/trust.ts'
import { covers, isInForce, readAuthorityKeys, signedText, verifyCertificate } from './certificate.ts'

const ed25519 = generateKeyPairSync('ed25519')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const CONTENT = '{"name":"notes"}'

const TERMS: Omit<Certification, 'signature'> = {
  authority: 'acme',
  certificate_id: 'c-1',
  issued_at: '2026-01-01T00:00:00Z',
  expires_at: '2027-01-01T00:00:00Z',
  scope: ['get_note'],
}

test.each([
  ['Ed25519', ed25519, null],
  ['RSA', rsa, 'sha256'],
] as const)(
  'TRUST-07 a certificate signed with %s verifies over exactly this content and these terms',
  (_, pair, digest) => {
    const keys = keysOf({ acme: pair.publicKey })
    const good = signed(pair.privateKey, digest)
    expect(verifyCertificate(good, CONTENT, keys)).toEqual({ certificate: good })
    const forged: readonly [Certification, string][] = [
      [good, `${CONTENT} `],
      [{ ...good, expires_at: '2037-01-01T00:00:00Z' }, CONTENT],
      [{ ...good, issued_at: '2025-01-01T00:00:00Z' }, CONTENT],
      [{ ...good, scope: ['all_operations'] }, CONTENT],
      [{ ...good, certificate_id: 'c-2' }, CONTENT],
      [{ ...good, signature: (good.signature.startsWith('A') ? 'B' : 'A') + good.signature.slice(1) }, CONTENT],
      [{ ...good, signature: '' }, CONTENT],
    ]
    for (const [certification, content] of forged) {
      expect(verifyCertificate(certification, content, keys)).toEqual({
        error: expect.stringContaining('does not fit'),
      })
    }
  },
)

test('TRUST-07 only a key that the operator configured for this authority counts', () => {
  const good = signed(ed25519.privateKey, null)
  expect(verifyCertificate(good, CONTENT, new Map())).toEqual({
    error: expect.stringContaining('no key is configured'),
  })
  const other = keysOf({ acme: rsa.publicKey, rival: ed25519.publicKey })
  expect(verifyCertificate(good, CONTENT, other)).toEqual({ error: expect.stringContaining('does not fit') })
})

test.each([
  ['before', '2025-12-31T23:59:59Z', false],
  ['first moment', '2026-01-01T00:00:00Z', true],
  ['last moment', '2026-12-31T23:59:59.999Z', true],
  ['end', '2027-01-01T00:00:00Z', false],
])('TRUST-11 in force: %s', (_, now, inForce) => {
  expect(isInForce({ ...TERMS, signature: '' }, Date.parse(now))).toBe(inForce)
})

test.each([
  [['get_note'], 'get_note', true],
  [['get_note'], 'get_notes', false],
  [['all_operations'], 'wipe', true],
  [[], 'get_note', false],
])('TRUST-07 the scope %j covers %s: %s', (scope, operation, covered) => {
  expect(covers({ ...TERMS, signature: '', scope }, operation)).toBe(covered)
})

test.each([
  ['a private key', pem(ed25519.privateKey, 'pkcs8'), 'is a private key'],
  ['no PEM', 'abc', 'must be a public key in PEM'],
  ['no text', 7, 'must be a public key in PEM'],
  ['another kind', pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, 'spki'), 'Ed25519 or RSA'],
  ['a short RSA key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey, 'spki'), '2048 bits'],
])('TRUST-07 %s is refused as authority key', (_, key, part) => {
  expect(readAuthorityKeys({ acme: key })).toEqual({ error: expect.stringContaining(part) })
})

function signed(key: KeyObject, digest: string | null): Certification {
  const text = signedText(CONTENT, { ...TERMS, signature: '' })
  return { ...TERMS, signature: sign(digest, Buffer.from(text), key).toString('base64') }
}

function keysOf(given: Record<string, KeyObject>) {
  const pems = Object.entries(given).map(([name, key]) => [name, pem(key, 'spki')])
  const read = readAuthorityKeys(Object.fromEntries(pems))
  if ('error' in read) throw new Error(read.error)
  return read.keys
}

function pem(key: KeyObject, type: 'spki' | 'pkcs8'): string {
  return key.export({ type, format: 'pem' } as never).toString()
}
