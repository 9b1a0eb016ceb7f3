/** Installs the packages, when node_modules is missing or older than the lock file. Plain Node: nothing is there yet. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const LOCK = join(ROOT, 'package-lock.json')
/** npm writes it last, so that a broken installation is repaired. */
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json')

if (!isInstalled()) {
  console.error('Installing packages…')
  const status = (existsSync(LOCK) && npm('ci')) || npm('install')
  if (!status) {
    console.error('npm could not install the packages; its messages stand above.')
    process.exit(1)
  }
}

function isInstalled() {
  return existsSync(INSTALLED) && (!existsSync(LOCK) || statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs)
}

function npm(command) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Progress goes to stderr: stdout may belong to a server on stdio.
  const { status } = spawnSync('npm', [command, ...quiet], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  return status === 0
}
