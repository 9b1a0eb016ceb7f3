import { must, type Requirement, should } from './row.ts'

/** Adapters generated from a schema. */
export const GEN: readonly Requirement[] = [
  must(
    'GEN-01',
    'The input (YAML or JSON) has `schema_version` (string `1.0`), `adapter` {`name`, `display_name`, `version`, `description`, `target_api` {`name`, `base_url`, optional `version`}}, optional `auth` {`type`: `api_key`, `oauth2`, `bearer`, `basic`, `none`; `config`}, `endpoints` {`create`, `read`, `update`, `delete`, `execute`, all optional} and optional `types`.',
    'gen 2.1',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-02',
    'An operation has `name`, `description`, `params`, `returns` (required), `danger_level` (five levels) and `http` {`method` GET, POST, PUT, PATCH, DELETE; `path`}; a parameter has `name`, `type`, `required`, `description`, `default`; a type definition has `name` and `fields`.',
    'gen 2.1',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-03',
    'A type reference is `string`, `integer`, `number`, `boolean`, `object`, `array`, `{array: T}`, `{object: {field: T}}` or `{ref: Name}`, and each `ref` resolves to an entry in `types`.',
    'gen 2.1, 2.2',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-04',
    'Validation reports `SCHEMA_MISSING_FIELD`, `SCHEMA_INVALID_TYPE`, `SCHEMA_UNRESOLVED_REF`, `SCHEMA_DUPLICATE_NAME` or `SCHEMA_INVALID_NAME`, collects all findings in one run, and writes nothing when there is one.',
    'gen 2.2',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-05',
    'Each finding has the field path (`endpoints.read[0].params[2].name`), expected and actual type or value, and a suggestion where one can be derived (details keys `field_path`, `expected_type`, `actual_type`, `actual_value`, `suggestion`).',
    'gen 2.2',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-06',
    'Adapter, operation, parameter and field names are snake_case, type names may also be PascalCase; operation names are unique across all endpoints, type names among themselves.',
    'gen 2.2, 2.3; elem 7.3; R-41',
    { status: 'later', reason: 'adapter generator' },
  ),
  should(
    'GEN-07',
    'An unknown `schema_version` gives `SCHEMA_VERSION_UNSUPPORTED` with `supported_versions`, a deprecated one `SCHEMA_VERSION_DEPRECATED` with `migration_guide`; an unquoted 1.0 is `SCHEMA_INVALID_TYPE`.',
    'gen 2.4',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-08',
    'The output contains `README.md`, `MCPAQL-PROVENANCE.json`, `schema/adapter.yaml`, `src/index`, `src/operations/` with `create`, `read`, `update`, `delete`, `execute`, `src/types/`, `src/utils/` and `tests/conformance/`, with the file extension of the target language.',
    'gen 3.1',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-09',
    'The generated adapter carries the licence its author chooses (setting, default none with a reminder): a `LICENSE` file and the README section follow that choice, and no licence of a third party is imposed.',
    'gen 4; R-41',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-10',
    'Generated code dispatches all five endpoints, supports `introspect`, answers with `success` true or false, uses structured error codes, validates parameters before calling the API, maps target answers, and passes a syntax or type check during generation.',
    'gen 3.2, 8.1, 8.2',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-11',
    'The README has title, generator version line, overview, installation, usage, the operations grouped by the five endpoints, provenance with the schema fingerprint, and licence.',
    'gen 3.3',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-12',
    'The provenance file has `mcpaql_spec_version`, `generator` {`name`, `version`, optional `commit`, `repository`}, `schema` {`fingerprint`, `filename`, `version` = adapter version}, `generation` {`timestamp`, `target`, `options`} and optional `verification` {`code_hash`, `conformance_result`: `passed`, `failed`, `skipped`}.',
    'gen 5.1',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-13',
    'The fingerprint is `sha256:` plus the hex SHA-256 of the parsed schema as canonical JSON (keys sorted at every depth, array order kept, no white space), so comments, formatting and YAML versus JSON do not change it.',
    'gen 5.3',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-14',
    '`code_hash` is `sha256:` plus the hash over the sorted list of relative path and file hash of all output files except the provenance file; apart from the timestamp two runs give identical output.',
    'gen 5.1; R-41',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-15',
    'Targets `typescript` and `javascript` exist; `python`, `go`, `rust`, `java` are refused as configuration error until implemented; each template supplies entry point, endpoint handlers, types, error handling and HTTP client, with options `strict_mode`, `include_tests`, `inline_docs` (default true), `error_handling` (default `structured`) and `http_client`.',
    'gen 6.1, 6.2, 6.4',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-16',
    'The command is `mcpaql-generate --schema/-s <path> --target/-t <language>` with `--output/-o` (default `./generated`), `--config/-c`, `--output-format` (`human` default, `json`), `--strict`, `--dry-run`, `--verbose/-v`, `--quiet/-q` (all default false), `--version` and `--help/-h` (both exit 0 without other arguments).',
    'gen 7.1-7.3',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-17',
    '`--verbose` with `--quiet`, a missing required argument or an unknown option exits 3; command-line values override the configuration file; `--dry-run` validates and writes nothing; `--strict` turns warnings into exit 2.',
    'gen 7.3; R-41',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-18',
    'Exit codes are 0 success, 1 internal error, 2 schema validation (also unparsable input), 3 configuration, 4 file read or write (also missing schema file), 5 template.',
    'gen 7.4; R-41',
    { status: 'later', reason: 'adapter generator' },
  ),
  should(
    'GEN-19',
    'JSON success output is `success: true`, `output_directory`, `files_generated`, `provenance` {`schema_fingerprint`, `generator_version`}, `warnings`; JSON errors are `success: false` and `error` {`code` = exit code, `type` such as `SCHEMA_VALIDATION_ERROR`, `message`, `details` [{`path`, `code`, `message`, `suggestion`}]}; standard output then contains nothing else, also with `--quiet`.',
    'gen 7.5; R-41',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-20',
    'All schema text is escaped for its place in the generated code, comment or document, file names derive only from validated names, and files outside the output directory are never written.',
    'R-41',
    { status: 'later', reason: 'adapter generator' },
  ),
  should(
    'GEN-21',
    'Test stubs per operation and a step that exports conformance evidence for level 1 are generated.',
    'gen 3.2, 8.3',
    { status: 'later', reason: 'adapter generator' },
  ),
  must(
    'GEN-22',
    'The generator resolves tool names from `tool_names.pattern` (default `{adapter}_mcpaql_{endpoint}`), sets every required annotation on each tool and puts the display name into the title.',
    'naming 3',
    { status: 'later', reason: 'adapter generator' },
  ),
]
