import { runSource } from './builtins.ts'
import { COMMAND_LINE_ROWS } from './command-line-rows.ts'
import { judgeArrival } from './file-programs.ts'
import { hostKind } from './hosts.ts'
import { judgeMethod } from './http.ts'
import { commandLine, judgeCommandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTells, onlyTellsInWords, onlyTellsOfOrder } from './only-pretends.ts'
import { judgeOperatorWords } from './operator-words.ts'
import { optionValue, splitOptions, wordSet, words } from './options.ts'
import { judgeConfig, PACKAGE_MANAGERS } from './package-managers.ts'
import { judgeSources } from './package-sources.ts'
import { isPrivate } from './private-places.ts'
import { namesProduction } from './production.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { known, type Stream } from './scope.ts'
import { resolvePath } from './targets.ts'
import { VERB_KINDS, verbKind, verbTable } from './verbs.ts'

export const COMMAND_LINES: Programs = [
  ...COMMAND_LINE_ROWS.flatMap(([names, row]) => words(names).map((name) => [name, commandLine(row)] as const)),
  ...words('npm pnpm yarn').map((name) => [name, packages] as const),
  ...PACKAGE_MANAGERS,
  ['aws', aws],
  ['ansible', ansible],
  ['ansible-playbook', ansible],
  ['gsutil', gsutil],
  ['velero', velero],
  ['nsupdate', nameServer],
  ['awslocal', aws],
  ['gh', withApi],
  ['glab', withApi],
  ['terraform', terraform],
  ['tofu', terraform],
  ['terragrunt', terraform],
]

const NPM = verbTable({
  read: 'ls list la ll view v info show search outdated audit doctor ping whoami explain why fund help docs repo bugs prefix root bin config licenses pkg-get query sbom diff owner-ls',
  run: 'test t tst start run run-script build pack rebuild dedupe lint typecheck check format dev ci login adduser logout',
  create: 'install i add isntall link init create update up upgrade import',
  change: 'publish version dist-tag deprecate owner access token team org set',
  destroy: 'unpublish uninstall remove rm un unlink r star-remove',
})

/** Scripts are files of the project: what they do is not in the text. */
function packages(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const plain = args.map(known)
  const [verb = '', script = ''] = plain.filter((arg) => !arg.startsWith('-'))
  judgeRegistry(args, scope, name)
  if (verb === 'exec' || verb === 'x' || verb === 'dlx')
    return verb === 'dlx'
      ? scope.runWords(['npx', ...args.slice(args.indexOf(verb) + 1)], scope, call.stdin)
      : runSource(executed(name, args.slice(args.indexOf(verb) + 1)).join(' '), call)
  if (verb === 'explore' && args.includes('--')) {
    const inside = { ...scope, cwd: resolvePath(`node_modules/${script}`, scope.cwd) }
    return scope.runWords(args.slice(args.indexOf('--') + 1), inside, call.stdin)
  }
  if (verb === 'pkg' && script === 'set') {
    for (const arg of args.slice(2))
      if (arg.includes('=')) scope.aliases.set(`npm ${arg.slice(8, arg.indexOf('='))}`, arg.slice(arg.indexOf('=') + 1))
    for (const arg of args.slice(2)) if (/^scripts\./.test(arg)) runSource(arg.slice(arg.indexOf('=') + 1), call)
    return said(scope, 45, `${name}: changes the scripts of the project`)
  }
  if (NPM.has(verb) && !RUNS_SCRIPTS.has(verb) && onlyTellsOfOrder(args))
    return said(scope, 8, `${name}: shows its help`)
  const wanted = verb === 'run' || verb === 'run-script' ? script : verb
  if (verb === 'publish' || verb === 'unpublish' || verb === 'deprecate')
    return said(scope, onlyPretends(args) ? 15 : 66, `${name}: changes what others get`)
  if (/^(dist-tag|tag)$/.test(verb) && /^(add|set)$/.test(script))
    return said(scope, onlyPretends(args) ? 15 : 62, `${name}: changes which version others get`)
  if (name === 'yarn' && verb === 'npm') return packages({ ...call, args: args.slice(args.indexOf(verb) + 1) })
  if (
    /^(owner|access|team|token|org|hook|profile)$/.test(verb) &&
    /^(add|rm|remove|set|create|grant|revoke|delete|destroy)$/.test(script)
  )
    return said(scope, 64, `${name}: changes who may publish`)
  if (verb === 'audit' && script === 'fix')
    return said(scope, plain.includes('--force') ? 45 : 30, `${name} audit fix: changes versions of packages`)
  if (verb === 'cache') return said(scope, /clean|purge|prune/.test(script) ? 28 : 12, `${name}: its cache`)
  if (verb === 'store') return said(scope, 30, `${name}: its store`)
  if (verb === 'uninstall' || verb === 'remove' || verb === 'rm' || verb === 'un' || verb === 'unlink')
    return said(scope, plain.includes('-g') ? 34 : 28, `${name}: removes a package`)
  if (/^(install|i|add|update|up|upgrade|create|init|link)$/.test(verb)) {
    judgeSources(args, scope, name)
    return said(scope, script === '' ? 28 : 30, `${name}: brings in foreign code`)
  }
  if (verb === 'config' || verb === 'set' || (verb === 'c' && name === 'npm')) return judgeConfig(plain, call)
  if (verb === 'version') return said(scope, 26, `${name}: names a new version`)
  if (/^(workspace|workspaces)$/.test(verb) && name === 'yarn')
    return packages({ ...call, args: args.slice(args.indexOf(verb) + (verb === 'workspace' ? 2 : 1)) })
  if (verb === 'ci') return said(scope, 28, `${name}: brings in what the lock file says`)
  if (name === 'yarn' && verb === '') return said(scope, 28, `${name}: brings in what the lock file says`)
  if (verb === 'run' || verb === 'run-script' || SCRIPT_VERBS.has(verb) || !NPM.has(verb))
    return judgeScript(wanted, call)
  return judgeCommandLine(call, NPM, 35)
}

/** `npm exec` keeps every option before `--` to itself; what is handed on with or without them is judged. */
function executed(name: string, args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  const [before, behind] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)]
  const isKept = name === 'npm' && before.some((arg) => arg === 'mcpaql' || arg.startsWith('mcpaql@'))
  return [...(isKept ? before.filter((arg) => !arg.startsWith('-')) : before), ...behind]
}

/** Another registry or shell, for one call. */
function judgeRegistry(args: readonly string[], scope: Call['scope'], name: string): void {
  for (const [at, arg] of args.entries()) {
    const [, flag = '', given] = /^--(registry|script-shell|node-options)(?:=(.*))?$/.exec(arg) ?? []
    const value = given ?? args[at + 1] ?? ''
    if (flag === 'registry' && hostKind(value) === 'foreign')
      note(scope.ledger, 64, `${name}: brings in code from another registry`)
    else if (flag !== '' && flag !== 'registry') note(scope.ledger, 62, `${name}: changes what runs its scripts`)
  }
}

/** What stands behind these may be a script's own word. */
const RUNS_SCRIPTS = wordSet('run run-script test t tst start restart exec x dlx create init')

/** Scripts that need no `run` before them. */
const SCRIPT_VERBS = wordSet('test t tst start restart')

const EVERYDAY =
  /^(test|tests|build|lint|start|dev|serve|watch|format|fmt|check|typecheck|type-check|types|tsc|compile|unit|e2e|coverage|storybook|preview|docs|bench|generate|codegen|pretty|prettier|eslint|validate|verify|t)([:-]|$)/

/** npm keeps the options before `--` to itself, the others hand all of them to the script. */
function isRehearsed(name: string, args: readonly string[]): boolean {
  const end = args.indexOf('--')
  if (name === 'npm' && end < 0) return false
  return onlyPretends(name === 'npm' ? args.slice(end + 1) : args.filter((arg) => arg !== '--'))
}

function judgeScript(script: string, { name, args, scope, stdin }: Call): undefined {
  if (script === '') return said(scope, 12, `${name}: lists scripts`)
  const behind = args.slice(args.indexOf(script) + 1)
  if (/^mcpaql(-|$)/.test(script)) scope.runWords(executed(name, [script, ...behind]), scope, stdin)
  judgeOperatorWords('', behind, scope)
  if (isRehearsed(name, args)) return said(scope, 28, `${name} ${script}: a rehearsal`)
  // `yarn typeorm …`: what is no script may be a program of the project.
  const words = args.slice(args.indexOf(script))
  const isProgram = args[0] === script || (name === 'yarn' && args[0] === 'run')
  if (isProgram && words.length > 1 && verbKind(script) === undefined)
    noteGrave(scope, (inner) => void inner.runWords(words, inner, stdin))
  if (/deploy|publish|release|prod|push|upload/.test(script))
    return said(
      scope,
      /build|local|dev|test|lint|check|dry|preview/.test(script) ? 30 : 58,
      `${name} ${script}: publishes or deploys`,
    )
  if (/destroy|drop|reset|nuke|wipe|delete|purge|flush/.test(script))
    return said(
      scope,
      /cache|test/.test(script) ? 30 : /reset|flush/.test(script) ? 58 : 64,
      `${name} ${script}: deletes or resets`,
    )
  return said(scope, EVERYDAY.test(script) ? 24 : 28, `${name} ${script}: runs a script of the project`)
}

const AWS = verbTable({
  read: 'ls presign head wait get-caller-identity configure-list sts lookup login logout',
  run: 'cp mb configure',
  change: 'tag associate run request',
  publish: 'update-function-code',
  stop: 'mv stop release',
  destroy: 'rm rb delete deregister cancel',
})

function aws(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const plain = args.map(known)
  const [service = '', verb = ''] = plain.filter(
    (arg, i) => !arg.startsWith('-') && !/^--(profile|region|output|endpoint-url|query)$/.test(plain[i - 1] ?? ''),
  )
  if (onlyTellsInWords(args, 'last')) return said(scope, 8, `${name}: shows its help`)
  if (onlyPretends(args, { names: '--dryrun' })) return said(scope, 12, `${name}: a rehearsal`)
  if (service === 's3' && verb === 'sync')
    return said(
      scope,
      plain.includes('--delete') ? 70 : 28,
      `${name} s3 sync${plain.includes('--delete') ? ': deletes what the source does not have' : ': copies files'}`,
    )
  if (service === 's3' && verb === 'rm')
    note(scope.ledger, plain.includes('--recursive') ? 82 : 66, `${name} s3 rm: deletes objects`)
  if (service === 's3' && verb === 'mv')
    return said(scope, plain.includes('--recursive') ? 63 : 62, `${name} s3 mv: moves objects`)
  if (service === 's3' && verb === 'cp') return objectCopy(call, 's3 cp')
  if (service === 'configure' && /^(list|get|list-profiles)$/.test(verb))
    return said(scope, 10, `${name}: reads settings`)
  if (/^get-(secret-value|login-password|session-token|password-data)|^decrypt$|^assume-role/.test(verb))
    return said(scope, 28, `${name}: reads a secret`)
  return judgeCommandLine(call, AWS, 35)
}

const ANSIBLE = { names: '--check -C --list-hosts --list-tasks --syntax-check', switches: 'bvKk' }

/** Modules that run a command elsewhere; a playbook is a file. */
function ansible(call: Call): Stream | undefined {
  const { name, args, scope } = call
  if (onlyTells(args) || onlyPretends(args, ANSIBLE)) return said(scope, 14, `${name}: a rehearsal`)
  const module = args[args.indexOf('-m') + 1]
  const text = args.includes('-a') ? args[args.indexOf('-a') + 1] : undefined
  if (args.includes('-m') && /^(ping|setup|debug|stat|gather_facts)$/.test(module ?? ''))
    return said(scope, 14, `${name}: asks`)
  if (args.includes('-m') && /^(reboot|shutdown|win_reboot)$/.test(module ?? ''))
    note(scope.ledger, 66, `${name}: stops many machines`)
  if (namesProduction(args)) note(scope.ledger, 63, `${name}: changes what is in production`)
  if (text !== undefined) runSource(text, call)
  if (args.some((arg) => arg.includes('state=absent'))) note(scope.ledger, 70, `${name}: removes something everywhere`)
  if (text !== undefined && /state=stopped|enabled=(no|false)/.test(text))
    note(scope.ledger, 63, `${name}: stops something everywhere`)
  for (const [at, arg] of args.entries()) judgePlay(arg, args[at - 1] ?? '', name, scope)
  return said(scope, 52, `${name}: changes many machines`)
}

/** A playbook or a tag that is named for what it takes away. */
function judgePlay(arg: string, before: string, name: string, scope: Call['scope']): void {
  const tags = /^(-t|--tags)$/.test(before) ? arg : (/^--tags=(.*)$/.exec(arg)?.[1] ?? '')
  const play = /\.ya?ml$/.test(arg) && !before.startsWith('-') ? arg.slice(arg.lastIndexOf('/') + 1) : ''
  for (const word of [...tags.split(','), play.replace(/\.ya?ml$/, '')]) {
    const kind = word === '' ? undefined : verbKind(word)
    if (kind === 'destroy' || kind === 'stop')
      note(scope.ledger, VERB_KINDS[kind].score, `${name}: ${word} ${VERB_KINDS[kind].why}`)
  }
}

/** Onto an object that may be there, or from one to a file. */
function objectCopy(call: Call, what: string): undefined {
  const { name, args, scope } = call
  const words = args
    .map(known)
    .filter((arg, at) => (!arg.startsWith('-') || arg === '-') && !/^--\w/.test(args[at - 1] ?? ''))
  const [source = '', target = ''] = words.slice(words.indexOf('cp') + 1)
  const isUp = /^(s3|gs|az|https):\/\//.test(target)
  if (!isUp) judgeArrival(target === '' ? '.' : target, [source], false, call)
  const isEmpty = /^\/dev\/|(^|\/)empty/.test(source)
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  // Under its own name it is a copy of itself; under another it takes that one's place.
  const isOther = !target.endsWith('/') && /\.\w+$/.test(target) && nameOf(source) !== nameOf(target)
  const score = !isUp ? 24 : isEmpty ? 66 : isOther ? 62 : 30
  return said(scope, score, `${name} ${what}: ${isUp ? 'replaces objects' : 'fetches objects'}`)
}

/** A backup is made beside the others; what is restored stands where something else may be. */
function velero(call: Call): Stream | undefined {
  const isRestored = call.args[0] === 'restore' && call.args[1] === 'create'
  if (isRestored && call.args.some((arg) => /^--existing-resource-policy=?/.test(arg)))
    note(call.scope.ledger, 64, 'velero: replaces what is there')
  return commandLine({ verbs: { [isRestored ? 'change' : 'run']: 'create', destroy: 'uninstall' } })(call)
}

/** Its orders come from its input. */
function nameServer({ name, scope, stdin }: Call): undefined {
  const orders = stdin.kind === 'text' ? stdin.text : ''
  return said(scope, /\b(delete|del|add)\b/.test(orders) ? 66 : 50, `${name}: changes names of the network`)
}

function gsutil(given: Call): Stream | undefined {
  // `-m` means many at once here, and has no value.
  const call = { ...given, args: given.args.filter((arg) => arg !== '-m') }
  const { args, scope } = call
  if (args.includes('cp')) return objectCopy(call, 'cp')
  const at = args.indexOf('rsync')
  if (at >= 0)
    return said(
      scope,
      args.slice(at).some((arg) => /^-\w*d/.test(arg)) ? 70 : 28,
      'gsutil rsync: makes one side like the other',
    )
  return judgeCommandLine(
    call,
    verbTable({ run: 'mb', read: 'du hash', stop: 'mv', change: 'acl iam defacl lifecycle' }),
    35,
  )
}

/** What others see at once, and may keep: a release, a page of code. */
const RELEASES = /^(release (create|upload|edit)\b|gist create\b.*\s(--public|-p)\b)/

/** Workflows that look at the code. */
const CHECKED = /^(ci|tests?|lint|build|check)\b/i

/** `gh api -X DELETE /repos/…`. */
function withApi(call: Call): Stream | undefined {
  const { name, args, scope } = call
  if (known(args[0] ?? '') !== 'api') {
    if (args[0] === 'gist' && args.some((arg) => isPrivate(arg, scope)))
      return said(scope, 82, `${name}: publishes a file that holds secrets`)
    if (args[0] === 'workflow' && args[1] === 'run' && !onlyTellsOfOrder(args))
      return said(
        scope,
        args.some((arg) => /deploy|release|publish|prod/i.test(arg)) ? 62 : CHECKED.test(args[2] ?? '') ? 30 : 45,
        `${name}: starts a workflow of the project elsewhere`,
      )
    if (RELEASES.test(args.join(' ')) && !args.includes('--draft') && !onlyTellsOfOrder(args))
      note(scope.ledger, 45, `${name}: publishes to others`)
    if (args[0] === 'auth' && args[1] === 'token') return said(scope, 45, `${name}: prints a token`)
    return commandLine({
      verbs: {
        read: 'view list status diff checks search browse',
        run: 'clone checkout rerun download',
        create: 'create comment fork review edit close reopen ready run',
        change: 'merge rename',
        stop: 'cancel disable',
        destroy: 'delete remove archive',
      },
      groups: 'run release repo',
    })(call)
  }
  const options = splitOptions(
    args.slice(1),
    wordSet(
      '-X --method -f -F --field --raw-field -H --header -q --jq -t --template --input --hostname --cache -p --preview',
    ),
  )
  const sends = ['-f', '-F', '--field', '--raw-field', '--input'].some((flag) => options.flags.includes(flag))
  const body = args.find((arg) => arg.startsWith('query=')) ?? ''
  judgeMethod(
    optionValue(options, '-X', '--method') ?? (sends && options.operands[0] !== 'graphql' ? 'POST' : 'GET'),
    options.operands[0] ?? '',
    body,
    scope,
    `${name} api`,
  )
  if (/mutation/.test(body))
    note(scope.ledger, /delete|remove|archive/i.test(body) ? 70 : 48, `${name} api: a mutation`)
  return undefined
}

function terraform(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const plain = args.map(known)
  const [verb = '', second = ''] = plain.filter((arg) => !arg.startsWith('-'))
  if (onlyTellsOfOrder(plain, '--help -help')) return said(scope, 8, `${name}: shows its help`)
  if (verb === 'plan') return said(scope, 20, `${name} plan: reads`)
  if (verb === 'state' && /^(rm|mv|push|replace-provider)$/.test(second))
    return said(scope, second === 'mv' ? 62 : 74, `${name} state ${second}: changes what it knows`)
  if (verb === 'state') return said(scope, 12, `${name} state: reads`)
  if (verb === 'workspace') return said(scope, second === 'delete' ? 72 : 24, `${name} workspace ${second}`)
  if (verb === 'fmt' || verb === 'init') return said(scope, 24, `${name} ${verb}`)
  if (plain.some((arg) => /^-?-destroy$/.test(arg)) || verb === 'destroy')
    return said(scope, 90, `${name}: destroys what it manages`)
  if (verb === 'apply' && plain.some((arg) => /auto-approve/.test(arg)))
    return said(scope, 76, `${name} apply: without asking`)
  if (verb === 'apply') return said(scope, 62, `${name} apply: changes what it manages`)
  if (verb === 'run-all' || verb === 'run')
    return judgeCommandLine(
      { ...call, args: args.slice(args.indexOf(verb) + 1) },
      verbTable({ read: 'plan', stop: 'apply' }),
      45,
    )
  return judgeCommandLine(
    call,
    verbTable({
      stop: 'taint untaint',
      destroy: 'force-unlock',
      create: 'import',
      read: 'output graph providers console',
    }),
    35,
  )
}

function said(scope: Call['scope'], score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}
