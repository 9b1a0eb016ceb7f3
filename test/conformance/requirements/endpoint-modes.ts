import { may, must, type Requirement, should } from './row.ts'

/** Endpoint modes and profiles. */
export const MODE: readonly Requirement[] = [
  must(
    'MODE-01',
    'Both `semantic` mode (one tool per family) and `single` mode (one unified tool) are implemented; one of them suffices for Level 1, both are needed for Level 2.',
    'spec 3.3, 10.1',
  ),
  should(
    'MODE-02',
    '`MCP_AQL_ENDPOINT_MODE` selects `semantic`, `single` or `all` (the family tools plus the unified tool, optional) and `MCP_AQL_ENDPOINT_PROFILE` the profile, `crude` or an adapter-defined name; the older mode value `crude` is accepted and means `semantic` with profile `crude`.',
    'modes 3.1, 8.3, crude 4.3',
  ),
  should(
    'MODE-03',
    'Without configuration the server starts in `semantic` mode with profile `crude`; an unknown mode or profile value stops start-up with a message listing the accepted values.',
    'modes 3.2, choice',
  ),
  must(
    'MODE-04',
    'The `crude` profile registers all five families `create`, `read`, `update`, `delete`, `execute`, even if one of them has no operation; a server that exposes fewer families declares its own profile name instead of `crude`.',
    'crude 7.1, choice (fewer)',
  ),
  may(
    'MODE-05',
    'An adapter defines other profiles (for example `discover`/`query`/`manage`/`operate`, or CRUDE plus `authorize`) whose families have intent-revealing names and may mix categories.',
    'spec 3.3, modes 4.4-4.8',
  ),
  must(
    'MODE-06',
    'Every operation has exactly one category and, in semantic mode, exactly one family; registration fails on zero or several.',
    'spec 6.2, ops 5.1',
  ),
  must(
    'MODE-07',
    "In semantic mode an operation that arrives on any tool other than its own family's is refused with `VALIDATION_ENDPOINT_MISMATCH` and its handler is not run.",
    'spec 6.2, 10.1, ops 6.3',
  ),
  must(
    'MODE-08',
    'Single mode accepts every operation on the one tool and applies the same validation, permission, danger and confirmation rules as semantic mode.',
    'modes 5.3, 6.4, 8.1',
  ),
  should(
    'MODE-09',
    '`_protocol.mode` reports `semantic`, `single` or `all` (never `crude`) and `_protocol.profile` reports the active profile, `crude` by default.',
    'introspection 4.1.1, modes 3.3',
  ),
]
