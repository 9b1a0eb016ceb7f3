import type { SearchDocument, SearchParam } from './search-document.ts'

/** What is indexed of a parameter's description, of all of them, and of a list of allowed values. */
const PARAM_LENGTH = 120
const PARAMS_LENGTH = 1_200
const ENUM_VALUES = 12

/** Where words come from, what they count there, and how much a long text weakens them (BM25's b). */
export const FIELDS: readonly SearchField[] = [
  { weight: 3, lengthNorm: 0.5, title: true, pairs: true, texts: ({ name }) => [name] },
  { weight: 2.5, lengthNorm: 0.5, title: true, pairs: true, texts: ({ path }) => [pathWords(path)] },
  { weight: 2.5, lengthNorm: 0.5, title: true, pairs: true, texts: ({ summary }) => [summary ?? ''] },
  { weight: 2, lengthNorm: 0.5, title: false, pairs: true, texts: tagTexts },
  { weight: 1, lengthNorm: 0.75, title: false, pairs: false, texts: (document) => otherParams(document).map(nameOf) },
  { weight: 0.8, lengthNorm: 0.75, title: false, pairs: true, texts: (_, prose) => [prose] },
  { weight: 0.8, lengthNorm: 0.5, title: false, pairs: false, texts: ({ returns }) => [returns ?? ''] },
  { weight: 0.5, lengthNorm: 0.75, title: false, pairs: false, texts: paramProse },
  { weight: 0.5, lengthNorm: 0.5, title: false, pairs: false, texts: pathParamNames },
  { weight: 0.3, lengthNorm: 0.75, title: false, pairs: false, texts: enumTexts },
]

export interface SearchField {
  readonly weight: number
  readonly lengthNorm: number
  /** The field names the operation, so that its words count for the title's precision. */
  readonly title: boolean
  /** Neighbouring words of the field are indexed together. */
  readonly pairs: boolean
  readonly texts: (document: SearchDocument, prose: string) => readonly string[]
}

/** The fixed words of `GET /repos/{owner}/{repo}`. */
export function pathWords(path = ''): string {
  return path.replace(/^[A-Za-z]+ +/, '').replace(/\{[^{}]*\}/g, ' ')
}

function tagTexts({ tags, source }: SearchDocument): readonly string[] {
  return [...(tags ?? []), source ?? '']
}

function otherParams({ params }: SearchDocument): readonly SearchParam[] {
  return params.filter((param) => !param.inPath)
}

function paramProse({ params }: SearchDocument): readonly string[] {
  const texts = params.map((param) => (param.description ?? '').slice(0, PARAM_LENGTH))
  return [texts.join(' ').slice(0, PARAMS_LENGTH)]
}

function pathParamNames({ path = '', params }: SearchDocument): readonly string[] {
  const inPath = Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name)
  return [...new Set([...inPath, ...params.filter((param) => param.inPath).map(nameOf)])]
}

function enumTexts({ params }: SearchDocument): readonly string[] {
  return params.flatMap((param) => (param.enum ?? []).slice(0, ENUM_VALUES).filter(isText))
}

function nameOf(param: SearchParam): string {
  return param.name
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
