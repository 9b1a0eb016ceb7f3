import type { Check } from '../check.ts'
import { AGGREGATION } from './aggregation.ts'
import { BATCHES } from './batches.ts'
import { CLEAN_UP } from './clean-up.ts'
import { COLLECTIONS } from './collections.ts'
import { COMPUTED_FIELDS } from './computed-fields.ts'
import { CONCURRENCY_CHECKS } from './concurrency.ts'
import { DATA_TYPES } from './data-types.ts'
import { ENCODING } from './encoding.ts'
import { ENDPOINTS } from './endpoints.ts'
import { ERROR_QUALITY } from './error-quality.ts'
import { FIELD_SELECTION } from './field-selection.ts'
import { HUMAN_CONTROL } from './human-control.ts'
import { INTROSPECTION_DETAILS } from './introspection-details.ts'
import { INTROSPECTION_FIDELITY } from './introspection-fidelity.ts'
import { LEAK_CHECKS } from './leaks.ts'
import { CONSTRAINT_DOCUMENTATION, LEVEL_2_FEATURES, SEMANTIC_EVALUATION } from './level-2.ts'
import { LIFECYCLE } from './lifecycle.ts'
import { MCP_BASICS } from './mcp-basics.ts'
import { PAGINATION } from './pagination.ts'
import { PARAMETER_HANDLING } from './parameter-handling.ts'
import { RELATIONSHIPS } from './relationships.ts'
import { REQUEST_FORMAT } from './request-format.ts'
import { RESPONSES } from './responses.ts'
import { ROUND_TRIP } from './round-trip.ts'
import { TOOLS } from './tools.ts'
import { UPDATES } from './updates.ts'

/** Every check, in the order in which they run: those that look back on the run come last. */
export const CHECKS: readonly Check[] = Object.freeze([
  ...INTROSPECTION_FIDELITY,
  ...PARAMETER_HANDLING,
  ...ERROR_QUALITY,
  ...ROUND_TRIP,
  ...LEVEL_2_FEATURES,
  ...CONSTRAINT_DOCUMENTATION,
  ...SEMANTIC_EVALUATION,
  ...MCP_BASICS,
  ...TOOLS,
  ...REQUEST_FORMAT,
  ...UPDATES,
  ...INTROSPECTION_DETAILS,
  ...ENDPOINTS,
  ...BATCHES,
  ...FIELD_SELECTION,
  ...COLLECTIONS,
  ...PAGINATION,
  ...AGGREGATION,
  ...COMPUTED_FIELDS,
  ...RELATIONSHIPS,
  ...CONCURRENCY_CHECKS,
  ...HUMAN_CONTROL,
  ...LIFECYCLE,
  ...DATA_TYPES,
  ...RESPONSES,
  ...ENCODING,
  ...LEAK_CHECKS,
  ...CLEAN_UP,
])
