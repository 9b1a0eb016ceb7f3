import { matchesGlob } from '../../registry/glob.ts'
import { wordSet } from './options.ts'
import { isUnknown, type Scope, type Stream } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'

/** What a search that names files says of what others trust; nothing where none is among them. */
type FoundTrust = Pick<Extract<Stream, { kind: 'paths' }>, 'trust'>

/** Files and folders that others trust, as they lie in a project; each stands for its kind. */
const FILES = `.claude/settings.json .claude/settings.local.json .cursor/hooks.json .cursor/mcp.json .codex/config.toml
  .gemini/settings.json .vscode/settings.json .mcp.json .claude.json .npmrc .envrc .bashrc .zshrc .profile .gitconfig
  .gitmodules .husky/pre-commit .git/hooks/pre-commit .git/hooks/pre-push .git/hooks/post-checkout .git/config
  .ssh/authorized_keys .pre-commit-config.yaml mcpaql.yaml safety.json policy.json`.split(/\s+/)
const FOLDERS = '.claude .cursor .codex .gemini .vscode .husky .git/hooks .ssh'.split(' ')

/** What the tests of `find` let through; a part behind `-o` lets through by itself. */
export function trustFound(starts: readonly string[], tests: readonly string[], scope: Scope): FoundTrust {
  const isPicked = tests.some((test) => OTHER_CONDITIONS.test(test))
  if (tests.length > MOST_TESTS) return { trust: 'any' }
  if (tests.includes('-empty') || !starts.some((start) => isAbove(start, scope))) return {}
  const plain = tests.filter((test) => !/^[()]$/.test(test))
  const ways = splitAt(plain, /^(-o|-or|,)$/)
  const kept = ways.filter((way) => !way.includes('-prune'))
  const left = [...kept.flatMap(exclusionsOf), ...ways.filter((way) => way.includes('-prune')).flatMap(namesOf)]
  const found = kept.flatMap((way) => {
    const names = namesOf(way)
    const depth = Number(way[way.indexOf('-maxdepth') + 1] ?? Number.NaN)
    const samples = (way[way.indexOf('-type') + 1] === 'd' ? FOLDERS : FILES).filter(
      (sample) => !(way.includes('-maxdepth') && sample.split('/').length > depth),
    )
    const passes = samples.some(
      (sample) =>
        (names.length > 0 || sample.startsWith('.')) &&
        names.every((name) => fits(name, sample)) &&
        !left.some((name) => fits(name, sample) || fits(name, `${sample}/`)),
    )
    return passes ? [names] : []
  })
  if (found.length === 0) return {}
  const isKnown = starts.every((start) => !isUnknown(start))
  if (found.some((names) => names.length === 0)) return isPicked || !isKnown ? {} : { trust: 'all' }
  return found.some((names) => names.some(({ pattern }) => saysMore(pattern))) ? { trust: 'named' } : { trust: 'any' }
}

const MOST_TESTS = 100
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
  const isPath = !by.endsWith('name') || by.endsWith('wholename')
  const text = isPath ? `./${sample}` : (sample.split('/').at(-1) ?? '')
  const glob = pattern.replaceAll(/\[[^\]]*\]/g, '?')
  return by.startsWith('-i') ? matchesGlob(glob.toLowerCase(), text.toLowerCase()) : matchesGlob(glob, text)
}

/** `*.json` is a kind of file. */
function saysMore(pattern: string): boolean {
  return pattern.replace(/\.\w+$/, '').replaceAll(/\[[^\]]*\]|[^A-Za-z\d]/g, '').length > 2
}

/** A folder in which those of a project or an account lie. */
function isAbove(start: string, scope: Scope): boolean {
  return (
    resolvePath(start, scope.cwd) === scope.projects.at(-1) ||
    /^(projectRoot|home|root|unknown)$/.test(targetKind(start, scope)) ||
    scope.projects.some((project) => project.startsWith(`${resolvePath(start, scope.cwd)}/`))
  )
}

function splitAt(words: readonly string[], mark: RegExp): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  for (const word of words) {
    if (mark.test(word)) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

/** `git ls-files`, `rg -l`: lists of files for a pipe; undefined for anything else. */
export function listedFiles(name: string, args: readonly string[], scope: Scope, stdin: Stream): Stream | undefined {
  const trust =
    name === 'git' ? listedByGit(args, scope) : (listedBySearch(name, args, scope) ?? keptOf(name, args, stdin))
  return trust === undefined ? undefined : { kind: 'unknown', lists: trust }
}

function listedByGit(args: readonly string[], scope: Scope): 'any' | 'none' | undefined {
  const [verb = '', ...rest] = args
  const lists = verb === 'ls-files' || rest.some((arg) => /^(-(?=\w*l)\w*|--name-only|--files-with-matches)$/.test(arg))
  if (!/^(ls-files|grep|diff|show|log)$/.test(verb) || !lists) return undefined
  const behind = rest.indexOf('--')
  const specs =
    behind >= 0 ? rest.slice(behind + 1) : verb === 'ls-files' ? rest.filter((arg) => !arg.startsWith('-')) : []
  return specs.length > 0 && specs.every((spec) => !picksTrusted(spec, scope)) ? 'none' : 'any'
}

const SEARCHES = wordSet('grep egrep fgrep zgrep rg ag ack')

/** `rg` and its kin leave hidden files out unless they are told. */
function listedBySearch(name: string, args: readonly string[], scope: Scope): 'any' | 'none' | undefined {
  if (
    !SEARCHES.has(name) ||
    !args.some((arg) => /^(-(?=[a-zA-Z]*[lL])[a-zA-Z]*|--files(-with(out)?-match(es)?)?)$/.test(arg))
  )
    return undefined
  const isHidden = args.some((arg) =>
    /^(-(?=[a-zA-Z]*uu)[a-zA-Z]*|-[a-zA-Z]*\.[a-zA-Z]*|--hidden|--unrestricted)$/.test(arg),
  )
  if (/^(rg|ag|ack)$/.test(name) && !isHidden) return 'none'
  const kinds = args.flatMap((arg) => /^--include=(.*)$/.exec(arg)?.[1] ?? [])
  if (kinds.length > 0) return kinds.some((kind) => picksTrusted(kind, scope)) ? 'any' : 'none'
  const [, ...folders] = args.filter((arg) => !arg.startsWith('-'))
  return folders.length > 0 && !folders.some((folder) => isAbove(folder, scope) || picksTrusted(folder, scope))
    ? 'none'
    : 'any'
}

/** What is left of a list: by `grep '\.ts$'` nothing that others trust. */
function keptOf(name: string, args: readonly string[], stdin: Stream): 'any' | 'none' | undefined {
  if (stdin.kind !== 'unknown' || stdin.lists === undefined || !FILTERS.has(name)) return undefined
  return leavesOut(name, args) ? 'none' : stdin.lists
}

/** True for a search whose pattern stands in no name that others trust. */
export function leavesOut(name: string, args: readonly string[]): boolean {
  const [pattern = ''] = args.filter((arg) => !arg.startsWith('-'))
  const isPicked = /^[efr]?grep$|^rg$/.test(name) && !args.some((arg) => /^-[a-zA-Z]*v|^--invert-match$/.test(arg))
  return isPicked && !FILES.some((sample) => holdsWord(pattern, sample))
}

const FILTERS = wordSet('grep egrep fgrep rg head tail sort uniq tac shuf')

/** A pathspec, whose `*` matches slashes and dots, or a place. */
export function picksTrusted(spec: string, scope: Scope): boolean {
  const plain = spec.replace(/^:(\([^)]*\)|\/)/, '')
  if (targetKind(plain, scope) === 'trust') return true
  return (
    /[*?[]/.test(plain) &&
    [...FILES, ...FOLDERS].some((sample) => fits({ by: '-path', pattern: `*${plain.replace(/^\.\//, '')}` }, sample))
  )
}

/** Of a pattern of letters, one of its choices at least stands in the name as far as it says something. */
function holdsWord(pattern: string, sample: string): boolean {
  return pattern.split('|').some((choice) => {
    const plain = choice
      .replaceAll(/\\(.)/g, '$1')
      .replaceAll(/\[[^\]]*\]|(?<![.*+?^$(){}])[.*+?^$(){}]*[*+?^$(){}]/g, '\n')
    return plain.split('\n').every((word) => sample.includes(word))
  })
}
