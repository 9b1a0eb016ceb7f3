import { CATEGORY_NAMES } from '../../protocol/categories.ts'
import { createColumn } from './search-column.ts'
import type { SearchDocument } from './search-document.ts'
import { FIELDS } from './search-fields.ts'
import { type Lookup, lookupsOf } from './search-lookup.ts'
import { indexedProse } from './search-prose.ts'
import { eachWord, fold, termsOfWord } from './search-text.ts'

/** How soon more of the same word in an operation stops to count (BM25's k1). */
const SATURATION = 0.8

/** The catalogue as the search reads it: built once, never changed. */
export interface CatalogueIndex {
  readonly size: number
  /** Term to id. */
  readonly vocabulary: ReadonlyMap<string, number>
  readonly idf: Float32Array
  readonly terms: Postings
  /** Whether the posting's term stands in the operation's name, path or summary; beside `terms`. */
  readonly inTitle: Uint8Array
  /** Neighbouring terms, under the hash of both ids: see {@link pairKey}. */
  readonly pairs: Postings
  /** The idf of all different terms of each operation's title, added up. */
  readonly titleMass: Float32Array
  /** Positions in CATEGORY_NAMES. */
  readonly categories: Uint8Array
  readonly groups: Int32Array
  readonly groupSizes: Int32Array
  readonly pathParams: Uint8Array
  readonly deprecated: Uint8Array
  /** The operations that find a thing by its name. */
  readonly lookups: readonly Lookup[]
  /** Lower-cased name, snake_case name and `method /path` to operation. */
  readonly names: ReadonlyMap<string, number>
}

/** One list of operations per key, with the finished weight of the key in each: lists lie end to end. */
export interface Postings {
  readonly offsets: Int32Array
  readonly documents: Int32Array
  readonly weights: Float32Array
}

export function buildIndex(documents: readonly SearchDocument[]): CatalogueIndex {
  const stream = readStream(documents)
  const { terms, inTitle, pairs } = weigh(stream, documents.length)
  const idf = Float32Array.from(stream.vocabulary.values(), (id) => idfOf(terms, id, documents.length))
  return {
    size: documents.length,
    vocabulary: stream.vocabulary,
    idf,
    terms,
    inTitle,
    pairs,
    titleMass: titleMassOf(terms, inTitle, idf, documents.length),
    categories: Uint8Array.from(documents, (document) => CATEGORY_NAMES.indexOf(document.category)),
    ...groupsOf(documents),
    pathParams: Uint8Array.from(documents, countPathParams),
    deprecated: Uint8Array.from(documents, (document) => (document.deprecated ? 1 : 0)),
    lookups: lookupsOf(documents),
    names: namesOf(documents),
  }
}

/** How telling a key is: the fewer operations have it, the more. */
export function idfOf(postings: Postings, key: number, size: number): number {
  const found = (postings.offsets[key + 1] ?? 0) - (postings.offsets[key] ?? 0)
  return Math.log(1 + (size - found + 0.5) / (found + 0.5))
}

/** Where two neighbouring terms are filed. Strangers may share a place; with 1.5 places a pair that is rare. */
export function pairKey(first: number, second: number, places: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 0x7f4a7c15, 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) >>> 0) & (places - 1)
}

/** The three spellings under which an operation is known; the first operation keeps a contested one. */
export function exactNames(document: SearchDocument): string[] {
  const name = document.name.trim()
  const snake = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2').replace(/[^\p{L}\p{N}]+/gu, '_')
  return [name, snake, document.path ?? name].map((spelling) => spelling.toLowerCase())
}

/** Every word of every operation, in order, as term ids. */
interface Stream {
  readonly vocabulary: Map<string, number>
  /** A term's id; BREAK between texts; WHOLE minus the id for a word of two humps written as one. */
  readonly ids: Int32Array
  /** Where each field of each operation ends. */
  readonly ends: Int32Array
  /** Terms in each field of each operation. */
  readonly lengths: Int32Array
}

const BREAK = -1
const WHOLE = -2

function readStream(documents: readonly SearchDocument[]): Stream {
  const vocabulary = new Map<string, number>()
  const known = new Map<string, readonly number[]>()
  const ids = createColumn(ints)
  const ends = new Int32Array(documents.length * FIELDS.length)
  const lengths = new Int32Array(documents.length * FIELDS.length)
  const prose = indexedProse(documents.map((document) => document.description))

  const idOf = (term: string): number => {
    const id = vocabulary.get(term) ?? vocabulary.size
    vocabulary.set(term, id)
    return id
  }
  const idsOf = (word: string): readonly number[] => {
    const found = known.get(word)
    if (found !== undefined) return found
    const made = termsOfWord(word).map(idOf)
    known.set(word, made)
    return made
  }

  documents.forEach((document, at) => {
    FIELDS.forEach((field, f) => {
      const cell = at * FIELDS.length + f
      let length = 0
      for (const text of field.texts(document, prose[at] ?? '')) {
        eachWord(fold(text), (word, whole) => {
          const found = idsOf(word)
          length += found.length
          for (const id of found) ids.push(id)
          if (whole !== undefined) for (const id of idsOf(whole)) ids.push(WHOLE - id)
        })
        ids.push(BREAK)
      }
      ends[cell] = ids.length()
      lengths[cell] = length
    })
  })
  return { vocabulary, ids: ids.finish(), ends, lengths }
}

/** BM25F: a term's occurrences are weighted by field and length, added up, and only then saturated. */
function weigh(stream: Stream, size: number) {
  const { ids, ends } = stream
  const places = placesFor(ids.length)
  const terms = createCollector(stream.vocabulary.size)
  const pairs = createCollector(places)
  const scales = lengthScales(stream, size)
  let at = 0
  for (let document = 0; document < size; document++) {
    for (const [f, field] of FIELDS.entries()) {
      const cell = document * FIELDS.length + f
      const weight = scales[cell] ?? 0
      const title = field.title ? 1 : 0
      let previous = BREAK
      for (const end = ends[cell] ?? 0; at < end; at++) {
        const id = ids[at] ?? BREAK
        if (id <= WHOLE) {
          terms.add(WHOLE - id, weight, 0)
          continue
        }
        if (id >= 0) terms.add(id, weight, title)
        if (id >= 0 && previous >= 0 && field.pairs) pairs.add(pairKey(previous, id, places), weight, 0)
        previous = id
      }
    }
    terms.close(document)
    pairs.close(document)
  }
  const { postings, flags } = terms.finish()
  return { terms: postings, inTitle: flags, pairs: pairs.finish().postings }
}

/** What one occurrence counts in each field of each operation: less in a text longer than usual. */
function lengthScales({ lengths }: Stream, size: number): Float32Array {
  const scales = new Float32Array(lengths.length)
  for (const [f, { weight, lengthNorm }] of FIELDS.entries()) {
    let total = 0
    let filled = 0
    for (let cell = f; cell < size * FIELDS.length; cell += FIELDS.length) {
      const length = lengths[cell] ?? 0
      total += length
      if (length > 0) filled++
    }
    const usual = total / Math.max(1, filled)
    for (let cell = f; cell < size * FIELDS.length; cell += FIELDS.length) {
      scales[cell] = weight / (1 - lengthNorm + lengthNorm * ((lengths[cell] ?? 0) / Math.max(1, usual)))
    }
  }
  return scales
}

/** A power of two, at least 1.5 places for each pair, within 2^12 and 2^22. */
function placesFor(pairs: number): number {
  const exponent = Math.ceil(Math.log2(Math.max(1, pairs * 1.5)))
  return 2 ** Math.min(22, Math.max(12, exponent))
}

/** Adds up one operation at a time, then sorts by key: operations stay in catalogue order within a list. */
function createCollector(keys: number) {
  const sums = new Float32Array(keys)
  const flags = new Uint8Array(keys)
  const touched: number[] = []
  const counts = new Int32Array(keys)
  const entryKeys = createColumn(ints)
  const entryDocuments = createColumn(ints)
  const entryWeights = createColumn(floats)
  const entryFlags = createColumn(bytes)

  return {
    add(key: number, weight: number, flag: number): void {
      if (sums[key] === 0) touched.push(key)
      sums[key] = (sums[key] ?? 0) + weight
      if (flag === 1) flags[key] = 1
    },

    close(document: number): void {
      for (const key of touched) {
        const sum = sums[key] ?? 0
        entryKeys.push(key)
        entryDocuments.push(document)
        entryWeights.push(sum / (SATURATION + sum))
        entryFlags.push(flags[key] ?? 0)
        counts[key] = (counts[key] ?? 0) + 1
        sums[key] = 0
        flags[key] = 0
      }
      touched.length = 0
    },

    finish(): { postings: Postings; flags: Uint8Array } {
      const offsets = new Int32Array(keys + 1)
      for (let key = 0; key < keys; key++) offsets[key + 1] = (offsets[key] ?? 0) + (counts[key] ?? 0)
      const next = offsets.slice()
      const given = {
        documents: entryDocuments.finish(),
        weights: entryWeights.finish(),
        flags: entryFlags.finish(),
      }
      const documents = ints(entryKeys.length())
      const weights = floats(entryKeys.length())
      const marks = bytes(entryKeys.length())
      for (const [entry, key] of entryKeys.finish().entries()) {
        const place = next[key] ?? 0
        documents[place] = given.documents[entry] ?? 0
        weights[place] = given.weights[entry] ?? 0
        marks[place] = given.flags[entry] ?? 0
        next[key] = place + 1
      }
      return { postings: { offsets, documents, weights }, flags: marks }
    },
  }
}

const ints = (length: number) => new Int32Array(length)
const floats = (length: number) => new Float32Array(length)
const bytes = (length: number) => new Uint8Array(length)

function titleMassOf({ offsets, documents }: Postings, inTitle: Uint8Array, idf: Float32Array, size: number) {
  const mass = new Float32Array(size)
  for (let term = 0; term < idf.length; term++) {
    for (let at = offsets[term] ?? 0; at < (offsets[term + 1] ?? 0); at++) {
      const document = documents[at] ?? 0
      if (inTitle[at] === 1) mass[document] = (mass[document] ?? 0) + (idf[term] ?? 0)
    }
  }
  return mass
}

/** Operations that belong together: one source, and within it one first tag. */
function groupsOf(documents: readonly SearchDocument[]) {
  const ids = new Map<string, number>()
  const groups = Int32Array.from(documents, ({ source, tags }) => {
    const key = JSON.stringify([source, tags?.[0]])
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    return id
  })
  const groupSizes = new Int32Array(ids.size)
  for (const group of groups) groupSizes[group] = (groupSizes[group] ?? 0) + 1
  return { groups, groupSizes }
}

function countPathParams({ path, params }: SearchDocument): number {
  const count = path === undefined ? params.filter((param) => param.inPath).length : path.split('{').length - 1
  return Math.min(255, count)
}

function namesOf(documents: readonly SearchDocument[]): Map<string, number> {
  const names = new Map<string, number>()
  documents.forEach((document, at) => {
    for (const name of exactNames(document)) if (!names.has(name)) names.set(name, at)
  })
  return names
}
