/**
 * `npm run test:sequences`: all sequences of what an agent can send, 10,172,525 to depth 5, to depth 3 within executions,
 * and to depth 4 over HTTP by agents that answer the server's own forms.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const TESTS = ['test/safety/sequences.test.ts', 'test/safety/form-sequences.test.ts']
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...TESTS], {
  cwd: ROOT,
  env: { ...process.env, MCPAQL_SEQUENCES: 'full' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
