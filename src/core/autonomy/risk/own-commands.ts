import type { Arguments, Grammar, OptionKind } from '../../read-arguments.ts'
import { wordSet, words } from './options.ts'

/** What a command of this program does when it runs with these arguments. */
export type Deed = 'tells' | 'tests' | 'calls' | 'serves' | 'operates'

export interface OwnCommand extends Grammar {
  /** A function where it depends on the arguments. */
  readonly deed: Deed | ((given: Arguments) => Deed)
  /** The command loads the source that it is given. */
  readonly loads?: boolean
}

/** `name`, `name|n` with a short form, `name…` where it may be repeated, `name>` where its value is a file that is written. */
function command(
  deed: OwnCommand['deed'],
  positionals: Grammar['positionals'],
  { switches = '', valued = '', ...rest }: Written,
): OwnCommand {
  const options = Object.fromEntries([...rows('boolean', switches), ...rows('string', valued)])
  return { deed, positionals, options, ...rest }
}

interface Written extends Pick<Grammar, 'takesCommand'>, Pick<OwnCommand, 'loads'> {
  readonly switches?: string
  readonly valued?: string
}

function rows(type: OptionKind['type'], text: string): readonly (readonly [string, OptionKind])[] {
  return words(text).map((word) => {
    const [name = '', short] = word.replace(/[…>]$/, '').split('|')
    const kind = { type, multiple: word.endsWith('…'), writes: word.endsWith('>') }
    return [name, { ...kind, ...(short !== undefined && { short }) }]
  })
}

const STORE = 'store config'
const CALL_SWITCHES = 'read-only batch strict-mode elicitation console'
const CALL_SETTINGS = `config mode profile tool-names include… exclude… store max-request-size max-response-size max-string-length
  max-array-elements max-nesting-depth max-batch max-page-size list-page-size timeout-ms slow-ms rest-ttl-seconds trust
  policy-file safety-mode console-port log-level`
const ALL_SWITCHES = `${CALL_SWITCHES} require-client json`
const ALL_SETTINGS = `${CALL_SETTINGS} http http-host http-port http-allowed-hosts… http-allowed-origins… http-max-sessions
  http-session-idle-seconds`

/** Every command with its options. A test holds this table against the commands themselves. */
export const OWN_COMMANDS: ReadonlyMap<string, OwnCommand> = new Map([
  ['serve', command('serves', [1, 100], { switches: ALL_SWITCHES, valued: `client ${ALL_SETTINGS}`, loads: true })],
  [
    'introspect',
    command('tells', [1, 2], {
      switches: `types all json ${CALL_SWITCHES}`,
      valued: `search|s… category ${CALL_SETTINGS}`,
      takesCommand: true,
      loads: true,
    }),
  ],
  [
    'call',
    command('calls', [1, 3], {
      switches: `json ${CALL_SWITCHES.replace(' batch', '')}`,
      valued: `batch param|p… tool wait ${CALL_SETTINGS}`,
      takesCommand: true,
      loads: true,
    }),
  ],
  [
    'measure',
    command('tells', [1, 1], {
      switches: `json ${CALL_SWITCHES}`,
      valued: CALL_SETTINGS,
      takesCommand: true,
      loads: true,
    }),
  ],
  [
    'conformance',
    command('tests', [1, 1], {
      switches: `json ${CALL_SWITCHES}`,
      valued: `level|l format|f output|o> evidence> category|c… ${CALL_SETTINGS}`,
      takesCommand: true,
      loads: true,
    }),
  ],
  [
    'console',
    command(({ values }) => (values.check === true ? 'tells' : 'operates'), [0, 0], {
      switches: 'open check',
      valued: `port agent ${STORE}`,
    }),
  ],
  ['approvals', command('tells', [0, 1], { switches: 'held json', valued: STORE })],
  ['approve', command('operates', [1, 1], { valued: STORE })],
  ['deny', command('operates', [1, 1], { switches: 'manipulated', valued: `reason ${STORE}` })],
  ['verify', command('operates', [1, 1], { valued: STORE })],
  ['blocks', command('tells', [0, 1], { switches: 'all json', valued: STORE })],
  ['block', command('operates', [0, 1], { switches: 'force', valued: `reason principal ${STORE}` })],
  ['unblock', command('operates', [1, 1], { valued: `reason ${STORE}` })],
  [
    'client',
    command(tellsFor('list'), [1, 2], {
      switches: 'elicitation json',
      valued: `url ${STORE}`,
    }),
  ],
  [
    'trust',
    command(
      ({ values, positionals }) => (positionals.length < 2 && values.reason === undefined ? 'tells' : 'operates'),
      [0, 2],
      { switches: 'json', valued: `reason ${STORE}` },
    ),
  ],
  ['secret', command('operates', [1, 1], { valued: STORE })],
  ['explain', command('tells', [2, 3], { switches: `json ${CALL_SWITCHES}`, valued: CALL_SETTINGS, loads: true })],
  ['risk', command('tells', [0, 1], { switches: 'json', valued: 'lines' })],
  [
    'audit',
    command(tellsFor('tail verify export'), [1, 1], {
      switches: 'follow|f no-anchor json',
      valued: `event… operation principal session level since text limit format anchor before keep-days export> ${STORE}`,
    }),
  ],
  [
    'hook',
    command(tellsFor('doctor'), [0, 2], { switches: 'yes user', valued: `port key url client deadline-ms ${STORE}` }),
  ],
  ['safety', command('operates', [0, 0], { switches: ALL_SWITCHES, valued: `policy hook-port ${ALL_SETTINGS}` })],
])

/** Options of `mcpaql-conformance` that take a value, and those whose value is a file that it writes. */
export const RUNNER_VALUES = wordSet('-l --level -o --output --evidence -f --format --tier -c --category')
export const RUNNER_OUTPUTS = wordSet('-o --output --evidence')

/** Of these one sub-command or another only tells. */
function tellsFor(verbs: string): OwnCommand['deed'] {
  const telling = words(verbs)
  return ({ positionals: [verb = ''] }) => (telling.includes(verb) ? 'tells' : 'operates')
}
