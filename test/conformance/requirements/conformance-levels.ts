import { must, type Requirement, should } from './row.ts'

/** Conformance levels and categories. */
export const CONF: readonly Requirement[] = [
  must(
    'CONF-01',
    'Level 1 needs: one endpoint mode, `introspect` for operations and types, the request and response forms, correct categories, families and categories visible in introspection, refusal on the wrong family.',
    'spec 10.1, conformance 2.1',
  ),
  must(
    'CONF-02',
    'Level 2 needs Level 1, both modes and a passing conformance suite; field selection and batch should be present.',
    'spec 10.1, conformance 2.2',
  ),
  must(
    'CONF-03',
    'A conformance claim states the level and the specification version, documents operations by introspection and lists extensions, which must not contradict the core.',
    'spec 10.2, 10.3, conformance 2.3',
  ),
  must(
    'CONF-04',
    'Four categories must pass for Level 1: Introspection Fidelity (4 tests), Parameter Handling (4), Error Quality (3), Round-Trip Integrity (2), 13 tests in all.',
    'conformance 4.1',
  ),
  should(
    'CONF-05',
    'Three more categories should pass for Level 2: Level 2 Features (3), Constraint Documentation (2), Semantic Evaluation; outcomes are PASS, FAIL, WARN, SKIP, a failure here counts as WARN, and a semantic check passes when structural and semantic tiers agree, warns when only the semantic one passes and fails otherwise.',
    'conformance 1.3, 4.2, 5.2',
  ),
  must(
    'CONF-06',
    'Create then read returns every submitted field unchanged, and an update leaves untargeted fields as they were.',
    'conformance 3.4',
  ),
  should(
    'CONF-07',
    'The report has `implementation`, `version`, `specVersion`, `requestedLevel`, `conformanceLevel`, `summary` (`total`, `passed`, `warned`, `failed`, `skipped`) and `categories` (`name`, `required`, `result`, `tests`).',
    'conformance 6.1',
  ),
  should(
    'CONF-08',
    'The runner `mcpaql-conformance` has the commands `test`, `verify-fixtures`, `report`, `version`, the options `--level`/`-l` (1), `--output`/`-o`, `--format`/`-f` (`text`; `json`, `markdown`), `--tier` (`both`; `1`, `2`), `--category`/`-c`, and exit codes 0 pass, 1 failed, 2 warned, 3 configuration error (this alias only; `mcpaql conformance` uses the exit codes of the other commands).',
    'conformance 7',
  ),
  should(
    'CONF-09',
    'The implementation can emit an evidence bundle the published runner accepts: `endpoint_modes` with `crude` and `single`, `capabilities.field_selection` and `capabilities.batch_operations`, `introspection`, `accepted_parameters`, parameter, error, round-trip and update evidence, and a `batch_example` valid as an operation result.',
    'conformance 1.1 (reference runner)',
  ),
]
