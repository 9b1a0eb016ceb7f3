import { asRecorded, isMasked, maskOf, sentKey } from '../masked.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { maskSensitive } from '../registry/secrets.ts'
import { sha256 } from '../sha256.ts'
import { bounded, cut, isWithin } from './entry-text.ts'
import {
  type Credential,
  type CredentialKind,
  findCredentials,
  isSeen,
  type SearchOptions,
} from './find-credentials.ts'
import { isFormOfSecret } from './secret-form.ts'
import { isReference, isSecretName, isValueKey, nameBeside } from './secret-names.ts'
import { tokenRef } from './token-ref.ts'

/**
 * AUDIT-06: parameters for the trail as a record holds them. What is declared or named as a secret is masked in its
 * place, and so are credentials and redeemable tokens inside a text; nothing else is, whatever it is equal to.
 */
export function redact(target: Operation, params: Readonly<Record<string, unknown>>, isProse = false): unknown {
  const masked = maskSensitive(target, params)
  const search = isProse ? PROSE : {}
  if (isWithin(masked, LONGEST_CLEANED)) return bounded(cleaned(masked, search))
  return cut(masked, isProse ? redactStart : redactText)
}

/** What is longer is cut in any case, and nothing but its beginning is looked through. */
const LONGEST_CLEANED = 131_072

/** A value that no operation describes, in words of the agent: a goal, a reason, a hint. */
export function redactValue(value: unknown): unknown {
  const recorded = asRecorded(value)
  return isWithin(recorded, LONGEST_CLEANED) ? bounded(cleaned(recorded, PROSE)) : cut(recorded, redactStart)
}

/**
 * What a tool was called with, for a human who looks at what has run: one word under a secret name is masked, and
 * nothing that is more or lies deeper.
 */
export function redactInput(value: unknown): unknown {
  const recorded = asRecorded(value)
  return isWithin(recorded, LONGEST_CLEANED) ? cleaned(recorded, HAS_RUN) : cut(recorded, redactAction)
}

/**
 * A redeemable token becomes its reference, and what looks like a credential a mark that says what it was. The brackets
 * of the mark are written as their codes where the text holds them itself, so that no text can pass for a mark.
 */
export function redactText(text: string): string {
  return withMarks(text, findCredentials(text))
}

/**
 * The action that an agent reports or makes (AUDIT-06): also a value behind a name that announces a secret, as in
 * `DB_PASSWORD=…`, `--token …`, `"api_key": "…"` or `mysql -p…`. A path, a pattern or a variable in that place stays,
 * and so does what may be more than one word, so that the trail says what has run.
 */
export function redactAction(text: string): string {
  return withMarks(text, findCredentials(text, { isProse: true }))
}

/** What an agent says and nothing runs: also what may be a secret of several words. */
export function redactProse(text: string): string {
  return withMarks(text, findCredentials(text, PROSE))
}

const HAS_RUN: Cleaning = { isProse: true, hasRun: true }
const PROSE = { isProse: true, withPhrases: true } as const

/**
 * Where a text of an agent would be masked, in words for the agent; undefined where it would stand in full. Nobody can
 * approve what nobody can see, so a human is asked about no other text.
 */
export function unseenIn(text: string): string | undefined {
  return placeOf(findCredentials(text, PROSE)[0])
}

/**
 * The same for what may be a secret of several words. An action with one can neither be recorded as it is nor without
 * it, so it does not go on, asked or not.
 */
export function phraseIn(text: string): string | undefined {
  return placeOf(findCredentials(text, PROSE).find(({ isPhrase }) => isPhrase))
}

/**
 * The same for what is certain to be a credential, which a call of a tool cannot be asked about: an everyday call holds
 * words, code and placeholders where a secret could stand, and a human sees them.
 */
export function credentialIn(text: string): string | undefined {
  return placeOf(findCredentials(text, CERTAIN)[0])
}

/** The same for a credential of several words. */
export function certainPhraseIn(text: string): string | undefined {
  return placeOf(findCredentials(text, CERTAIN).find(({ isPhrase }) => isPhrase))
}

const CERTAIN = { ...PROSE, onlyCertain: true } as const

function placeOf(found: Credential | undefined): string | undefined {
  return found && `a ${found.kind} at character ${found.start + 1}`
}

/** The beginning of a text that may be long: only as much of it is read as can be kept. */
export function redactBeginning(text: string, most: number): string {
  if (text.length <= most) return redactProse(text)
  const read = redactStart(text.slice(0, 2 * most))
  const kept = read.slice(0, Math.min(most, Math.max(0, read.length - UNSURE))).toWellFormed()
  return `${kept}… (${text.length} characters)`
}

/** The same for every text of an error, which may repeat what it was called with; what holds none stays as it is. */
export function redactTexts(value: unknown): unknown {
  if (typeof value === 'string') return redactBeginning(value, LONGEST_OF_ERROR)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(redactTexts)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactTexts(inner)]))
}

export const LONGEST_OF_ERROR = 16_384

/** At the end of what was read a credential may have been cut in two. */
const UNSURE = 300

function redactStart(text: string): string {
  return withMarks(text, findCredentials(text, { ...PROSE, isCut: true }))
}

function withMarks(text: string, found: readonly Credential[]): string {
  let shown = ''
  let from = 0
  for (const { start, end, kind } of found) {
    shown += escaped(text.slice(from, start)) + markOf(kind, text.slice(start, end))
    from = end
  }
  return shown + escaped(from === 0 ? text : text.slice(from))
}

function escaped(text: string): string {
  return /[⟨⟩]/.test(text) ? text.replace(/[⟨⟩]/g, (bracket) => (bracket === '⟨' ? '⟨U+27E8⟩' : '⟨U+27E9⟩')) : text
}

/** Of what nobody can guess a digest stays: it can be shown later which one it was, and that it was not something else. */
function markOf(kind: CredentialKind, held: string): string {
  if (kind === 'confirmation token') return tokenRef(held)
  return GUESSABLE.has(kind) ? `⟨masked ${kind}⟩` : `⟨masked ${kind} ${sha256(held).slice(0, 16)}⟩`
}

const GUESSABLE: ReadonlySet<CredentialKind> = new Set(['password', 'bearer token', 'secret'])

interface Cleaning extends SearchOptions {
  readonly hasRun?: true
  /** The name above that announces a secret. */
  readonly under?: string
}

/** A text of which a part is masked is no plain text any more, so that no text can claim it. */
function cleaned(value: unknown, search: Cleaning = {}): unknown {
  if (typeof value === 'string') {
    if (search.under !== undefined && isSecretUnder(search.under, value)) return maskOf(value)
    const found = findCredentials(value, search)
    return found.length === 0 ? value : { ...maskOf(value), text: withMarks(value, found) }
  }
  if (typeof value !== 'object' || value === null || isMasked(value)) return value
  if (Array.isArray(value)) return value.map((inner) => cleaned(inner, search))
  const fields = new Map<string, unknown>()
  const used = new Map<string, number>()
  const beside = nameBeside(value)
  for (const [name, inner] of Object.entries(value)) {
    const meant = beside !== undefined && isValueKey(name) ? beside : name
    fields.set(freeKey(cleanedKey(name), fields, used), cleanedField(meant, inner, search))
  }
  return Object.fromEntries(fields)
}

function cleanedKey(name: string): string {
  const found = findCredentials(name)
  return found.length === 0 ? name : withMarks(name, found)
}

function cleanedField(name: string, value: unknown, search: Cleaning): unknown {
  const sent = sentKey(name)
  const isSecret = search.hasRun ? isSecretField(sent, value) : value !== null && isSecretName(sent, value)
  if (isMasked(value)) return cleaned(value, search)
  if (isSecret) return maskOf(value)
  return cleaned(value, search.hasRun && announcesSecret(sent, value) ? { ...search, under: sent } : search)
}

/** May what stands under this name be a secret? */
export function announcesSecret(name: string, value: unknown): boolean {
  return isSecretName(name, value) && !isReference(name)
}

/** Of what has run: one word that no shell reads, or a number, under a name that announces a secret. */
export function isSecretField(name: string, value: unknown): boolean {
  if (!announcesSecret(name, value)) return false
  return typeof value === 'number' || (typeof value === 'string' && WORD.test(value) && !isSeen(value))
}

/** The same for what lies deeper, only with the form of a secret: it may be what runs. */
export function isSecretUnder(name: string, value: string): boolean {
  return WORD.test(value) && !isSeen(value) && isFormOfSecret(name, value)
}

const WORD = /^[^\s"'`;|&$()<>{}\\]{1,8192}$/

/** Two keys that become one would leave one of two values. Each name goes on counting where it was, however many there are. */
export function freeKey(name: string, taken: ReadonlyMap<string, unknown>, used: Map<string, number>): string {
  if (!taken.has(name)) return name
  let count = used.get(name) ?? 1
  do count++
  while (taken.has(`${name}~${count}`))
  used.set(name, count)
  return `${name}~${count}`
}
