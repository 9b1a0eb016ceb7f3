/** Compiles src and examples into dist. With --if-stale only when a source is newer than the last build. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
/** Written last, so that a build that failed is not taken for one that succeeded. */
const STAMP = join(DIST, '.built')
const WEB = 'src/serve/console/web'
const SOURCES = ['src', 'examples', 'package.json', 'tsconfig.json', 'tsconfig.build.json']

if (!process.argv.includes('--if-stale') || isStale()) build()

function build() {
  const began = performance.now()
  rmSync(DIST, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) {
    console.error('The build failed; the compiler says why above.')
    process.exit(1)
  }
  // The console's pages are served as they are.
  cpSync(join(ROOT, WEB), join(DIST, WEB), { recursive: true })
  chmodSync(join(DIST, 'src/cli/bin.js'), 0o755)
  writeFileSync(STAMP, '')
  console.error(`Built dist in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

function isStale() {
  if (!existsSync(STAMP)) return true
  const built = statSync(STAMP).mtimeMs
  return SOURCES.some((source) => newest(join(ROOT, source)) > built)
}

/** A folder counts as well: a file that was removed changes it alone. */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
