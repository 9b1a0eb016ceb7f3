import { readFile } from 'node:fs/promises'
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'
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

/** Loading the compiler takes far longer than compiling. */
async function compiled({ url }: Compiler, fileName: string, source: string): Promise<string> {
  const { default: ts } = (await import(url)) as { readonly default: typeof import('typescript') }
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  const [fault] = diagnostics
  if (fault) throw new SyntaxError(ts.formatDiagnostic(fault, HOST))
  return outputText
}

const HOST = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => '', getNewLine: () => '\n' }
