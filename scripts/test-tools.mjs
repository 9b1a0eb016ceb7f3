/**
 * Installs the Debian packages that some tests need and no npm package brings: a browser for the console, a dialog
 * program and a screen for it. Where that cannot be done, those tests say that they were skipped. Plain Node.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const PROGRAMS = { chromium: 'chromium', zenity: 'zenity', Xvfb: 'xvfb' }
const LIMIT = 10 * 60_000

const missing = Object.entries(PROGRAMS).filter(([program]) => !isOnPath(program))
if (missing.length > 0) provide(missing.map(([, debianPackage]) => debianPackage))

function provide(packages) {
  const command = `apt-get install ${packages.join(' ')}`
  if (!isOnPath('apt-get') || process.getuid?.() !== 0) {
    console.error(`Some tests will be skipped: they need ${packages.join(', ')} (on Debian: ${command})`)
    return
  }
  console.error(`Installing ${packages.join(', ')} for the tests…`)
  const isDone = aptGet(['update']) && aptGet(['install', '--yes', '--no-install-recommends', ...packages])
  if (!isDone) console.error(`Some tests will be skipped: "${command}" failed`)
}

function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 2], env, timeout: LIMIT }).status === 0
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
