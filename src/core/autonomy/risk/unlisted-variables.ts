import { SYSTEM_PLACE, TOOL_FOLDERS } from './known-folders.ts'
import { note } from './ledger.ts'
import { noteGrave } from './program.ts'
import { isUnknown, known, NOTHING, type Scope } from './scope.ts'
import { type TargetKind, targetKind } from './targets.ts'

/**
 * A variable that no row knows, given to programs: judged by the shape of its name and of its value. A word, a number,
 * an address or a path of the project is everyday; options and paths from elsewhere may change what runs.
 */
export function judgeUnlisted(name: string, value: string, scope: Scope): void {
  const use = useOf(name)
  if (use === 'web') return
  const said = (score: number, why: string) => note(scope.ledger, score, `${name}: ${why}`)
  if (use !== 'data' && holdsOptions(value)) said(34, 'holds options that no table knows')
  if (use === 'code' && /\s/.test(value)) noteGrave(scope, (inner) => void inner.runText(value, inner, NOTHING))
  for (const path of pathsIn(value, use)) {
    const score = scoreOf(path, name, use, scope)
    if (score > 0) said(score, WHY[use])
  }
}

type Use = 'code' | 'data' | 'web' | 'other'

const WHY: Readonly<Record<Use, string>> = {
  code: 'names code that others load or run',
  data: 'says where something is kept',
  web: '',
  other: 'names a file from elsewhere',
}

function useOf(name: string): Use {
  if (CODE.test(name)) return 'code'
  if (WEB.test(name)) return 'web'
  return DATA.test(name) ? 'data' : 'other'
}

/** `CARGO_TARGET_X_RUNNER`, `CORECLR_PROFILER_PATH`, `DOTNET_STARTUP_HOOKS`: the last word says that it is loaded or run. */
const CODE =
  /(^|_)(WRAPPER|RUNNER|LINKER|LAUNCHER|COMPILER|INTERPRETER|PYTHON\d?|PERL|RUBY|SHELL|EDITOR|PAGER|VIEWER|BROWSER|ASKPASS|COMMAND|CMD|EXE|EXEC|EXECUTABLE|BIN|BINARY|HOOKS?|PLUGINS?|PRELOAD|MODULES?|LOADER|PROFILER|RUSTC|RUSTDOC|CARGO|YARN|TOOLS?|TOOLCHAIN|DRIVER|EXTENSIONS?|ADDONS?|LIB|LIBS|LIBRARY|LIBRARIES|MAKEFILES?|GEMFILE|SCRIPT)(_(PATHS?|DIRS?|FILES?|PREFIX)(_\d+)?)?$|(PDF|DVI)VIEWER$/i

/** Parts of addresses, and patterns. */
const WEB =
  /(^|_)(URLS?|URI|ROUTES?|API|ENDPOINTS?|PUBLIC|BASE(_PATH|_HREF)?|CONTEXT_PATH|URL_PATH|PATTERN|REGEX|GLOB)(_|$)/i

const DATA =
  /CACHE|(^|_)(LOGS?|TE?MP|OUT|OUTPUTS?|DEST|DESTINATION|REPORTS?|RESULTS?|COVERAGE|COV|DB|DATABASE|DATA|DATASETS?|ARTIFACTS?|DUMP|STORE|STORAGE|UPLOADS?|DOWNLOADS?|BACKUPS?|SOCKET|SOCK|PID|HISTORY|TRACE|PROFILE|PREFIX|DESTDIR|TARGET)(_|DIR|FILE|$)|SQLITE/i

/** `/tmp/x`, `~/x`, `../x`, `C:\x`, also as another shell leaves it; of a list each. */
function pathsIn(value: string, use: Use): readonly string[] {
  const entries = value
    .replaceAll(/file:(\/\/)?(?=\/)/g, '')
    .split(use === 'code' ? /[;,\s]|(?<!^[A-Za-z]|[;,:\s][A-Za-z]):/ : /[;,]|(?<!^[A-Za-z]|[;,:][A-Za-z]):/)
  return entries.map((entry) => entry.replace(/^(["'@]+|\0\/(?=\.\.))/, '')).filter((entry) => PATH.test(entry))
}

const PATH = /^(\/(?!\/)|~(\/|$)|\.\.([\\/]|$)|[A-Z]:(?![:\d]|\/\/|$)|[a-z]:[\\/](?!\/)|\\\\)/

function scoreOf(path: string, name: string, use: Use, scope: Scope): number {
  const plain = known(path)
  // Not only an administrator writes below `/opt`.
  if (SYSTEM_PLACE.test(plain)) return use !== 'data' && /^\/opt\//.test(plain) && LOADED.test(name) ? 40 : 0
  const kind = targetKind(path, scope)
  if (use === 'data') return KEEPS_NOTHING_ELSE.has(kind) && !RUN.test(plain) ? 40 : 0
  if (HARMLESS.has(kind) || isUnknown(path)) return 0
  const isInstalled = /^(~|\/(home|Users)\/)/.test(plain) && kind === 'outside'
  if (isInstalled && (TOOL_FOLDERS.test(plain) || TOOL_FOLDERS.test(plain.replace(/\/[^/]*$/, '')))) return 0
  if (isInstalled && INSTALLED.test(name)) return 0
  if (use !== 'code') return kind === 'trust' ? 0 : 40
  return kind === 'outside' ? 62 : kind.startsWith('temporary') || kind === 'device' ? 66 : 45
}

/** Where the place alone is no reason to trust what is there. */
const LOADED =
  /(^|_)(WRAPPER|RUNNER|LINKER|LAUNCHER|PRELOAD|HOOKS?|CONF|CONFIG|CFG|RC|SETTINGS)(_(PATH|FILE|DIR))?$|RCPATH$/i
const HARMLESS: ReadonlySet<TargetKind> = new Set([
  'sink',
  'regenerable',
  'project',
  'projectRoot',
  'unknown',
  'system',
])
/** Where what a program writes would be more than its data. */
const KEEPS_NOTHING_ELSE: ReadonlySet<TargetKind> = new Set(['trust', 'system', 'home', 'root', 'device'])
const RUN = /^\/(var\/)?run\//
/** Tools that a user has installed below the home folder. */
const INSTALLED = /_(HOME|ROOT|DIR|INSTALL|SDK|PREFIX)$|^(GOBIN|ANDROID_\w+)$/

/** Options by their sign; a number and what stands around a key are none, and some say only how much is told. */
function holdsOptions(value: string): boolean {
  if (!/^-(?!-{3})/.test(value) || /^-[\d.]+$/.test(value)) return false
  return value.split(/\s+/).some((word) => /^[-+]/.test(word) && !TELLS.test(word))
}

const TELLS =
  /^(-\d+e?|-[vqRFXSN]+|-[jT]\d*|-k|-run|-O(\d|s|z|fast)?|-D[\w.,=+:-]+|-W(?![lap],)[\w=-]+|-f(?!plugin)[\w=-]+|-std=\S+|-m[\w=+.-]+|-g\w*|-l\w+|-[IL](?![/~]|\.\.).*|-X(m[snx]|ss)\d+[kmgKMG]?|-XX:[+-]\w+|--?(verbose|quiet|silent|debug|trace|colou?rs?|parallelism|no-color|no-cache|progress|watch|ci|coverage|headless|strict|threads|jobs|level|fast|best|exclude|exclude-vcs|kernel|stacktrace|info|warn|no-daemon|parallel|offline|locked|release|verbosity|max-old-space-size|experimental-[\w-]+|enable-[\w-]+)(=[^/~]*)?)$/
