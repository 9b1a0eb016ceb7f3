import type { ErrorDetail, Warning } from '../../protocol/result.ts'
import { asRecorded, maskOf, recordKey } from '../masked.ts'
import { isObject } from './check-value.ts'
import type { Operation } from './compile-operation.ts'
import { createTextFinder, startWork, type TextFinder, type Work } from './find-texts.ts'
import { answerPlace, dependsOnValues, paramsPlace } from './operation-places.ts'
import { isHidden, type Place } from './places.ts'
import { isWalkSpent, startWalk } from './walk.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The parameters of a call as a human and the trail see them: what is declared sensitive is masked in its place, and
 * everything else stands there in full, whatever its value is equal to. `params` has the names that introspection tells,
 * or those that the handler knows.
 */
export function maskSensitive(target: Operation, params: Fields): Fields {
  return hideIn(target, params, FOR_RECORDS)
}

/** The same for the agent that sent them, by the names it may use: without an escape, so that they can be sent again. */
export function maskGiven(target: Operation, params: Fields): Fields {
  return hideIn(target, params, FOR_AGENTS)
}

/** Parameters that nobody sent, such as those of an example: what is sensitive is left open. */
export function blankSensitive(target: Operation, params: Fields): Fields {
  return hideIn(target, params, FOR_READERS)
}

/** Does one of these parameters hold something sensitive? */
export function isSensitiveIn(target: Operation, params: Fields): boolean {
  return target.hasSecrets && isHidden(params, paramsPlace(target))
}

/** Only what may leave the call. */
export function withoutSensitive(target: Operation, params: Fields): Fields {
  return hideIn(target, params, LEFT_OUT)
}

/** VAL-10: what an operation has answered, for the eyes of a human: sensitive fields are masked. */
export function maskAnswer(target: Operation, data: unknown): unknown {
  startWalk()
  return hideAt(data, answerPlace(target), FOR_RECORDS)
}

/**
 * The parameter for which it cannot be told what of it is sensitive, because that takes too many steps. All of what its
 * declaration could call sensitive would be masked, and a human would decide on what nobody sees.
 */
export function unclearParam(target: Operation, params: Fields): string | undefined {
  if (!target.hasSecrets || !dependsOnValues(target)) return undefined
  const place = paramsPlace(target)
  startWalk()
  return Object.keys(params).find((name) => {
    hideAt(params[name], place.field(name), FOR_AGENTS)
    return isWalkSpent()
  })
}

interface Hiding {
  /** Undefined leaves it out. */
  readonly mask: (value: unknown) => unknown
  readonly key: (name: string) => string
  /** A value that holds nothing sensitive. */
  readonly rest: (value: unknown) => unknown
}

const same = <T>(value: T): T => value
const MASK = '***'

/** Stands for what only the caller can know. */
export const BLANK = '…'

const FOR_RECORDS: Hiding = { mask: maskOf, key: recordKey, rest: asRecorded }
const FOR_AGENTS: Hiding = { mask: () => MASK, key: same, rest: same }
const FOR_READERS: Hiding = { mask: () => BLANK, key: same, rest: same }
const LEFT_OUT: Hiding = { mask: () => undefined, key: same, rest: same }

function hideIn(target: Operation, params: Fields, hiding: Hiding): Fields {
  startWalk()
  return hideAt(params, target.hasSecrets ? paramsPlace(target) : undefined, hiding) as Fields
}

/** Null says that there is nothing to hide. */
function hideAt(value: unknown, place: Place | undefined, hiding: Hiding): unknown {
  if (value === undefined || value === null) return value
  if (!place || place.isPlain()) return hiding.rest(value)
  const here = place.of(value)
  if (here.hides(value) || isWalkSpent()) return hiding.mask(value)
  if (Array.isArray(value)) return value.map((item, at) => hideInside(item, () => here.items(at), hiding))
  if (!isObject(value)) return value
  const shown = Object.entries(value).map(
    ([name, inner]) => [hiding.key(name), hideInside(inner, () => here.field(name), hiding)] as const,
  )
  return Object.fromEntries(shown.filter(([, inner]) => inner !== undefined))
}

/** Once the walk has taken too long, no place is looked for. */
function hideInside(value: unknown, placeOf: () => Place | undefined, hiding: Hiding): unknown {
  if (isWalkSpent()) return value === undefined || value === null ? value : hiding.mask(value)
  return hideAt(value, placeOf(), hiding)
}

/**
 * VAL-10 — the sensitive values of one bound call as text, for messages that a handler writes. They are looked for by
 * value, so a value that the call also sends where it is not sensitive is none of them: otherwise whoever sends the call
 * could blot out another of its values. Records and approval screens never use this.
 */
export function secretsOf(target: Operation, params: Fields): readonly string[] {
  if (!target.hasSecrets) return NONE
  const known = SECRETS.get(params)
  if (known?.target === target) return known.secrets
  const secrets = collectSecrets(target, params)
  if (Object.isFrozen(params)) SECRETS.set(params, { target, secrets })
  return secrets
}

const NONE: readonly string[] = []
const SECRETS = new WeakMap<Fields, { readonly target: Operation; readonly secrets: readonly string[] }>()

function collectSecrets(target: Operation, params: Fields): readonly string[] {
  const found: Found = {
    secrets: { all: new Set(), most: MOST_SECRETS },
    others: { all: new Set(), most: MOST_OTHERS },
  }
  startWalk()
  collect(params, paramsPlace(target), found)
  if (isFull(found.secrets)) return TOO_MANY
  const { all: secrets } = found.secrets
  const sent = openlySent(secrets, found.others.all)
  return [...new Set([...secrets].filter((secret) => !sent.has(secret)).flatMap(formsOf))]
}

/** More are not looked for one by one: a text that may hold them is masked as a whole. */
const MOST_SECRETS = 10_000

/** The empty text is a part of every text, and no secret that was sent. */
const TOO_MANY: readonly string[] = Object.freeze([''])

/** More open texts are not looked into: a secret that stands in one of the others stays one. */
const MOST_OTHERS = 20_000

/** Those that stand inside an open value. When looking for them takes too long, the rest stay secrets. */
function openlySent(secrets: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  const sent = new Set([...secrets].filter((secret) => others.has(secret)))
  if (secrets.size === 0) return sent
  const finder = createTextFinder(secrets)
  const work = startWork()
  for (const text of others) {
    if (!finder.each(text, work, (start, end) => sent.add(text.slice(start, end)))) break
  }
  return sent
}

interface Found {
  readonly secrets: Texts
  /** What stands in the call openly, keys included. */
  readonly others: Texts
}

interface Texts {
  readonly all: Set<string>
  readonly most: number
}

function isFull({ all, most }: Texts): boolean {
  return all.size > most
}

function add(text: string, texts: Texts): void {
  if (text !== '' && !isFull(texts)) texts.all.add(text)
}

function collect(value: unknown, at: Place | undefined, found: Found): void {
  if (isFull(found.secrets)) return
  const place = at?.of(value)
  if (!place) {
    collectAll(value, undefined, found.others)
  } else if (place.hides(value) || isWalkSpent()) {
    collectAll(value, place, found.secrets)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (isWalkSpent()) collectAll(item, undefined, found.secrets)
      else collect(item, place.items(index), found)
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const field = place.field(name)
      if (!field) add(name, found.others)
      collect(value[name], field, found)
    }
  } else collectAll(value, place, found.others)
}

/** With the keys that nobody declared. True and false are no secrets: masking them would mask half of the language. */
function collectAll(value: unknown, place: Place | undefined, texts: Texts): void {
  if (isFull(texts)) return
  if (typeof value === 'string' || typeof value === 'number') {
    add(String(value), texts)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collectAll(item, isWalkSpent() ? undefined : place?.items(index), texts)
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (isFull(texts)) return
      const field = place?.field(name)
      if (!field) add(name, texts)
      collectAll(value[name], field, texts)
    }
  }
}

/** As it stands in a quoted request: a message that tells what was sent has it as JSON, or in an address. */
function formsOf(text: string): readonly string[] {
  if (/^[\w.*-]*$/.test(text)) return [text]
  const inAddress = encodeURIComponent(text.toWellFormed())
  const inForm = inAddress.replace(/[!'()~]/g, inHex).replaceAll('%20', '+')
  return [text, JSON.stringify(text).slice(1, -1), inAddress, inForm]
}

function inHex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** A text with a mask for every secret in it, or a mask alone where looking for them would take too long. */
export function maskText(text: string, secrets: readonly string[]): string {
  return maskerOf(secrets).text(text)
}

export function maskError(error: ErrorDetail, secrets: readonly string[]): ErrorDetail {
  if (secrets.length === 0) return error
  const { code, message, details } = error
  const masker = maskerOf(secrets)
  return { code, message: masker.text(message), ...(details && { details: maskFields(details, masker) }) }
}

export function maskWarning(warning: Warning, secrets: readonly string[]): Warning {
  if (secrets.length === 0) return warning
  const { message, details } = warning
  const masker = maskerOf(secrets)
  return { ...warning, message: masker.text(message), ...(details && { details: maskFields(details, masker) }) }
}

/** For the texts of one answer, which share the time there is for them. */
interface Masker {
  readonly text: (text: string) => string
  /** Is this very text secret? */
  readonly hides: (text: string) => boolean
  /** There is no time left: whatever comes is masked. */
  readonly isSpent: () => boolean
}

function maskerOf(secrets: readonly string[]): Masker {
  if (secrets.length === 0) return { text: same, hides: () => false, isSpent: () => false }
  if (secrets[0] === TOO_MANY[0]) return { text: () => MASK, hides: () => true, isSpent: () => true }
  const finder = finderOf(secrets)
  const work = startWork()
  return { text: (text) => maskFound(text, finder, work), hides: finder.has, isSpent: () => work.left < 0 }
}

function finderOf(secrets: readonly string[]): TextFinder {
  const known = FINDERS.get(secrets)
  if (known) return known
  const made = createTextFinder(secrets)
  FINDERS.set(secrets, made)
  return made
}

const FINDERS = new WeakMap<readonly string[], TextFinder>()

/** Secrets that overlap share one mask. */
function maskFound(text: string, finder: TextFinder, work: Work): string {
  const parts: string[] = []
  let masked = 0
  const isDone = finder.each(text, work, (start, end) => {
    if (end <= masked || (end - start < SHORT && !isWord(text, start, end))) return
    if (start >= masked) parts.push(text.slice(masked, start), MASK)
    masked = end
  })
  return isDone ? parts.join('') + text.slice(masked) : MASK
}

/** A shorter secret is masked as a word of its own only: it would chew holes into the others. */
const SHORT = 6

function isWord(text: string, start: number, end: number): boolean {
  return (
    !/[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, start - 2), start)) &&
    !/^[\p{L}\p{N}_]/u.test(text.slice(end, end + 2))
  )
}

/** Two keys that become one keep both of their values. */
function maskFields(fields: Fields, masker: Masker): Fields {
  const shown = new Map<string, unknown>()
  for (const [name, value] of Object.entries(fields)) {
    if (masker.isSpent()) return Object.fromEntries(shown.set(MASK, MASK))
    const key = masker.text(name)
    shown.set(shown.has(key) ? `${key} ${shown.size}` : key, maskValue(value, masker))
  }
  return Object.fromEntries(shown)
}

function maskValue(value: unknown, masker: Masker): unknown {
  if (typeof value === 'string') return masker.text(value)
  if (typeof value === 'number' || typeof value === 'bigint')
    return masker.isSpent() || masker.hides(String(value)) ? MASK : value
  if (Array.isArray(value)) return masker.isSpent() ? MASK : value.map((inner) => maskValue(inner, masker))
  return isObject(value) ? maskFields(value, masker) : value
}
