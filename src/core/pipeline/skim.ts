import { Buffer, isUtf8 } from 'node:buffer'
import { ENDS_SCALAR, type Envelope, envelopeOf, isSpace, PROTOCOL_VERSION, parse, type WrittenIds } from './survey.ts'

/** Reads the envelope of a message that is too long to be kept: piece by piece, in constant memory. */
export interface Skim {
  push(piece: Uint8Array): void
  /** Of what has been read so far. */
  envelope(): Envelope
}

/** As a survey does, it goes on as long as the structure is intact, and believes nothing that comes after. */
export function createSkim(): Skim {
  const skimming: Skimming = {
    inside: 'nothing',
    expected: 'value',
    token: Buffer.alloc(MOST_TOKEN),
    tokenSize: 0,
    matters: false,
    kinds: new Uint8Array(MOST_LEVELS),
    depth: 0,
    keys: ['', '', ''],
    ids: { count: 0, value: undefined },
    method: undefined,
    modern: false,
  }
  return {
    push(piece) {
      for (let at = 0; at < piece.length && skimming.inside !== 'ruins'; at++) take(skimming, piece[at] as number)
    },
    envelope: () => envelopeOf(skimming.ids, skimming.method, skimming.modern),
  }
}

/** No id or name of importance is longer; of what is, no more is kept. */
const MOST_TOKEN = 1_024
/** What nests deeper is not followed. */
const MOST_LEVELS = 4_096
/** The deepest level with a name of importance: one of `params._meta`. */
const DEEPEST_KEY = 3

interface Skimming {
  inside: 'nothing' | 'string' | 'escape' | 'scalar' | 'ruins'
  expected: 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'
  /** The string or scalar being read, as far as it matters. */
  readonly token: Buffer
  tokenSize: number
  /** It may be part of the envelope. */
  matters: boolean
  /** The bracket that closes each open level. */
  readonly kinds: Uint8Array
  depth: number
  /** The property being read on each of the first levels. */
  readonly keys: string[]
  readonly ids: WrittenIds
  method: string | undefined
  modern: boolean
}

function take(skimming: Skimming, byte: number): void {
  const { inside } = skimming
  if (inside === 'string' && byte === QUOTE) endString(skimming)
  else if (inside === 'string' || inside === 'escape') {
    skimming.inside = byte === BACKSLASH && inside === 'string' ? 'escape' : 'string'
    keep(skimming, byte)
  } else if (inside === 'scalar' && ENDS_SCALAR[byte] === 0) keep(skimming, byte)
  else {
    if (inside === 'scalar') endScalar(skimming)
    if (!isSpace(byte) && !isOrderMark(skimming, byte)) takeMark(skimming, byte)
  }
}

/** A byte order mark, or a piece of one, is a fault that hides nothing. */
function isOrderMark({ depth, expected }: Skimming, byte: number): boolean {
  return depth === 0 && expected === 'value' && (byte === 0xef || byte === 0xbb || byte === 0xbf)
}

function keep(skimming: Skimming, byte: number): void {
  if (!skimming.matters) return
  if (skimming.tokenSize < MOST_TOKEN) skimming.token[skimming.tokenSize] = byte
  skimming.tokenSize++
}

/** A byte that is neither space nor part of a string or scalar. */
function takeMark(skimming: Skimming, byte: number): void {
  const { expected, depth, kinds } = skimming
  const isValue = expected === 'value' || expected === 'value or ]'
  const isKey = expected === 'key' || expected === 'key or }'
  const mayClose = depth > 0 && (expected === 'value or ]' || expected === 'key or }' || expected === ', or end')
  if (mayClose && byte === kinds[depth - 1]) {
    skimming.depth--
    skimming.expected = ', or end'
  } else if (expected === ', or end' && byte === COMMA && depth > 0) {
    skimming.expected = kinds[depth - 1] === CLOSE_ARRAY ? 'value' : 'key'
  } else if (expected === ':' && byte === COLON) skimming.expected = 'value'
  else if ((isKey || isValue) && byte === QUOTE) begin(skimming, 'string')
  else if (isValue && (byte === OPEN_OBJECT || byte === OPEN_ARRAY) && depth < MOST_LEVELS) open(skimming, byte + 2)
  else if (isValue && ENDS_SCALAR[byte] === 0) {
    begin(skimming, 'scalar')
    keep(skimming, byte)
  } else skimming.inside = 'ruins'
}

function begin(skimming: Skimming, what: 'string' | 'scalar'): void {
  const { depth, keys } = skimming
  skimming.inside = what
  skimming.tokenSize = 0
  skimming.matters = depth === 1 || (keys[0] === 'params' && (depth === 2 || (depth === 3 && keys[1] === '_meta')))
}

function open(skimming: Skimming, closing: number): void {
  skimming.kinds[skimming.depth++] = closing
  if (skimming.depth <= DEEPEST_KEY) skimming.keys[skimming.depth - 1] = ''
  skimming.expected = closing === CLOSE_ARRAY ? 'value or ]' : 'key or }'
}

function endString(skimming: Skimming): void {
  skimming.inside = 'nothing'
  const isKey = skimming.expected === 'key' || skimming.expected === 'key or }'
  skimming.expected = isKey ? ':' : ', or end'
  if (!skimming.matters) return
  const text = readToken(skimming, '"')
  if (isKey) noteKey(skimming, String(text ?? ''))
  else noteValue(skimming, text)
}

function endScalar(skimming: Skimming): void {
  skimming.inside = 'nothing'
  skimming.expected = ', or end'
  if (skimming.depth === 1) noteValue(skimming, readToken(skimming, ''))
}

function noteKey(skimming: Skimming, key: string): void {
  const { keys, depth, ids } = skimming
  keys[depth - 1] = key
  if (depth === 1 && key === 'id') ids.count++
  if (depth === 3 && key === PROTOCOL_VERSION) skimming.modern = true
}

function noteValue(skimming: Skimming, value: string | number | undefined): void {
  if (skimming.depth !== 1) return
  if (skimming.keys[0] === 'id') skimming.ids.value = value
  if (skimming.keys[0] === 'method' && typeof value === 'string') skimming.method = value
}

/** A string or an integer; `undefined` for anything else, and for what was not kept whole. */
function readToken({ token, tokenSize }: Skimming, quote: '"' | ''): string | number | undefined {
  const bytes = token.subarray(0, tokenSize)
  if (tokenSize > MOST_TOKEN || !isUtf8(bytes)) return undefined
  const value = parse(`${quote}${bytes.toString('utf8')}${quote}`)
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
