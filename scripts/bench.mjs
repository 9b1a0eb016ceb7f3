/** `npm run bench [NAME…]`: compiles bench/ into .bench and runs each script; the output goes to bench/results as well. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SCRIPTS = ['tokens', 'search', 'dispatch', 'query', 'transport', 'start', 'store', 'risk', 'gate']
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !SCRIPTS.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${SCRIPTS.join(', ')}.`)
  process.exit(2)
}

run(join(ROOT, 'node_modules/typescript/bin/tsc'), ['-p', 'tsconfig.bench.json'])
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, mcpaql ${version}, ${new Date().toISOString().slice(0, 10)}`
mkdirSync(join(ROOT, 'bench/results'), { recursive: true })
for (const name of asked.length > 0 ? asked : SCRIPTS) {
  console.log(`\n# ${name}\n`)
  const output = run(join(ROOT, `.bench/bench/${name}.js`), [], true)
  console.log(output)
  writeFileSync(join(ROOT, `bench/results/${name}.txt`), `${machine}\n\n${output}`)
}

function run(script, args, capture = false) {
  const flags = capture ? ['--expose-gc'] : []
  const { status, stdout } = spawnSync(process.execPath, [...flags, script, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
  return stdout ?? ''
}
