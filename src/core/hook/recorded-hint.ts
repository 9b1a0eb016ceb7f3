import { isWithin } from '../audit/entry-text.ts'
import { freeKey, isSecretField, redactAction, redactProse } from '../audit/redact.ts'
import { isSecretName } from '../audit/secret-names.ts'
import type { Case } from './case.ts'

/** Only so much of a hint is kept. */
export const LONGEST_HINT = 10_000

/**
 * AUDIT-06: the words that were judged, without credentials. Of a call that was refused for one nothing has run, so
 * there a secret of several words is masked as well.
 */
export function recordedHint({ call: { input }, weighed: { hint, isCommand }, unseen }: Case): string {
  const redacted = unseen === undefined ? redactAction : redactProse
  const isOfInput = !isCommand && hint.endsWith('}') && isWithin(input, LONGEST_INPUT)
  const body = isOfInput ? JSON.stringify(input) : ''
  if (body === '' || !hint.endsWith(body)) return redacted(hint.slice(0, LONGEST_HINT))
  const told = JSON.stringify(withoutSecrets(input, unseen === undefined))
  return `${redacted(hint.slice(0, -body.length))}${told}`.slice(0, LONGEST_HINT)
}

const LONGEST_INPUT = 131_072
const MARK = '⟨masked secret⟩'

/**
 * Every text for itself. Under a secret name one word is masked, and what lies deeper is looked at like anything else,
 * since it may be what runs. Where nothing has run everything under such a name is masked.
 */
function withoutSecrets(value: unknown, hasRun: boolean, isSecret = false): unknown {
  const redacted = hasRun ? redactAction : redactProse
  if (typeof value === 'string') return isSecret && value !== '' ? MARK : redacted(value)
  if (typeof value === 'number') return isSecret ? MARK : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, hasRun, isSecret))
  const fields = new Map<string, unknown>()
  const used = new Map<string, number>()
  for (const [name, inner] of Object.entries(value)) {
    const isNamed = hasRun ? isSecretField(name, inner) : isSecret || isSecretName(name, inner)
    fields.set(freeKey(redacted(name), fields, used), withoutSecrets(inner, hasRun, isNamed))
  }
  return Object.fromEntries(fields)
}
