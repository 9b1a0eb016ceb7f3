import { TRANSPORT_MUTANTS } from './mutants/bytes.ts'
import { FEATURE_MUTANTS } from './mutants/features.ts'
import { HUMAN_CONTROL_MUTANTS } from './mutants/human-control.ts'
import { INTROSPECTION_MUTANTS } from './mutants/introspection.ts'
import { PUBLISHED_MUTANTS } from './mutants/published.ts'
import { REQUEST_MUTANTS } from './mutants/requests.ts'
import type { Mutants } from './mutations.ts'

/** For each check by its id: at least one server that it must not pass. */
export const MUTANTS: Mutants = {
  ...PUBLISHED_MUTANTS,
  ...REQUEST_MUTANTS,
  ...INTROSPECTION_MUTANTS,
  ...FEATURE_MUTANTS,
  ...HUMAN_CONTROL_MUTANTS,
  ...TRANSPORT_MUTANTS,
}
