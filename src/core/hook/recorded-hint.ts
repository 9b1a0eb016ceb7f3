import { isWithin } from '../audit/entry-text.ts'
import { announcesSecret, freeKey, isSecretField, isSecretUnder, redactAction, redactProse } from '../audit/redact.ts'
import { isSecretName, isValueKey, nameBeside } from '../audit/secret-names.ts'
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
 * Every text for itself. Under a secret name one word is masked, and what lies deeper only with the form of a secret,
 * since it may be what runs. Where nothing has run everything under such a name is masked.
 */
function withoutSecrets(value: unknown, hasRun: boolean, under?: string): unknown {
  const redacted = hasRun ? redactAction : redactProse
  if (typeof value === 'string') return isMasked(value, hasRun, under) ? MARK : redacted(value)
  if (typeof value === 'number') return under !== undefined && !hasRun ? MARK : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, hasRun, under))
  const fields = new Map<string, unknown>()
  const used = new Map<string, number>()
  const beside = nameBeside(value)
  for (const [name, inner] of Object.entries(value)) {
    const meant = beside !== undefined && isValueKey(name) ? beside : name
    const isField = hasRun && isSecretField(meant, inner)
    const isAnnounced = hasRun ? announcesSecret(meant, inner) : isSecretName(meant, inner)
    fields.set(
      freeKey(redacted(name), fields, used),
      isField && inner !== '' ? MARK : withoutSecrets(inner, hasRun, isAnnounced ? meant : under),
    )
  }
  return Object.fromEntries(fields)
}

function isMasked(value: string, hasRun: boolean, under: string | undefined): boolean {
  if (under === undefined || value === '') return false
  return !hasRun || isSecretUnder(under, value)
}
