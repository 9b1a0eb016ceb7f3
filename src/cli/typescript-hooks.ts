import { readFile } from 'node:fs/promises'
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Hooks of Node's module loader; they run in a thread of their own and share nothing with the program. */
interface Given {
  /** The entry of the running program. */
  readonly mcpaql?: string | undefined
  /** The compiler, where Node cannot strip types. */
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
  if (!given.typescript || !/^file:.*\.m?ts$/.test(url)) return next(url, context)
  const { default: ts } = (await import(given.typescript)) as { readonly default: typeof import('typescript') }
  const source = await readFile(fileURLToPath(url), 'utf8')
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName: fileURLToPath(url),
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  const [fault] = diagnostics
  if (fault) throw new SyntaxError(ts.formatDiagnostic(fault, HOST))
  return { format: 'module', source: outputText, shortCircuit: true }
}

const HOST = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => '', getNewLine: () => '\n' }
