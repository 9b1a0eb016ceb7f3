/** `npm run test:race`: 100 rounds of 200 redemptions of one token from four processes at once. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const TEST = 'test/safety/double-spend.test.ts'
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', TEST], {
  cwd: ROOT,
  env: { ...process.env, MCPAQL_RACE: 'full' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
