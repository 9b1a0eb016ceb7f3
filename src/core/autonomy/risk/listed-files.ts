import { matchesGlob } from '../../registry/glob.ts'
import { withoutTrailing } from '../without-trailing.ts'
import { spend } from './budget.ts'
import { wordSet } from './options.ts'
import { isUnknown, type Scope, type Stream } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'
import { isTrustedName, LISTED_PLACES, type ListedPlace, runsLater } from './trusted-places.ts'

/** What a search that names files says of what others trust; nothing where none is among them. */
type FoundTrust = Pick<Extract<Stream, { kind: 'paths' }>, 'trust'>

/** What the tests of `find` let through; a part behind `-o` lets through by itself. */
export function trustFound(starts: readonly string[], tests: readonly string[], scope: Scope): FoundTrust {
  const isPicked = tests.some((test) => OTHER_CONDITIONS.test(test))
  if (tests.length > MOST_TESTS) return { trust: 'any' }
  if (tests.includes('-empty') || !starts.some((start) => isAbove(start, scope))) return {}
  const plain = tests.filter((test) => !/^[()]$/.test(test))
  const ways = splitAt(plain, /^(-o|-or|,)$/)
  const kept = ways.filter((way) => !way.includes('-prune'))
  const left = kept.flatMap(exclusionsOf)
  const pruned = ways.filter(prunesByName).flatMap(namesOf)
  const found = kept.map((way) => wayTrust(way, left, pruned, scope))
  const isKnown = starts.every((start) => !isUnknown(start))
  if (found.includes('named') && !found.includes('all')) return { trust: 'named' }
  if (found.includes('all')) return isPicked || !isKnown ? {} : { trust: 'all' }
  return found.includes('any') ? { trust: 'any' } : {}
}

/** A folder is left out by its name alone; with another condition it may be entered. */
function prunesByName(way: readonly string[]): boolean {
  const rest = way.filter((test, at) => !NAMED_BY.test(test) && !NAMED_BY.test(way[at - 1] ?? ''))
  return way.includes('-prune') && namesOf(way).length === 1 && rest.every((test) => /^(-prune|-type|d)$/.test(test))
}

/** What one way through the tests lets through. */
function wayTrust(
  way: readonly string[],
  left: readonly Name[],
  pruned: readonly Name[],
  scope: Scope,
): 'named' | 'any' | 'all' | 'none' {
  const names = namesOf(way)
  const depth = way.includes('-maxdepth') ? Number(way[way.indexOf('-maxdepth') + 1]) : Number.POSITIVE_INFINITY
  const isFolder = way[way.indexOf('-type') + 1] === 'd'
  const all = [...names, ...left, ...pruned]
  if (!spend(scope.budget, 20 + all.length * 20) || all.some(({ pattern }) => pattern.length > LONGEST_PATTERN))
    return 'any'
  let worst: 'any' | 'none' = 'none'
  for (const place of LISTED_PLACES) {
    if (isFolder && !place.isFolder) continue
    const path = isFolder || !place.isFolder ? place.path : fileIn(place, names)
    if (path === undefined || path.split('/').length > depth) continue
    if (names.length === 0 && !path.startsWith('.')) continue
    if (
      !names.every(
        (name) => fits(name, path) && (path.startsWith('.') || path.includes('/.') || saysMore(name.pattern)),
      )
    )
      continue
    if (left.some((name) => fits(name, path) || fits(name, `${path}/`)) || pruned.some((name) => isBelow(name, path)))
      continue
    if (names.length === 0) return 'all'
    if (!place.runsLater && names.some(({ pattern }) => saysMore(pattern))) return 'named'
    worst = 'any'
  }
  return worst
}

/** A file of the folder as the tests would have it; undefined where none of them means the folder. */
function fileIn({ path }: ListedPlace, names: readonly Name[]): string | undefined {
  const paths = names.filter(({ by }) => ofPath(by))
  const [first] = paths
  if (!first) return undefined
  const last = (names.find(({ by }) => !ofPath(by)) ?? first).pattern.replace(/^.*\//s, '')
  const isRegex = first.by.endsWith('regex')
  const name = isRegex ? `x${/(?<![\w.-])[\w.-]*$/.exec(plainRegex(last))?.[0] ?? ''}` : plainGlob(last)
  const other = path.replaceAll(/[^/]+/g, (part) => (part.startsWith('.') ? '.' : '') + 'q'.repeat(part.length + 1))
  const isMeant = paths.some((one) => fits(one, `${path}/${name}`) && !fits(one, `${other}/${name}`))
  return isMeant ? `${path}/${name}` : undefined
}

/** A name that the pattern picks. */
function plainGlob(pattern: string): string {
  return pattern.replaceAll(/\[[^\]]{0,255}\]|[*?]/g, 'x') || 'x'
}

/** The path, or a folder above it. */
function isBelow(name: Name, path: string): boolean {
  const parts = path.split('/')
  return parts.some((_, at) => {
    const part = parts.slice(0, at + 1).join('/')
    return fits(name, part) || fits(name, `${part}/`)
  })
}

const MOST_TESTS = 100
/** No name of a place is nearly as long. */
const LONGEST_PATTERN = 1_000
/** By age, size or owner: few, and nothing is said of their names. */
const OTHER_CONDITIONS =
  /^-([amcB](time|min)|[ac]?newer\w*|size|inum|links|samefile|user|group|[ug]id|perm|executable)$/

interface Name {
  readonly by: string
  readonly pattern: string
}

const NAMED_BY = /^-i?(name|path|wholename|regex)$/

function namesOf(way: readonly string[]): readonly Name[] {
  return named(way, false)
}

function exclusionsOf(way: readonly string[]): readonly Name[] {
  return named(way, true)
}

function named(way: readonly string[], isNegated: boolean): readonly Name[] {
  return way.flatMap((test, at) =>
    NAMED_BY.test(test) && /^(!|-not)$/.test(way[at - 1] ?? '') === isNegated
      ? [{ by: test, pattern: way[at + 1] ?? '' }]
      : [],
  )
}

/** Here `*` matches leading dots too, and in a path the slashes. A pattern of letters is asked for its longest word. */
function fits({ by, pattern }: Name, sample: string): boolean {
  if (by.endsWith('regex')) return holdsWord(pattern, `./${sample}`)
  const text = ofPath(by) ? `./${sample}` : (sample.split('/').at(-1) ?? '')
  const glob = pattern.replaceAll(/\[[^\]]{0,255}\]/g, '?')
  return by.startsWith('-i') ? matchesGlob(glob.toLowerCase(), text.toLowerCase()) : matchesGlob(glob, text)
}

function ofPath(by: string): boolean {
  return !by.endsWith('name') || by.endsWith('wholename')
}

/** `*.json` is a kind of file. */
function saysMore(pattern: string): boolean {
  const last = pattern
    .replaceAll('\\', '')
    .replace(/^.*[*/]/s, '')
    .replace(/\$$/, '')
  if (isTrustedName(last)) return true
  return pattern.replace(/\.\w+$/, '').replaceAll(/\[[^\]]{0,255}\]|[^A-Za-z\d]/g, '').length > 2
}

/** A folder in which those of a project or an account lie. */
function isAbove(start: string, scope: Scope): boolean {
  return (
    resolvePath(start, scope.cwd) === scope.projects.at(-1) ||
    holdsPlaces(start) ||
    /^(projectRoot|home|root|unknown)$/.test(targetKind(start, scope)) ||
    scope.projects.some((project) => project.startsWith(`${resolvePath(start, scope.cwd)}/`))
  )
}

/** `.github`, `.config`: some of what lies in it is trusted, and all of it is not. */
function holdsPlaces(folder: string): boolean {
  const name = withoutTrailing(folder, '/').replace(/^.*\//s, '')
  return name.startsWith('.') && LISTED_PLACES.some(({ path }) => path.startsWith(`${name}/`))
}

function splitAt(words: readonly string[], mark: RegExp): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  for (const word of words) {
    if (mark.test(word)) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

/** What a list of files holds of what others trust; undefined for what is no list. */
type ListedTrust = Extract<Stream, { kind: 'unknown' }>['lists']

/** `git ls-files`, `rg -l`, `ls`: lists of files for a pipe; undefined for anything else. */
export function listedFiles(name: string, args: readonly string[], scope: Scope, stdin: Stream): Stream | undefined {
  const trust =
    name === 'git'
      ? listedByGit(args, scope)
      : (listedBySearch(name, args, scope) ?? listedByName(name, args, scope) ?? keptOf(name, args, stdin))
  return trust === undefined ? undefined : { kind: 'unknown', lists: trust }
}

function listedByGit(args: readonly string[], scope: Scope): ListedTrust {
  const [verb = '', ...rest] = args
  const lists = verb === 'ls-files' || rest.some((arg) => /^(-(?=\w*l)\w*|--name-only|--files-with-matches)$/.test(arg))
  if (!/^(ls-files|ls-tree|grep|diff|show|log)$/.test(verb) || !(lists || verb === 'ls-tree')) return undefined
  const behind = rest.indexOf('--')
  const specs =
    behind >= 0 ? rest.slice(behind + 1) : verb === 'ls-files' ? rest.filter((arg) => !arg.startsWith('-')) : []
  return specs.length > 0 ? gravest(specs.map((spec) => pickedTrust(spec, scope))) : 'any'
}

function gravest(found: readonly ListedTrust[]): ListedTrust {
  return found.includes('named') ? 'named' : found.includes('any') ? 'any' : 'none'
}

const SEARCHES = wordSet('grep egrep fgrep zgrep rg ag ack')

/** `rg` and its kin leave hidden files out unless they are told. */
function listedBySearch(name: string, args: readonly string[], scope: Scope): ListedTrust {
  if (
    !SEARCHES.has(name) ||
    !args.some((arg) => /^(-(?=[a-zA-Z]*[lL])[a-zA-Z]*|--files(-with(out)?-match(es)?)?)$/.test(arg))
  )
    return undefined
  const isHidden = args.some((arg) =>
    /^(-(?=[a-zA-Z]*uu)[a-zA-Z]*|-[a-zA-Z]*\.[a-zA-Z]*|--hidden|--unrestricted)$/.test(arg),
  )
  const isQuiet = /^(rg|ag|ack)$/.test(name) && !isHidden
  const kinds = args.flatMap((arg, at) =>
    GLOB_FLAG.test(args[at - 1] ?? '') ? [arg] : (/^(?:--include|--i?glob|-g)=?(.+)$/.exec(arg)?.[1] ?? []),
  )
  const kept = kinds.filter((kind) => !kind.startsWith('!'))
  // A glob that says the dot takes hidden files in.
  const left = (kind: string) => (isQuiet && !/(^|\/)\./.test(kind) ? [HIDDEN] : [])
  const [first, ...others] = args.filter((arg, at) => !arg.startsWith('-') && !GLOB_FLAG.test(args[at - 1] ?? ''))
  const folders = args.includes('--files') && first !== undefined ? [first, ...others] : others
  if (kept.length > 0) return gravest(kept.map((kind) => pickedTrust(kind, scope, left(kind))))
  const inside = gravest(folders.map((folder) => pickedTrust(folder, scope)))
  if (inside !== 'none') return inside
  if (isQuiet) return 'none'
  return folders.length > 0 && !folders.some((folder) => isAbove(folder, scope)) ? 'none' : 'any'
}

/** What begins with a dot, and what lies in such a folder. */
const HIDDEN: Name = { by: '-path', pattern: '*/.*' }
const GLOB_FLAG = /^(-g|--i?glob|--include)$/

/** `ls`, which leaves hidden files out, and `locate`, which knows the names of all. */
function listedByName(name: string, args: readonly string[], scope: Scope): ListedTrust {
  const operands = args.filter((arg) => !arg.startsWith('-'))
  if (/^([mp]?locate|mdfind)$/.test(name)) return gravest(operands.map((one) => pickedTrust(`*${one}*`, scope)))
  if (!/^(g?ls|dir|eza|exa|tree)$/.test(name)) return undefined
  const isHidden = args.some((arg) => /^(-(?=[a-zA-Z]*[aA])[a-zA-Z]*|--(almost-)?all)$/.test(arg))
  const trust = gravest(operands.map((one) => pickedTrust(one, scope, isHidden ? [] : [HIDDEN])))
  return trust === 'none' && isHidden && (operands.length === 0 || operands.some((one) => isAbove(one, scope)))
    ? 'any'
    : trust
}

/** What is left of a list: by `grep '\.ts$'` nothing that others trust. */
function keptOf(name: string, args: readonly string[], stdin: Stream): ListedTrust {
  if (stdin.kind !== 'unknown' || stdin.lists === undefined || !FILTERS.has(name)) return undefined
  return stdin.lists === 'none' ? 'none' : (keptTrust(name, args) ?? stdin.lists)
}

/** What a search keeps of a list: nothing that others trust, or what its pattern names; undefined where it says nothing. */
export function keptTrust(name: string, args: readonly string[]): 'named' | 'none' | undefined {
  const [pattern = ''] = args.filter((arg) => !arg.startsWith('-'))
  const isPicked = /^[efr]?grep$|^rg$/.test(name) && !args.some((arg) => /^-[a-zA-Z]*v|^--invert-match$/.test(arg))
  if (!isPicked || pattern.length > LONGEST_PATTERN) return undefined
  const kept = LISTED_PLACES.filter(({ path, isFolder }) => holdsWord(pattern, isFolder ? `./${path}/` : `./${path}`))
  if (kept.length === 0) return 'none'
  const said = pattern.split('|').flatMap((choice) => plainRegex(choice).split(/[\n/]/))
  return kept.some(
    ({ path, runsLater }) => !runsLater && path.split('/').some((part) => /[._]/.test(part) && said.includes(part)),
  )
    ? 'named'
    : undefined
}

const FILTERS = wordSet('grep egrep fgrep rg head tail sort uniq tac shuf')

/** True where a pathspec or a place picks what others trust. */
export function picksTrusted(spec: string, scope: Scope): boolean {
  return pickedTrust(spec, scope) !== 'none'
}

/** A pathspec, whose `*` matches slashes and dots, or a place. */
function pickedTrust(spec: string, scope: Scope, left: readonly Name[] = []): 'named' | 'any' | 'none' {
  const plain = spec.replace(/^:(\([^)]*\)|\/)/, '')
  if (targetKind(plain, scope) === 'trust' || targetKind(`${plain}/x`, scope) === 'trust') return 'named'
  const isLater = runsLater(resolvePath(plain, scope.cwd)) || runsLater(`${resolvePath(plain, scope.cwd)}/x`)
  if (!/[*?[]/.test(plain)) return isLater || holdsPlaces(plain) ? 'any' : 'none'
  const way = ['-ipath', `*${plain.replace(/^\.\//, '')}`]
  const found = wayTrust(way, left, [], scope)
  return found === 'named' ? 'named' : found === 'any' || isLater ? 'any' : 'none'
}

/** Of a pattern of letters, one of its choices at least stands in the name as far as it says something. */
function holdsWord(pattern: string, sample: string): boolean {
  return pattern.split('|').some((choice) =>
    plainRegex(choice)
      .split('\n')
      .every((word) => sample.includes(word)),
  )
}

/** The words of a pattern, with a line end for what may be anything. */
function plainRegex(pattern: string): string {
  return pattern
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/\[[^\]]{0,255}\]|(?<![.*+?^$(){}])[.*+?^$(){}]*[*+?^$(){}]/g, '\n')
}
