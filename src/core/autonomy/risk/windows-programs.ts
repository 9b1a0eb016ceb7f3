import { Buffer } from 'node:buffer'
import { act } from './actions.ts'
import { runSource, unknownSource } from './builtins.ts'
import { note } from './ledger.ts'
import { words } from './options.ts'
import { runPowerShellText } from './powershell.ts'
import { type Call, noteGrave, type Program, type Programs } from './program.ts'
import { fileScore, judgeFileName } from './run-file.ts'
import { ANYTHING, isUnknown, known, NOTHING, type Stream } from './scope.ts'

/** Programs of Windows that are one thing whatever follows, unless the words only ask. */
const FIXED: readonly (readonly [names: string, score: number, why: string, asks?: RegExp])[] = [
  ['diskpart', 90, 'changes partitions', /^\/\?$/],
  ['bcdedit bootrec bootsect', 80, 'changes how the machine starts', /^\/(enum|v)$/i],
  ['vssadmin wbadmin', 85, 'changes shadow copies or backups', /^(list|get)$/i],
  ['cipher', 70, 'encrypts or wipes', /^\/(c|\?)$/i],
  ['wevtutil', 70, 'changes event logs', /^(qe|el|gl|gp|ep|query-events|enum-logs|get-log)$/i],
  ['fsutil', 66, 'works on file systems', /^(fsinfo|volume|dirty|behavior)$/i],
  ['sc', 66, 'changes services', /^(query\w*|qc|qdescription|getdisplayname|enumdepend)$/i],
  ['schtasks', 66, 'changes what runs later', /^\/query$/i],
  ['netsh', 64, 'changes the network', /^(show|dump)$/i],
  ['regsvr32 rundll32 mshta cscript wscript installutil regasm msdt cmstp forfiles', 62, 'runs code in an unusual way'],
  ['bitsadmin', 64, 'fetches files in an unusual way', /^\/(list|info)$/i],
  ['wmic', 62, 'manages the machine', /^\/\?$/],
  ['regedit', 66, 'changes the registry'],
  ['sdelete', 82, 'erases beyond recovery'],
  ['logoff tsdiscon', 62, 'ends a session'],
  ['dism sfc', 45, 'changes the system', /^\/(get-\S+|online|verifyonly|scannow)$/i],
  ['powercfg', 34, 'changes power settings', /^\/(l|list|query|q|a|batteryreport)$/i],
  [
    'tasklist systeminfo ipconfig ver where findstr cls driverquery whoami.exe hostname.exe getmac pathping tracert qprocess quser fc',
    8,
    'reads',
  ],
  ['chkdsk', 45, 'checks a disk', /^[A-Za-z]:$/],
  ['explorer', 20, 'shows a folder'],
]

export const WINDOWS_PROGRAMS: Programs = [
  ...FIXED.flatMap(([names, score, why, asks]) => words(names).map((name) => [name, fixed(score, why, asks)] as const)),
  [
    'msiexec',
    ({ scope, args }) =>
      said(scope, args.some((arg) => /^(https?:|\\\\)/i.test(arg)) ? 66 : 55, 'msiexec: installs with all rights'),
  ],
  ['del', remove],
  ['erase', remove],
  ['rd', remove],
  ['copy', transfer],
  ['xcopy', transfer],
  ['robocopy', robocopy],
  ['move', transfer],
  ['ren', ({ scope }) => said(scope, 24, 'ren: renames files')],
  ['mklink', ({ scope, args }) => writeTo(args.filter((arg) => !isSwitch(arg))[0] ?? '', { scope, name: 'mklink' })],
  [
    'attrib',
    ({ scope, args }) => said(scope, args.some((arg) => /^[+-]/.test(arg)) ? 30 : 8, 'attrib: attributes of files'),
  ],
  ...words('takeown icacls cacls').map(
    (name) =>
      [
        name,
        ({ scope, args }: Call) =>
          said(scope, args.some((arg) => /^[/-][a-z]/i.test(arg)) ? 66 : 10, `${name}: changes who may do what`),
      ] as const,
  ),
  ['reg', registry],
  ['net', network],
  ['net1', network],
  ['taskkill', endTask],
  ['tskill', endTask],
  ['certutil', certificates],
  ['start', start],
  ['cmd', commandShell],
  ['powershell', powerShell],
  ['pwsh', powerShell],
]

function fixed(score: number, why: string, asks?: RegExp): Program {
  return ({ name, args, scope, stdin }) => {
    const isAsked =
      (args.length === 0 && stdin.kind === 'none') ||
      args.some((arg) => arg === '/?') ||
      asks?.test(known(args[0] ?? ''))
    return said(scope, isAsked ? 10 : score, `${name}: ${isAsked ? 'asks' : why}`)
  }
}

/** `/s`, `/q`: switches of one to three letters; a longer word behind a slash is a path of another shell. */
export function isSwitch(arg: string): boolean {
  return /^\/[A-Za-z?]{1,3}(:.*)?$/.test(arg) || /^-[A-Za-z]$/.test(arg)
}

function remove({ name, args, scope }: Call): Stream {
  const isTree = args.some((arg) => /^[/-]s$/i.test(arg))
  const targets = args.filter((arg) => !isSwitch(arg))
  note(scope.ledger, 12, `${name}: works on files`)
  if (args.some((arg) => arg === '/?')) return NOTHING
  for (const target of targets)
    act(scope, name, isTree ? 'deleteTree' : name === 'rd' ? 'create' : 'deleteFile', target)
  return NOTHING
}

function transfer({ name, args, scope }: Call): Stream {
  const targets = args.filter((arg) => !isSwitch(arg))
  note(scope.ledger, 16, `${name}: ${name === 'move' ? 'moves' : 'copies'} files`)
  if (name === 'move' && targets[0] !== undefined) act(scope, name, 'moveAway', targets[0])
  if (targets.length > 1) act(scope, name, 'write', targets.at(-1) ?? '')
  return NOTHING
}

function robocopy({ name, args, scope }: Call): Stream {
  if (args.some((arg) => /^\/l$/i.test(arg))) return said(scope, 12, `${name}: a rehearsal`)
  const targets = args.filter((arg) => !arg.startsWith('/'))
  note(scope.ledger, 20, `${name}: copies files`)
  if (args.some((arg) => /^\/(mir|purge)$/i.test(arg)))
    note(scope.ledger, 68, `${name}: deletes what the source does not have`)
  if (args.some((arg) => /^\/(mov|move)$/i.test(arg))) note(scope.ledger, 62, `${name}: deletes the source`)
  if (targets[1] !== undefined) act(scope, name, 'add', targets[1])
  return NOTHING
}

function registry({ args, scope }: Call): Stream {
  const [verb = '', key = ''] = args.map((arg) => known(arg).toLowerCase())
  if (/^(query|compare|export|save)$/.test(verb)) return said(scope, 14, 'reg: reads')
  const isUser = key.startsWith('hkcu') && !/run|policies|shell|environment|winlogon/.test(key)
  return said(scope, verb === 'add' && isUser ? 50 : 70, `reg: ${verb} changes the registry`)
}

function network({ name, args, scope }: Call): Stream {
  const [verb = '', ...rest] = args.map((arg) => known(arg).toLowerCase())
  if (/^(rpc|ads|sam)$/.test(verb))
    return said(
      scope,
      rest.some((arg) => /^(delete|add|shutdown|setsid|password|join|leave)/.test(arg)) ? 68 : 12,
      `${name}: another domain`,
    )
  if (/^(user|localgroup|group|accounts)$/.test(verb))
    return said(
      scope,
      rest.length > 1 || rest.some((arg) => /^\/(add|delete|active)/.test(arg)) ? 68 : 10,
      `${name}: users and groups`,
    )
  if (verb === 'stop' || verb === 'pause') return said(scope, 64, `${name}: stops a service`)
  if (verb === 'start' && rest.length > 0) return said(scope, 40, `${name}: starts a service`)
  if (/^(share|use|session|file)$/.test(verb))
    return said(
      scope,
      rest.some((arg) => /^\/(d|delete)$/.test(arg) || arg.includes('=')) ? 62 : rest.length > 0 ? 45 : 10,
      `${name}: shares`,
    )
  return said(scope, 14, `${name}: asks`)
}

function endTask({ name, args, scope, stdin }: Call): Stream | undefined {
  const at = args.findIndex((arg) => /^[/-](im|fi)$/i.test(arg))
  const image = at < 0 ? '' : (args[at + 1] ?? '').replace(/\.exe$/i, '')
  if (image === '') return said(scope, 28, `${name}: ends processes`)
  return scope.runWords(['killall', image], scope, stdin)
}

function certificates({ name, args, scope }: Call): Stream {
  const flags = args.map((arg) => known(arg).toLowerCase().replace(/^\//, '-'))
  if (flags.some((flag) => /^-(urlcache|verifyctl)$/.test(flag)))
    return said(scope, 66, `${name}: fetches files in an unusual way`)
  if (flags.some((flag) => /^-(addstore|delstore|importpfx|installcert)$/.test(flag)))
    return said(scope, 66, `${name}: changes which certificates are trusted`)
  return said(
    scope,
    flags.some((flag) => /^-(hashfile|dump|viewstore|store|verify)$/.test(flag)) ? 10 : 34,
    `${name}: certificates`,
  )
}

/** `start "title" /b del x`: what follows its switches is a command, or something to open. */
function start({ name, args, scope, stdin }: Call): Stream {
  const at = args.findIndex((arg) => arg !== '' && !isSwitch(arg) && !/^\/\w+$/.test(arg) && !/\s/.test(arg))
  const words = at < 0 ? [] : args.slice(at)
  if (scope.programOf(words[0] ?? '') !== undefined)
    noteGrave(scope, (inner) => void inner.runWords(words, inner, stdin))
  return said(scope, 26, `${name}: opens something in a program`)
}

/** `if exist dist rmdir /s /q dist`: what `cmd` does on a condition, as a shell would write it. */
export function withoutConditions(text: string): string {
  if (!CONDITION.test(text) || /\b(then|fi)\b/.test(text)) return text
  return text
    .replaceAll(CONDITIONS, '$1')
    .replaceAll(/\)[ \t]*else[ \t]+/gi, '); ')
    .replaceAll(/[ \t]else[ \t]+(?=if[ \t])/gi, '; ')
}

/** A plain word or a quoted one stands for the file: nothing in it runs. */
const WHEN =
  'if[ \\t]+(?:/i[ \\t]+)?(?:not[ \\t]+)?(?:exist[ \\t]+(?:"[\\w .\\\\/:*%-]*"|[\\w.\\\\/:*%-]+)|defined[ \\t]+\\w+|errorlevel[ \\t]+\\d+)[ \\t]+(?=\\S)'
const CONDITION = new RegExp(`(?:^|[;&|\\n(])[ \\t]*${WHEN}`, 'i')
const CONDITIONS = new RegExp(`((?:^|[;&|\\n(])[ \\t]*)${WHEN}`, 'gi')

/** `^` hides letters, and `!name!` or `%name%` stands for what `set` gave. */
function plainCommand(text: string): string {
  const values = new Map(
    [...text.matchAll(/\bset\s+"?(\w+)=([^&|"]*)/gi)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  )
  return withoutConditions(text)
    .replaceAll(/\^(.)/g, '$1')
    .replaceAll(/([!%])(\w+)\1/g, (whole, _, name: string) => values.get(name.toLowerCase()) ?? whole)
}

/** `cmd /c COMMAND`. */
function commandShell(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const at = args.findIndex((arg) => /^\/[ckr]$/i.test(arg))
  if (at < 0)
    return stdin.kind === 'none' ? said(scope, 12, `${name}: a shell without anything to run`) : fromInput(call)
  const rest = args.slice(at + 1)
  if (rest.length === 0) return said(scope, 12, `${name}: nothing to run`)
  note(scope.ledger, 16, `${name}: runs a command`)
  if (/^if$/i.test(rest[0] ?? '')) return runSource(plainCommand(rest.join(' ')), call)
  return rest.length === 1
    ? runSource(plainCommand(rest[0] ?? ''), call)
    : scope.runWords(rest.map(plainCommand), scope, stdin)
}

function fromInput(call: Call): Stream {
  const { name, scope, stdin } = call
  if (stdin.kind === 'text') return runSource(stdin.text, { ...call, stdin: NOTHING })
  return unknownSource(stdin, scope, name)
}

const COMMAND_FLAG = /^[-/](c|co\w*)$/i
const ENCODED_FLAG = /^[-/](e|ec|en\w*)$/i
const FILE_FLAG = /^[-/](f|fi\w*)$/i
const VALUED_FLAG = /^[-/](ex\w*|ep|w|wi\w*|v|ve\w*|o\w*|i\w+|wo\w*|wd|ps\w*|conf\w*)$/i

/** `powershell -Command …`, `-EncodedCommand …`, `-File …`. */
function powerShell(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const isLoose = args.some(
    (arg, at) => /^[-/]ex?(ec?\w*|p)$/i.test(arg) && /^(bypass|unrestricted)$/i.test(args[at + 1] ?? ''),
  )
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (ENCODED_FLAG.test(arg)) return encoded(args[at + 1] ?? '', call)
    if (COMMAND_FLAG.test(arg)) return runPowerShell(args.slice(at + 1).join(' '), call)
    if (FILE_FLAG.test(arg)) return script(args[at + 1] ?? '', isLoose, call)
    if (/^[-/](wo\w*|wd)$/i.test(arg)) scope.runWords(['cd', args[at + 1] ?? ''], scope, NOTHING)
    if (VALUED_FLAG.test(arg)) at++
    else if (!arg.startsWith('-'))
      return /\.ps1$/i.test(arg) ? script(arg, isLoose, call) : runPowerShell(args.slice(at).join(' '), call)
  }
  if (/^-+(version|help|\?)$/i.test(args[0] ?? '')) return said(scope, 6, `${name}: shows its version`)
  return stdin.kind === 'none' ? said(scope, 12, `${name}: a shell without anything to run`) : fromInput(call)
}

/** Methods of .NET and of objects are no commands: their names are read. */
function runPowerShell(text: string, call: Call): Stream {
  const [, method] =
    /(?:::|\)\.|\$_\.|\]\.)(Delete\w*|Move\w*|WriteAll\w+|Replace|Kill|Terminate|Format|Shutdown\w*|Reboot\w*)\s*\(/i.exec(
      text,
    ) ?? []
  if (method !== undefined && !/^(Replace|Format)$/i.test(method))
    note(call.scope.ledger, 66, `${call.name}: ${method} deletes or ends something`)
  if (known(text).trim() === '') return runSource(text, call)
  if (isUnknown(text))
    note(call.scope.ledger, call.scope.chosen ? 28 : 50, `${call.name}: runs text that is known only in part`)
  return runPowerShellText(text, call.scope, call.stdin) ?? runSource(text, call)
}

function script(file: string, isLoose: boolean, { name, scope }: Call): Stream {
  judgeFileName(file, scope)
  return said(
    scope,
    isLoose ? 55 : fileScore(file, scope),
    `${name}: runs a file${isLoose ? ' past the policy of the machine' : ''}`,
  )
}

/** What is written so shall not be read. */
function encoded(text: string, call: Call): Stream {
  note(call.scope.ledger, 70, `${call.name}: runs a command in disguise`)
  const plain = Buffer.from(text, 'base64').toString('utf16le')
  return /^[\t\n\r\x20-\x7e]+$/.test(plain) ? runSource(plain, call) : ANYTHING
}

function writeTo(path: string, { scope, name }: Pick<Call, 'scope' | 'name'>): Stream {
  note(scope.ledger, 16, `${name}: writes`)
  act(scope, name, 'write', path)
  return NOTHING
}

function said(scope: Call['scope'], score: number, why: string): Stream {
  note(scope.ledger, score, why)
  return ANYTHING
}
