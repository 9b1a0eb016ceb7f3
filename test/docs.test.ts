import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/main.ts'
import { ERRORS } from '../src/protocol/errors.ts'
import { WARNINGS } from '../src/protocol/warnings.ts'
import { commandsPage } from './commands-page.ts'
import { configPage } from './config-page.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** `vitest run -u` rewrites the pages; without -u a stale page fails. */
test('docs/errors.md is the table', async () => {
  const errors = Object.entries(ERRORS).map(
    ([code, { http, isError, message }]) => `| \`${code}\` | ${http} | ${isError ? 'yes' : 'no'} | ${message} |`,
  )
  const warnings = Object.entries(WARNINGS).map(([code, message]) => `| \`${code}\` | ${message} |`)
  const page = [
    '# Error and warning codes',
    '',
    'Every failure is `{"success": false, "error": {"code", "message", "details"}}`. The codes are a table in the source; this page is its copy.',
    '"Tool error" is the `isError` of the MCP result: yes where the agent cannot help itself. HTTP is the status class of a wrapped API.',
    '',
    '| Code | HTTP | Tool error | Message |',
    '|---|---|---|---|',
    ...errors,
    '',
    'Warnings come with successes, in `warnings`.',
    '',
    '| Code | Message |',
    '|---|---|',
    ...warnings,
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot('../docs/errors.md')
})

test('docs/config.md is the table of settings', async () => {
  await expect(configPage()).toMatchFileSnapshot('../docs/config.md')
})

test('docs/commands.md is the table of commands', async () => {
  await expect(commandsPage()).toMatchFileSnapshot('../docs/commands.md')
})

const PAGES = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

test.each(PAGES.filter((page) => existsSync(join(ROOT, page))))('%s names no file that is not there', (page) => {
  const text = read(page)
  const paths = [...text.matchAll(/`((?:src|test|examples|docs|schemas|scripts|bench)\/[\w./-]*\w)`/g)].map(
    ([, path = '']) => path,
  )
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
    join(page, '..', path),
  )
  expect([...paths, ...links].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test.each(PAGES.filter((page) => existsSync(join(ROOT, page))))(
  '%s names no command or flag that is not there',
  (page) => {
    const called = [...read(page).matchAll(/(?:[`$] ?|^ *)(?:npx )?mcpaql ([a-z]+)((?: [^`\n|>#]*)?)(?=[`\n|>#])/g)]
    const unknown = called.flatMap(([line, name = '', rest = '']) => {
      const command = COMMANDS.find((each) => each.name === name)
      if (!command) return ['version', 'help'].includes(name) ? [] : [line]
      const [own = ''] = rest.split(' -- ')
      const flags = [...own.matchAll(/(?<=\s)--(?:no-)?([a-z][a-z-]*)/g)].map(([, flag = '']) => flag)
      return flags.some((flag) => flag !== 'help' && !Object.hasOwn(command.options, flag)) ? [line] : []
    })
    expect(unknown).toEqual([])
  },
)

test('ARCHITECTURE.md names every room', () => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const text = read('ARCHITECTURE.md')
  expect(rooms.map(({ name }) => name).filter((name) => !text.includes(`src/${name}/`))).toEqual([])
})
