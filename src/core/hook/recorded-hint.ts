import { isWithin } from '../audit/entry-text.ts'
import { isSeen } from '../audit/find-credentials.ts'
import { freeKey, redactAction, redactProse } from '../audit/redact.ts'
import { isReference, isSecretName } from '../audit/secret-names.ts'
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
  if (typeof value === 'string') {
    const isMasked = isSecret && (hasRun ? WORD.test(value) && !isSeen(value) : value !== '')
    return isMasked ? MARK : hasRun ? redactAction(value) : redactProse(value)
  }
  if (typeof value === 'number') return isSecret ? MARK : value
  if (typeof value !== 'object' || value === null) return value
  const isBelow = isSecret && !hasRun
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, hasRun, isBelow))
  const fields = new Map<string, unknown>()
  const used = new Map<string, number>()
  for (const [name, inner] of Object.entries(value)) {
    const isNamed = isSecretName(name, inner) && !isReference(name)
    const told = hasRun ? redactAction(name) : redactProse(name)
    fields.set(freeKey(told, fields, used), withoutSecrets(inner, hasRun, isBelow || isNamed))
  }
  return Object.fromEntries(fields)
}

/** One word, and nothing that a shell reads. */
const WORD = /^[^\s"'`;|&$()<>{}\\]{1,8192}$/
