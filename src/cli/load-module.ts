import { existsSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AdapterDefinition } from '../core/registry/adapter.ts'
import { EXIT, isStop, type Stop, stop } from './command.ts'
import type { World } from './world.ts'

/** An adapter from a module: its export `adapter`, what `createAdapter()` returns, or the default export. */
export async function loadModule(given: string, world: World): Promise<AdapterDefinition | Stop> {
  const path = resolve(world.cwd, given)
  if (!existsSync(path)) return stop(EXIT.badUsage, `There is no file ${given}`, 'Check the path')
  const url = pathToFileURL(path)
  const ready = prepare(url, given, world)
  if (isStop(ready)) return ready

  let exports: Readonly<Record<string, unknown>>
  let found: unknown
  try {
    exports = (await import(url.href)) as Readonly<Record<string, unknown>>
    found = await adapterIn(exports)
  } catch (error) {
    return stop(EXIT.badUsage, `${given} could not be loaded: ${reasonOf(error)}`, remedyFor(error))
  }
  if (isAdapter(found)) return found
  const names = Object.keys(exports)
  return stop(
    EXIT.badUsage,
    `${given} exports no adapter${names.length > 0 ? ` (it exports ${names.join(', ')})` : ''}`,
    'Write: export const adapter = defineAdapter({ name, description, operations })',
  )
}

async function adapterIn({
  adapter,
  createAdapter,
  default: standard,
}: Readonly<Record<string, unknown>>): Promise<unknown> {
  const given = adapter ?? createAdapter ?? standard
  return typeof given === 'function' ? given() : given
}

function isAdapter(value: unknown): value is AdapterDefinition {
  if (typeof value !== 'object' || value === null) return false
  const { name, operations } = value as Partial<AdapterDefinition>
  return typeof name === 'string' && Array.isArray(operations)
}

/**
 * Teaches this Node TypeScript where it cannot read it. And `mcpaql` must mean this very program to the module: a
 * failure made by another copy would not be known for one.
 */
function prepare(url: URL, given: string, world: World): Stop | undefined {
  const from = createRequire(url)
  const mcpaql = OURS && resolved(from, 'mcpaql') !== OURS ? OURS : undefined
  const needsTypes = /\.[mc]?ts$/.test(given) && !world.readsTypeScript
  const typescript = needsTypes ? (resolved(from, 'typescript') ?? resolved(HERE, 'typescript')) : undefined
  if (needsTypes && typescript === undefined) {
    return stop(
      EXIT.badUsage,
      `This version of Node cannot read TypeScript by itself, and no typescript package is at hand for ${given}`,
      'Install it beside the module (npm install --save-dev typescript), use Node 22.18 or newer, or compile to JavaScript first',
    )
  }
  if (mcpaql ?? typescript) register('./typescript-hooks.js', import.meta.url, { data: { mcpaql, typescript } })
  return undefined
}

const HERE = createRequire(import.meta.url)

/** Compiled, the entry stands beside this folder; run from source, there is none that a module could import. */
const OURS = import.meta.url.endsWith('.js') ? new URL('../index.js', import.meta.url).href : undefined

const PROGRAM = new URL('..', import.meta.url).href

function resolved(require: NodeJS.Require, name: string): string | undefined {
  try {
    return pathToFileURL(require.resolve(name)).href
  } catch {
    return undefined
  }
}

function remedyFor(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND'
    ? 'Install what it imports beside it, or mend the import'
    : 'A module runs when it is loaded: mend it and start again'
}

/** The message and the first place in the stack that is not in this program: what an author needs. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = error.stack?.split('\n').find((line) => /^\s+at .*file:/.test(line) && !line.includes(PROGRAM))
  return place ? `${error.message}\n${place}` : error.message
}
