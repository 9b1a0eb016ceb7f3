import { type CommandLineRow, commandLine, judgeCommandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { words } from './options.ts'
import { judgeSources } from './package-sources.ts'
import type { Program, Programs } from './program.ts'
import { known } from './scope.ts'
import { VERB_KINDS, type VerbKind, verbTable } from './verbs.ts'

const MANAGER: CommandLineRow = {
  verbs: {
    read: 'list show search policy info depends rdepends changelog provides history check files why repolist',
    create: 'install add download source build-dep in',
    run: 'autoclean clean makecache refresh',
    change: 'upgrade dist-upgrade full-upgrade reinstall dist-upgrade downgrade swap',
    destroy: 'remove purge autoremove erase del',
  },
  bare: 40,
}

/** Here `update` fetches lists only. */
const DEBIAN: CommandLineRow = { ...MANAGER, verbs: { ...MANAGER.verbs, run: 'update' }, rehearsal: '-s' }

/** A flag that is the verb: the first row that a word fits decides. */
type FlagRow = readonly [flag: RegExp, kind: VerbKind, why: string]

/** Managers whose verbs are flags, and whose letters mean different things in each. */
const BY_FLAG: Readonly<Record<string, readonly FlagRow[]>> = {
  dpkg: [
    [/^(-r|-P|--remove|--purge)$/, 'destroy', 'removes packages'],
    [/^(-i|--install|--unpack|--configure|--set-selections)$/, 'change', 'installs packages'],
    [
      /^(-[lLsSpcIV]|--list|--listfiles|--status|--search|--contents|--info|--get-selections|--print-\S+|--audit|--verify)$/,
      'read',
      'asks the package database',
    ],
  ],
  rpm: [
    [/^(-(?=[a-z]*e)[a-z]*|--erase)$/, 'destroy', 'removes packages'],
    [
      /^(-(?=[a-z]*i)[a-z]*|-[a-z]*[UF][a-z]*|--install|--upgrade|--freshen|--import|--rebuilddb)$/,
      'change',
      'installs packages',
    ],
  ],
  pacman: [
    [/^(-R\w*|--remove)$/, 'destroy', 'removes packages'],
    [/^-S\w*c/, 'change', 'empties the cache'],
    [/^(-Q\w*|-F\w*|-T|-S[silgp]+|--query|--files|--deptest)$/, 'read', 'asks the package database'],
    [/^(-S\w*|-U\w*|-D\w*|--sync|--upgrade|--database)$/, 'change', 'installs packages'],
  ],
}

/** Asking comes first in a word such as `-qi`: no letter behind it makes it a change. */
const ASKS = /^(-[qV]\w*|--query|--verify|--querytags|--showrc|--eval)$/

export const SYSTEM_PACKAGES: Programs = [
  ...words('apt apt-get aptitude').map((name) => [name, withSources(commandLine(DEBIAN))] as const),
  ...words('dnf yum microdnf tdnf zypper apk emerge pkg pkgin nix-env xbps-install').map(
    (name) => [name, withSources(commandLine(MANAGER))] as const,
  ),
  ...words('dpkg rpm').map((name) => [name, byFlag(name)] as const),
  ...words('pacman yay paru').map((name) => [name, byFlag('pacman')] as const),
]

/** What comes from the configured sources is one thing; a file or an address runs as root unseen. */
function withSources(program: Program): Program {
  return (call) => {
    const isTaken = call.args.some((arg) => /\.(deb|rpm|apk|pkg\.tar\.\w+)$/.test(arg))
    if (isTaken) note(call.scope.ledger, 62, `${call.name}: installs a file with all rights`)
    judgeSources(call.args, call.scope, call.name)
    return program(call)
  }
}

function byFlag(table: string): Program {
  const rows = BY_FLAG[table] ?? []
  return (call) => {
    const plain = call.args.map(known)
    const isAsking = table === 'rpm' && plain.some((arg) => ASKS.test(arg))
    const found = isAsking ? undefined : rows.find(([flag]) => plain.some((arg) => flag.test(arg)))
    if (!isAsking && !found) return judgeCommandLine(call, verbTable({}), 40)
    const [, kind, why] = found ?? [undefined, 'read' as const, 'asks the package database']
    const isFile = kind === 'change' && !/^(pacman|yay|paru)$/.test(call.name)
    const score = isFile ? 62 : kind === 'change' ? 30 : VERB_KINDS[kind].score
    if (plain.some((arg) => /^-U\w*$/.test(arg)) && table === 'pacman')
      note(call.scope.ledger, 62, `${call.name}: installs a file with all rights`)
    note(call.scope.ledger, score, `${call.name}: ${why}`)
    return undefined
  }
}
