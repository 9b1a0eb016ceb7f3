import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openTracker } from '../../examples/tracker/index.ts'
import { createRuntime } from '../../src/core/runtime.ts'
import { serveHttp } from '../../src/serve/http.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { openFixture } from './mcp-fixture.ts'

/** The official suite, as a process of its own. It checks each message against the specification's schema as well. */
async function runSuite(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const shim = new URL('./shim/conformance.mjs', import.meta.url).href
  const suite = fileURLToPath(
    new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
  )
  const child = spawn(process.execPath, ['--import', shim, suite, 'server', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  return await new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, text })))
}

/** Scenarios that count: the suite lists those that do not after its total. */
function scored(text: string): { readonly passed: readonly string[]; readonly failed: readonly string[] } {
  const [, rest = ''] = text.split('=== SUMMARY ===')
  const [counted = '', unscored = ''] = rest.split('Not scored for')
  const named = (mark: string, part: string) =>
    [...part.matchAll(new RegExp(`${mark} ([a-z0-9-]+)`, 'g'))].map(([, name]) => name ?? '')
  const apart = new Set([...named('✓', unscored), ...named('✗', unscored)])
  return {
    passed: named('✓', counted).filter((name) => !apart.has(name)),
    failed: named('✗', counted).filter((name) => !apart.has(name)),
  }
}

test.each([
  ['2026-07-28', 37],
  ['2025-11-25', 30],
])(
  'MCP-20 every scored scenario of %s passes with the fixtures on our transport',
  { timeout: 120_000 },
  async (revision, count) => {
    const fixture = await openFixture()
    const { code, text } = await runSuite('--url', fixture.url, '--requirements', revision)
    await fixture.close()
    expect(scored(text).failed).toEqual([])
    expect(scored(text).passed).toHaveLength(count)
    expect(code).toBe(0)
  },
)

test.each(['2026-07-28', '2025-11-25'])(
  'MCP-20 the demo passes %s but for what the baseline explains',
  { timeout: 120_000 },
  async (revision) => {
    const { adapter, close } = openTracker(':memory:')
    const runtime = await createRuntime({ ...adapter, close }, { store: createMemoryStore(), clock: { now: Date.now } })
    const server = await serveHttp([runtime], { version: '0.0.0' })
    const baseline = fileURLToPath(new URL('./mcp-baseline.yml', import.meta.url))
    const { code, text } = await runSuite(
      '--url',
      server.url,
      '--suite',
      'all',
      '--spec-version',
      revision,
      '--expected-failures',
      baseline,
    )
    await server.close()
    await runtime.close()
    expect(text).toContain('Baseline check passed')
    expect(code).toBe(0)
  },
)
