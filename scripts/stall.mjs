/** `npm run test:stall`: searches for the request that holds up the server longest, and prints the worst of each kind. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'test/stall'], {
  cwd: ROOT,
  env: { ...process.env, MCPAQL_STALL: 'full' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
