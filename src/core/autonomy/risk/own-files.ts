import { isUnknown, known, PROJECT, type Scope } from './scope.ts'
import { resolvePath } from './targets.ts'

/** The programs of this package, by the names under which they are installed. */
export type OwnName = 'mcpaql' | 'mcpaql-conformance' | 'mcpaql-safety-dongle'

export interface OwnFile {
  readonly program: OwnName
  /** True where only the name says so: it may be any file. */
  readonly isOnlyNamed: boolean
}

/**
 * The program that runs when Node, or a shell, is given this path in this folder. A file of the package is the program,
 * with or without an ending and in whatever folder the path begins.
 */
export function ownFileAt(path: string, scope: Place): OwnFile | undefined {
  const plain = path.replaceAll('\\', '/').replace(/^file:(\/\/)?(?=[/.])/i, '')
  if (plain === '' || plain.startsWith('-') || plain.length > LONGEST_PATH || /\s/.test(plain)) return undefined
  const segments = resolvePath(plain, folderOf(scope)).toLowerCase().split('/').slice(1)
  const last = segments.at(-1) ?? ''
  // A folder of that name is no program.
  const program = /(^|\/)\.{1,2}\/?$/.test(plain) ? undefined : NAMES.get(last.replace(RUNNABLE_END, ''))
  if (program !== undefined) return { program, isOnlyNamed: segments.at(-2) !== '.bin' && !isInPackage(segments) }
  const isOwn = isInPackage(segments) || isInCheckout(segments, last)
  return isOwn ? { program: 'mcpaql', isOnlyNamed: false } : undefined
}

type Place = Pick<Scope, 'cwd' | 'own'>

/** The folder of the text, where it is known in place of the one that stands for every project. */
function folderOf({ cwd, own }: Place): string {
  const isBelow = cwd === PROJECT || cwd.startsWith(`${PROJECT}/`)
  return own?.folder !== undefined && isBelow ? own.folder + cwd.slice(PROJECT.length) : cwd
}

/** A module by the name of the package, or by a path to it: `mcpaql/dist/src/cli/main.js`. What it exports is a library. */
export function isOwnModule(name: string, scope: Place): boolean {
  if (!/[/\\]/.test(name) || LIBRARY.test(name.slice(Math.max(0, name.lastIndexOf('mcpaql'))))) return false
  const file = ownFileAt(name.startsWith('mcpaql/') ? `/node_modules/${name}` : name, scope)
  return file !== undefined && !file.isOnlyNamed
}

/** Code that names a file of the package, whole or in pieces that are joined. */
export function namesOwnFile(strings: readonly string[], scope: Place): boolean {
  if (strings.some((text) => isOwnModule(text, scope))) return true
  return (
    strings.some((text) => text.split(/[/\\]/).some((one) => FOLDER.test(one))) &&
    strings.some((text) => STARTS_INSIDE.test(text.slice(text.lastIndexOf('/') + 1)) && text.includes('.'))
  )
}

/** `mcpaql@latest`, `x@npm:mcpaql`, `file:../mcpaql-0.1.0.tgz`, `github:who/mcpaql`, `npm:mcpaql/bin`: the package, wherever it comes from. */
export function isOwnPackage(spec: string): boolean {
  const [first = '', ...rest] = known(spec).toLowerCase().slice(0, LONGEST_PATH).replaceAll('\\', '/').split('/')
  return [first, rest.findLast((one) => one !== '') ?? ''].some((one) =>
    one.split(':').some((part) => PACKAGE.test(part.replace(/\.(tgz|tar\.gz|tar|git)$/, ''))),
  )
}

const PACKAGE = /^mcpaql([@#-]|$)|@mcpaql$/
const LONGEST_PATH = 1_024

const NAMES: ReadonlyMap<string, OwnName> = new Map(
  (['mcpaql', 'mcpaql-conformance', 'mcpaql-safety-dongle'] as const).map((name) => [name, name]),
)
const RUNNABLE_END = /\.([cm]?[jt]s|cmd|ps1|exe|bat)$/

/** `mcpaql`, `mcpaql@0.1.0`, and folders that archives are unpacked to. */
const FOLDER = /^mcpaql(@.*|-\d.*|-main|-master)?$/
const STARTS = /^bin(\.[cm]?[jt]s)?$/
const STARTS_INSIDE = /^(bin|main|runner)(\.[cm]?[jt]s)?$/
/** What the package exports, which is no program. */
const LIBRARY = /^mcpaql(\/(store|serve|schemas\/.*|dist\/src\/(index|store\/entry|serve\/entry)\.js))?$/

/** Code below `node_modules/mcpaql`, and that folder. */
function isInPackage(segments: readonly string[]): boolean {
  const at = segments.findLastIndex((one, i) => FOLDER.test(one) && segments[i - 1] === 'node_modules')
  if (at < 0) return false
  const last = segments.length - 1 > at ? (segments.at(-1) ?? '') : ''
  return !last.includes('.') || (/\.[cm]?[jt]s$/.test(last) && !last.endsWith('.d.ts'))
}

/** A checkout, an unpacked archive or a build: what starts there is called the same. */
function isInCheckout(segments: readonly string[], last: string): boolean {
  const cli = segments.lastIndexOf('cli')
  if (STARTS.test(last) && cli > 0 && segments[cli - 1] === 'src') return true
  const folder = segments.findLastIndex((one) => FOLDER.test(one))
  return folder >= 0 && (STARTS.test(last) || (cli > folder && STARTS_INSIDE.test(last)))
}

/** A file that may be the program under another name: nothing says which one it is, or it is called like the program's. */
export function maybeOwnFile(path: string, { cwd }: Place): boolean {
  return isUnknown(path) || isUnknown(cwd) || STARTS_INSIDE.test(path.slice(path.lastIndexOf('/') + 1).toLowerCase())
}
