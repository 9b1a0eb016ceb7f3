/**
 * `npm run test:mutants -- FOLDER [--count N] [--seed N] [--jobs N] [--tests PATH,PATH]`: breaks one place of FOLDER at a time,
 * chosen at random by the seed, in a copy of the project, and counts how many of the broken versions the tests notice.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '..')
const COPIED = ['src', 'test', 'examples', 'schemas', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const TIME_LIMIT = 5 * 60_000

const OPERATORS = {
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    tests: { type: 'string', default: 'src,test' },
  },
})
const [folder] = positionals
if (folder === undefined) {
  console.error('usage: npm run test:mutants -- FOLDER [--count N] [--seed N] [--jobs N] [--tests PATH,PATH]')
  process.exit(2)
}

const random = seeded(Number(values.seed))
const places = sources(join(ROOT, folder)).flatMap(mutationsOf)
const chosen = pick(places, Number(values.count))
console.log(`${chosen.length} of ${places.length} places in ${folder}, seed ${values.seed}`)

const copies = Array.from({ length: Number(values.jobs) }, copyProject)
process.on('SIGINT', () => process.exit(130))
process.on('exit', () => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
})
let killed = 0
const survivors = []
const waiting = chosen.map((mutation, index) => ({ mutation, index }))
await Promise.all(copies.map(work))
console.log(`${killed} of ${chosen.length} killed`)
for (const text of survivors) console.log(`survived: ${text}`)

async function work(copy) {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { file, start, end, text } = next.mutation
    const original = readFileSync(join(ROOT, file), 'utf8')
    writeFileSync(join(copy, file), original.slice(0, start) + text + original.slice(end))
    const isKilled = !(await testsPass(copy))
    writeFileSync(join(copy, file), original)
    const line = original.slice(0, start).split('\n').length
    const told = `${file}:${line} ${JSON.stringify(original.slice(start, end).slice(0, 80))} → ${JSON.stringify(text.slice(0, 80))}`
    if (isKilled) killed += 1
    else survivors.push(told)
    console.log(`${next.index + 1} ${isKilled ? 'killed  ' : 'SURVIVED'} ${told}`)
  }
}

function testsPass(copy) {
  const args = [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', '--bail', '1', ...values.tests.split(',')]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', env: { ...process.env, CI: 'true' } })
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT)
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), 'mcpaql-mutants-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function sources(path) {
  return readdirSync(path, { recursive: true })
    .map((name) => relative(ROOT, join(path, name)))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
}

/** Every place of a file that can be broken, with one way to break it. */
function mutationsOf(file) {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found = []
  const add = (node, text) => found.push({ file, start: node.getStart(tree), end: node.getEnd(), text })
  visit(tree)
  return found

  function visit(node) {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isTypeAliasDeclaration(node)) return
    const operator = ts.isBinaryExpression(node) ? OPERATORS[node.operatorToken.getText(tree)] : undefined
    if (operator !== undefined) add(node.operatorToken, operator)
    if (ts.isNumericLiteral(node)) add(node, String(Number(node.text.replaceAll('_', '')) + 1))
    if (ts.isStringLiteral(node) && !ts.isExpressionStatement(node.parent)) add(node, node.text === '' ? "'x'" : "''")
    if (ts.isRegularExpressionLiteral(node)) add(node, brokenPattern(node.text))
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, node.operand.getText(tree))
    }
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(tree)})`)
    if (ts.isIfStatement(node)) add(node.expression, 'false')
    if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) add(node, ';')
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
      const at = Math.floor(random() * node.elements.length)
      const kept = node.elements.filter((_, index) => index !== at)
      add(node, `[${kept.map((element) => element.getText(tree)).join(', ')}]`)
    }
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 1) {
      const at = Math.floor(random() * node.properties.length)
      const kept = node.properties.filter((_, index) => index !== at)
      add(node, `{ ${kept.map((property) => property.getText(tree)).join(', ')} }`)
    }
    ts.forEachChild(node, visit)
  }
}

/** One alternative less, or a pattern that never matches. */
function brokenPattern(text) {
  const alternative = /(?<=[(|])[\w -]+\|/g
  const found = [...text.matchAll(alternative)]
  const one = found[Math.floor(random() * found.length)]
  if (one === undefined) return '/(?!)/'
  return text.slice(0, one.index) + text.slice(one.index + one[0].length)
}

function pick(items, count) {
  const left = [...items]
  const taken = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1))
  return taken
}

/** Mulberry32: the same numbers for the same seed on every machine. */
function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
