import { matchesGlob } from '../../registry/glob.ts'
import { isAmong } from '../own-places.ts'
import { wordSet } from './options.ts'
import { HOME, isUnknown, type Scope, UNKNOWN } from './scope.ts'
import { isTrusted, isWild, mayBe, namesTrust } from './trusted-places.ts'

/** What kind of place a path names. */
export type TargetKind = keyof typeof TARGET_KINDS

/** The kinds in the order of their gravity, with the words that factors use. */
export const TARGET_KINDS = Object.freeze({
  sink: 'a stream that keeps nothing',
  temporary: 'a temporary folder',
  temporaryRoot: 'the temporary folder of all programs',
  regenerable: 'build output that can be made again',
  project: 'a path in the project',
  projectRoot: 'the whole project or its history',
  unknown: 'a path known only at run time',
  outside: 'a path outside the project',
  trust: 'a start-up, key or configuration file that others trust',
  system: 'a system tree',
  home: 'a home folder',
  root: 'the root of the file system',
  device: 'a device',
})

/** What decides where a path leads. */
type Place = Pick<Scope, 'cwd' | 'projects' | 'own'> & Partial<Pick<Scope, 'seen'>>

/** The absolute, normalised path; `.` and `..` are gone, `~` is the home folder. */
export function resolvePath(path: string, cwd: string): string {
  const text = path.includes('\\') && /^[A-Za-z]:\\/.test(path) ? path.replaceAll('\\', '/') : path
  const start =
    text === '~+' || text.startsWith('~+/')
      ? cwd + text.slice(2)
      : text === '~' || text.startsWith('~/')
        ? HOME + text.slice(1)
        : text.startsWith('~')
          ? `/home/${text.slice(1)}`
          : text
  const whole = start.startsWith('/') ? start : `${cwd}/${start}`
  const segments: string[] = []
  for (const segment of whole.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') segments.pop()
    else segments.push(segment)
  }
  return `/${segments.join('/')}`
}

export function targetKind(path: string, scope: Place): TargetKind {
  if (path === '' || path === '-' || path === '&1' || path === '&2') return 'sink'
  if (isUnknown(path) ? namesTrust(path) : isUnknown(scope.cwd) && namesTrust(`${scope.cwd}/${path}`)) return 'trust'
  if (path.startsWith(UNKNOWN)) return path.length > 1 && /^\0\/?(\*|\.)?$/.test(path) ? 'outside' : 'unknown'
  if (WINDOWS.test(path)) return windowsKind(path)
  if (path.startsWith('\\\\')) return 'device'
  const full = resolvePath(path, scope.cwd)
  if (SINKS.has(full) || LINES.test(full)) return 'sink'
  const segments = full.split('/').slice(1)
  const [first = '', second] = segments
  if (first === '' || first === '*' || first === '.*') return 'root'
  if (isWild(full) && isHome(segments)) return 'home'
  // What others trust is trusted wherever it lies, in a temporary folder too.
  const project = scope.projects.find(
    (root) => !TEMPORARY.includes(root) && (full === root || full.startsWith(`${root}/`)),
  )
  // `.*` of a folder that is neither a project's nor an account's says nothing of what there is.
  const isUnsaid = project === undefined && /^\.[*?]+$/.test(segments.at(-1) ?? '') && !full.startsWith(`${HOME}/`)
  const named = isUnsaid ? segments.slice(0, -1) : segments
  if (isTrusted(`/${named.join('/')}`, named, scope.seen?.globsDots) || isOwn(full, segments, scope)) return 'trust'
  if (project !== undefined) return insideKind(full.slice(project.length + 1))
  if (isTemporary(full))
    return isTemporary(full.replace(/\/[^/]*$/, '')) && segments.at(-1) !== '*' ? 'temporary' : 'temporaryRoot'
  if (first === 'dev') return 'device'
  if (isCache(segments)) return 'regenerable'
  if (isHome(segments)) return 'home'
  if (isSystem(first, second)) return 'system'
  return isUnknown(full) && isUnknown(first) ? 'unknown' : 'outside'
}

/** By its name, or by a pattern that a shell can take for it. */
function isOwn(full: string, segments: readonly string[], { own, seen }: Place): boolean {
  const places = own?.trusted ?? []
  return isAmong(full, places) || (isWild(full) && places.some((place) => mayBe(segments, place, seen?.globsDots)))
}

function insideKind(path: string): TargetKind {
  const [first = '', ...rest] = path.split('/')
  if (path === '' || path === '*' || path === '.*' || path === '{*,.*}') return 'projectRoot'
  if (first === '.git') return rest.length === 0 || rest[0] !== 'hooks' ? 'projectRoot' : 'trust'
  return [first, ...rest].some(isRegenerable) ? 'regenerable' : 'project'
}

/** `dist`, `cmake-build-debug`, `app.egg-info`, `*.log`: the name says that a program makes it again. */
export function isRegenerable(segment: string): boolean {
  return REGENERABLE.has(segment.toLowerCase()) || REGENERABLE_NAME.test(segment)
}

/** Caches of tools in the home folder: what is gone is fetched or built again. */
function isCache([first, , third = '', ...rest]: readonly string[]): boolean {
  if ((first !== 'home' && first !== 'Users') || rest.length === 0) return false
  if (third === '.cache' || (third === 'Library' && rest[0] === 'Caches' && rest.length > 1)) return true
  return rest.some((segment) => CACHE_FOLDERS.has(segment)) && (third.startsWith('.') || third === 'Library')
}

function isTemporary(full: string): boolean {
  return TEMPORARY.some((root) => full === root || full.startsWith(`${root}/`))
}

function isHome([first = '', second, third]: readonly string[]): boolean {
  if (first === 'root') return second === undefined || second === '*'
  if (first !== 'home' && first !== 'Users' && !(isGlob(first) && matchesGlob(first, 'home'))) return false
  return second === undefined || third === undefined || third === '*' || third === '.*'
}

function isSystem(first: string, second: string | undefined): boolean {
  if (LOOSE.has(first)) return second === undefined || second === '*'
  if (first === 'var') return !(second !== undefined && VAR_OUTSIDE.has(second))
  if (first === 'usr') return second !== 'local' && second !== 'src'
  if (SYSTEM.has(first)) return true
  return isGlob(first) && [...SYSTEM].some((name) => matchesGlob(first.replaceAll(/\[[^\]]{0,255}\]/g, '?'), name))
}

/** `C:\Users`, `C:/Users`; a POSIX shell that reads the line first leaves `C:Users`. */
const WINDOWS = /^[A-Za-z]:(?![:\d]|$)|^[A-Za-z]:$/

function windowsKind(path: string): TargetKind {
  const rest = path.slice(2).toLowerCase().replaceAll('\\', '/').replace(/^\/+/, '')
  if (rest === '' || rest === '*' || rest === '*.*') return 'root'
  if (/startup|\.ssh|authorized_keys|\.gitconfig|drivers\/?etc|profile\.ps1/.test(rest)) return 'trust'
  if (/^users\/?[\w.-]*\/?\*?$/.test(rest) && rest.includes('/') && rest.split('/').filter(Boolean).length < 3)
    return 'home'
  if (rest.startsWith('windows') || rest.startsWith('program')) return 'system'
  return rest.split('/').includes('temp') ? 'temporary' : 'outside'
}

function isGlob(text: string): boolean {
  return text.includes('*') || text.includes('?') || text.includes('[')
}

/** Descriptors, serial lines, cameras and the like: nothing is kept there. */
const LINES =
  /^\/dev\/(fd\/|tty(USB|ACM|S|AMA|THS)?\d|cu\.|tty\.|video\d|snd\/|i2c|spidev|hidraw|kvm$|dri\/|nvidia|input\/|usb\/|pts\/)/

const SINKS = wordSet(
  '/dev/null /dev/stdout /dev/stderr /dev/stdin /dev/tty /dev/zero /dev/full /dev/random /dev/urandom',
)
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/var/folders', '/dev/shm', '/private/var/folders']
const SYSTEM = wordSet(`bin boot dev etc lib lib32 lib64 libx32 proc run sbin sys usr var System Library Applications
  private Windows nix snap efi cores kernel initrd vmlinuz lost+found`)
/** Below these stand applications and their files: the folder itself is the system's, what is in it lies outside. */
const LOOSE = wordSet('opt srv mnt media Volumes home Users')
const VAR_OUTSIDE = wordSet('www log cache tmp')
const REGENERABLE =
  wordSet(`node_modules dist out target coverage build builds __pycache__ .pytest_cache .mypy_cache .ruff_cache .cache .eggs
  .next .nuxt .output .turbo .parcel-cache .gradle .tox .nox venv .venv htmlcov _build _site .nyc_output .svelte-kit .angular
  .terraform *.pyc *.o *.class .ds_store *.swp pods deriveddata .dart_tool .expo .vite .astro .docusaurus .serverless .aws-sam
  .webpack .rollup.cache .sass-cache .eslintcache .stylelintcache .tsbuildinfo bower_components elm-stuff .elixir_ls .stack-work
  dist-newstyle zig-cache zig-out .zig-cache .build obj tmp temp logs log cache caches test-results playwright-report
  storybook-static allure-results .coverage .hypothesis .ipynb_checkpoints .jekyll-cache .yarn .pnpm-store .nx .rpt2_cache .vercel
  .netlify .wrangler .firebase .pio .godot deriveddatacache lightning_logs wandb mlruns nohup.out npm-debug.log
  vendor .generated __generated__ .cxx .externalnativebuild cmakefiles cmakecache.txt .snakemake`)
const REGENERABLE_NAME =
  /^cmake-build-|\.(egg-info|dist-info|dSYM|tsbuildinfo|log|tmp|temp|bak|orig|rej|pyc|pyo|o|obj|a|so|class|swp|swo|cache|pid|aux|toc|lcov|prof|out|map|tgz)$|~$|^build-/
const CACHE_FOLDERS = wordSet(
  'DerivedData Caches _cacache _npx caches .cache cache registry packages-cache pkg/mod build-cache-1 wrapper daemon',
)
