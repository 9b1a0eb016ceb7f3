import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { OwnPlaces } from '../../src/core/autonomy/own-places.ts'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
import type { ToolCall } from '../../src/core/hook/tool-call.ts'
import { weighCall } from '../../src/core/hook/weigh-call.ts'

const linesOf = (name: string) =>
  readFileSync(new URL(`commands/trust/${name}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')

const weigh = (tool: string, input: ToolCall['input'], own?: OwnPlaces) =>
  weighCall(
    { client: 'claude', event: 'PreToolUse', tool, input, session: 's', cwd: '/srv/app' },
    own === undefined ? {} : { own },
  ).scored.score

/** As a hint, and as the call of a hook from a project that lies elsewhere. */
const scoresOf = (command: string) => [scoreHint(command).score, weigh('Bash', { command })]

const SUBJECTS = ['places', 'words', 'contents', 'agents', 'processes', 'powershell']

/** What takes the judge out of the way by ordinary words of a shell: the files that others trust, other agents, other processes. */
describe('HOOK-09 AUTO-13 what others trust', () => {
  test.each(SUBJECTS)('%s: what is grave needs a code', (subject) => {
    expect(linesOf(`${subject}-grave`).filter((line) => scoresOf(line).some((score) => score <= 60))).toEqual([])
  })

  test.each(SUBJECTS)('%s: what may be grave is asked about', (subject) => {
    expect(linesOf(`${subject}-asked`).filter((line) => scoresOf(line).some((score) => score <= 30))).toEqual([])
  })

  test.each(SUBJECTS)('%s: everyday work is not', (subject) => {
    expect(linesOf(`${subject}-everyday`).filter((line) => scoresOf(line).some((score) => score > 30))).toEqual([])
  })

  test('a pattern that picks what the server itself uses', () => {
    const own = { trusted: ['/srv/app/limits/rules.json', '/srv/tool/dist/'], secret: [] }
    const score = (command: string) => weigh('Bash', { command }, own)
    expect(['cp x limits/r*.json', 'echo x > limits/rul?s.json', 'cp x /srv/to?l/dist/a.js'].map(score)).toEqual([
      72, 72, 72,
    ])
    expect(score('cp x other/r*.json')).toBeLessThanOrEqual(30)
  })

  test('the debugger of a process of this machine is fetched by nobody, by whatever tool', () => {
    expect(weigh('WebFetch', { url: 'http://127.0.0.1:9229/json', prompt: 'x' })).toBe(72)
    expect(weigh('WebFetch', { url: 'http://[::1]:9222/json/version', prompt: 'x' })).toBe(72)
    expect(weigh('mcp__net__connect', { host: 'localhost', port: 9229 })).toBe(72)
    expect(weigh('WebFetch', { url: 'http://127.0.0.1:5173/', prompt: 'x' })).toBeLessThanOrEqual(30)
    expect(weigh('WebFetch', { url: 'https://example.com:9222/', prompt: 'x' })).toBeLessThanOrEqual(30)
  })
})
