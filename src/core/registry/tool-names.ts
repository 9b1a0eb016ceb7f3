import type { EndpointMode, EndpointProfile } from '../../protocol/endpoints.ts'

/** TOOL-01: the default template. The unified tool drops the endpoint and the underscore before it. */
export const DEFAULT_PATTERN = '{adapter}_mcpaql_{endpoint}'

/** TOOL-02: names that can be asked for in place of a pattern. */
export const NAMED_PATTERNS: Readonly<Record<string, string>> = Object.freeze({
  classic: 'mcp_aql_{endpoint}',
  bare: 'mcpaql_{endpoint}',
})

const PREFIX = /^[a-z0-9_]*_$/
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/

export interface ToolNames {
  readonly families: ReadonlyMap<string, string>
  /** The unified tool's name, where the mode has one. */
  readonly unified?: string
}

export interface NamingRules {
  readonly adapter: string
  readonly pattern?: string
  /** `MCP_AQL_TOOL_PREFIX` (MULTI-02); wins over the pattern. */
  readonly prefix?: string
}

/** TOOL-01 to TOOL-04, MULTI-02. Throws with the reason when a name cannot be made. */
export function nameTools(profile: EndpointProfile, mode: EndpointMode, rules: NamingRules): ToolNames {
  const template = templateOf(rules)
  const fill = (endpoint: string | undefined) => checked(fillIn(template, snakeCase(rules.adapter), endpoint))
  const families = new Map(mode === 'single' ? [] : profile.families.map(({ name }) => [name, fill(name)] as const))
  const names = { families, ...(mode !== 'semantic' && { unified: fill(undefined) }) }
  const all = [...families.values(), ...(names.unified ? [names.unified] : [])]
  if (new Set(all).size < all.length)
    throw new Error(`Tool names collide: ${all.join(', ')}. Use {endpoint} in the pattern.`)
  return names
}

function templateOf({ pattern, prefix }: NamingRules): string {
  if (prefix === undefined || prefix === '') {
    if (pattern === undefined) return DEFAULT_PATTERN
    return Object.hasOwn(NAMED_PATTERNS, pattern) ? (NAMED_PATTERNS[pattern] ?? pattern) : pattern
  }
  if (!PREFIX.test(prefix)) {
    throw new Error(`Tool prefix '${prefix}' must be lower-case letters, digits and underscores, and end with one.`)
  }
  return `${prefix}mcp_aql_{endpoint}`
}

function fillIn(template: string, adapter: string, endpoint: string | undefined): string {
  const named = template.replaceAll('{adapter}', adapter)
  return endpoint === undefined
    ? named.replaceAll('_{endpoint}', '').replaceAll('{endpoint}_', '').replaceAll('{endpoint}', '')
    : named.replaceAll('{endpoint}', endpoint)
}

function checked(name: string): string {
  if (!TOOL_NAME.test(name)) throw new Error(`'${name}' is not a tool name: 1 to 128 of A-Z a-z 0-9 _ . -`)
  return name
}

/** `apple-mail` and `AppleMail` give `apple_mail`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase()
}
