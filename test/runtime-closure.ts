import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of package-lock.json that are read here. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}

export interface LockEntry {
  readonly version?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

export interface Installed {
  /** From the root of the project. */
  readonly path: string
  readonly entry: LockEntry
}

/** Every package that `npm install --omit=dev` brings onto this machine, found by walking from the root. */
export function runtimeClosure({ packages }: Lock): readonly Installed[] {
  const found = new Map<string, LockEntry>()
  const visit = (from: string, entry: LockEntry): void => {
    for (const name of needs(entry)) {
      const path = resolve(packages, from, name)
      const next = path === undefined ? undefined : packages[path]
      if (path === undefined || !next || found.has(path) || !isForHere(next)) continue
      found.set(path, next)
      visit(path, next)
    }
  }
  visit('', packages[''] ?? {})
  return [...found].map(([path, entry]) => ({ path, entry })).toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The sum of the files' sizes; packages nested below are counted only when asked for. */
export function apparentBytes(folder: string, nested = false): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, file) => {
    const path = join(folder, file.name)
    if (file.isDirectory()) return nested || file.name !== 'node_modules' ? sum + apparentBytes(path, nested) : sum
    return file.isFile() ? sum + statSync(path).size : sum
  }, 0)
}

function needs({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }: LockEntry) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** As Node does: beside the package, then in each folder above. */
function resolve(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    if (packages[path]) return path
    if (base === '') return undefined
  }
}

function isForHere({ os, cpu }: LockEntry): boolean {
  return (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch))
}
