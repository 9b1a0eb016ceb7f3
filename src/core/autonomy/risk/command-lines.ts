import { runSource } from './builtins.ts'
import { COMMAND_LINE_ROWS } from './command-line-rows.ts'
import { judgeMethod } from './http.ts'
import { commandLine, judgeCommandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { optionValue, splitOptions, wordSet, words } from './options.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { known, type Stream } from './scope.ts'
import { VERB_KINDS, verbKind, verbTable } from './verbs.ts'

export const COMMAND_LINES: Programs = [
  ...COMMAND_LINE_ROWS.flatMap(([names, row]) => words(names).map((name) => [name, commandLine(row)] as const)),
  ...words('npm pnpm yarn').map((name) => [name, packages] as const),
  ['aws', aws],
  ['ansible', ansible],
  ['ansible-playbook', ansible],
  ['gsutil', gsutil],
  ['velero', commandLine({ verbs: { run: 'create', destroy: 'uninstall' } })],
  ['awslocal', aws],
  ['gh', withApi],
  ['glab', withApi],
  ['terraform', terraform],
  ['tofu', terraform],
  ['terragrunt', terraform],
]

const NPM = verbTable({
  read: 'ls list la ll view v info show search outdated audit doctor ping whoami explain why fund help docs repo bugs prefix root bin config licenses pkg-get query sbom diff owner-ls',
  run: 'test t tst start run run-script build pack rebuild dedupe lint typecheck check format dev ci',
  create: 'install i add isntall link init create update up upgrade import',
  change: 'publish version dist-tag deprecate owner access token team org login adduser set',
  destroy: 'unpublish uninstall remove rm un unlink r star-remove',
})

/** Scripts are files of the project: what they do is not in the text. */
function packages(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const plain = args.map(known)
  const [verb = '', script = ''] = plain.filter((arg) => !arg.startsWith('-'))
  if (verb === 'exec' || verb === 'x' || verb === 'dlx')
    return runSource(
      args
        .slice(args.indexOf(verb) + 1)
        .filter((arg) => arg !== '--')
        .join(' '),
      call,
    )
  if (verb === 'pkg' && script === 'set') {
    for (const arg of args.slice(2))
      if (arg.includes('=')) scope.aliases.set(`npm ${arg.slice(8, arg.indexOf('='))}`, arg.slice(arg.indexOf('=') + 1))
    for (const arg of args.slice(2)) if (/^scripts\./.test(arg)) runSource(arg.slice(arg.indexOf('=') + 1), call)
    return said(scope, 45, `${name}: changes the scripts of the project`)
  }
  const wanted = verb === 'run' || verb === 'run-script' ? script : verb
  if (verb === 'publish' || verb === 'unpublish' || verb === 'deprecate')
    return said(scope, plain.includes('--dry-run') ? 15 : 66, `${name}: changes what others get`)
  if (verb === 'cache') return said(scope, /clean|purge|prune/.test(script) ? 38 : 12, `${name}: its cache`)
  if (verb === 'store') return said(scope, 30, `${name}: its store`)
  if (verb === 'uninstall' || verb === 'remove' || verb === 'rm' || verb === 'un' || verb === 'unlink')
    return said(scope, plain.includes('-g') ? 50 : 40, `${name}: removes a package`)
  if (/^(install|i|add)$/.test(verb))
    return said(
      scope,
      script === '' ? 28 : plain.some((arg) => arg === '-g' || arg === '--global') ? 48 : 36,
      `${name}: brings in foreign code`,
    )
  if (verb === 'ci') return said(scope, 28, `${name}: brings in what the lock file says`)
  if (name === 'yarn' && verb === '') return said(scope, 28, `${name}: brings in what the lock file says`)
  if (verb === 'run' || verb === 'run-script' || SCRIPT_VERBS.has(verb) || !NPM.has(verb))
    return judgeScript(wanted, call)
  return judgeCommandLine(call, NPM, 35)
}

/** Scripts that need no `run` before them. */
const SCRIPT_VERBS = wordSet('test t tst start restart')

const EVERYDAY =
  /^(test|tests|build|lint|start|dev|serve|watch|format|fmt|check|typecheck|type-check|types|tsc|compile|unit|e2e|coverage|storybook|preview|docs|bench|generate|codegen|pretty|prettier|eslint|validate|verify|t)([:-]|$)/

function judgeScript(script: string, { name, args, scope, stdin }: Call): undefined {
  if (script === '') return said(scope, 12, `${name}: lists scripts`)
  // `yarn typeorm …`: what is no script may be a program of the project.
  const words = args.slice(args.indexOf(script))
  if (args[0] === script && words.length > 1 && verbKind(script) === undefined)
    noteGrave(scope, (inner) => void inner.runWords(words, inner, stdin))
  if (/deploy|publish|release|prod|push|upload/.test(script))
    return said(scope, 62, `${name} ${script}: publishes or deploys`)
  if (/destroy|drop|reset|nuke|wipe|delete|purge|flush/.test(script))
    return said(scope, 64, `${name} ${script}: deletes or resets`)
  return said(scope, EVERYDAY.test(script) ? 24 : 35, `${name} ${script}: runs a script of the project`)
}

const AWS = verbTable({
  read: 'ls presign head wait get-caller-identity configure-list sts lookup',
  run: 'cp mb',
  change: 'configure tag associate run request',
  stop: 'mv stop release',
  destroy: 'rm rb delete deregister cancel',
})

function aws(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const plain = args.map(known)
  const [service = '', verb = ''] = plain.filter(
    (arg, i) => !arg.startsWith('-') && !/^--(profile|region|output|endpoint-url|query)$/.test(plain[i - 1] ?? ''),
  )
  if (plain.includes('--dryrun')) return said(scope, 12, `${name}: a rehearsal`)
  if (service === 's3' && verb === 'sync')
    return said(
      scope,
      plain.includes('--delete') ? 70 : 28,
      `${name} s3 sync${plain.includes('--delete') ? ': deletes what the source does not have' : ': copies files'}`,
    )
  if (service === 's3' && verb === 'rm')
    note(scope.ledger, plain.includes('--recursive') ? 82 : 66, `${name} s3 rm: deletes objects`)
  if (service === 's3' && verb === 'mv')
    return said(scope, plain.includes('--recursive') ? 63 : 45, `${name} s3 mv: moves objects`)
  if (service === 'configure' && /^(list|get|list-profiles)$/.test(verb))
    return said(scope, 10, `${name}: reads settings`)
  if (/^get-(secret-value|login-password|session-token|password-data)|^decrypt$|^assume-role/.test(verb))
    return said(scope, 28, `${name}: reads a secret`)
  return judgeCommandLine(call, AWS, 35)
}

/** Modules that run a command elsewhere; a playbook is a file. */
function ansible(call: Call): Stream | undefined {
  const { name, args, scope } = call
  if (args.some((arg) => /^(--check|-C|--list-hosts|--list-tasks|--syntax-check|--version|--help)$/.test(arg)))
    return said(scope, 14, `${name}: a rehearsal`)
  const module = args[args.indexOf('-m') + 1]
  const text = args.includes('-a') ? args[args.indexOf('-a') + 1] : undefined
  if (args.includes('-m') && /^(ping|setup|debug|stat|gather_facts)$/.test(module ?? ''))
    return said(scope, 14, `${name}: asks`)
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

function gsutil(call: Call): Stream | undefined {
  const { args, scope } = call
  const at = args.indexOf('rsync')
  if (at >= 0)
    return said(
      scope,
      args.slice(at).some((arg) => /^-\w*d/.test(arg)) ? 70 : 28,
      'gsutil rsync: makes one side like the other',
    )
  return judgeCommandLine(
    call,
    verbTable({ run: 'cp mb', read: 'du hash', stop: 'mv', change: 'acl iam defacl lifecycle' }),
    35,
  )
}

/** `gh api -X DELETE /repos/…`. */
function withApi(call: Call): Stream | undefined {
  const { name, args, scope } = call
  if (known(args[0] ?? '') !== 'api') {
    if (args[0] === 'auth' && args[1] === 'token') return said(scope, 45, `${name}: prints a token`)
    return commandLine({
      verbs: {
        read: 'view list status diff checks search browse',
        run: 'clone checkout',
        create: 'create comment fork review',
        change: 'edit merge close reopen ready rename rerun',
        stop: 'cancel disable',
        destroy: 'delete remove archive',
      },
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
