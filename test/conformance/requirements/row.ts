export interface Requirement {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  readonly statement: string
  /**
   * Document and section: `spec` the specification, `ops` operations, `integ` MCP integration, `naming` tool names,
   * `mcp` the MCP text; companion documents by name; `choice` where the sources are silent or disagree.
   */
  readonly source: string
  readonly status: 'met' | 'later' | 'waived'
  /** Why a row is `later` or `waived`. */
  readonly reason?: string
  /** The part of a `met` row that is still to come. */
  readonly partly?: string
  /** Requirements that embody a ruling: a case of any of them shows the ruling too. */
  readonly shownBy?: readonly string[]
}

type Standing = Partial<Pick<Requirement, 'status' | 'reason' | 'partly'>>

export function must(id: string, statement: string, source: string, standing: Standing = {}): Requirement {
  return Object.freeze({ id, level: 'MUST', statement, source, status: 'met', ...standing })
}

export function should(id: string, statement: string, source: string, standing: Standing = {}): Requirement {
  return Object.freeze({ id, level: 'SHOULD', statement, source, status: 'met', ...standing })
}

export function may(id: string, statement: string, source: string, standing: Standing = {}): Requirement {
  return Object.freeze({ id, level: 'MAY', statement, source, status: 'met', ...standing })
}

/** A ruling where the sources contradict one another binds like a MUST. */
export function ruling(
  id: string,
  shownBy: readonly string[],
  statement: string,
  standing: Standing = {},
): Requirement {
  return Object.freeze({
    id,
    level: 'MUST',
    statement,
    source: 'contradictions resolved',
    status: 'met',
    shownBy,
    ...standing,
  })
}
