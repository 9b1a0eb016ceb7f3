import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true }

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return await next(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  return { format: 'module', shortCircuit: true, source: ts.transpileModule(source, { compilerOptions }).outputText }
}
