import { canonicalJson } from '../canonical-json.ts'
import { isMasked, maskOf } from '../masked.ts'

/** What an update would change, against the state that its paired READ has just shown. */
export interface Diff {
  readonly readAt: number
  readonly fields: readonly FieldDiff[]
  readonly unchanged: number
}

export interface FieldDiff {
  readonly path: string
  readonly lines: readonly DiffLine[]
}

export interface DiffLine {
  readonly sign: '-' | '+' | ' '
  readonly text: string
  /** The whole value is masked; the text is none of its own. */
  readonly isMasked?: true
}

/** Every bound value that names a field of the state and differs from it; both as a record holds them. */
export function diffOf(before: unknown, params: Readonly<Record<string, unknown>>, readAt: number): Diff | undefined {
  if (!isObject(before)) return undefined
  const proposed = Object.entries(params).flatMap(([name, value]) =>
    isObject(value) && !isMasked(value) && !Object.hasOwn(before, name)
      ? Object.entries(value)
      : [[name, value] as const],
  )
  const known = proposed
    .filter(([name]) => Object.hasOwn(before, name))
    .map(([path, value]) => ({ path, old: veiled(before[path] ?? null, value), value: value ?? null }))
  const changed = known.filter(({ old, value }) => mayDiffer(old, value))
  const fields = changed.map(({ path, old, value }) => ({ path, lines: linesOf(old, value) }))
  return { readAt, fields, unchanged: Object.keys(before).length - changed.length }
}

/** What is masked on both sides may be the same or not: nobody can tell, so it is shown. */
function mayDiffer(old: unknown, value: unknown): boolean {
  return holdsMask(value) || canonicalJson(old) !== canonicalJson(value)
}

function holdsMask(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isMasked(value) || Object.values(value).some(holdsMask)
}

/** A masked value is a line of its own, so that no text can be taken for one. */
function linesOf(old: unknown, value: unknown): readonly DiffLine[] {
  if (!isMasked(old) && !isMasked(value)) return diffLines(textOf(old), textOf(value))
  return [...wholly('-', old), ...wholly('+', value)]
}

function wholly(sign: '-' | '+', value: unknown): readonly DiffLine[] {
  return isMasked(value) ? [{ sign, text: '', isMasked: true }] : textOf(value).split('\n').map(signed(sign))
}

/** VAL-10: where the new value is a secret, the old one is one too. */
function veiled(old: unknown, value: unknown): unknown {
  if (old === null || isMasked(old)) return old
  if (isMasked(value)) return maskOf(old)
  if (Array.isArray(value)) return holdsMask(value) ? maskOf(old) : old
  if (!isObject(value) || !isObject(old)) return old
  return Object.fromEntries(Object.entries(old).map(([name, inner]) => [name, veiled(inner, value[name])]))
}

/** Every field of two definitions that differs, whole. */
export function fieldDiffs(before: unknown, after: unknown): readonly FieldDiff[] {
  const [a, b] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const differs = (name: string) => canonicalJson(a[name] ?? null) !== canonicalJson(b[name] ?? null)
  return names.filter(differs).map((path) => ({ path, lines: changedLines(a[path], b[path]) }))
}

/** What is new has no line before it, and what is gone none after it. */
function changedLines(before: unknown, after: unknown): readonly DiffLine[] {
  if (before === undefined) return textOf(after).split('\n').map(signed('+'))
  return after === undefined ? textOf(before).split('\n').map(signed('-')) : diffLines(textOf(before), textOf(after))
}

/** By longest common subsequence; texts with very many lines are shown whole, the old one first. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  if (a.length * b.length > MOST_CELLS) return [...a.map(signed('-')), ...b.map(signed('+'))]
  const common = lengths(a, b)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      lines.push({ sign: ' ', text: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push({ sign: '-', text: left })
      i++
    } else {
      lines.push({ sign: '+', text: right ?? '' })
      j++
    }
  }
  return lines
}

const MOST_CELLS = 250_000

function lengths(a: readonly string[], b: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    const row = table[i] as Uint32Array
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  }
  return table
}

function at(table: readonly Uint32Array[], i: number, j: number): number {
  return table[i]?.[j] ?? 0
}

function signed(sign: '-' | '+'): (text: string) => DiffLine {
  return (text) => ({ sign, text })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
