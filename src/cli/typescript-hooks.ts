import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire, type InitializeHook, type LoadHook, type ResolveHook } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Hooks of Node's module loader; they run in a thread of their own and share nothing with the program. */
interface Given {
  /** The entry of the running program. */
  readonly mcpaql?: string | undefined
  /** The URL of the compiler, where Node cannot strip types. */
  readonly typescript?: string | undefined
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
  return { format: 'module', source: await compiled(typescript, file, source), shortCircuit: true }
}

/**
 * At each start and kept nowhere: whoever could write to a file of compiled code would have it run here. Since version
 * 7 the compiler is a program and has no such function. Required, not imported: Node searches what it imports for the
 * names of exports first, which takes longer than loading the compiler.
 */
async function compiled(compiler: string, file: string, source: string): Promise<string> {
  const ts = createRequire(compiler)(fileURLToPath(compiler)) as Partial<TypeScript>
  return hasTranspiler(ts)
    ? transpiled(ts, file, source)
    : compiledByProgram(new URL('../bin/tsc', compiler), file, source)
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
