/** The ways in which a secret could stand somewhere (OOB-04). */
const ENCODINGS: Readonly<Record<string, (secret: string) => readonly string[]>> = {
  plain: (secret) => [secret],
  'without groups': (secret) => [secret.replaceAll('-', '')],
  'lower case': (secret) => [secret.toLowerCase(), secret.replaceAll('-', '').toLowerCase()],
  hex: (secret) => forms(secret).map((form) => Buffer.from(form).toString('hex')),
  base64: (secret) => forms(secret).flatMap((form) => inBase64(form, 'base64')),
  base64url: (secret) => forms(secret).flatMap((form) => inBase64(form, 'base64url')),
  'URL-encoded': (secret) => forms(secret).flatMap((form) => [inPercents(form), encodeURIComponent(form)]),
  reversed: (secret) => forms(secret).map((form) => [...form].reverse().join('')),
  'JSON-escaped UTF-16': (secret) =>
    forms(secret).map((form) =>
      [...form].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ),
}

export const ENCODING_NAMES = Object.keys(ENCODINGS)

export interface Find {
  readonly secret: number
  readonly encoding: string
  readonly at: number
}

export interface Needles {
  /** Every place at which one of the secrets stands. */
  findIn(haystack: Uint8Array): readonly Find[]
}

/** Thousands of texts at once: three bytes decide where it is worth looking. */
export function createNeedles(secrets: readonly string[]): Needles {
  const starts = new Uint8Array(2 ** 24)
  const known = new Map<number, { readonly bytes: Buffer; readonly secret: number; readonly encoding: string }[]>()
  for (const [secret, text] of secrets.entries()) {
    for (const [encoding, encode] of Object.entries(ENCODINGS)) {
      for (const form of encode(text)) {
        const bytes = Buffer.from(form)
        const key = keyAt(bytes, 0)
        starts[key] = 1
        known.set(key, [...(known.get(key) ?? []), { bytes, secret, encoding }])
      }
    }
  }
  return {
    findIn(given) {
      const haystack = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
      const found: Find[] = []
      for (let at = 0; at + 2 < haystack.length; at++) {
        const key = keyAt(haystack, at)
        if (starts[key] === 0) continue
        for (const { bytes, secret, encoding } of known.get(key) ?? [])
          if (haystack.subarray(at, at + bytes.length).equals(bytes)) found.push({ secret, encoding, at })
      }
      return found
    },
  }
}

export function encoded(secret: string, encoding: string): string {
  return ENCODINGS[encoding]?.(secret)[0] ?? ''
}

function keyAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
}

function forms(secret: string): readonly string[] {
  const bare = secret.replaceAll('-', '')
  return bare === secret ? [secret] : [secret, bare]
}

function inPercents(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('')
}

/** Within other text a secret begins at any of three places of a group; the letters that its neighbours change are left out. */
function inBase64(text: string, encoding: 'base64' | 'base64url'): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'-'.repeat(shift)}${text}`)
      .toString(encoding)
      .replaceAll('=', '')
    return whole.slice(shift === 0 ? 0 : shift + 1, -1)
  })
}
