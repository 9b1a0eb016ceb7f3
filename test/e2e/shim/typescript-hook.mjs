import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Compiled once: the compiler is by far the slowest thing to load. */
const CACHE = new URL('../../../node_modules/.cache/mcpaql-test/', import.meta.url)

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return await next(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  const cached = new URL(`${createHash('sha256').update(source).digest('hex')}.js`, CACHE)
  const compiled = await readFile(cached, 'utf8').catch(() => compile(source, cached))
  return { format: 'module', shortCircuit: true, source: compiled }
}

async function compile(source, cached) {
  const { default: ts } = await import('typescript')
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true }
  const { outputText } = ts.transpileModule(source, { compilerOptions })
  const part = new URL(`${cached.href}.${process.pid}`)
  await mkdir(CACHE, { recursive: true })
  await writeFile(part, outputText)
  await rename(part, cached)
  return outputText
}
