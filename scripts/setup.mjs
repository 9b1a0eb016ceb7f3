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
  if (!installLocked()) {
    console.error(
      [
        'npm ci could not install the packages; its messages stand above. Nothing was installed in their place:',
        'only what package-lock.json names, with the hashes it has, is installed here.',
        'If the network failed, run it again. If you have changed package.json, run npm install yourself and look at',
        'what it changes in the lock file.',
      ].join('\n'),
    )
    process.exit(1)
  }
}

function isInstalled() {
  return existsSync(INSTALLED) && (!existsSync(LOCK) || statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs)
}

/** Messages go to stderr: stdout may belong to a server on stdio. */
function installLocked() {
  const shell = process.platform === 'win32'
  return spawnSync('npm', ['ci', ...QUIET], { cwd: ROOT, stdio: ['ignore', 2, 2], shell }).status === 0
}
