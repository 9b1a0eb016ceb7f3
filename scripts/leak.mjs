/** `npm run test:leak`: the long form of what no byte may show, 1,000 verification codes of a real server. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const TEST = 'test/safety/leak.test.ts'
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', TEST], {
  cwd: ROOT,
  env: { ...process.env, MCPAQL_LEAK: 'full' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
