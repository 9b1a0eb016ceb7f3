/** `npm run test:kill`: the long form of what a crash may not break, 1,000 cycles of two killed processes, 1,000 of a killed gate, and 10^6 entries. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const TESTS = ['test/contract/kill.test.ts', 'test/contract/long-trail.test.ts', 'test/safety/kill.test.ts']
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...TESTS], {
  cwd: ROOT,
  env: { ...process.env, MCPAQL_KILL: 'full' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
