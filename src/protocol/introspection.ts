import type { SemanticCategory } from './categories.ts'
import type { Lifecycle } from './lifecycle.ts'

/** Introspection §3.2: exactly these keys. */
export interface OperationInfo {
  readonly name: string
  readonly semantic_category: SemanticCategory
  readonly endpoint: string
  readonly description: string
}

/** Introspection §3.3. */
export interface OperationDetails extends OperationInfo {
  readonly mcpTool: string
  readonly permissions: { readonly readOnly: boolean; readonly destructive: boolean }
  readonly parameters: readonly ParameterInfo[]
  readonly returns: TypeInfo
  readonly examples?: readonly Example[]
  readonly computed_fields?: readonly ComputedFieldInfo[]
  readonly aggregation_support?: AggregationSupport
  readonly relationship_capabilities?: RelationshipCapabilities
  readonly lifecycle?: Lifecycle
}

export interface Example {
  readonly request: unknown
  readonly description?: string
}

/** Introspection §3.4: exactly these keys. */
export interface ParameterInfo {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly items?: unknown
  readonly sensitive?: boolean
}

export const TYPE_KINDS = ['enum', 'object', 'union', 'scalar'] as const

export type TypeKind = (typeof TYPE_KINDS)[number]

/** Introspection §3.5. */
export interface TypeInfo {
  readonly name: string
  readonly kind: TypeKind
  readonly description?: string
}

/** Introspection §3.6: which of the three lists is present follows from `kind`. */
export interface TypeDetails extends TypeInfo {
  readonly values?: readonly string[]
  readonly fields?: readonly ParameterInfo[]
  readonly members?: readonly string[]
}

/** Computed fields document §4. */
export interface ComputedFieldInfo {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly filterable?: boolean
  readonly sortable?: boolean
}

/** Aggregations document §5. */
export interface AggregationSupport {
  readonly supported: boolean
  readonly default_mode?: 'summary_only' | 'include_items'
  readonly functions?: readonly string[]
  readonly groupable_fields?: readonly string[]
  readonly numeric_fields?: readonly string[]
}

/** Relationship queries document §6. */
export interface RelationshipCapabilities {
  readonly supported: boolean
  readonly directions?: readonly string[]
  readonly relationship_types?: readonly string[]
  readonly max_depth?: number
}

/** What `introspect` can be asked for (INT-02, X-38). */
export const QUERY_KINDS = ['operations', 'types', 'search', 'danger', 'adapter_info', 'quota_status', 'rest'] as const

export type QueryKind = (typeof QUERY_KINDS)[number]
