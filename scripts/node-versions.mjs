/** `npm run test:nodes`: the built program under every supported major version of Node, fetched into a temporary folder. */
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { callTool, listTools, message } from './ask.mjs'

const ROOT = join(import.meta.dirname, '..')
/** Another build can be tried with E2E_BIN. */
const BIN = process.env.E2E_BIN ?? join(ROOT, 'dist/src/cli/bin.js')
/** The oldest that package.json allows, and the newest of each line. */
const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['20.19.0', '20', '22', '24']

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-nodes-'))
const started = []

const ADAPTER = `import { type AdapterDefinition, defineAdapter, defineOperation } from 'mcpaql'

interface Greeting {
  readonly text: string
}

export const adapter: AdapterDefinition = defineAdapter({
  name: 'hello',
  description: 'Greetings.',
  operations: [
    defineOperation({
      name: 'get_greeting',
      category: 'READ',
      description: 'Greet someone by name.',
      params: { name: { type: 'string', required: true } },
      handler: ({ name }): Greeting => ({ text: \`Hello \${name}\` }) satisfies Greeting,
    }),
  ],
})
`
const CHECKS = [
  ['--version', checkVersion],
  ['call demo', checkCall],
  ['serve on stdio', checkStdio],
  ['serve over HTTP', checkHttp],
  ['a TypeScript module', checkTypeScript],
]

try {
  writeFileSync(join(folder, 'adapter.ts'), ADAPTER)
  let failures = 0
  for (const version of VERSIONS) {
    const node = install(version)
    if (!node) continue
    const { stdout } = await run(node, ['--version'])
    console.log(`Node ${stdout.trim()}`)
    for (const [name, check] of CHECKS) {
      const began = performance.now()
      try {
        const remark = await check(node)
        console.log(`  ✓ ${name} (${Math.round(performance.now() - began)} ms)${remark ? `: ${remark}` : ''}`)
      } catch (error) {
        failures++
        console.log(`  ✗ ${name}: ${error.stderr || error.stack}`)
      }
    }
  }
  if (failures > 0) process.exitCode = 1
} finally {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** npm carries Node itself, one package for each platform. */
function install(version) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const prefix = join(folder, version)
  const args = [
    'install',
    '--prefix',
    prefix,
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--loglevel=error',
    `${name}@${version}`,
  ]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell: platform === 'win' })
  if (status === 0) return join(prefix, 'node_modules', name, platform === 'win' ? 'bin/node.exe' : 'bin/node')
  console.error(`SKIPPED: Node ${version} could not be fetched\n${stderr}`)
  process.exitCode = 1
  return undefined
}

function environment() {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, XDG_STATE_HOME: join(folder, 'state') }
}

/** What it prints must be all it says: no warning of this version of Node. */
async function mcpaql(node, ...args) {
  const { stdout, stderr } = await run(node, [BIN, ...args], { cwd: folder, env: environment() })
  return { stdout, warnings: stderr.split('\n').filter((line) => /warning/i.test(line)) }
}

async function checkVersion(node) {
  const { stdout, warnings } = await mcpaql(node, '--version')
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  assert.deepEqual(warnings, [])
}

async function checkCall(node) {
  const { stdout, warnings } = await mcpaql(
    node,
    'call',
    'demo',
    'list_issues',
    '{"first":1}',
    '--store',
    'memory:',
    '--json',
  )
  const { success, data } = JSON.parse(stdout)
  assert.equal(success, true)
  assert.equal(data.items.length, 1)
  assert.deepEqual(warnings, [])
}

async function checkStdio(node) {
  const child = start(node, 'serve', 'demo', '--store', 'memory:')
  const ended = once(child, 'close')
  const answer = once(createInterface({ input: child.stdout }), 'line')
  const params = { name: 'tracker_mcpaql_read', arguments: { operation: 'get_issue', params: { issue_id: 'iss_1' } } }
  child.stdin.write(`${JSON.stringify(message('tools/call', params))}\n`)
  const [line] = await Promise.race([answer, ended.then(() => assert.fail('the server has ended'))])
  assert.equal(JSON.parse(JSON.parse(line).result.content[0].text).data.id, 'iss_1')
  child.stdin.end()
  const [exit] = await ended
  assert.equal(exit, 0)
}

async function checkHttp(node) {
  const child = start(
    node,
    'serve',
    'demo',
    '--store',
    `sqlite:${join(folder, 'store', 'state.db')}`,
    '--http',
    '0',
    '--json',
  )
  const ended = once(child, 'close')
  const greeting = once(createInterface({ input: child.stdout }), 'line')
  const [line] = await Promise.race([greeting, ended.then(() => assert.fail('the server has ended'))])
  const { url } = JSON.parse(line)
  assert.equal((await listTools(url)).length, 5)
  const { success } = await callTool(url, 'tracker_mcpaql_read', { operation: 'list_issues', params: { first: 1 } })
  assert.equal(success, true)
  child.kill('SIGINT')
  const [exit] = await ended
  assert.equal(exit, 0)
}

async function checkTypeScript(node) {
  const { stdout, warnings } = await mcpaql(
    node,
    'call',
    'adapter.ts',
    'get_greeting',
    '{"name":"Ada"}',
    '--store',
    'memory:',
    '--json',
  )
  assert.deepEqual(JSON.parse(stdout), { success: true, data: { text: 'Hello Ada' } })
  const { stdout: native } = await run(node, ['-p', 'Boolean(process.features.typescript)'])
  const how = native.trim() === 'true' ? 'read by Node itself' : 'read with the typescript package'
  // Early releases of a line call it experimental; that is theirs to say.
  return [how, ...warnings].join('\n      ')
}

function start(node, ...args) {
  const child = spawn(node, [BIN, ...args], { cwd: folder, env: environment(), stdio: ['pipe', 'pipe', 'ignore'] })
  started.push(child)
  return child
}
