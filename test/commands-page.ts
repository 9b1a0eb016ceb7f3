import type { Command, OptionRow } from '../src/cli/command.ts'
import { COMMANDS } from '../src/cli/main.ts'

/** docs/commands.md, from the table of commands. */
export function commandsPage(): string {
  return [
    '# Every command',
    '',
    '`mcpaql COMMAND --help` shows the same, with examples. This page is the table of the source. Where a command takes settings as flags, they are those of [every setting](config.md); `--config FILE` reads them from a file.',
    '',
    'Exit codes: 0 it went well, 1 it failed, 2 bad usage or a bad setting, 3 denied, 4 a human is awaited.',
    ...COMMANDS.flatMap(section),
    '',
  ].join('\n')
}

function section({ name, summary, usage, about = [], options }: Command): readonly string[] {
  const rows = Object.entries(options).filter(([, row]) => !isSetting(row))
  const settings = Object.entries(options).filter(([, row]) => isSetting(row))
  return [
    '',
    `## ${name}`,
    '',
    summary,
    '',
    ...usage.map((form) => `- \`mcpaql ${name} ${form}\``),
    ...about.flatMap((paragraph) => ['', paragraph]),
    ...(rows.length > 0 ? ['', '| Option | Meaning |', '|---|---|', ...rows.map(optionRow)] : []),
    ...(settings.length > 0 ? ['', settingsLine(settings.map(([flag]) => flag))] : []),
  ]
}

function isSetting({ group }: OptionRow): boolean {
  return group === 'Settings'
}

function optionRow([flag, { type, short, value = 'TEXT', multiple, isOn, description }]: [string, OptionRow]): string {
  const written = `${short ? `-${short}, ` : ''}--${isOn ? '[no-]' : ''}${flag}${type === 'string' ? ` ${value}` : ''}${multiple ? ' …' : ''}`
  return `| \`${written.replaceAll('|', '\\|')}\` | ${description} |`
}

function settingsLine(flags: readonly string[]): string {
  if (flags.length <= 6) return `Takes these settings as flags: ${flags.map((flag) => `\`--${flag}\``).join(', ')}.`
  return flags.includes('http-host')
    ? 'Takes every setting as a flag.'
    : 'Takes every setting as a flag, except those of HTTP.'
}
