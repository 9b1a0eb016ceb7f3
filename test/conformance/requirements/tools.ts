import { may, must, type Requirement, should } from './row.ts'

/** Tools: registration, naming, annotations, descriptions. */
export const TOOL: readonly Requirement[] = [
  must(
    'TOOL-01',
    "By default a family tool is named `{adapter}_mcpaql_{endpoint}` and the unified tool `{adapter}_mcpaql`, where `{adapter}` is the adapter's `name` converted to snake_case (`apple-mail` gives `apple_mail_mcpaql_read`); the protocol segment is never shortened to `aql`.",
    'naming 1, choice',
  ),
  should(
    'TOOL-02',
    'The classic names `mcp_aql_{endpoint}` (unified: `mcp_aql`) can be selected by configuration, and a single-adapter deployment may opt in to `mcpaql_{endpoint}`; neither is the default.',
    'integ 2.2.1, spec 3.3, naming 1',
  ),
  should(
    'TOOL-03',
    "The adapter definition's `tool_names.pattern`, using the variables `{adapter}` and `{endpoint}`, overrides the default name template.",
    'naming 1, 3',
  ),
  must(
    'TOOL-04',
    'Tool names are unique within a server, stay the same for the life of a session and are visible as `mcpTool` in operation details.',
    'integ 2.2, 7.1',
  ),
  must(
    'TOOL-05',
    'Each tool carries `annotations.title` in the form `{Display Name} — {Endpoint}` (em dash, capitalised family), for example `Apple Mail — Read`; the unified tool uses the display name alone.',
    'naming 2, choice (unified)',
  ),
  must(
    'TOOL-06',
    '`annotations.readOnlyHint` is true for the READ family and false for CREATE, UPDATE, DELETE and EXECUTE.',
    'naming 2, integ 2.3',
  ),
  must(
    'TOOL-07',
    '`annotations.destructiveHint` is true for UPDATE, DELETE and EXECUTE and false for CREATE and READ.',
    'spec 6.1, integ 2.3',
  ),
  should(
    'TOOL-08',
    '`annotations.idempotentHint` is true for READ and false for CREATE and EXECUTE (UPDATE and DELETE: false unless the adapter states otherwise), and `annotations.openWorldHint` is true when the adapter talks to a remote service over HTTP and false for local or native adapters.',
    'naming 2, choice (UPDATE, DELETE)',
  ),
  should(
    'TOOL-09',
    'A family that mixes categories takes the hints of its riskiest operation (`readOnlyHint` true only if all are READ, `destructiveHint` true if any is UPDATE, DELETE or EXECUTE); the unified tool is always `readOnlyHint: false`, `destructiveHint: true`.',
    'integ 2.3, modes 7.1',
  ),
  must(
    'TOOL-10',
    'Every tool description contains a literal call to `introspect` with `params.query` set to `operations`, so a model that has seen only the tool list can discover the rest.',
    'integ 2.1, 7.1',
  ),
  must(
    'TOOL-11',
    "Each CRUDE tool description has, in order: a one-line purpose, `Supported operations:` with the names (all up to twelve, then the most useful ones and how to search for the rest, so that the description does not grow with the catalogue), a sentence on the effect (adds only / never changes state / overwrites / removes, use with caution / runtime state, potentially destructive and non-idempotent), at least one quick-start example and the `introspect` example with `name`; the READ tool's example lists all operations.",
    'integ 2.1.1',
  ),
  should(
    'TOOL-12',
    "A custom family's description has its purpose, `Primary semantic categories:`, `Supported operations:`, a quick start and the `introspect` example; the unified tool's names the domain, explains that routing follows category and family, lists operations briefly under Create, Read, Update, Delete, Execute and ends with the `introspect` quick start.",
    'integ 2.1.1, 2.1.2, modes 4.7, 5.4',
  ),
  should(
    'TOOL-13',
    'In semantic mode the `introspect` hint of a tool that is not the READ family says which tool must receive it, because `introspect` sent to another family is a mismatch.',
    'choice (follows MODE-07, TOOL-10)',
  ),
  must(
    'TOOL-14',
    'Each tool\'s `inputSchema` is an object schema with `operation` (string) and `params` (object, `additionalProperties: true`); when batch is off, `required` is `["operation"]`; the root never sets `additionalProperties: false`, because parameters and `_`-prefixed metadata may stand beside `operation`.',
    'integ 3.1, modes 7.2, schema operation-input, spec 4.2',
  ),
  must(
    'TOOL-15',
    'When batch is on, `inputSchema` also declares `operations` (array of request objects) and does not require `operation`, so that either key alone is valid; the either-or check is done by the server and the schema root carries no `anyOf`, `oneOf` or `allOf`, since several model APIs refuse tools that have one there.',
    'choice, ops 7.1',
  ),
  may(
    'TOOL-16',
    'The root schema adds shared properties such as `element_type`, and `operation` carries an `enum` limited to the operations of that family (all operations in single mode); enumeration is off by default because of its token cost.',
    'integ 3.2-3.4',
  ),
]
