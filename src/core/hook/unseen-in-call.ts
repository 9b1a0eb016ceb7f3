import { isSeen } from '../audit/find-credentials.ts'
import { announcesSecret, certainPhraseIn, credentialIn } from '../audit/redact.ts'
import { hasRandomPart, isFormOfSecret, isOfPassword, isPlaceholder } from '../audit/secret-form.ts'
import { isValueKey, nameBeside } from '../audit/secret-names.ts'
import type { Evaluation } from '../autonomy/evaluate.ts'
import { unseenReason } from '../gatekeeper/agent-messages.ts'
import { nextTurn } from '../next-turn.ts'
import { LONGEST_HINT } from './recorded-hint.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * SELF-06, AUDIT-06: why a call is refused for a credential in it, in words for the agent. What a human is asked is
 * stored as it will run, and no credential is stored; what may be a secret of several words can be recorded neither in
 * full nor without it, so that call runs unasked no more than asked.
 */
export async function refusedAsUnseen(
  call: ToolCall,
  hint: string,
  outcome: Evaluation['outcome'],
): Promise<string | undefined> {
  if (outcome === 'stop') return undefined
  if (outcome !== 'continue') return unseenInCall(call, hint)
  const phrase = certainPhraseIn(hint.slice(0, LONGEST_HINT))
  return phrase && unseenReason('the call', phrase)
}

async function unseenInCall({ input, cwd }: ToolCall, hint: string): Promise<string | undefined> {
  const left: Place[] = [
    { path: 'the call', value: hint },
    { path: 'the folder', value: cwd },
    { path: 'input', value: input },
  ]
  let work = 0
  for (let place = left.pop(); place; place = left.pop()) {
    const unseen = unseenAt(place)
    if (unseen !== undefined) return unseenReason(place.path, unseen)
    for (const inner of placesIn(place)) left.push(inner)
    work += typeof place.value === 'string' ? place.value.length + COST_OF_PLACE : COST_OF_PLACE
    if (work < WORK_OF_TURN) continue
    work = 0
    await nextTurn()
  }
  return undefined
}

/** In characters. */
const WORK_OF_TURN = 131_072
const COST_OF_PLACE = 50

interface Place {
  readonly path: string
  readonly value: unknown
  /** The name that announces a secret and under which it stands. */
  readonly secret?: string
}

function unseenAt({ value, secret }: Place): string | undefined {
  if (typeof value === 'number')
    return secret !== undefined && isFormOfSecret(secret, `${value}`) ? 'a secret' : undefined
  if (typeof value !== 'string' || value.length > LONGEST_PIECE) return undefined
  return credentialIn(value) ?? (secret !== undefined && isSecret(secret, value) ? 'a secret' : undefined)
}

function isSecret(name: string, value: string): boolean {
  if (isSeen(value) || (VARIABLE.test(value) && !hasRandomPart(value))) return false
  return isFormOfSecret(name, value, true) || (isOfPassword(name) && !WORD.test(value) && !isPlaceholder(value))
}

/** It says where the secret is. */
const VARIABLE = /^\$(?:\w+|\{[^{}]*\}|\{\{[^{}]*\}\})$/
const WORD = /^.{0,2}$|^[A-Za-z]?[a-z]+$|^[A-Z]+$|\s/

function placesIn({ path, value, secret }: Place): readonly Place[] {
  if (typeof value === 'string') return value.length > LONGEST_PIECE ? piecesOf(path, value) : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return value.map((inner, at) => ({ path: `${path}[${at}]`, value: inner, ...(secret !== undefined && { secret }) }))
  const beside = nameBeside(value)
  return Object.entries(value).flatMap(([name, inner]) => [
    {
      path: `${path}.${name.slice(0, LONGEST_NAME)}`,
      value: inner,
      ...secretUnder(beside !== undefined && isValueKey(name) ? beside : name, inner, secret),
    },
    { path: `a key of ${path}`, value: name }, // looked at first, since the path of its value repeats it
  ])
}

function secretUnder(name: string, value: unknown, above: string | undefined): Pick<Place, 'secret'> {
  if (announcesSecret(name, value)) return { secret: name }
  return above === undefined ? {} : { secret: above }
}

const LONGEST_NAME = 100
const LONGEST_PIECE = 131_072
/** What is longer than this and lies across two pieces is looked for in vain. */
const OVERLAP = 16_384

function piecesOf(path: string, text: string): readonly Place[] {
  const pieces: Place[] = []
  for (let from = 0; from < text.length; from += LONGEST_PIECE - OVERLAP)
    pieces.push({ path: `${path}, behind character ${from},`, value: text.slice(from, from + LONGEST_PIECE) })
  return pieces
}
