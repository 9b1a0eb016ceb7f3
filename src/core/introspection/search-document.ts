import type { SemanticCategory } from '../../protocol/categories.ts'

/** One operation as the search sees it. */
export interface SearchDocument {
  /** The operation's name, in snake_case. */
  readonly name: string
  readonly category: SemanticCategory
  readonly summary?: string
  readonly description: string
  /** Method and path where the operation has them: `GET /repos/{owner}/{repo}`. */
  readonly path?: string
  readonly tags?: readonly string[]
  readonly source?: string
  readonly params: readonly SearchParam[]
  /** The name of what the operation returns. */
  readonly returns?: string
  readonly deprecated?: boolean
}

export interface SearchParam {
  readonly name: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly inPath?: boolean
}
