/** The tools of one adapter among those that a server, or several, list. */
export interface ToolGroup<T extends { readonly name: string }> {
  /** What stands before `mcpaql` or `mcp_aql`, without the underscore at its end; empty for bare names. */
  readonly prefix: string
  readonly tools: readonly T[]
  /** The tool that takes every operation, where there is one. */
  readonly unified?: T
  /** Endpoint family → tool. */
  readonly families: ReadonlyMap<string, T>
}

/**
 * MULTI-04. Groups tools by the part of their name before `mcpaql` or `mcp_aql`; each group answers `introspect` for
 * itself. Tools without that word in their name are left out.
 */
export function groupTools<T extends { readonly name: string }>(tools: readonly T[]): readonly ToolGroup<T>[] {
  const groups = new Map<string, { tools: T[]; families: Map<string, T>; unified?: T }>()
  for (const tool of tools) {
    const found = SEGMENT.exec(tool.name)
    if (!found) continue
    const [, prefix = '', family] = found
    const group = groups.get(prefix) ?? { tools: [], families: new Map<string, T>() }
    groups.set(prefix, group)
    group.tools.push(tool)
    if (family === undefined) group.unified = tool
    else group.families.set(family, tool)
  }
  return [...groups].map(([prefix, group]) => ({ prefix, ...group }))
}

/** `{prefix_}mcpaql{_family}`. The first such word counts; it must be a whole one. */
const SEGMENT = /^(?:(.*?)_)?(?:mcpaql|mcp_aql)(?:_(.+))?$/
