import { type Budget, spend } from './budget.ts'
import { wordSet } from './options.ts'
import { known, type Stream } from './scope.ts'

/** Stands for all variables of the environment among the names of those that are printed or sent. */
export const WHOLE_ENVIRONMENT = '*'

/** The names of the variables that a command prints with their values, as far as its words and its input say. */
export function printedVariables(
  name: string,
  args: readonly string[],
  stdin: Stream,
  budget: Budget,
): readonly string[] {
  const plain = args.map(known)
  const operands = plain.filter((arg) => !arg.startsWith('-'))
  if (name === 'env') return operands.every((arg) => arg.includes('=')) ? WHOLE : []
  if (name === 'printenv') return operands.length > 0 ? operands : WHOLE
  if (name === 'set') return args.length === 0 ? WHOLE : []
  if (LISTS.has(name)) return listedBy(plain, operands)
  if (!INTERPRETERS.test(name)) return []
  const isQuery = QUERIES.test(name)
  const given = stdin.kind === 'text' ? [...plain, known(stdin.text)] : plain
  const read = given.filter((code) => spend(budget, code.length / 8) && /env/i.test(code))
  return read.flatMap((code) => variablesRead(code, isQuery))
}

const WHOLE: readonly string[] = [WHOLE_ENVIRONMENT]
const LISTS = wordSet('export declare typeset readonly local')
const INTERPRETERS =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy3?|perl[\d.]*|ruby[\d.]*|irb|php[\d.]*|luajit|lua[\d.]*|rscript|julia|raku|tclsh|groovy|elixir|pwsh|powershell|osascript|[gmn]?awk|g?jq|gojq|jaq|yq)$/
/** Languages in which `env` is the environment itself. */
const QUERIES = /jq$|^jaq$|^yq$/

/** `export`, `declare -x`, `declare -p NAME`; with other words variables are set and not shown, and `-f` shows functions. */
function listedBy(plain: readonly string[], operands: readonly string[]): readonly string[] {
  if (operands.length === 0) return plain.some((arg) => /^-[a-z]*f/i.test(arg)) ? [] : WHOLE
  return plain.some((arg) => /^-[a-z]*p/.test(arg)) ? operands : []
}

/** What code reads of the environment: a name that it spells out, otherwise all of it. */
function variablesRead(code: string, isQuery: boolean): readonly string[] {
  const found = [...code.slice(0, LONGEST_CODE).matchAll(isQuery ? QUERY_READS : READS)]
  return found
    .slice(0, MOST_READS)
    .map(({ 0: read, index }) => nameBehind(code.slice(index + read.length, index + 200)))
}

const LONGEST_CODE = 12_000
const MOST_READS = 32
const READS =
  /\b(?:process|Deno|Bun|import\.meta)\.env\b|\benvironb?\b|\bgetenvb?\b|\bGetEnvironmentVariables?\b|\bENVIRON\b|\bENV\b|\$::env\b|\$env[:(]|\$_ENV\b|\bSys\.getenv\b/g
const QUERY_READS = /(?<![.\w"'$-])(?:\$ENV|strenv|env)\b(?!["':]|\.[a-z])/g

/** `["NAME"]`, `.get('NAME')`, `('NAME')`; `.NAME`; `{NAME}`, `(NAME)`; `$env:NAME` of PowerShell. */
const NAMES: readonly RegExp[] = [
  /^(?:\.(?:get|fetch|dig))?\s{0,4}[[({]{1,2}\s{0,4}["'`]([A-Za-z_]\w*)["'`]/,
  /^\.([A-Z_][A-Z\d_]*)\b/,
  /^[{(]([A-Z_][A-Z\d_]*)[)}]/,
  /^([A-Z_][A-Z\d_]*)/,
]

function nameBehind(rest: string): string {
  for (const pattern of NAMES) {
    const name = pattern.exec(rest)?.[1]
    if (name !== undefined) return name
  }
  return WHOLE_ENVIRONMENT
}
