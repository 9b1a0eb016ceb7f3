import { act } from './actions.ts'
import { judgeAwkLoad, judgeAwkPlaces } from './awk-places.ts'
import { firstOf, spend } from './budget.ts'
import { filterText } from './filters.ts'
import { judgeCode } from './inline-code.ts'
import { note } from './ledger.ts'
import { keptTrust } from './listed-files.ts'
import { has, optionValue, splitOptions, wordSet, words } from './options.ts'
import { type Call, noteGrave, type Program, type Programs } from './program.ts'
import { quoted } from './quoted.ts'
import { judgeReaderOptions } from './reader-options.ts'
import { isMade, isStdin, keepIn, readFile } from './redirects.ts'
import { fileScore } from './run-file.ts'
import { ANYTHING, type Scope, type Stream } from './scope.ts'
import { judgeSecretInput } from './secrets.ts'
import { readSedCall, sedCommands } from './sed-script.ts'
import { resolvePath, targetKind } from './targets.ts'

/** Programs that look and print. With none of the flags further down they change nothing. */
const READERS = `
  ls dir vdir exa eza lsd tree cat bat batcat tac head tail less more most zcat zless zmore bzcat xzcat lz4cat zstdcat
  gzcat nl od hexdump hd xxd strings file stat wc du df ncdu duf cksum sum md5 md5sum sha1sum sha224sum sha256sum
  sha384sum sha512sum shasum b2sum crc32 grep egrep fgrep rgrep zgrep zegrep zfgrep bzgrep xzgrep rg ag ack pdfgrep
  agrep ugrep look locate mlocate plocate which whereis whatis apropos man info tldr cut paste join comm diff diff3
  sdiff cmp colordiff vimdiff delta zdiff icdiff uniq tr rev fold fmt pr expand unexpand column tsort shuf seq
  basename dirname realpath readlink pwd logname id groups whoami who w users last lastb lastlog finger tty uname arch
  hostid nproc lscpu lsblk lspci lsusb lsmod lsof lsattr getfacl getfattr blkid findmnt free vmstat iostat mpstat sar
  uptime top htop btop atop ps pgrep pidof pstree pmap pidstat dmesg journalctl env printenv locale getconf getent cal
  ncal bc dc expr factor numfmt units jq yq xq gron fx tomlq csvcut csvlook csvgrep csvstat csvsort mlr xmllint
  xmlstarlet pup htmlq yamllint jsonlint ping ping6 traceroute tracepath mtr dig nslookup host whois netstat ss arp
  iwconfig iwlist speedtest ipcalc sleep yes true tput clear banner figlet cowsay lolcat fortune base64 base32 iconv
  uuidgen pathchk cksfv ldd nm objdump readelf size addr2line c++filt getopt cloc tokei scc shellcheck hadolint
  actionlint flake8 pylint mypy pyright pyflakes pycodestyle bandit vulture jsonschema ajv markdownlint cppcheck
  golint staticcheck htmlhint zipinfo rpmquery dpkg-query apt-cache ctags cscope sw_vers system_profiler mdfind mdls
  pbpaste wl-paste acpi sensors upower xdpyinfo xprop lsb_release rabbitmq-diagnostics pg_isready pg_controldata
  ulimit getcap vdpauinfo glxinfo ffprobe mediainfo identify soxi pdfinfo pdftotext pdffonts
  aspell hunspell spell wdiff dwdiff difft meld kdiff3 nvidia-smi rocm-smi sacct squeue sinfo qstat bjobs tig gitk
  onefetch fzf peco gum dialog zenity pv progress dircolors tabs lsns lsipc lslogins lslocks lsmem false test pbcopy
  xsel xclip ipcs vnstat iftop nethogs iotop namei tload mtype catdoc antiword apm ntpq showmount rpcinfo nfsstat
  mysqlshow pg_lsclusters lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan lsscsi lshw hwinfo inxi dmidecode
  iptables-save ip6tables-save col colcrt colrm atq tqdm getenforce sestatus aa-status ausearch aureport klist numastat slabtop
  ldapsearch ldapwhoami ldapcompare dscacheutil say java_home lsinitramfs modinfo xfs_info dumpe2fs filefrag pw-top tzselect`

/** Flags that make a reader write: the file that follows is the target. */
const WRITING_FLAGS: Readonly<Record<string, string>> = {
  sort: '-o --output',
  cmp: '',
  uniq: '',
  tree: '-o',
  xmllint: '--output -o',
  yq: '',
  csvcut: '',
  shuf: '-o --output',
  xxd: '',
  iconv: '-o --output',
  base64: '-o --output',
  pdftotext: '',
  fmt: '',
}

/** Flags of readers that change what they look at. */
const CHANGING_FLAGS: Readonly<Record<string, readonly (readonly [flags: string, score: number, why: string])[]>> = {
  yq: [['-i --in-place --inplace', 26, 'changes files in place']],
  journalctl: [['--vacuum-size --vacuum-time --vacuum-files --rotate --flush', 66, 'deletes logs']],
  dmesg: [['-C --clear -c --read-clear', 62, 'clears the kernel log']],
  ss: [['-K --kill', 66, 'ends connections']],
  lastlog: [['-C --clear', 62, 'clears a log']],
}

/** Flags of readers whose value is a program that they run. */
const RUNNING_FLAGS = wordSet('--pre --hostname-bin --compress-program --pager --browser --exec --on-change')

/** Readers that print what stands in their files. */
const CONTENTS = wordSet(
  'cat tac head tail less more bat nl od hexdump xxd strings base64 base32 grep egrep rg jq cut zcat',
)

export const READER_PROGRAMS: Programs = [
  ...words(READERS).map((name) => [name, reader] as const),
  ['sort', reader],
  ['which', which],
  ['ldd', ldd],
  ['sed', sed],
  ['gsed', sed],
  ...words('awk gawk mawk nawk goawk original-awk').map((name) => [name, awk] as const),
  ['tee', tee],
  ['sponge', tee],
  ['date', whenSet(62, /^-s|^--set/, 'sets the clock')],
  ['hostname', whenOperand(50, 'names the machine')],
  ['sysctl', whenSet(66, /^-w|^-p|^--write|^--load|^--system|^[\w.]+=/, 'sets a kernel value')],
  ['mount', mount],
  ['ifconfig', whenSet(55, /^(up|down|add|del|netmask|mtu|hw)$/, 'changes a network interface')],
  ['ip', ip],
  ['route', whenSet(58, /^(add|del|delete|flush|change)$/, 'changes the network')],
  [
    'nmcli',
    whenSet(55, /^(up|add|modify|on|connect)$/, 'changes the network', [
      /^(del|delete|down|off|disconnect)$/,
      'takes a part of the network away',
    ]),
  ],
  ['ethtool', whenSet(58, /^(-[sKGAELNX]|--change|--set-\S+|--offload|--reset|--flash)$/, 'changes a network card')],
  ['smartctl', whenSet(50, /^(-[tsoSX]|--test|--set|--smart|--abort)/, 'tests or sets up a disk')],
  ['exiftool', whenSet(42, /^-[\w:]+[-+<]?=|^-overwrite_original|^-delete_original/, 'changes files in place')],
  ['tc', whenSet(62, /^(add|del|replace|change)$/, 'changes how the network carries data')],
  [
    'mokutil',
    whenSet(72, /^--(disable|enable|import|delete|reset|set|clear|revoke|trust)/, 'changes what the machine starts'),
  ],
  ['flashrom', whenSet(85, /^-[wE]|^--(write|erase)/, 'writes the firmware')],
  ['xhost', whenSet(58, /^\+/, 'opens the display')],
  ['stty', reader],
  ['ulimit', reader],
  ['fuser', endUsers],
]

function reader({ name, args, scope, stdin }: Call): Stream | undefined {
  note(scope.ledger, 8, `${name}: reads`)
  judgeReaderOptions(name, args, scope)
  const valued = wordSet(WRITING_FLAGS[name] ?? '')
  const options = splitOptions(args, valued)
  for (const flag of valued) {
    const target = optionValue(options, flag)
    if (target !== undefined) act(scope, name, 'write', target)
  }
  for (const [at, arg] of args.entries()) {
    const [, flag = '', joined] = /^(--?[\w-]+)(?:=([\s\S]*))?$/.exec(arg) ?? []
    const program = joined ?? args[at + 1]
    if (
      RUNNING_FLAGS.has(flag) &&
      program !== undefined &&
      program !== '' &&
      !/^(less|cat|more|never|always|auto)\b/.test(program)
    )
      runOnFiles(flag, program.replace(/^'|'$/g, ''), options.operands, scope, stdin)
  }
  for (const [flags, score, why] of CHANGING_FLAGS[name] ?? [])
    if (has(options, ...words(flags))) note(scope.ledger, score, `${name}: ${why}`)
  if (!CONTENTS.has(name)) return filtered({ name, args, scope, stdin })
  const files = options.operands.filter((file) => scope.files.has(resolvePath(file, scope.cwd)))
  const [only] = files
  return only !== undefined && files.length === 1
    ? filtered({ name, scope, args: args.filter((arg) => arg !== only), stdin: readFile(only, scope) })
    : filtered({ name, args, scope, stdin })
}

/** `rg --pre PROGRAM pattern FILE`: the program gets each file. */
function runOnFiles(flag: string, program: string, operands: readonly string[], scope: Scope, stdin: Stream): void {
  scope.runText(program, scope, stdin)
  const files = flag === '--pre' ? firstOf(operands.slice(1), 8, scope.budget) : []
  if (files.length > 0)
    noteGrave(scope, (inner) => void inner.runText([program, ...files.map(quoted)].join(' '), inner, stdin))
}

/** What it prints is the program, so that `$(which rm)` is one. */
function which(call: Call): Stream | undefined {
  const [only, ...more] = splitOptions(call.args).operands
  reader(call)
  return only === undefined || more.length > 0 ? undefined : { kind: 'text', text: `/usr/bin/${only}\n` }
}

/** It may start the program to see what that loads. */
function ldd(call: Call): Stream | undefined {
  const { args, name, scope } = call
  for (const file of firstOf(splitOptions(args).operands, 16, scope.budget))
    if (targetKind(file, scope).startsWith('temporary'))
      note(scope.ledger, fileScore(file, scope), `${name}: runs a file`)
  return reader(call)
}

/** What comes out when something known goes in. */
export function filtered({ name, args, scope, stdin }: Call): Stream | undefined {
  if (stdin.kind === 'download') return stdin
  if (stdin.kind === 'paths') {
    const { trust, ...paths } = stdin
    const kept = trust === undefined ? 'none' : (keptTrust(name, args) ?? trust)
    const left: Stream & { kind: 'paths' } = kept === 'none' ? paths : { ...paths, trust: kept }
    return PICKERS.has(name) ? { ...left, isChosen: true } : left
  }
  if (stdin.kind !== 'text') return undefined
  const text = spend(scope.budget, stdin.text.length / 2) ? filterText(name, args, stdin.text) : undefined
  return text === undefined ? ANYTHING : { kind: 'text', text }
}

const PICKERS = wordSet('grep egrep fgrep rg head tail awk sed cut uniq')

function sed(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const { script, scriptFiles, files, isInPlace, keepsOld } = readSedCall(args)
  note(scope.ledger, 8, `${name}: prints changed lines`)
  if (isInPlace)
    for (const file of files.length > 0 ? files : ['']) act(scope, `${name} -i`, keepsOld ? 'append' : 'write', file, 2)
  for (const file of isInPlace ? firstOf(files, 8, scope.budget) : []) {
    const path = resolvePath(file, scope.cwd)
    const before = scope.files.get(path)
    if (before?.kind === 'text')
      scope.files.set(path, filtered({ name, args: ['-e', script], scope, stdin: before }) ?? ANYTHING)
  }
  judgeSedScript(script, call)
  for (const file of firstOf(scriptFiles, 8, scope.budget)) judgeScriptFile(file, call, judgeSedScript)
  return filtered({ name, args, scope, stdin })
}

/** A script in a file: what the text wrote is judged, anything else by where it stands. */
function judgeScriptFile(file: string, call: Call, judge: (script: string, call: Call) => void): void {
  const { name, scope, stdin } = call
  const stream = isStdin(file) ? stdin : readFile(file, scope)
  if (stream.kind === 'text') judge(stream.text, call)
  else if (stream.kind === 'download') note(scope.ledger, 92, `${name}: runs what was just downloaded`)
  else if (isStdin(file) || file.startsWith('/dev/fd/') || isMade(file, scope))
    note(scope.ledger, 50, `${name}: takes its script from what is known only at run time`)
  else note(scope.ledger, fileScore(file, scope), `${name}: runs a file`)
}

const MOST_COMMANDS = 200

/** `e` runs a command, `w` writes a file, both as commands and as flags of `s`; `r` prints a file. */
function judgeSedScript(script: string, { name, scope, stdin }: Call): void {
  if (!spend(scope.budget, script.length / 2)) return
  for (const { name: letter, text, change } of firstOf(
    sedCommands(script, MOST_COMMANDS + 1),
    MOST_COMMANDS,
    scope.budget,
  )) {
    if (!spend(scope.budget, 40)) return
    const rest = text.trim()
    if (letter === 'e' && (rest === '' || /^[;}]/.test(rest)))
      note(scope.ledger, 75, `${name}: runs its input as commands`)
    else if (letter === 'e' && /^\s/.test(text)) scope.runText(rest, scope, stdin)
    else if (letter === 'e') noteGrave(scope, (inner) => void inner.runText(rest, inner, stdin))
    else if (/^[wW]$/.test(letter) && rest !== '') act(scope, name, 'write', rest)
    else if (/^[rR]$/.test(letter) && rest !== '') judgeSecretInput(name, rest, scope)
    if (change?.flags.includes('e')) {
      note(scope.ledger, 75, `${name}: runs what it replaced as a command`)
      scope.runText(change.put, scope, stdin)
    }
    if (change?.file) act(scope, name, 'write', change.file)
  }
}

const AWK_VALUES = wordSet(
  '-F -v -f -e -E -i -l --field-separator --assign --file --include --source --exec --load -d? -D? -o? -p? -L? -W',
)
const AWK_LONG = [...AWK_VALUES].filter((flag) => flag.startsWith('--'))
/** Options of gawk that write what they are asked for: the variables, the script in order, how often it ran. */
const AWK_WRITES = ['-d', '-o', '-p', '--dump-variables', '--pretty-print', '--profile']

function awk(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const whole = args.map((arg) => AWK_LONG.find((flag) => has({ flags: [arg] }, flag)) ?? arg)
  const options = splitOptions(whole, AWK_VALUES)
  note(scope.ledger, 8, `${name}: prints chosen fields`)
  const given = (...flags: readonly string[]) =>
    options.given.flatMap(([flag, value]) => (has({ flags: [flag] }, ...flags) ? [value] : []))
  const sources = given('-e', '--source')
  const scriptFiles = given('-f', '--file', '-E', '--exec')
  const isGiven = sources.length + scriptFiles.length > 0
  const operands = isGiven ? options.operands : options.operands.slice(1)
  if (given('-i', '--include').includes('inplace'))
    for (const file of operands) act(scope, `${name} -i inplace`, 'write', file, 6)
  for (const path of given(...AWK_WRITES)) if (path !== '') act(scope, name, 'write', path)
  for (const path of firstOf(given('-i', '-l', '--include', '--load'), 8, scope.budget)) judgeAwkLoad(path, name, scope)
  if (scriptFiles.length > 0) note(scope.ledger, 35, `${name}: runs a file`)
  const script = isGiven ? sources.join('\n') : (options.operands[0] ?? '')
  const assigned = [...given('-v', '--assign'), ...operands].filter((word) => /^\w+=/.test(word))
  const judge = (text: string) => {
    judgeAwkScript(text, assigned, call)
    judgeAwkPlaces(text, { assigned, operands }, call)
  }
  judge(script)
  for (const file of firstOf(scriptFiles, 8, scope.budget)) judgeScriptFile(file, call, judge)
  const literal = /^BEGIN\s*\{\s*print\s+"([^"]*)"\s*\}$/.exec(script.trim())?.[1]
  if (literal !== undefined) return { kind: 'text', text: `${literal}\n` }
  return filtered({ name, args, scope, stdin })
}

function judgeAwkScript(script: string, assigned: readonly string[], call: Call): void {
  const { name, scope } = call
  if (/\bsystem\b|\||getline/.test(script)) judgeCode('awk', script, { name, scope })
  judgeAwkPipes(script, call)
  if (!script.includes('>') || !spend(scope.budget, script.length / 2)) return
  const targets = [...script.matchAll(/>\s?\(?\s?"((?:[^"\\]|\\.)*)"/g)].map(([, path = '']) => path)
  const named = new Set([...script.matchAll(/>\s?\(?\s?([A-Za-z_]\w*)/g)].map(([, variable = '']) => variable))
  const values = [
    ...assigned.map((word): readonly string[] => [word, ...word.split(/=(.*)/s)]),
    ...script.matchAll(/\b(\w+)\s?=\s?"((?:[^"\\]|\\.)*)"/g),
  ].flatMap(([, variable = '', value = '']) => (named.has(variable) ? [value] : []))
  for (const path of firstOf([...new Set([...targets, ...values])], 16, scope.budget)) act(scope, name, 'write', path)
}

const LONGEST_SCRIPT = 3_000

/** `"command" | getline`, `print | "command"`: a string beside a pipe is a command. */
function judgeAwkPipes(script: string, { name, scope }: Call): void {
  if (script.length > LONGEST_SCRIPT) scope.budget.isSpent = true
  if (!script.includes('|') || !spend(scope.budget, script.length)) return
  const read = script.matchAll(/"((?:[^"\\]|\\.)*)"\s{0,4}\)?\s{0,4}\|&?\s{0,4}getline/g)
  const written = script.matchAll(/[^|]\|&?\s{0,4}"((?:[^"\\]|\\.)*)"/g)
  for (const [, text = ''] of firstOf([...read, ...written], 32, scope.budget))
    scope.runText(text.replaceAll(/\\(.)/g, '$1'), scope, ANYTHING)
  // The command stands in a variable: its pieces are all that the text shows.
  if (!/[\w\])]\s{0,4}\|&?\s{0,4}getline/.test(script)) return
  note(scope.ledger, 45, `${name}: runs a command that it puts together`)
  for (const [, text = ''] of firstOf([...script.matchAll(/(?<!\\)"((?:[^"\\]|\\.)*)"/g)], 32, scope.budget))
    if (text.includes(' ')) noteGrave(scope, (inner) => void inner.runText(text, inner, ANYTHING))
}

function tee({ name, args, scope, stdin }: Call): Stream | undefined {
  const options = splitOptions(args)
  const { operands } = options
  const isAppended = has(options, '-a', '--append')
  note(scope.ledger, 8, `${name}: copies its input`)
  for (const file of operands) {
    act(scope, name, isAppended ? 'append' : 'write', file)
    keepIn(resolvePath(file, scope.cwd), stdin, scope)
  }
  return stdin
}

const judgeIp = whenSet(58, /^(set|add|replace|change)$/, 'changes the network', [
  /^(del|delete|flush|down)$/,
  'takes a part of the network away',
])

/** `ip netns exec NAME command`: the rest of the words is not about the network. */
function ip(call: Call): Stream | undefined {
  const { args, scope, stdin } = call
  const at = /^(netns|net|vrf)$/.test(args.find((arg) => !arg.startsWith('-')) ?? '') ? args.indexOf('exec') : -1
  if (at < 0) return judgeIp(call)
  note(scope.ledger, 20, 'ip: another network')
  const words = args.slice(at + (args.includes('-all') || args.includes('-a') ? 1 : 2))
  return words.length > 0 ? scope.runWords(words, scope, stdin) : undefined
}

/** Who uses a port that a developer serves at is mostly what was started before; a store of data is not. */
function endUsers({ name, args, scope }: Call): Stream | undefined {
  const ends = args.some((arg) => /^-[a-z]*k|^--kill$/.test(arg))
  const isOwn = args.every(
    (arg) =>
      arg.startsWith('-') ||
      (/^\d{4,5}\/tcp$/.test(arg) && !/^(5432|3306|6379|27017|9200|5672|1433|2379|6443)\//.test(arg)),
  )
  note(scope.ledger, ends ? (isOwn ? 30 : 66) : 8, `${name}: ${ends ? 'ends processes' : 'reads'}`)
  return undefined
}

/** `grave` is the pattern of words that take something away, and why. */
function whenSet(score: number, pattern: RegExp, why: string, grave?: readonly [RegExp, string]): Program {
  return ({ name, args, scope }) => {
    if (grave && args.some((arg) => grave[0].test(arg))) note(scope.ledger, 64, `${name}: ${grave[1]}`)
    note(
      scope.ledger,
      args.some((arg) => pattern.test(arg)) ? score : 8,
      `${name}: ${args.some((arg) => pattern.test(arg)) ? why : 'reads'}`,
    )
    return undefined
  }
}

const mounted = whenOperand(50, 'mounts a file system')

function mount(call: Call): Stream | undefined {
  if (call.args.some((arg) => /remount/.test(arg)) && call.args.at(-1) === '/')
    note(call.scope.ledger, 56, 'mount: changes what is mounted')
  return mounted(call)
}

function whenOperand(score: number, why: string): Program {
  return ({ name, args, scope }) => {
    const isSet = splitOptions(args, wordSet('-t -o -l -L')).operands.length > 0
    note(scope.ledger, isSet ? score : 8, `${name}: ${isSet ? why : 'reads'}`)
    return undefined
  }
}
