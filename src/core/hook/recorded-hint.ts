import { isWithin } from '../audit/entry-text.ts'
import { redactAction, redactProse } from '../audit/redact.ts'
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
  const told = JSON.stringify(withoutSecrets(input, redacted, false))
  return `${redacted(hint.slice(0, -body.length))}${told}`.slice(0, LONGEST_HINT)
}

const LONGEST_INPUT = 131_072
const MARK = '⟨masked secret⟩'

/** Every text for itself, so that what stands under a secret name is masked however deep it lies. */
function withoutSecrets(value: unknown, redacted: (text: string) => string, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? MARK : redacted(value)
  if (typeof value === 'number') return isSecret ? MARK : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, redacted, isSecret))
  const fields = Object.entries(value).map(([name, inner]) => [
    redacted(name),
    withoutSecrets(inner, redacted, isSecret || isSecretName(name, inner)),
  ])
  return Object.fromEntries(fields)
}
