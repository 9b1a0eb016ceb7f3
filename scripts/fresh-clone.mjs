/** `npm run test:fresh`: what a stranger does. Clones the last commit, runs `npm start`, asks, presses Ctrl-C. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callTool, listTools } from './ask.mjs'

const ROOT = join(import.meta.dirname, '..')
const USUAL_PORT = 7420
const PATIENCE_MS = 600_000

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-fresh-'))
const clone = join(folder, 'mcpaql')
const lap = stopwatch()
let child

try {
  execFileSync('git', ['clone', '--quiet', ROOT, clone])
  const commit = execFileSync('git', ['log', '-1', '--format=%h %s'], { cwd: clone, encoding: 'utf8' }).trim()
  lap(`cloned ${commit}`)
  assert(
    !existsSync(join(clone, 'node_modules')) && !existsSync(join(clone, 'dist')),
    'the repository holds what it builds',
  )

  const port = (await isFree(USUAL_PORT)) ? USUAL_PORT : await freePort()
  const url = `http://127.0.0.1:${port}/mcp`
  child = start(port === USUAL_PORT ? [] : ['--', '--http', String(port)])
  await child.saying(`Serving at ${url}`)
  lap('installed, built, and serving')

  const tools = await listTools(url)
  assert.equal(tools.length, 5)
  const { success, data } = await callTool(url, 'tracker_mcpaql_read', {
    operation: 'get_issue',
    params: { issue_id: 'iss_1' },
  })
  assert.equal(success, true)
  assert.equal(data.id, 'iss_1')
  lap(`answered on ${url}`)

  for (const said of ['Connect a client', '"mcpServers"', 'Try:', 'curl -s '])
    assert(child.said().includes(said), `${said} was not said`)
  // npm itself dies of the signal; the server has answered it, or npm would speak of an error.
  const { exit, signal } = await child.interrupt()
  assert(exit === 0 || signal === 'SIGINT', `npm start ended with ${exit ?? signal}`)
  assert.match(child.said(), /Stopping…\s*$/)
  lap('stopped by Ctrl-C')
  await assert.rejects(fetch(url), 'the port is still open')
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })
  assert.equal(changed, '', 'npm start has changed the working tree')

  child = start(port === USUAL_PORT ? [] : ['--', '--http', String(port)])
  await child.saying(`Serving at ${url}`)
  lap('started again, with nothing to install or build')
  await child.interrupt()
  console.log('A fresh clone works.')
} catch (error) {
  console.error(child?.said() ?? '')
  throw error
} finally {
  child?.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** In a process group of its own, as a terminal would do it: Ctrl-C goes to npm and to what npm has started. */
function start(args) {
  const npm = spawn('npm', ['start', ...args], {
    cwd: clone,
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let text = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const ended = once(npm, 'close').then(([exit, signal]) => ({ exit, signal }))
  const isOver = () => npm.exitCode !== null || npm.signalCode !== null
  const signal = (name) => {
    if (!isOver()) process.kill(-npm.pid, name)
  }
  return {
    said: () => text,
    async saying(words) {
      for (const until = performance.now() + PATIENCE_MS; !text.includes(words); await pause(50)) {
        if (isOver()) throw new Error('npm start has ended')
        if (performance.now() > until) throw new Error(`Waited in vain for: ${words}`)
      }
    },
    interrupt: () => {
      signal('SIGINT')
      return ended
    },
    kill: () => signal('SIGKILL'),
  }
}

async function isFree(port) {
  const server = createServer()
  const listening = await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listening) await new Promise((resolve) => server.close(resolve))
  return listening
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

function stopwatch() {
  let last = performance.now()
  return (what) => {
    const now = performance.now()
    console.log(`${((now - last) / 1000).toFixed(1).padStart(6)} s  ${what}`)
    last = now
  }
}
