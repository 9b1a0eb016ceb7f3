import { flagOf, GROUPS, isOperators, SETTINGS, type Setting, variableOf } from '../src/config.ts'

/** docs/config.md, from the table. */
export function configPage(): string {
  return [
    '# Every setting',
    '',
    'What people usually change, and why, is in [configuring the server](configuration.md); this page is the table of the source.',
    '',
    'Settings come from `mcpaql.yaml` in the working folder, from your own `~/.config/mcpaql/mcpaql.yaml`, from the file after `--config` or in `MCPAQL_CONFIG` (which replaces the one in the working folder), from the environment, and from flags: later wins. Settings marked with * are not taken from the working folder, because they could loosen the gate: [why](configuration.md#what-a-file-in-the-working-folder-may-say). A wrong value or an unknown key stops the start and says where it stands and what is accepted. In the file a setting is one line, `endpoint_mode: single`; lists are YAML sequences. In the environment lists have commas between their items; on the command line their flag is repeated, and a setting that is on by default is turned off by `--no-`.',
    '',
    'Secrets do not belong into the file.',
    ...GROUPS.flatMap((group) => ['', `## ${TITLES[group]}`, '', ...rowsOf(group)]),
    '',
  ].join('\n')
}

const TITLES: Readonly<Record<(typeof GROUPS)[number], string>> = {
  tools: 'Tools and operations',
  store: 'Store',
  limits: 'Limits',
  calls: 'Calls',
  safety: 'Safety',
  console: 'Console',
  audit: 'Audit',
  http: 'HTTP',
  settings: 'Settings files',
  log: 'Log',
}

function rowsOf(group: string): string[] {
  return [
    '| Setting | Default | Accepted | Environment | Flag | Meaning |',
    '|---|---|---|---|---|---|',
    ...SETTINGS.filter(([, setting]) => setting.group === group).map(([name, setting]) => {
      const flag = flagOf(name)
      const cells = [
        `\`${name}\`${isOperators(name) ? ' *' : ''}`,
        standard(setting),
        setting.expected,
        `\`${variableOf(name)}\``,
        flag === undefined ? '-' : `\`--${flag}\``,
        setting.description,
      ]
      return `| ${cells.join(' | ')} |`
    }),
  ]
}

function standard({ fallback }: Setting<unknown>): string {
  if (fallback === '' || fallback === null) return '-'
  return Array.isArray(fallback) ? 'none' : `\`${String(fallback)}\``
}
