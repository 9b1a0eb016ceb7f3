import { must, type Requirement, should } from './row.ts'

/** Contracts of the parts that reach a target API. */
export const PLUG: readonly Requirement[] = [
  must(
    'PLUG-01',
    'Built-in plugins are transport `http`, protocol `rest`, serialization `json`, auth `none`, `api_key`, `bearer`; all names are resolved when the adapter loads and an unknown one fails with `PLUGIN_NOT_FOUND`; nothing is loaded from outside the runtime.',
    'plug 1.2, 1.3, 2.2',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-02',
    'Each plugin exposes read-only `name`, `category` (`transport`, `protocol`, `serialization`, `auth`), `description` and `version` (semver), is a singleton and keeps no state of a request after the call.',
    'plug 3.1, 3.2',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-03',
    '`send(request, options)` takes `url`, `method`, `headers`, optional `body` (string or Buffer) and options `timeout`, `retries`, `retryDelay` in milliseconds, and resolves to `status`, `statusText`, `headers`, `body`; any HTTP status resolves, only transport failures reject.',
    'plug 4.2',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  should(
    'PLUG-04',
    'Defaults are `timeout` 30000, `retries` 0, `retryDelay` 1000 with exponential growth; POST, PATCH and operations marked `non_idempotent` are never retried after the request may have reached the server.',
    'plug 4.2; R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-05',
    'Transport failures map to `TRANSPORT_DNS_ERROR`, `TRANSPORT_CONNECTION_REFUSED`, `TRANSPORT_TIMEOUT`, `TRANSPORT_TLS_ERROR` or, for all else, `TRANSPORT_NETWORK_ERROR`.',
    'plug 8.3',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-06',
    'Redirects to another origin are not followed with credentials, certificate checks cannot be switched off by an adapter, and the response size is limited.',
    'R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-07',
    '`buildRequest(operation, params, config)` fills path placeholders percent-encoded (no value can add a path segment or query), sends remaining parameters as query for GET and DELETE and as body for POST, PUT and PATCH, and fails with `PROTOCOL_MISSING_PARAM` or `PROTOCOL_INVALID_MAPPING`.',
    'plug 5.2, 8.3; elem 7.4; R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-08',
    '`parseResponse(response, operation)` returns `ok` (true exactly for status 200-299), `status`, `data` and, if not ok, `error` {`message`, optional `code`}.',
    'plug 5.2',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-09',
    'A serialization plugin has `contentType`, `serialize`, `deserialize`; `json` uses `application/json`, reports cycles as `SERIALIZATION_CIRCULAR_REF`, bad input as `SERIALIZATION_PARSE_ERROR`, and turns an empty body into null.',
    'plug 6.2, 8.3; R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-10',
    '`authenticate(request, config, context)` returns a new request and reads secrets only through `context.getEnv`: `bearer` sets `Authorization: Bearer <value>`, `api_key` sets the header `header_name`, `none` changes nothing.',
    'plug 7.2; elem 6.2-6.4',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-11',
    'An unset or empty variable gives `AUTH_CREDENTIAL_MISSING`, incomplete configuration `AUTH_CONFIG_INVALID`, both before network access; secret values and CR/LF characters never reach errors, logs or header names.',
    'plug 8.3; elem 6.5; R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-12',
    'An adapter may read only environment variables the operator granted to it together with its `base_url` origin, so that an imported file cannot send a foreign secret to its own server.',
    'R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'PLUG-13',
    'Plugin errors are Error objects with `code` in the form CATEGORY_TYPE, `plugin`, `category` and optional `cause`, and reach the caller as `INTERNAL_ERROR` with `details.cause_code`, `details.plugin` and `details.category` (ERR-46).',
    'plug 8.1, 8.2',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
]
