/** Installs the packages, when node_modules is missing or older than the lock file. Plain Node: nothing is there yet. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const LOCK = join(ROOT, 'package-lock.json')
/** npm writes it last, so that a broken installation is repaired. */
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json')
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

if (!isInstalled()) {
  console.error('Installing packages…')
  if (!installLocked() && !install()) {
    console.error('npm could not install the packages; its messages stand above.')
    process.exit(1)
  }
}

function isInstalled() {
  return existsSync(INSTALLED) && (!existsSync(LOCK) || statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs)
}

/** What it says when the lock file does not fit is long, and the other way may still work. */
function installLocked() {
  return existsSync(LOCK) && npm(['ci', ...QUIET], 'ignore')
}

function install() {
  console.error('npm ci failed; trying npm install')
  return npm(['install', '--no-save', ...QUIET], 2)
}

/** Messages go to stderr: stdout may belong to a server on stdio. */
function npm(args, messages) {
  const shell = process.platform === 'win32'
  return spawnSync('npm', args, { cwd: ROOT, stdio: ['ignore', messages, messages], shell }).status === 0
}
