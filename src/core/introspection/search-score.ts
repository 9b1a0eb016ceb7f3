import { CATEGORY_NAMES, type SemanticCategory } from '../../protocol/categories.ts'
import { type CatalogueIndex, idfOf, pairKey } from './search-index.ts'
import type { Query } from './search-query.ts'

/** What each step of the score is worth. Round numbers on a flat plateau: not an optimum, and not to be tuned further. */
const PAIRS = 0.3
const TITLE = 0.3
const PARTS = 0.4
const GROUP = 0.6
const GROUP_SIZE = 0.1
const INTENT = 1.2
const MISSING_VALUE = 0.08
const UNUSED_VALUE = 0.02
const DEPRECATED = 0.7

/** A term that is repeated counts more, up to this. */
const MOST_REPEATED = 2

/** The factors of a score, in the order in which they are applied; the score is their product. */
const FACTORS = ['terms', 'pairs', 'title', 'parts', 'group', 'category', 'path', 'deprecated'] as const

export type Factor = (typeof FACTORS)[number]

/** The best operations for a question; read it before the next question is scored. */
export interface Scored {
  /** Best first; among equals in catalogue order. */
  readonly best: readonly Ranked[]
  /** 0 for an operation that shares no word with the question. */
  scoreOf(document: number): number
  /** Empty for an operation that shares no word with the question. */
  factorsOf(document: number): Readonly<Partial<Record<Factor, number>>>
}

export type Scorer = (query: Query, category: SemanticCategory | undefined, limit: number) => Scored

/** Reuses its accumulators: a question only touches the operations that share a word with it. */
export function createScorer(index: CatalogueIndex): Scorer {
  const { size, terms, pairs, inTitle, idf, groups, groupSizes } = index
  const termSum = new Float32Array(size)
  const pairSum = new Float32Array(size)
  const titleSum = new Float32Array(size)
  const titleFactors = new Float32Array(size)
  const relevance = new Float32Array(size)
  const partSums: Float32Array[] = []
  const touched = new Int32Array(size)
  const isTouched = new Uint8Array(size)
  let touchedCount = 0
  const current = new Float32Array(size)
  const currentTouched = new Int32Array(size)
  const groupSum = new Float32Array(groupSizes.length)
  const groupBest = new Float32Array(groupSizes.length)
  const groupShare = Float32Array.from(groupSizes, (count) => 1 / (1 + GROUP_SIZE * Math.log(count)))
  const factors = new Float64Array(FACTORS.length)

  return (query, category, limit) => {
    clear()
    while (query.parts > 1 && partSums.length < query.parts) partSums.push(new Float32Array(size))
    const parts = query.parts > 1 ? query.parts : 0
    const masses = addTerms(query, parts)
    addPairs(query, parts)
    addTitles(query)
    const most = relate(parts, masses)
    const fits = fitByCategory(query, category)
    const score = (document: number) => multiply(document, query.values, fits, most)
    return {
      best: selectBest(touched, touchedCount, limit, score),
      scoreOf: (document) => (isTouched[document] === 1 ? score(document) : 0),
      factorsOf(document) {
        if (isTouched[document] !== 1) return {}
        score(document)
        return Object.fromEntries(FACTORS.map((name, at) => [name, factors[at] ?? 1]))
      },
    }
  }

  function clear(): void {
    for (let at = 0; at < touchedCount; at++) {
      const document = touched[at] ?? 0
      termSum[document] = pairSum[document] = titleSum[document] = relevance[document] = 0
      isTouched[document] = 0
      for (const sum of partSums) sum[document] = 0
      groupSum[groups[document] ?? 0] = 0
    }
    touchedCount = 0
  }

  /** A term counts its best alternative, never their sum. Returns the weight of all terms, in the text and each part. */
  function addTerms(query: Query, parts: number) {
    let total = 0
    const ofPart = new Float64Array(parts)
    for (const { alternatives, idf: own, weight, count, counts } of query.terms) {
      const mass = weight * own
      total += mass * repeated(count)
      for (let part = 0; part < parts; part++) ofPart[part] = (ofPart[part] ?? 0) + mass * repeated(counts[part] ?? 0)

      let found = 0
      for (const { id, likeness } of alternatives) {
        const value = likeness * Math.min(idf[id] ?? 0, own) * weight
        for (let at = terms.offsets[id] ?? 0, end = terms.offsets[id + 1] ?? 0; at < end; at++) {
          const document = terms.documents[at] ?? 0
          const score = value * (terms.weights[at] ?? 0)
          const before = current[document] ?? 0
          if (before === 0) currentTouched[found++] = document
          if (score > before) current[document] = score
        }
      }
      for (let at = 0; at < found; at++) {
        const document = currentTouched[at] ?? 0
        const score = current[document] ?? 0
        touch(document)
        termSum[document] = (termSum[document] ?? 0) + score * repeated(count)
        for (let part = 0; part < parts; part++) {
          const times = counts[part] ?? 0
          const sum = partSums[part]
          if (times > 0 && sum !== undefined) sum[document] = (sum[document] ?? 0) + score * repeated(times)
        }
        const group = groups[document] ?? 0
        if (score > (groupBest[group] ?? 0)) groupBest[group] = score
      }
      for (let at = 0; at < found; at++) {
        const document = currentTouched[at] ?? 0
        const group = groups[document] ?? 0
        groupSum[group] = (groupSum[group] ?? 0) + (groupBest[group] ?? 0) * repeated(count)
        groupBest[group] = 0
        current[document] = 0
      }
    }
    return { total, ofPart }
  }

  function touch(document: number): void {
    if (isTouched[document] === 1) return
    isTouched[document] = 1
    touched[touchedCount++] = document
  }

  function addPairs(query: Query, parts: number): void {
    const places = pairs.offsets.length - 1
    for (const { first, second, weight, part } of query.pairs) {
      const key = pairKey(first, second, places)
      const value = PAIRS * weight * idfOf(pairs, key, size)
      const partSum = parts > 0 ? partSums[part] : undefined
      for (let at = pairs.offsets[key] ?? 0, end = pairs.offsets[key + 1] ?? 0; at < end; at++) {
        const document = pairs.documents[at] ?? 0
        if (isTouched[document] !== 1) continue
        const score = value * (pairs.weights[at] ?? 0)
        pairSum[document] = (pairSum[document] ?? 0) + score
        if (partSum !== undefined) partSum[document] = (partSum[document] ?? 0) + score
      }
    }
  }

  /** What of each operation's title the question names. */
  function addTitles(query: Query): void {
    const likeness = new Map<number, number>()
    for (const { alternatives } of query.terms) {
      for (const found of alternatives) likeness.set(found.id, Math.max(found.likeness, likeness.get(found.id) ?? 0))
    }
    for (const [id, like] of likeness) {
      const value = like * (idf[id] ?? 0)
      for (let at = terms.offsets[id] ?? 0, end = terms.offsets[id + 1] ?? 0; at < end; at++) {
        if (inTitle[at] !== 1) continue
        const document = terms.documents[at] ?? 0
        titleSum[document] = (titleSum[document] ?? 0) + value
      }
    }
  }

  function relate(parts: number, masses: { readonly total: number; readonly ofPart: Float64Array }) {
    let most = 0
    let mostGroup = 0
    const mostOfPart = new Float64Array(parts)
    for (let at = 0; at < touchedCount; at++) {
      const document = touched[at] ?? 0
      const title = titleFactor(document)
      titleFactors[document] = title
      const value = (((termSum[document] ?? 0) + (pairSum[document] ?? 0)) / masses.total) * title
      relevance[document] = value
      if (value > most) most = value
      for (let part = 0; part < parts; part++) {
        const ofPart = partRelevance(document, part, masses.ofPart)
        if (ofPart > (mostOfPart[part] ?? 0)) mostOfPart[part] = ofPart
      }
      const group = groupValue(groups[document] ?? 0)
      if (group > mostGroup) mostGroup = group
    }
    return { ...masses, most, mostGroup, mostOfPart }
  }

  function multiply(document: number, values: number, fits: Float64Array, most: ReturnType<typeof relate>): number {
    const base = termSum[document] ?? 0
    factors[0] = base / most.total
    factors[1] = (base + (pairSum[document] ?? 0)) / base
    factors[2] = titleFactors[document] ?? 1
    factors[3] = partFactor(document, most)
    factors[4] = 1 + (GROUP * groupValue(groups[document] ?? 0)) / most.mostGroup
    factors[5] = fits[index.categories[document] ?? 0] ?? 1
    factors[6] = pathFactor(document, values)
    factors[7] = index.deprecated[document] === 1 ? DEPRECATED : 1
    let score = 1
    for (let at = 0; at < factors.length; at++) score *= factors[at] ?? 1
    return score
  }

  function titleFactor(document: number): number {
    const mass = index.titleMass[document] ?? 0
    return mass === 0 ? 1 : 1 + (TITLE * (titleSum[document] ?? 0)) / mass
  }

  /** An operation that answers one part of the question well need not answer the others. */
  function partFactor(document: number, most: ReturnType<typeof relate>): number {
    let best = 0
    for (let part = 0; part < most.mostOfPart.length; part++) {
      const top = most.mostOfPart[part] ?? 0
      if (top > 0) best = Math.max(best, (partRelevance(document, part, most.ofPart) / top) * Math.min(1, top))
    }
    return 1 + (PARTS * most.most * best) / (relevance[document] ?? 1)
  }

  function partRelevance(document: number, part: number, masses: Float64Array): number {
    const mass = masses[part] ?? 0
    return mass === 0 ? 0 : ((partSums[part]?.[document] ?? 0) / mass) * (titleFactors[document] ?? 1)
  }

  /** A value too few for the operation's path counts against it; one that has no place in it decides between equals. */
  function pathFactor(document: number, values: number): number {
    const places = index.pathParams[document] ?? 0
    const unused = places === 0 && values > 0 ? 1 : 0
    return 1 / (1 + MISSING_VALUE * Math.max(0, places - values) + UNUSED_VALUE * unused)
  }

  function groupValue(group: number): number {
    return (groupSum[group] ?? 0) * (groupShare[group] ?? 0)
  }
}

/** What each category is worth: by the one that was asked for, or by what the asker seems to want. */
function fitByCategory({ intent }: Query, asked: SemanticCategory | undefined): Float64Array {
  const worth = (own: SemanticCategory) => (asked === undefined ? 1 + INTENT * intent[own] : nearness(asked, own))
  return Float64Array.from(CATEGORY_NAMES, worth)
}

/** A category is a strong wish, not a filter: a POST that updates is often filed as CREATE. */
function nearness(wanted: SemanticCategory, own: SemanticCategory): number {
  if (wanted === own) return 1
  if (wanted !== 'READ' && own !== 'READ') return wanted === 'DELETE' || own === 'DELETE' ? 0.06 : 0.25
  return wanted === 'READ' && (own === 'CREATE' || own === 'EXECUTE') ? 0.06 : 0.01
}

function repeated(count: number): number {
  return Math.min(MOST_REPEATED, Math.sqrt(count))
}

/** The few best of many without sorting all: most operations fall below the worst of those kept. */
function selectBest(documents: Int32Array, count: number, limit: number, scoreOf: (document: number) => number) {
  const kept: Ranked[] = []
  const mostKept = 2 * limit + KEPT_AT_LEAST
  let worst = 0
  for (let at = 0; at < count; at++) {
    const document = documents[at] ?? 0
    const score = scoreOf(document)
    if (!(score > 0) || score < worst) continue
    kept.push({ document, score })
    if (kept.length < mostKept) continue
    kept.sort(byRank).splice(limit)
    worst = kept[limit - 1]?.score ?? 0
  }
  return kept.sort(byRank).slice(0, limit)
}

const KEPT_AT_LEAST = 32

export interface Ranked {
  readonly document: number
  readonly score: number
}

function byRank(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.document - b.document
}
