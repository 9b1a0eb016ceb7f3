import { CONFIG, flagOf, SETTINGS, type Setting, type SettingName } from '../config.ts'
import type { OptionRow, Options } from './command.ts'

/** The flags of every setting that bears on answering calls: what any command with a SOURCE takes. */
export function runtimeOptions(): Options {
  return optionsOf(SETTINGS.map(([name]) => name).filter((name) => CONFIG[name].group !== 'http'))
}

/** The flags of every setting. */
export function allOptions(): Options {
  return optionsOf(SETTINGS.map(([name]) => name))
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
    ['config', { type: 'string', value: 'FILE', description: 'Settings from this file.', group: 'Settings' }],
  ]
  for (const name of names) {
    const flag = flagOf(name)
    if (flag !== undefined) rows.push([flag, optionOf(CONFIG[name])])
  }
  return Object.fromEntries(rows)
}

function optionOf({ kind, fallback, expected, description }: Setting<unknown>): OptionRow {
  const group = 'Settings'
  if (kind === 'boolean') return { type: 'boolean', isOn: fallback === true, description, group }
  return {
    type: 'string',
    multiple: kind === 'list',
    value:
      kind === 'integer' ? 'N' : kind === 'choice' ? expected.replace('one of ', '').replaceAll(', ', '|') : 'TEXT',
    description: described(description, fallback),
    group,
  }
}

function described(description: string, fallback: unknown): string {
  if (fallback === '' || fallback === null || Array.isArray(fallback)) return description
  return `${description} (default: ${String(fallback)})`
}
