import { CONFIG, flagOf, SETTINGS, type Setting, type SettingName, variableOf } from '../config.ts'
import type { OptionRow, Options } from './command.ts'

/** The flags of every setting that bears on answering calls: what any command with a SOURCE takes. */
export function runtimeOptions(): Options {
  const names = SETTINGS.map(([name]) => name).filter((name) => CONFIG[name].group !== 'http')
  const rows = Object.entries(optionsOf(names))
  return Object.fromEntries(rows.map(([flag, row]) => [flag, { ...row, describedBy: 'serve' }]))
}

/** The flags of every setting. */
export function allOptions(): Options {
  return optionsOf(SETTINGS.map(([name]) => name))
}

/** For the help text: how settings are written elsewhere. */
export const SETTINGS_ELSEWHERE =
  'Settings also come from the environment, from mcpaql.yaml in the working folder and from your own ~/.config/mcpaql/mcpaql.yaml; flags win over the environment, the environment over your own file, that over the working folder, whose exclude adds to yours. What could loosen the gate (store, trust, approvals, safety, console, audit) is not taken from the working folder unless you name the file with --config. --max-batch is max_batch in the file and MCPAQL_MAX_BATCH in the environment, and so are the others, unless their line says otherwise.'

/** For the help text: the settings that have no flag. */
export function flaglessSettings(): readonly (readonly [string, string])[] {
  return SETTINGS.filter(([name]) => flagOf(name) === undefined).map(([name, { description }]) => [
    name,
    variableOf(name) === `MCPAQL_${name.toUpperCase()}` ? description : `${description} (${variableOf(name)})`,
  ])
}

/** The values of setting flags, by the setting's name. */
export function flagValues(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {}
  for (const [name] of SETTINGS) {
    const flag = flagOf(name)
    if (flag !== undefined && values[flag] !== undefined) given[name] = values[flag]
  }
  return given
}

function optionsOf(names: readonly SettingName[]): Options {
  const rows: [string, OptionRow][] = [
    [
      'config',
      {
        type: 'string',
        value: 'FILE',
        description: 'Settings from this file, in place of the one in the working folder; it may set everything.',
        group: 'Settings',
      },
    ],
  ]
  for (const name of names) {
    const flag = flagOf(name)
    if (flag !== undefined) rows.push([flag, optionOf(name, CONFIG[name])])
  }
  return Object.fromEntries(rows)
}

function optionOf(name: SettingName, { kind, fallback, expected, description }: Setting<unknown>): OptionRow {
  const group = 'Settings'
  if (kind === 'boolean') {
    return { type: 'boolean', isOn: fallback === true, description: described(name, description), group }
  }
  return {
    type: 'string',
    multiple: kind === 'list',
    value:
      kind === 'integer' ? 'N' : kind === 'choice' ? expected.replace('one of ', '').replaceAll(', ', '|') : 'TEXT',
    description: described(name, description, fallback),
    group,
  }
}

/** With the default, and with the other names where they do not follow from the flag. */
function described(name: SettingName, description: string, fallback?: unknown): string {
  const isPlain = fallback === undefined || fallback === '' || fallback === null || Array.isArray(fallback)
  const key = flagOf(name)?.replaceAll('-', '_') === name ? [] : [`in the file: ${name}`]
  const variable =
    variableOf(name) === `MCPAQL_${flagOf(name)?.replaceAll('-', '_').toUpperCase()}` ? [] : [variableOf(name)]
  const notes = [...(isPlain ? [] : [`default: ${String(fallback)}`]), ...key, ...variable]
  return notes.length > 0 ? `${description} (${notes.join('; ')})` : description
}
