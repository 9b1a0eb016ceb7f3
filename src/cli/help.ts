import type { Command, OptionRow } from './command.ts'
import { EVERYWHERE, usageOf } from './parse-arguments.ts'
import { columns, heading, painter, wrap } from './render.ts'
import type { World } from './world.ts'

export function programHelp(commands: readonly Command[], world: World): string {
  const paint = painter(world)
  const width = columns(world)
  return [
    ...wrap('mcpaql puts any number of operations behind one to five MCP tools.', width),
    '',
    heading('Usage', paint),
    '  mcpaql COMMAND [OPTIONS]',
    '',
    heading('Commands', paint),
    ...pairs(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    '',
    heading('Start here', paint),
    ...pairs(
      [
        ['mcpaql serve demo --http 7420', 'serve an issue tracker on this computer'],
        ['mcpaql introspect demo', 'what it can do'],
        ['mcpaql call demo list_issues', 'use it'],
      ],
      width,
    ),
    '',
    ...wrap('mcpaql COMMAND --help shows options and examples, mcpaql --version the version.', width),
  ].join('\n')
}

export function commandHelp(command: Command, world: World): string {
  const paint = painter(world)
  const width = columns(world)
  const about = (command.about ?? []).flatMap((paragraph) => [...wrap(paragraph, width), ''])
  return [
    ...wrap(command.summary, width),
    '',
    usageOf(command),
    '',
    ...about,
    heading('Examples', paint),
    ...command.examples.map((line) => `  ${line}`),
    ...[...groupsOf(command)].flatMap(([group, rows]) => ['', heading(group, paint), ...pairs(rows, width)]),
    ...(command.more ? ['', heading(command.more.heading, paint), ...pairs(command.more.rows, width)] : []),
    ...elsewhere(command).flatMap(([other, flags]) => ['', ...wrap(describedElsewhere(other, flags), width)]),
  ].join('\n')
}

/** Options that the help of another command describes, by that command. */
function elsewhere({ options }: Command): readonly (readonly [string, readonly string[]])[] {
  const flags = new Map<string, string[]>()
  for (const [name, { describedBy }] of Object.entries(options)) {
    if (describedBy !== undefined) flags.set(describedBy, [...(flags.get(describedBy) ?? []), `--${name}`])
  }
  return [...flags]
}

function describedElsewhere(command: string, flags: readonly string[]): string {
  return `Settings that mcpaql ${command} --help describes work here too: ${flags.join(', ')}.`
}

function groupsOf({ options }: Command): ReadonlyMap<string, (readonly [string, string])[]> {
  const groups = new Map<string, (readonly [string, string])[]>()
  for (const [name, row] of Object.entries({ ...options, ...EVERYWHERE }) as [string, OptionRow][]) {
    if (row.describedBy !== undefined) continue
    const group = row.group ?? 'Options'
    const value = row.type === 'string' ? ` ${row.value ?? 'TEXT'}` : ''
    const left = `${row.short ? `-${row.short}, ` : ''}--${row.isOn ? '[no-]' : ''}${name}${value}${row.multiple ? ' …' : ''}`
    groups.set(group, [...(groups.get(group) ?? []), [left, row.description]])
  }
  return new Map([...groups].sort(([a], [b]) => Number(a !== 'Options') - Number(b !== 'Options')))
}

/** Two columns; a left side that is too long gets a line of its own. */
function pairs(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.min(30, Math.floor((width * 3) / 8), Math.max(...rows.map(([name]) => name.length)))
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, Math.max(20, width - left - 4))
    const [first = '', ...more] = lines
    const indent = ' '.repeat(left + 4)
    const head = name.length > left ? [`  ${name}`, `${indent}${first}`] : [`  ${name.padEnd(left)}  ${first}`]
    return [...head, ...more.map((line) => `${indent}${line}`)]
  })
}
