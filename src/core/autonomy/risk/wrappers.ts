import { ENDS_FOUND } from './admin-programs.ts'
import { runSource } from './builtins.ts'
import { giveVariable } from './environment-variables.ts'
import { note } from './ledger.ts'
import { onlyTells } from './only-pretends.ts'
import { wordSet } from './options.ts'
import { INTO_PROCESS, isOwnJob } from './processes.ts'
import { type Call, judgeApart, type Program, type Programs } from './program.ts'
import { known, type Scope, type Stream } from './scope.ts'
import { resolvePath } from './targets.ts'

export interface Wrapper {
  /** Flags that take the next word. */
  readonly values?: string
  /** Words before the command that are not flags: a duration, a lock file, a host. */
  readonly skip?: number
  /** `NAME=value` may stand before the command. */
  readonly assigns?: boolean
  /** The words are joined and given to a shell. */
  readonly joins?: boolean
  /** Every word is a command line of its own. */
  readonly each?: boolean
  /** Flags whose value is a command line. */
  readonly text?: string
  /** Flags whose value is the folder to run in. */
  readonly folder?: string
  /** What the wrapper adds to what it wraps, and what it is worth alone. */
  readonly raise?: number
  /** Without a command it is a shell that reads its input. */
  readonly shell?: boolean
  readonly alone?: number
}

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
  doas: { values: '-u -C', raise: 8, alone: 35, shell: true },
  pkexec: { values: '--user', raise: 8 },
  runas: { raise: 8 },
  su: { values: '-s -g -G -w --shell --group', text: '-c --command', raise: 8, alone: 35, skip: 9, shell: true },
  runuser: { values: '-u -g -G -s', text: '-c --command', raise: 8 },
  env: { folder: '-C --chdir', values: '-u --unset -C --chdir --argv0', assigns: true, text: '-S --split-string' },
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c -n --class --classdata' },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
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
  unshare: { values: '-S -G --map-user --map-group', shell: true },
  nsenter: { values: '-t -S -G --target', shell: true },
  chroot: { values: '--userspec --groups', skip: 1, raise: 5, shell: true },
  fakeroot: {},
  fakechroot: {},
  proot: { values: '-r -b -w' },
  firejail: {},
  bwrap: {},
  strace: { values: '-o -e -p -s -u -E -P' },
  ltrace: { values: '-o -e -p -s -u' },
  valgrind: {},
  watch: { values: '-n --interval', joins: true },
  script: { text: '-c --command', skip: 1, alone: 20 },
  flock: { values: '-w -E --timeout', text: '-c --command', skip: 1 },
  unbuffer: {},
  rlwrap: {},
  eatmydata: {},
  caffeinate: { values: '-t -w' },
  'xvfb-run': { values: '-n -s --server-args' },
  'dbus-run-session': {},
  'systemd-run': {
    values: '-p -u -E --setenv --unit --on-active --on-calendar --slice --property',
    assigns: true,
    raise: 5,
  },
  'systemd-inhibit': { values: '--what --who --why --mode' },
  prlimit: {},
  setarch: { skip: 1 },
  linux64: {},
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
  hyperfine: { values: '-w -r -n --warmup --runs --export-json', joins: true },
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
  sem: { values: '-j --id' },
  detach: {},
  dtach: { skip: 1 },
  abduco: { skip: 1 },
}

export const WRAPPER_PROGRAMS: Programs = Object.entries(WRAPPERS).map(([name, row]) => [name, wrapper(row)] as const)

function wrapper(row: Wrapper): Program {
  const values = wordSet(row.values ?? '')
  const text = wordSet(row.text ?? '')
  const folders = wordSet(row.folder ?? '')
  return (given) => {
    // Flags behind the command are the command's own.
    const before = given.args.slice(0, firstWord(given.args, values, row) + 1)
    for (const word of row.assigns ? before : []) {
      const [, key, value = ''] = /^(?:--setenv=|-E)?(\w+)=(.*)$/s.exec(word) ?? []
      if (key !== undefined) giveVariable(key, value, given.scope)
    }
    const folder = textOf(before, folders)
    const cwd = folder === undefined ? given.scope.cwd : resolvePath(folder, given.scope.cwd)
    const call = folder === undefined ? given : { ...given, scope: { ...given.scope, cwd } }
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
    const inner = textOf(before, text)
    const rest = args.slice(firstWord(args, values, row))
    if (inner !== undefined)
      return raised(call, row, (apart) =>
        runSource(name === 'env' ? [inner, ...rest].join(' ') : inner, { ...call, scope: apart }),
      )
    const isShell = row.shell === true && (!/^(sudo|doas)$/.test(name) || args.some((arg) => LOGIN.test(arg)))
    if (rest.length === 0 && isShell && call.stdin.kind !== 'none')
      return raised(call, row, (apart) => apart.runWords(['sh'], apart, call.stdin))
    if (rest.length === 0 && call.stdin.kind === 'text') scope.judgeCarried(call.stdin.text, scope)
    if (rest.length === 0) return said(scope, row.alone ?? 12, `${name}: nothing to run`)
    if (row.each) {
      for (const one of rest) if (!one.startsWith('-')) runSource(one, call)
      return undefined
    }
    return raised(call, row, (apart) =>
      row.joins ? runSource(rest.join(' '), { ...call, scope: apart }) : apart.runWords(rest, apart, call.stdin),
    )
  }
}

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

/** Where the command begins. */
export function firstWord(
  args: readonly string[],
  values: ReadonlySet<string>,
  { skip = 0, assigns = false }: Wrapper,
): number {
  let left = skip
  let at = 0
  for (; at < args.length; at++) {
    const word = known(args[at] ?? '')
    if (word === '--') return at + 1 + Math.max(0, left === skip ? skip : left)
    if (word.startsWith('-') && word !== '-') {
      if (values.has(word) || (!word.startsWith('--') && word.length > 2 && values.has(`-${word.at(-1)}`))) at++
    } else if (assigns && /^\w+=/.test(word)) continue
    else if (left > 0) left--
    else break
  }
  return at
}

function textOf(args: readonly string[], flags: ReadonlySet<string>): string | undefined {
  for (const [at, arg] of args.entries()) {
    if (flags.has(arg)) return args[at + 1]
    for (const flag of flags) {
      if (flag.startsWith('--') && arg.startsWith(`${flag}=`)) return arg.slice(flag.length + 1)
      if (!flag.startsWith('--') && arg.startsWith(flag) && !arg.startsWith('--')) return arg.slice(flag.length)
    }
    // A cluster such as `-lc`; the command is the next word.
    if (/^-[a-zA-Z]+$/.test(arg) && flags.has(`-${arg.at(-1)}`)) return args[at + 1]
  }
  return undefined
}
