import { ENDS_FOUND } from './admin-programs.ts'
import { runSource } from './builtins.ts'
import { giveVariable } from './environment-variables.ts'
import { note } from './ledger.ts'
import { onlyTells } from './only-pretends.ts'
import { words as list, mayTakeNext, optionValue, splitOptions, takesNext } from './options.ts'
import { INTO_PROCESS, isOwnJob } from './processes.ts'
import { type Call, judgeApart, noteGrave, type Program, type Programs } from './program.ts'
import { quoted } from './quoted.ts'
import { known, type Scope, type Stream } from './scope.ts'
import { resolvePath } from './targets.ts'
import { judgeTrustedWords } from './trusted-words.ts'

export interface Wrapper {
  /** Flags that take the next word; with a question mark, only the rest of their own. */
  readonly values?: string
  /** Words before the command that are not flags: a duration, a lock file, a host. */
  readonly skip?: number
  /** Flags whose value stands for the skipped word. */
  readonly instead?: string
  /** What a word before the command looks like that may be left out. */
  readonly optional?: RegExp
  /** `NAME=value` may stand before the command. */
  readonly assigns?: boolean
  /** The words are joined and given to a shell. */
  readonly joins?: boolean
  /** Every word is a command line of its own. */
  readonly each?: boolean
  /** Flags whose value is a command line. */
  readonly text?: string
  /** Flags whose value is a command line that runs as well. */
  readonly also?: string
  /** Flags whose value is the folder to run in. */
  readonly folder?: string
  /** What the wrapper adds to what it wraps, and what it is worth alone. */
  readonly raise?: number
  /** Without a command it is a shell that reads its input. */
  readonly shell?: boolean
  readonly alone?: number
}

const ARCHITECTURE =
  /^(linux(32|64)|x86_64|i[3-6]86|athlon|arm\w*|aarch64|ppc\w*|s390x?|sparc\w*|mips\w*|parisc\w*|ia64|alpha\w*|riscv\w*|uname26)$/

/** Programs that run another one. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values: '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot',
    folder: '-D --chdir',
    assigns: true,
    raise: 8,
    alone: 35,
    shell: true,
  },
  doas: { values: '-u -C -a', raise: 8, alone: 35, shell: true },
  pkexec: { values: '--user', raise: 8 },
  runas: { raise: 8 },
  su: {
    values: '-s -g -G -w --shell --group',
    text: '-c --command --session-command',
    raise: 8,
    alone: 35,
    skip: 9,
    shell: true,
  },
  runuser: { values: '-u -g -G -s', text: '-c --command', raise: 8 },
  env: { folder: '-C --chdir', values: '-u --unset -C --chdir -a --argv0', assigns: true, text: '-S --split-string' },
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c -n -p -P -u --class --classdata --pid --pgid --uid' },
  chrt: { values: '-T -P -D --sched-runtime --sched-period --sched-deadline', skip: 1 },
  taskset: { values: '-c --cpu-list', skip: 1, instead: '-c --cpu-list' },
  numactl: {},
  nohup: {},
  timeout: { values: '-k -s --signal --kill-after', skip: 1 },
  gtimeout: { values: '-k -s --signal --kill-after', skip: 1 },
  stdbuf: { values: '-i -o -e --input --output --error' },
  setsid: {},
  command: {},
  builtin: {},
  exec: { values: '-a' },
  time: { values: '-f -o --format --output' },
  unshare: { values: '-S -G -R -w --map-user --map-group --root --wd --setuid --setgid', shell: true },
  nsenter: { values: '-t -S -G --target --setuid --setgid -m? -u? -i? -n? -p? -C? -U? -T? -r? -w?', shell: true },
  chroot: { values: '--userspec --groups', skip: 1, raise: 5, shell: true },
  fakeroot: { values: '-l -s -i -b --lib --faked' },
  fakechroot: {},
  proot: { values: '-r -b -w' },
  firejail: {},
  bwrap: {},
  strace: {
    values:
      '-o -e -p -s -u -E -P -a -b -I -O -S -U -X --output --attach --user --env --trace --trace-path --string-limit --columns --summary-sort-by',
  },
  ltrace: { values: '-o -e -p -s -u -a -A -D -F -l -n -w -x --output --library' },
  valgrind: {},
  watch: { values: '-n -q --interval --equexit', joins: true },
  script: { text: '-c --command', skip: 1, alone: 20 },
  flock: { values: '-w -E --timeout', text: '-c --command', skip: 1 },
  unbuffer: {},
  rlwrap: {},
  eatmydata: {},
  caffeinate: { values: '-t -w' },
  'xvfb-run': {
    values: '-n -s -e -f -p -w --server-num --server-args --error-file --auth-file --xauth-protocol --wait',
  },
  'dbus-run-session': {},
  'systemd-run': {
    values: `-p -u -E -H -M --setenv --unit --slice --property --description --uid --gid --nice --working-directory --service-type
      --host --machine --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --path-property
      --socket-property --timer-property`,
    assigns: true,
    raise: 5,
  },
  'systemd-inhibit': { values: '--what --who --why --mode' },
  prlimit: {},
  setarch: { optional: ARCHITECTURE },
  linux32: {},
  linux64: {},
  i386: {},
  x86_64: {},
  setpriv: { values: '--reuid --regid --groups' },
  cgexec: { values: '-g' },
  busybox: { alone: 10 },
  toybox: { alone: 10 },
  catchsegv: {},
  chronic: {},
  bear: { values: '--output --config' },
  ifne: {},
  retry: { values: '-t -d --times --delay' },
  trickle: { values: '-d -u' },
  torsocks: {},
  proxychains: {},
  proxychains4: {},
  tsocks: {},
  ts: {},
  expect: { text: '-c' },
  hyperfine: {
    values: `-w -r -n -m -M -P -D -L -S -i? -u --warmup --runs --min-runs --max-runs --command-name --shell --style --time-unit --input --output
      --parameter-scan --parameter-step-size --parameter-list --export-json --export-csv --export-markdown --export-asciidoc --export-orgmode`,
    also: '-p -s -c --prepare --setup --cleanup --conclude --reference',
    each: true,
  },
  entr: {},
  watchexec: { values: '-e -w -i --exts --watch' },
  concurrently: { values: '-n -c --names --prefix-colors -p --prefix --max-processes -m', each: true },
  'cross-env': { assigns: true },
  dotenv: { values: '-e -f -v', assigns: true },
  direnv: { skip: 2, alone: 20 },
  'aws-vault': { skip: 2, alone: 20 },
  chamber: { skip: 2, alone: 20 },
  'nix-shell': { text: '--run --command', values: '-p -I', skip: 99, alone: 26 },
  call: { alone: 10 },
  coproc: {},
  noglob: {},
  nocorrect: {},
  winpty: {},
  wsl: { values: '-d --distribution -u --user', alone: 12 },
  'git-bash': {},
  'ssh-agent': { values: '-a -t -E -P -O', alone: 30 },
  sshpass: { values: '-p -f -e' },
  daemonize: {},
  sem: { values: '-j --id --jobs --semaphorename --timeout' },
  detach: {},
  dtach: { skip: 1 },
  abduco: { skip: 1 },
}

export const WRAPPER_PROGRAMS: Programs = Object.entries(WRAPPERS).map(([name, row]) => [name, wrapper(row)] as const)

function wrapper(row: Wrapper): Program {
  const [texts, alsoTexts, folders] = [list(row.text ?? ''), list(row.also ?? ''), list(row.folder ?? '')]
  const values = new Set([...list(row.values ?? ''), ...texts, ...alsoTexts])
  return (given) => {
    // Flags behind the command are the command's own.
    const [first = 0, ...later] = startsOf(given.args, values, row, given.scope)
    const before = given.args.slice(0, first)
    const options = splitOptions(before, values)
    const variables = row.assigns ? new Map(given.scope.variables) : given.scope.variables
    judgeTrustedWords(given.name, row.each ? given.args : before, given.scope, 'options')
    for (const word of row.assigns ? before : []) {
      const [, key, value = ''] = /^(?:--setenv=|-E)?(\w+)=(.*)$/s.exec(word) ?? []
      if (key === undefined) continue
      giveVariable(key, value, given.scope)
      if (START.has(key)) given.scope.variables.set(key, [value])
      variables.set(key, [value])
    }
    const folder = optionValue(options, ...folders)
    const cwd = folder === undefined ? given.scope.cwd : resolvePath(folder, given.scope.cwd)
    const call = folder === undefined && !row.assigns ? given : { ...given, scope: { ...given.scope, cwd, variables } }
    const { name, args, scope } = call
    if (/^[sl]trace$/.test(name)) judgeTrace(name, before, scope)
    if (name === 'command' && /^-p?[vV]$/.test(args[0] ?? '') && !args.includes('--')) {
      note(scope.ledger, 8, 'command: names a program')
      return args.length === 2 ? { kind: 'text', text: `/usr/bin/${args[1]}\n` } : undefined
    }
    if (
      name === 'sudo' &&
      args.every((arg) => /^(-l+|-n|-v|-V|--list|--validate|--version)$/.test(arg)) &&
      args.length > 0
    )
      return said(scope, 12, 'sudo: lists or confirms rights')
    if (name === 'wsl' && args.some((arg) => /^--(unregister|shutdown|terminate|uninstall)$/.test(arg)))
      return said(
        scope,
        args.some((arg) => /unregister|uninstall/.test(arg)) ? 80 : 45,
        'wsl: ends or deletes a system',
      )
    if (name === 'wsl' && onlyTells(args, '-l --list --status --version --help -v'))
      return said(scope, 8, 'wsl: lists systems')
    const inner = optionValue(options, ...texts)
    const rest = args.slice(first)
    for (const [flag, value] of splitOptions(row.each ? args : before, values).given)
      if (alsoTexts.includes(flag)) runSource(value, call)
    if (inner !== undefined)
      return raised(call, row, (apart) =>
        runSource(name === 'env' ? [inner, ...rest.map(quoted)].join(' ') : inner, { ...call, scope: apart }),
      )
    const isShell = row.shell === true && (!/^(sudo|doas)$/.test(name) || args.some((arg) => LOGIN.test(arg)))
    if (rest.length === 0 && isShell && call.stdin.kind !== 'none')
      return raised(call, row, (apart) => apart.runWords(['sh'], apart, call.stdin))
    if (rest.length === 0 && call.stdin.kind === 'text') scope.judgeCarried(call.stdin.text, scope)
    if (rest.length === 0) return said(scope, row.alone ?? 12, `${name}: nothing to run`)
    if (row.each) {
      for (const one of splitOptions(args, values).operands) runSource(one, call)
      return undefined
    }
    const run = (words: readonly string[], apart: Scope) =>
      row.joins ? runSource(words.join(' '), { ...call, scope: apart }) : apart.runWords(words, apart, call.stdin)
    return raised(call, row, (apart) => {
      for (const start of later) noteGrave(apart, (unsure) => void run(args.slice(start), unsure))
      return run(rest, apart)
    })
  }
}

/** Variables that name what a shell runs first. */
const START: ReadonlySet<string> = new Set(['BASH_ENV', 'ENV', 'ZDOTDIR', 'HOME'])

/** What a process reads and writes can be seen, and with `inject` be changed. */
function judgeTrace(name: string, own: readonly string[], scope: Scope): void {
  if (own.some((arg) => /inject[=:]|^--inject/.test(arg)))
    note(scope.ledger, INTO_PROCESS, `${name}: changes a process`)
  else if (
    own.some((arg, at) => /^-p\d|^--attach/.test(arg) || (/^-[a-zA-Z]*p$/.test(arg) && !isOwnJob(own[at + 1] ?? '')))
  )
    note(scope.ledger, 45, `${name}: shows what a process reads and writes`)
}

/** `sudo -s`, `sudo -i`: a shell of another user. */
const LOGIN = /^(-(?=[a-zA-Z]*[si])[a-zA-Z]*|--shell|--login)$/

/** Judges what is wrapped, and adds what the wrapper is worth where there is something to add to. */
export function raised(
  { name, scope }: Call,
  { raise = 0 }: Wrapper,
  run: (apart: Scope) => Stream | undefined,
): Stream | undefined {
  // Without more rights it is the same shell: a `cd` stays.
  if (raise === 0) return run(scope)
  let output: Stream | undefined
  const apart = judgeApart(scope, (inner) => {
    output = run(inner)
  })
  // With these rights the process of another account is ended, and the text does not say which.
  if (apart.findings.has(ENDS_FOUND)) note(scope.ledger, 45, `${name}: ends processes of the system`)
  for (const [why, score] of apart.findings) {
    const more = score > 30 ? raise : 0
    // More rights weigh inside of a tier; they do not make a question a crime.
    note(
      scope.ledger,
      score <= 60 ? Math.min(60, score + more) : score + more,
      more > 0 ? `${name}: with more rights, ${why}` : why,
    )
  }
  if (raise > 0) note(scope.ledger, 20, `${name}: with the rights of another user`)
  return output
}

function said(scope: Scope, score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}

/**
 * Where the command begins, and behind that where it begins if an option that no list has takes the next word: then what
 * looks like the program is its value, and one that a table knows follows.
 */
export function startsOf(
  args: readonly string[],
  values: ReadonlySet<string>,
  row: Wrapper,
  { programOf }: Pick<Scope, 'programOf'>,
): readonly number[] {
  const starts = [firstWord(args, values, row)]
  let unsure = 0
  let from = 0
  for (let to = starts[0] ?? 0; to < args.length && args[to - 1] !== '--' && starts.length <= MOST_UNSURE; ) {
    unsure += args.slice(from, to).filter((word, at) => {
      return mayTakeNext(known(word), values) && !/^-|^$/.test(known(args[from + at + 1] ?? ''))
    }).length
    if (unsure-- === 0) break
    from = to + 1
    to = from + firstWord(args.slice(from), values, { ...row, skip: 0 })
    if (to < args.length && programOf(args[to] ?? '') !== undefined) starts.push(to)
  }
  return starts
}

const MOST_UNSURE = 4

/** Where the command begins. */
export function firstWord(
  args: readonly string[],
  values: ReadonlySet<string>,
  { skip = 0, assigns = false, instead = '', optional }: Wrapper,
): number {
  const options = instead === '' ? undefined : splitOptions(args.slice(0, 2), values)
  let left = options && list(instead).some((flag) => options.values.has(flag)) ? 0 : skip
  let at = 0
  for (; at < args.length; at++) {
    const word = known(args[at] ?? '')
    if (word === '--') return at + 1 + left
    if (word.startsWith('-') && word !== '-') {
      if (takesNext(word, values)) at++
    } else if (assigns && /^\w+=/.test(word)) continue
    else if (left > 0) left--
    else if (!optional?.test(word)) break
  }
  return at
}
