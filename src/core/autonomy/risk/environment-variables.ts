import { addedBy, keepAdded } from './environment-arguments.ts'
import { judgeEvaluated } from './evaluated.ts'
import { hostKind } from './hosts.ts'
import { SYSTEM_PLACE, TOOL_FOLDERS } from './known-folders.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { noteGrave } from './program.ts'
import { ENVIRONMENT, isUnknown, known, NOTHING, type Scope } from './scope.ts'
import { type TargetKind, targetKind } from './targets.ts'
import { judgeUnlisted } from './unlisted-variables.ts'

/** What a variable of the environment does to the programs that get it. */
type Effect = 'command' | 'search' | 'load' | 'options' | 'place' | 'address' | 'registry' | 'guard' | 'shell'

/** The first row that the name fits decides. */
const VARIABLES: readonly (readonly [name: RegExp, effect: Effect])[] = [
  [
    /^GIT_(AUTHOR|COMMITTER|TRACE|LFS|MERGE|TERMINAL_PROMPT|OPTIONAL|PAGER_IN_USE|PREFIX|PS1|REFLOG|DISCOVERY|FLUSH|CEILING)/,
    'shell',
  ],
  [
    /^(PROMPT_COMMAND|BASH_ENV|ENV|ZDOTDIR|LESSOPEN|LESSCLOSE|PS4|PYTHONSTARTUP|PYTHONBREAKPOINT|COMSPEC|SHELL)$/,
    'command',
  ],
  [
    /^(GIT_(SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR))$/,
    'command',
  ],
  [
    /^((SUDO|SSH)_ASKPASS|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|FCEDIT|RUSTC(_WRAPPER|_WORKSPACE_WRAPPER)?|RUSTDOC|SUDO_EDITOR|KUBE_EDITOR|SVN_SSH|HGEDITOR|CVS_RSH|RSYNC_RSH|SYSTEMD_PAGER|TEXEDIT|PSQL_EDITOR|PSQL_PAGER|MYSQL_PAGER)$/,
    'command',
  ],
  [/^(CC|CXX|LD|AR|AS|MAKE|CARGO|GOROOT_FINAL|CARGO_BUILD_RUSTC|CMAKE_\w+_COMPILER_LAUNCHER)$/, 'command'],
  [/^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|DYLD_FORCE_FLAT_NAMESPACE|GCONV_PATH)$/, 'load'],
  [/^(LD|DYLD)_\w+$/, 'search'],
  [
    /^(PATH|CDPATH|PYTHONPATH|PYTHONHOME|PYTHONUSERBASE|NODE_PATH|PERL5LIB|PERLLIB|RUBYLIB|CLASSPATH|LUA_C?PATH|GEM_(HOME|PATH)|R_LIBS\w*|GUILE_LOAD_PATH|EMACSLOADPATH|TCLLIBPATH|ERL_LIBS|PSModulePath|FPATH|fpath|GOPATH|GOROOT|GOTOOLDIR|CARGO_HOME|RUSTUP_HOME|JAVA_HOME|JDK_HOME|COMPILER_PATH|LIBRARY_PATH|GCC_EXEC_PREFIX|JULIA_(LOAD|DEPOT)_PATH|PKG_CONFIG_PATH|QT_PLUGIN_PATH|GTK_PATH)$/i,
    'search',
  ],
  [
    /^(NODE|JAVA|JAVA_TOOL|_JAVA|JDK_JAVA|BUN|DENO|VITE_NODE|TS_NODE)_OPTIONS$|^(RUBYOPT|PERL5OPT|PERL5DB|GOFLAGS|\w*RUSTFLAGS|RUSTDOCFLAGS|(GNU)?MAKEFLAGS|MAKEFILES|HGRCPATH|(\w+_)?JAVA_OPTS|MAVEN_OPTS|MAVEN_ARGS|GRADLE_OPTS|SBT_OPTS|CATALINA_OPTS|JVM_OPTS|PYTEST_ADDOPTS|PYTEST_PLUGINS|(\w+_)?(CPP|C|CXX|LD)FLAGS|FZF_DEFAULT_COMMAND|FZF_DEFAULT_OPTS|LESS|VIMINIT|EXINIT|ANSIBLE_CONFIG|PSQLRC|INPUTRC|TERMINFO|OPENSSL_(CONF|ENGINES|MODULES)|AWS_(CONFIG_FILE|SHARED_CREDENTIALS_FILE)|GIT_CONFIG(_\w+)?|NPM_CONFIG_(SCRIPT_SHELL|NODE_OPTIONS|USERCONFIG|GLOBALCONFIG|PREFIX|IGNORE_SCRIPTS)|PIP_CONFIG_FILE|CURL_HOME|WGETRC|NETRC|YARN_RC_FILENAME|PHPRC|PHP_INI_SCAN_DIR|PGSERVICEFILE|PGSYSCONFDIR|JUPYTER_CONFIG_(DIR|PATH)|IPYTHONDIR|HELM_PLUGINS|KREW_ROOT|MYSQL_HOME|SQLITE_HISTORY|ASAN_OPTIONS|OCAMLRUNPARAM|R_(ENVIRON|PROFILE)(_USER)?|LUA_INIT\w*)$/i,
    'options',
  ],
  [
    /^(KUBECONFIG|GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|NAMESPACE|ALTERNATE_\w+)|DOCKER_CONFIG|DOCKER_CERT_PATH|HOME|USERPROFILE|APPDATA|XDG_\w+_(HOME|DIRS)|HISTFILE|GOOGLE_APPLICATION_CREDENTIALS|CLOUDSDK_CONFIG|HELM_\w+_HOME|TF_(DATA_DIR|CLI_CONFIG_FILE|PLUGIN_CACHE_DIR)|GNUPGHOME|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|AWS_CA_BUNDLE|SSH_AUTH_SOCK|VAULT_CACERT|MCPAQL_\w+|CLAUDE_CONFIG_DIR|CLAUDE_CODE_(SIMPLE|SHELL_PREFIX)|CODEX_HOME|GEMINI_CLI_\w+|OPENCODE_CONFIG\w*|CURSOR_CONFIG_DIR|COPILOT_HOME|GOOSE_MODE)$/,
    'place',
  ],
  [
    /^((HTTPS?|ALL|FTP|SOCKS|RSYNC)_PROXY|DOCKER_HOST|AWS_ENDPOINT_URL\w*|\w+_ENDPOINT(_URL)?|VAULT_ADDR|CONSUL_HTTP_ADDR|NOMAD_ADDR|ETCDCTL_ENDPOINTS|KUBERNETES_MASTER|OPENAI_BASE_URL|ANTHROPIC_BASE_URL|BUILDKIT_HOST|CONTAINER_HOST|PODMAN_HOST|DATABASE_URL|GITHUB_API_URL|GH_HOST|OP_CONNECT_HOST)$/i,
    'address',
  ],
  [
    /^((NPM|YARN|PNPM|BUN)_CONFIG_\w*REGISTRY|YARN_(NPM_)?REGISTRY\w*|PIP_(EXTRA_)?INDEX_URL|PIP_(FIND_LINKS|TRUSTED_HOST)|UV_\w*INDEX\w*|UV_FIND_LINKS|POETRY_\w+_URL|GOPROXY|GOPRIVATE|GONOSUM(DB|CHECK)|GOSUMDB|GOINSECURE|CARGO_REGISTR\w+|BUNDLE_MIRROR\w*|GEM_HOST|HOMEBREW_\w*(DOMAIN|REMOTE|URL)|RUSTUP_\w+_(SERVER|ROOT)|CONDA_CHANNELS|CONDA_CHANNEL_ALIAS|NVM_NODEJS_ORG_MIRROR|COREPACK_NPM_REGISTRY|ELECTRON_MIRROR|PLAYWRIGHT_DOWNLOAD_HOST|MAVEN_REPO_URL)$/i,
    'registry',
  ],
  [
    /^(NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY|GIT_SSL_NO_VERIFY|NPM_CONFIG_STRICT_SSL|DOCKER_CONTENT_TRUST|ANSIBLE_HOST_KEY_CHECKING|HISTSIZE|HISTFILESIZE|HISTCONTROL|HISTIGNORE|SHELLOPTS|BASHOPTS|IFS)$/i,
    'guard',
  ],
]

/** What each kind of place is worth as a value: code, libraries and settings come from there. */
const PLACES: Readonly<Record<TargetKind, number>> = {
  sink: 12,
  temporary: 66,
  temporaryRoot: 66,
  regenerable: 22,
  project: 22,
  projectRoot: 22,
  unknown: 40,
  outside: 62,
  trust: 30,
  system: 24,
  home: 45,
  root: 45,
  device: 66,
}

/** Judges what setting the variable does to what runs after it. */
export function judgeVariable(name: string, value: string, scope: Scope): void {
  // Settings of git that come with the environment; an alias may be a command.
  if (/^GIT_CONFIG_(VALUE_\d+|PARAMETERS)$/.test(name))
    noteGrave(scope, (inner) => void inner.runText(value.replace(/^!/, ''), inner, NOTHING))
  if (EXPANDED.test(name)) noteGrave(scope, (inner) => judgeEvaluated(value, inner))
  const effect = effectOf(name)
  if (effect) EFFECTS[effect](name, value.trim(), scope)
}

/** True for a variable that says what programs run, or what they load before their own code. */
export function changesWhatRuns(name: string): boolean {
  const effect = effectOf(name)
  return effect !== undefined && RUNS.has(effect)
}

/** The same for a variable that programs get: it stands before a command, or is exported. */
export function giveVariable(name: string, value: string, scope: Scope): void {
  judgeVariable(name, value, scope)
  const added = addedBy(name, value)
  keepAdded(name, added, scope)
  if (added && scope.programOf(added.program) !== undefined)
    noteGrave(scope, (inner) => void inner.runWords([added.program, ...added.words], inner, NOTHING))
  if (effectOf(name) === undefined) judgeUnlisted(name, value.trim(), scope)
}

/** A file of variables: what they do to the programs that are started with it. */
export function judgeVariableFile(text: string, scope: Scope): void {
  for (const [, name = '', value = ''] of text.slice(0, LONGEST_FILE).matchAll(LINE)) {
    const effect = effectOf(name)
    if (effect && !RUNS.has(effect)) continue
    noteGrave(scope, (inner) => giveVariable(name, value.replace(/^(["'])(.*)\1$/, '$2'), inner))
  }
}

const LONGEST_FILE = 6_000
const LINE = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,100})=([^\r\n]*)/gm
const RUNS: ReadonlySet<Effect> = new Set<Effect>(['command', 'search', 'load', 'options'])

/** The same for a value that a builtin reads: what nobody knows may be anything where it leads what runs. */
export function judgeTaken(name: string, value: string, scope: Scope): void {
  const effect = effectOf(name)
  if (isUnknown(value) && (effect === 'search' || effect === 'load' || FILES.has(name)))
    said(name, 62, 'is known only at run time', scope)
  judgeVariable(name, value, scope)
}

function effectOf(name: string): Effect | undefined {
  return VARIABLES.find(([pattern]) => pattern.test(name))?.[1]
}

/** Prompts and names of start-up files: a shell expands them before it uses them. */
const EXPANDED = /^(PS[0-4]|BASH_ENV|ENV|MAILPATH|PROMPT|RPROMPT)$/

const EFFECTS: Readonly<Record<Effect, (name: string, value: string, scope: Scope) => void>> = {
  shell: () => {},
  command: (name, value, scope) => {
    // `ENV=production`: a word is no file.
    if (FILES.has(name) && !/[/\\~]/.test(value)) return
    const [first = ''] = known(value).split(/\s+/)
    if (first === '' && !isUnknown(value)) return
    if (value.includes(' ')) scope.runText(value, scope, NOTHING)
    // `sh /tmp/x.sh`: a shell is no answer to a question when it is given a file.
    const file = SHELLS.test(first)
      ? known(value)
          .split(/\s+/)
          .find((word, at) => at > 0 && /^[/~.@]/.test(word))
      : undefined
    if (file !== undefined) said(name, Math.max(45, placeOf(file, scope)), 'names a program that others run', scope)
    if (QUIET.has(first) || TOOLS.test(first)) return
    const score = first.includes('/') ? Math.max(35, placeOf(first, scope)) : 45
    said(name, score, 'names a program that others run', scope)
  },
  load: (name, value, scope) => {
    if (value !== '') said(name, SYSTEM_PLACE.test(value) ? 45 : 66, 'loads code into every program', scope)
  },
  search: (name, value, scope) => {
    for (const entry of entriesOf(value, name))
      said(name, searchScore(entry, name, scope), 'changes where code is looked for', scope)
  },
  options: (name, value, scope) => {
    if (value.includes('/dev/null')) return
    for (const [, path = ''] of value.replace(/^@/, '').matchAll(PATHS))
      said(name, placeOf(path, scope), 'loads a file', scope)
    if (/^(FZF_DEFAULT_COMMAND|VIMINIT|EXINIT|PERL5DB)$/.test(name) && value !== '')
      said(name, 45, 'holds commands', scope)
    if (/ignore.?scripts/i.test(name)) return
    if (/^(PERL5OPT|RUBYOPT)$/.test(name) && /(^|\s)-[a-zA-Z]*[MmrIdx]/.test(value))
      said(name, 62, 'loads code into every program', scope)
    if (/-toolexec|-C\s*linker|-fplugin|-specs=/.test(value)) said(name, 64, 'puts a program into the build', scope)
  },
  place: (name, value, scope) => {
    if (/^(MCPAQL|CLAUDE|CODEX|GEMINI|OPENCODE|CURSOR|COPILOT|GOOSE)_/.test(name))
      return said(name, 62, 'changes what this very check keeps to', scope)
    for (const entry of value.split(':').filter((one) => one !== ''))
      said(name, Math.min(KEEPS.has(name) ? 64 : 55, placeScore(entry, scope)), 'names other settings or keys', scope)
    if (value === '' && /CA|CERT/.test(name)) said(name, 45, 'takes a check away', scope)
  },
  address: (name, value, scope) => {
    if (value === '' || isUnknown(value)) return
    const kind = hostKind(value)
    const score = name === 'DATABASE_URL' ? 45 : /PROXY$/i.test(name) ? 58 : 62
    if (kind === 'foreign') said(name, score, 'sends what is said to another machine', scope)
  },
  registry: (name, value, scope) => {
    if (value === '' || isUnknown(value)) return
    if (/^(GONOSUM|GOSUMDB|GOINSECURE|GOPRIVATE|PIP_TRUSTED)/.test(name))
      return said(name, 45, 'takes a check away', scope)
    for (const entry of value.split(/[,|\s]+/)) {
      const kind = hostKind(entry)
      if (kind === 'foreign') said(name, 64, 'brings code from another registry', scope)
    }
  },
  guard: (name, value, scope) => {
    if (name === 'IFS') return
    if (/^(SHELLOPTS|BASHOPTS)$/.test(name)) return said(name, 45, 'changes how shells read', scope)
    if (/^HIST/.test(name))
      return said(name, /^0?$|ignore|\*/.test(value) ? 34 : 10, 'keeps commands out of the history', scope)
    const isOff = /^(0|false|no|off)$/i.test(value) !== name.endsWith('NO_VERIFY')
    if (isOff && value !== '') said(name, 50, 'takes a check away', scope)
  },
}

/** Shells and interpreters. */
const SHELLS = /^(\/\S*\/)?(env|(ba|da|z|k|fi|c)?sh|python\d*|node|perl|ruby|php|lua)$/

const FILES = wordSet('ENV BASH_ENV PYTHONSTARTUP ZDOTDIR')

/** Places that hold what is worked on: another one is another thing. */
const KEEPS = wordSet('GIT_DIR GIT_WORK_TREE GIT_OBJECT_DIRECTORY GNUPGHOME KUBECONFIG')

/** Editors, pagers and what does nothing: taken by agents to answer a question that nobody is there for. */
const QUIET = wordSet(
  ': true cat less more most head vim vi nvim nano emacs code subl ed micro hx bat delta open xdg-open echo false sccache ccache bash zsh sh fish /bin/bash /bin/zsh /bin/sh /usr/bin/env /bin/true /usr/bin/true /bin/cat none pdb ipdb.set_trace pudb.set_trace 0 development production test dev staging',
)
/** Compilers and their versions. */
const TOOLS =
  /^(g?cc|g\+\+|c\+\+|clang(\+\+)?|rustc|cargo|ld|ar|as|make|gmake|ssh|[\w-]+-(gcc|g\+\+|clang|ld|ar|as))(-[\d.]+)?$/

function placeOf(path: string, scope: Scope): number {
  return SYSTEM_PLACE.test(path) ? 24 : PLACES[targetKind(path, scope)]
}

function placeScore(path: string, scope: Scope): number {
  return /\/\.(kube|aws|docker|config|ssh|gnupg)(\/|$)/.test(path) ? 24 : placeOf(path, scope)
}

/** Paths among options: `-r/tmp/x`, `--require=/tmp/x`, `-javaagent:/tmp/x`, or the whole value. */
const PATHS = /(?:^|[\s=:,]|-[A-Za-z])((?:\/|~\/|\.\.\/|[A-Za-z]:[\\/])[^\s,;:]+)/g

function entriesOf(value: string, name: string): readonly string[] {
  if (isUnknown(value) && known(value) === '') return []
  const usual = new Set((ENVIRONMENT.get('PATH') ?? '').split(':'))
  // An empty entry of PATH is the working folder.
  return value.split(/[:;]/).filter((entry) => (entry === '' ? name === 'PATH' && value !== '' : !usual.has(entry)))
}

const KEEPERS =
  /^(GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|JAVA_HOME|JDK_HOME|GEM_HOME|GEM_PATH|JULIA_DEPOT_PATH|PYTHONUSERBASE|R_LIBS_USER)$/

function searchScore(entry: string, name: string, scope: Scope): number {
  const plain = known(entry)
  if (isUnknown(entry) && (plain === '' || /^[/\w.-]*$/.test(plain))) return /bin|lib|src/.test(plain) ? 24 : 28
  if (SYSTEM_PLACE.test(plain)) return 22
  const kind = targetKind(plain === '' ? '.' : plain, scope)
  // Where a tool keeps what it installs: the home of the user is usual.
  if (KEEPERS.test(name) && kind === 'outside' && /^(~|\/(home|Users)\/)/.test(plain)) return 24
  if (name !== 'PATH') return kind === 'unknown' ? 30 : PLACES[kind]
  if (plain === '' || plain === '.' || plain === './') return 64
  if (kind === 'temporary' || kind === 'temporaryRoot' || kind === 'device') return 66
  return TOOL_FOLDERS.test(plain) ? 24 : 50
}

function said(name: string, score: number, why: string, scope: Scope): void {
  note(scope.ledger, score, `${name}: ${why}`)
}
