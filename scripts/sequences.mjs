/** `npm run test:sequences`: all sequences of what an agent can send, 10,172,525 to depth 5, and to depth 3 within executions. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const TEST = 'test/safety/sequences.test.ts'
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', TEST], {
  cwd: ROOT,
  env: { ...process.env, MCPAQL_SEQUENCES: 'full' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
