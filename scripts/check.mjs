/** `npm test`: style, types, tests, in this order. The first that fails ends it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

const STEPS = [
  ['style', '@biomejs/biome/bin/biome', ['check', '--log-level=warn']],
  ['types', 'typescript/bin/tsc', ['--noEmit']],
  ['tests', 'vitest/vitest.mjs', ['run', ...process.argv.slice(2)]],
]

for (const [name, script, args] of STEPS) {
  const began = performance.now()
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`
  if (status !== 0) {
    console.error(`✗ ${name} failed after ${took}`)
    process.exit(status ?? 1)
  }
  console.log(`✓ ${name} passed in ${took}`)
}
