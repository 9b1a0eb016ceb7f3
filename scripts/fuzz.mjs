/** `npm run test:fuzz`: the long form of the fuzz suite, 10^6 structured and 2·10^5 mutated messages per transport. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'test/fuzz'], {
  cwd: ROOT,
  env: { ...process.env, MCPAQL_FUZZ: 'full' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
