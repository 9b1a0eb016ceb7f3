import { COMMAND_LINE_ROWS } from './command-line-rows.ts'
import { hostKind } from './hosts.ts'
import { type CommandLineRow, commandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTells, onlyTellsOfOrder } from './only-pretends.ts'
import { words } from './options.ts'
import { judgeSources } from './package-sources.ts'
import type { Call, Program, Programs } from './program.ts'
import { known } from './scope.ts'

const MANAGERS =
  'pip pip3 pipx easy_install gem composer cpan cpanm luarocks opam vcpkg conan nuget brew port choco scoop winget pod'

const ROWS: ReadonlyMap<string, CommandLineRow> = new Map(
  COMMAND_LINE_ROWS.flatMap(([names, row]) => words(names).map((name) => [name, row] as const)),
)

/** Programs that bring foreign code, and those that open this machine to others. */
export const PACKAGE_MANAGERS: Programs = [
  ...words(MANAGERS).map((name) => [name, packageManager(name)] as const),
  ...words('helm helmfile').map((name) => [name, charts(name)] as const),
  ...words('ngrok cloudflared localtunnel lt bore frpc zrok devtunnel untun').map((name) => [name, tunnel] as const),
]

/** What is installed by name comes from the usual place; an address, a file or another registry is judged as such. */
function packageManager(name: string): Program {
  const program = commandLine(ROWS.get(name))
  return (call) => {
    const [verb = '', second = ''] = call.args.map(known).filter((arg) => !arg.startsWith('-'))
    if (!/^(list|search|info|show|home|docs|help|view|freeze|check|outdated|which|desc)$/.test(verb))
      judgeSources(call.args, call.scope, name)
    if (name === 'brew' && verb === 'tap' && second !== '' && !/^homebrew\//.test(second))
      note(call.scope.ledger, 45, `${name}: adds another source of packages`)
    if (name === 'brew' && verb === 'services')
      return said(call.scope, 28, 'brew: starts or stops a service of the user')
    if (verb === 'config' && call.args.includes('set')) return judgeConfig(call.args.map(known), call)
    if (/^(uninstall|remove)$/.test(verb) && call.args.some((arg) => /^(-r|--requirement|--all)$/.test(arg)))
      note(call.scope.ledger, 45, `${name}: removes many packages`)
    return program(call)
  }
}

/** A chart from an address is foreign code for the whole cluster. */
function charts(name: string): Program {
  const program = commandLine(ROWS.get(name))
  return (call) => {
    const plain = call.args.map(known)
    const puts = plain.some((arg) => /^(install|upgrade|apply|sync)$/.test(arg))
    if (
      puts &&
      !onlyPretends(call.args) &&
      plain.some((arg) => /^(https?|oci):\/\//.test(arg) && hostKind(arg) === 'foreign')
    )
      note(call.scope.ledger, 64, `${name}: puts code from an address into the cluster`)
    if (
      plain.includes('repo') &&
      plain.includes('add') &&
      plain.some((arg) => /^https?:/.test(arg) && hostKind(arg) === 'foreign')
    )
      note(call.scope.ledger, 55, `${name}: adds another source of charts`)
    return program(call)
  }
}

/** What listens here can be reached from everywhere: a web page under work is a question, a shell or a database is grave. */
function tunnel({ name, args, scope }: Call): undefined {
  const plain = args.map(known)
  const isAsking =
    onlyTells(plain, '--help --version help version list info diagnose status') ||
    onlyTellsOfOrder(plain) ||
    /^((tunnel|config) )?(list|info|check|show|validate)\b/.test(plain.join(' '))
  if (plain.length === 0 || isAsking) return said(scope, 10, `${name}: asks`)
  const isRaw =
    plain.some((arg) => /^(tcp|tls|ssh|rdp|tcp:\/\/.*|ssh:\/\/.*)$/.test(arg)) ||
    plain.some((arg) => /(^|:)22$/.test(arg))
  if (plain[0] === 'config') return said(scope, 30, `${name}: its settings`)
  const deletes = plain.some((arg) => /^(delete|cleanup|uninstall)$/.test(arg))
  return said(scope, deletes || isRaw ? 64 : OPENS, `${name}: opens this machine to the network`)
}

const OPENS = 45

/** `npm config set registry …`: the next installs follow it. */
export function judgeConfig(plain: readonly string[], { name, scope }: Call): undefined {
  const words = plain.filter((arg) => !arg.startsWith('-'))
  const at = words.indexOf('set')
  if (at < 0) return said(scope, /^(delete|rm|edit)$/.test(words[1] ?? '') ? 34 : 10, `${name}: its settings`)
  const [key = '', value = ''] = words.slice(at + 1).flatMap((word) => word.split(/=(.*)/s, 2))
  const isRegistry = /registry|index|mirror|source/.test(key)
  if (isRegistry && hostKind(value) === 'foreign') return said(scope, 64, `${name}: another registry from now on`)
  if (/shell|prefix|node-options|script|cafile|strict-ssl|proxy|globalconfig|git$/.test(key))
    return said(scope, 62, `${name}: changes what it runs or talks to`)
  return said(scope, 30, `${name}: its settings`)
}

function said(scope: Call['scope'], score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}
