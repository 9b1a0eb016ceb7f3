import { EVENT_ID, getScalarValue, loadAll, parseEvents, YAMLException } from 'js-yaml'
import type { ConfigLayer } from '../config.ts'
import { EXIT, type Stop, stop } from './command.ts'

const BOUNDS = { maxDepth: 10, maxAliases: 0 }

/** A file of settings: one mapping. Kept apart so that the parser is loaded only when there is a file. */
export function readYaml(source: string, file: string): ConfigLayer | Stop {
  let documents: unknown[]
  let lines: ReadonlyMap<string, number>
  try {
    documents = loadAll(source, BOUNDS)
    lines = keyLines(source)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = error.mark ? `:${error.mark.line + 1}` : ''
    return stop(
      EXIT.badUsage,
      `${file}${line}: ${error.reason}`,
      'The file must be YAML: one setting a line, as in endpoint_mode: single',
    )
  }
  const [values, second] = documents
  if (second !== undefined) return stop(EXIT.badUsage, `${file}: expected one document, found ${documents.length}`)
  if (values === undefined || values === null) return { values: {}, where: () => file }
  if (typeof values !== 'object' || Array.isArray(values)) {
    return stop(EXIT.badUsage, `${file}:1: expected settings, one a line, as in endpoint_mode: single`)
  }
  return { values: { ...values }, where: (name) => `${file}:${lines.get(name) ?? 1}` }
}

/** The line of each key of the outermost mapping, from the parser's events: key and value take turns. */
function keyLines(source: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  let depth = 0
  let isKey = true
  let at = 0
  let line = 1
  for (const event of parseEvents(source, BOUNDS)) {
    if (event.type === EVENT_ID.DOCUMENT) continue
    if (event.type === EVENT_ID.POP) {
      depth--
      continue
    }
    if (depth === 1) {
      if (isKey && event.type === EVENT_ID.SCALAR) {
        for (; at < event.valueStart; at++) if (source.charCodeAt(at) === NEWLINE) line++
        lines.set(getScalarValue(source, event), line)
      }
      isKey = !isKey
    }
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) depth++
  }
  return lines
}

const NEWLINE = 10
