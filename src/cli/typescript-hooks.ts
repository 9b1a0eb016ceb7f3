import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compiledKey, compiledOnce } from './compiled-once.ts'

/** Hooks of Node's module loader; they run in a thread of their own and share nothing with the program. */
interface Given {
  /** The entry of the running program. */
  readonly mcpaql?: string | undefined
  /** The compiler, where Node cannot strip types. */
  readonly typescript?: Compiler | undefined
}

export interface Compiler {
  readonly url: string
  readonly version: string
  /** Where its output is kept. */
  readonly folder: string
}

let given: Given = {}

export const initialize: InitializeHook<Given> = (data) => {
  // Called once for each module that asks; what one has asked for stays.
  given = { mcpaql: data.mcpaql ?? given.mcpaql, typescript: data.typescript ?? given.typescript }
}

export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === 'mcpaql' && given.mcpaql ? { url: given.mcpaql, shortCircuit: true } : next(specifier, context)

export const load: LoadHook = async (url, context, next) => {
  const { typescript } = given
  if (!typescript || !/^file:.*\.m?ts$/.test(url)) return next(url, context)
  const file = fileURLToPath(url)
  const source = await readFile(file, 'utf8')
  const key = compiledKey(typescript.version, source)
  const code = await compiledOnce(typescript.folder, key, () => compiled(typescript, file, source))
  return { format: 'module', source: code, shortCircuit: true }
}

/** Loading the compiler takes far longer than compiling. Since version 7 it is a program and has no such function. */
async function compiled({ url }: Compiler, file: string, source: string): Promise<string> {
  const { default: ts } = (await import(url)) as { readonly default: Partial<TypeScript> }
  return hasTranspiler(ts) ? transpiled(ts, file, source) : compiledByProgram(new URL('../bin/tsc', url), file, source)
}

type TypeScript = typeof import('typescript')

function hasTranspiler(ts: Partial<TypeScript>): ts is TypeScript {
  return typeof ts.transpileModule === 'function'
}

function transpiled(ts: TypeScript, fileName: string, source: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  const [fault] = diagnostics
  if (fault) throw new SyntaxError(ts.formatDiagnostic(fault, HOST))
  return outputText
}

/** A copy in a folder of its own: the program reads a file, which may have changed since the source was read. */
async function compiledByProgram(program: URL, file: string, source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpaql-'))
  try {
    await writeFile(join(folder, 'module.ts'), source)
    await run(process.execPath, [fileURLToPath(program), 'module.ts', ...ONE_FILE_ALONE], { cwd: folder })
    return await readFile(join(folder, 'module.js'), 'utf8')
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    const [fault] = stdout.split('\n', 1)
    if (fault?.startsWith('module.ts(')) throw new SyntaxError(fault.replace('module.ts', file))
    throw new Error(`the TypeScript compiler failed: ${stdout || stderr || String(error)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const run = promisify(execFile)

const ONE_FILE_ALONE = [
  '--ignoreConfig',
  '--noCheck',
  '--noResolve',
  '--isolatedModules',
  ...['--module', 'esnext'],
  ...['--target', 'es2022'],
  ...['--lib', 'es5'],
  ...['--pretty', 'false'],
]

const HOST = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => '', getNewLine: () => '\n' }
