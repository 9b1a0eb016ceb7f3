import { act, isServed } from './actions.ts'
import { runSource } from './builtins.ts'
import { addedInside } from './environment-arguments.ts'
import { judgeArrival } from './file-programs.ts'
import { judgeCommandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTells, onlyTellsOfOrder } from './only-pretends.ts'
import { judgeOperatorWords } from './operator-words.ts'
import { has, splitOptions, wordSet, words } from './options.ts'
import { isOwnPackage } from './own-files.ts'
import { judgeSources } from './package-sources.ts'
import { isHomeOrRoot, isPrivate } from './private-places.ts'
import { INTO_PROCESS } from './processes.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { isUnknown, known, NOTHING, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { targetKind } from './targets.ts'
import { verbTable } from './verbs.ts'
import { firstWord, raised, startsOf } from './wrappers.ts'

/** Programs that run a command elsewhere: on another machine, in a container, in another environment. */
export const REMOTE_PROGRAMS: Programs = [
  ['ssh', ssh],
  ['mosh', ssh],
  ['sftp', ssh],
  ['autossh', ssh],
  ['rsh', ssh],
  ['pdsh', ssh],
  ['dsh', ssh],
  ...words('docker podman nerdctl buildah docker.exe').map((name) => [name, container] as const),
  ...words('docker-compose podman-compose').map((name) => [name, container] as const),
  ...words('kubectl oc k3s microk8s kubectl.exe').map((name) => [name, cluster] as const),
  ...words('lxc incus multipass vagrant machinectl flatpak snap distrobox toolbox').map(
    (name) => [name, withSources(container)] as const,
  ),
  ['screen', screen],
  ['tmux', terminal],
  ['byobu', terminal],
  ...words(
    'op doppler infisical poetry pipenv uv conda mamba micromamba pixi pdm hatch bundle rye nix chezmoi npx bunx pnpx yarn-dlx uvx pipx-run',
  ).map((name) => [name, withSources(withRun)] as const),
  ['at', later],
  ['batch', later],
]

const SSH_VALUES = wordSet('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -P')

function ssh(call: Call): Stream | undefined {
  const { name, args, scope } = call
  for (const option of args.filter((arg) => /^(-o)?\s*(ProxyCommand|LocalCommand|KnownHostsCommand)[= ]/i.test(arg)))
    runSource(option.slice(option.search(/[= ]/) + 1), call)
  for (const [at, arg] of args.entries()) {
    const isLoose = /^temporary/.test(targetKind(arg, scope))
    if (args[at - 1] === '-F' && isLoose) note(scope.ledger, 62, `${name}: takes its orders from a file`)
    if (args[at - 1] === '-i' && isLoose) note(scope.ledger, 45, `${name}: with a key that others can write`)
  }
  if (onlyTells(args, '-V -Q -G')) return said(scope, 8, `${name}: reads`)
  const rest = args.slice(firstWord(args, SSH_VALUES, { skip: name === 'pdsh' ? 0 : 1 }))
  note(scope.ledger, rest.length === 0 ? 30 : 28, `${name}: another machine`)
  for (const [flag, score, why] of TUNNELS)
    if (args.slice(0, args.length - rest.length).some((arg) => flag.test(arg)))
      note(scope.ledger, score, `${name}: ${why}`)
  if (name === 'sftp') return transferOrders(call)
  if (rest.length === 0)
    return call.stdin.kind === 'text'
      ? runSource(call.stdin.text, call)
      : call.stdin.kind === 'none'
        ? undefined
        : said(scope, 75, `${name}: runs text that is known only at run time`)
  const remote: Scope = { ...scope, cwd: '/home/user', projects: [], variables: new Map(scope.variables) }
  return runSource(rest.join(' '), { ...call, scope: remote })
}

/** What an option of ssh opens besides the session. */
const TUNNELS: readonly (readonly [flag: RegExp, score: number, why: string])[] = [
  [/^-[a-zA-Z]*R/, 64, 'opens a way from the other machine to this one'],
  [/^-[a-zA-Z]*w/, 64, 'makes a network of both machines'],
  [/^-[a-zA-Z]*D/, 45, 'sends what others ask through the other machine'],
  [/^(-o)?RemoteForward/i, 64, 'opens a way from the other machine to this one'],
  [/^-[a-zA-Z]*A/, 45, 'lends the keys of this machine'],
]

/** `put`, `rm` and `rename` on the other side, `!` on this one. */
function transferOrders({ name, scope, stdin }: Call): Stream | undefined {
  for (const line of stdin.kind === 'text' ? stdin.text.split('\n').slice(0, 64) : []) {
    const [order = '', ...rest] = line.trim().split(/\s+/)
    if (/^-?(rm|rmdir|rename)$/.test(order)) note(scope.ledger, 66, `${name}: deletes or renames on the other machine`)
    if (/^-?(put|mput|reput)$/.test(order)) note(scope.ledger, 62, `${name}: replaces files of the other machine`)
    if (order.startsWith('!')) scope.runText([order.slice(1), ...rest].join(' '), scope, NOTHING)
  }
  return undefined
}

const DOCKER = verbTable({
  read: 'images ps port history search info version events logs inspect top stats diff ls df context scout ssh-config global-status',
  run: 'build buildx bud restart reload logout',
  create: 'create start run exec up cp commit save load tag import attach wait login',
  publish: 'push',
  change: 'rename update unpause',
  destroy: 'rm rmi prune kill down reset leave',
})
const CONTAINER_VALUES =
  wordSet(`-e --env -v --volume -w --workdir -u --user -p --publish --name --network --net --entrypoint -f --file -l --label --platform --mount
  -h --hostname --cpus -m --memory --env-file --restart --add-host --device --gpus --pull --cap-add --security-opt -c --context -H --host --log-level --profile
  --project-name --project-directory --scale --index --ulimit --shm-size --tmpfs --user-ns --ipc --pid --cgroupns`)

function container(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const first = firstWord(args, CONTAINER_VALUES, {})
  const words = withoutComposeOptions(args.slice(first))
  const [verb = '', second = ''] = words.map(known)
  const at = /^(compose|container|image)$/.test(verb) ? 1 : 0
  const action = at === 1 ? second : verb
  const rest = words.slice(at + 1)
  if (/^(exec|run|shell|ssh|enter)$/.test(action)) return inside(call, action, rest)
  if (onlyTellsOfOrder(args)) return said(scope, 8, `${name}: shows its help`)
  if (verb === 'compose' && onlyPretends(args, { names: '--dry-run' }))
    return said(scope, 15, `${name}: a rehearsal that changes nothing`)
  if (/^(stop|halt|suspend|pause)$/.test(action))
    return said(
      scope,
      rest.some((arg) => known(arg) === '') && !scope.chosen?.isChosen ? 45 : 28,
      `${name}: stops what can be started again`,
    )
  if (action === 'ps' && rest.some((arg, at) => PICKS.test(arg) && /^(-f|--filter)(=|$)/.test(rest[at - 1] ?? arg))) {
    judgeCommandLine(call, DOCKER, 35)
    return { kind: 'paths', isChosen: true, isData: true, roots: [UNKNOWN] }
  }
  if (/^(system|volume|image|network|builder|buildx|container)$/.test(verb) && second === 'prune')
    return said(scope, 74, `${name}: deletes everything that is not in use`)
  if (action === 'down')
    return said(
      scope,
      rest.some((arg) => /^(-v|--volumes|--rmi)/.test(arg)) ? 74 : 28,
      `${name}: removes the containers of a project`,
    )
  if (at === 1 && verb === 'compose' && /^(kill|rm)$/.test(action))
    return said(scope, 28, `${name}: removes the containers of a project`)
  if (verb === 'network' && second === 'rm') return said(scope, 45, `${name}: removes a network`)
  if (action === 'rm' || action === 'rmi' || (action === 'kill' && at === 0))
    return said(scope, endScore(name, rest), `${name}: deletes or ends containers or images`)
  if (action === 'cp') return containerCopy(rest, call)
  if (/^(build|bake|buildx|manifest)$/.test(verb) && rest.some((arg) => /^--push(=true)?$|type=registry/.test(arg)))
    note(scope.ledger, 62, `${name}: publishes what it built`)
  return judgeCommandLine(call, DOCKER, 35)
}

/** `compose -f file down`: the order stands behind the options of the project. */
function withoutComposeOptions(words: readonly string[]): readonly string[] {
  const [verb = '', ...rest] = words
  return verb === 'compose' ? [verb, ...rest.slice(firstWord(rest, CONTAINER_VALUES, {}))] : words
}

/** A filter that names some of the containers. */
const PICKS = /^(?:--filter=|-f=)?(label|name|ancestor|id|network|volume|publish)=./

/** Everything, or with its data, is grave; one that is named is made again from its image. */
function endScore(name: string, rest: readonly string[]): number {
  const isWide = rest.some((arg) => /^-[a-z]*[aqv]|^--(all|volumes)/.test(arg) || known(arg) === '')
  if (isWide || !/^(docker|podman|nerdctl)/.test(name)) return 66
  return rest.some((arg) => /^-[a-z]*f|^--force/.test(arg)) ? 45 : 28
}

/** In a container the path decides as on a machine; out of one it is a copy to here. */
function containerCopy(rest: readonly string[], call: Call): Stream | undefined {
  const words = rest.filter((arg) => !arg.startsWith('-'))
  const target = words.at(-1) ?? ''
  const [, path] = /^[\w./-]+:(.*)$/.exec(target) ?? []
  if (path === undefined) judgeArrival(target, words.slice(0, -1), false, call)
  else if (/^(system|trust|root)$/.test(targetKind(path, { cwd: '/srv/app', projects: [] })))
    note(call.scope.ledger, 64, `${call.name}: writes into the system of a container`)
  else if (isServed(path, { cwd: '/' })) note(call.scope.ledger, 62, `${call.name}: replaces what a container uses`)
  return said(call.scope, path === undefined ? 26 : 34, `${call.name}: copies files into or out of a container`)
}

/** A container with the host's files or rights is the host. */
function inside(call: Call, action: string, rest: readonly string[]): Stream | undefined {
  const { name, args, scope } = call
  const values = action === 'exec' ? EXEC_VALUES : CONTAINER_VALUES
  const [first = 0, ...later] = startsOf(rest, values, { skip: namesNone(call, action, rest) ? 0 : 1 }, scope)
  const inner = rest.slice(first)
  const text = args[args.findIndex((arg) => arg === '-c' || arg === '--command') + 1]
  note(scope.ledger, action === 'run' ? 30 : 26, `${name}: runs a command in a container`)
  if (
    args.some((arg) => /SYS_ADMIN|SYS_PTRACE|NET_ADMIN|=?unconfined$|^--cap-add=?ALL$/.test(arg)) ||
    args.some((arg, i) => arg === 'ALL' && args[i - 1] === '--cap-add')
  )
    note(scope.ledger, 64, `${name}: a container with more rights`)
  if (args.includes('--privileged') || args.some((arg) => /^--(pid|net|network|ipc)=host$/.test(arg)))
    note(scope.ledger, 66, `${name}: a container with the rights of the host`)
  for (const [i, arg] of args.entries()) {
    const mount = arg === '-v' || arg === '--volume' ? args[i + 1] : /^(-v|--volume=)(.*)$/.exec(arg)?.[2]
    const source = mount?.split(':')[0] ?? /(?:^|,)(?:source|src)=([^,]+)/.exec(arg)?.[1] ?? ''
    if (source !== '' && (isHomeOrRoot(source, scope) || isPrivate(source, scope)))
      note(scope.ledger, 66, `${name}: gives a container a home, or what holds secrets`)
    if (source === '/' || source === '/etc' || source.includes('docker.sock'))
      note(scope.ledger, 72, `${name}: gives a container the host's files`)
  }
  const entry = args[args.indexOf('--entrypoint') + 1] ?? ''
  const there: Scope = {
    ...scope,
    cwd: '/srv/app',
    projects: ['/srv/app'],
    variables: new Map(scope.variables),
    seen: { ...scope.seen, added: addedInside(args.slice(0, args.length - inner.length)) },
  }
  if (action === 'ssh' && args.includes('-c')) return runSource(text ?? '', { ...call, scope: there })
  for (const start of later) noteGrave(there, (unsure) => void unsure.runWords(rest.slice(start), unsure, call.stdin))
  if (args.includes('--entrypoint') && inner.length > 0) return there.runWords([entry, ...inner], there, call.stdin)
  return inner.length > 0 ? there.runWords(inner, there, call.stdin) : undefined
}

/** `podman exec -l`: the container that was used last, so that no word names one. */
function namesNone({ name }: Call, action: string, rest: readonly string[]): boolean {
  if (action === 'ssh' || name === 'toolbox') return true
  return action === 'exec' && has(splitOptions(rest.slice(0, firstWord(rest, EXEC_VALUES, {}))), '-l', '--latest')
}

const EXEC_VALUES = wordSet(
  '-e --env --env-file -u --user -w --workdir --cwd --detach-keys --preserve-fds --index --group',
)

const KUBECTL = verbTable({
  read: 'get describe logs top explain api-resources api-versions cluster-info version diff auth view wait events options completion kustomize',
  create: 'create expose run attach port-forward proxy debug',
  change: 'apply set label annotate edit patch replace scale autoscale rollout certificate uncordon',
  stop: 'drain cordon taint',
  destroy: 'delete',
})

function cluster(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const plain = args.map(known)
  const at = args.indexOf('--')
  // `exec` and `debug` know no rehearsal: the word belongs to what they run.
  if (!plain.some((arg) => /^(exec|debug)$/.test(arg)) && onlyPretends(args, { names: '--dry-run', switches: 'A' }))
    return said(scope, 15, `${name}: a rehearsal that changes nothing`)
  if (plain.includes('exec') || plain.includes('debug') || plain.includes('run')) {
    // In a container that is there, what is run decides.
    note(scope.ledger, plain.includes('exec') && at >= 0 ? 28 : 32, `${name}: runs a command in the cluster`)
    if (plain.some((arg) => /privileged|hostPID|hostNetwork/.test(arg)))
      note(scope.ledger, 66, `${name}: with the rights of the machine`)
    if (at < 0) return undefined
    const there: Scope = { ...scope, cwd: '/srv/app', projects: [] }
    return there.runWords(args.slice(at + 1), there, stdin)
  }
  if (onlyTellsOfOrder(args)) return said(scope, 8, `${name}: shows its help`)
  const copies = plain.indexOf('cp')
  if (copies >= 0)
    return containerCopy(
      args.slice(copies + 1).filter((_, i, all) => !/^(-c|-n)$/.test(all[i - 1] ?? '')),
      call,
    )
  const isMade = plain.some((arg) => /^(create|apply|replace)$/.test(arg))
  if (isMade && !onlyPretends(args) && plain.some((arg) => /^(-f=?|--filename=)?https?:\/\//.test(arg)))
    note(scope.ledger, 64, `${name}: puts code from an address into the cluster`)
  if (plain.includes('patch') && plain.some((arg) => /finalizers/.test(arg)))
    note(scope.ledger, 64, `${name}: takes away what holds a thing back`)
  if (plain.includes('reconcile')) note(scope.ledger, 64, `${name}: changes rights`)
  const rollout = plain.indexOf('rollout')
  if (rollout >= 0 && /^(status|history)$/.test(plain[rollout + 1] ?? '')) return said(scope, 12, `${name}: reads`)
  if (rollout >= 0 && plain[rollout + 1] === 'undo') return said(scope, 64, `${name}: takes a release back`)
  const config = plain.indexOf('config')
  if (config >= 0 && /^(view|get-|current-|use-context)/.test(plain[config + 1] ?? ''))
    return said(scope, 12, `${name}: reads`)
  if (plain.some((arg) => arg === '--replicas=0')) note(scope.ledger, 66, `${name}: scales to nothing`)
  if (
    plain.includes('delete') &&
    plain.some((arg) => /^(ns|namespaces?|pvc?|nodes?|crds?|--all|--all-namespaces|-A)$/.test(arg))
  )
    note(scope.ledger, 86, `${name}: deletes a whole set`)
  return judgeCommandLine(call, KUBECTL, 35)
}

/** `-X stuff TEXT` types into a session and `-X exec` runs there; the other orders are about windows. */
function screen(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  note(scope.ledger, 20, `${name}: terminals`)
  const at = args.indexOf('-X')
  const behind = at < 0 ? [] : args.slice(at + 1)
  const [order = '', ...texts] = behind.slice(firstWord(behind, wordSet('-S -p -t'), {}))
  const named = [...args.entries()].filter(([i]) => /^-\w*S$/.test(args[i - 1] ?? '')).map(([, arg]) => arg)
  if (at < 0 && args.some((arg) => /^-(?=\w*[dD])\w*m/.test(arg))) keepSessions(named, scope)
  if (order === 'stuff') judgeTyping(name, named[0], texts.join(' ').replaceAll(/\\[nr]|\^M/g, ' '), scope)
  if (/^(stuff|exec|screen|eval)$/.test(order))
    return runSource(texts.join(' ').replaceAll(/\\[nr]|\^M|\r/g, '\n'), call)
  if (at >= 0) return /^(quit|kill)$/.test(order) ? said(scope, 62, `${name}: ends what runs there`) : undefined
  if (args.some((arg) => /^\/dev\/(tty|cu)/.test(arg))) return undefined
  const rest = args.slice(firstWord(args, wordSet('-S -c -T -h -r -x -p -t'), {}))
  return rest.length > 0 ? scope.runWords(rest, scope, stdin) : undefined
}

/** Commands typed into a terminal that others watch. */
function terminal(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const at = args.findIndex((arg) =>
    /^(new|new-session|neww|new-window|splitw|split-window|send|send-keys|run|run-shell|respawn-pane|if-shell|pipe-pane)$/.test(
      arg,
    ),
  )
  if (at < 0)
    return said(
      scope,
      args.includes('kill-server') ? 62 : args.some((arg) => arg.startsWith('kill')) ? 30 : 12,
      `${name}: terminals`,
    )
  const rest = args.slice(at + 1)
  const words = rest
    .slice(firstWord(rest, wordSet('-t -s -n -c -x -y -F -e -p -l'), {}))
    .filter((word) => !/^(Enter|C-m|KPEnter)$/.test(word))
  note(scope.ledger, 20, `${name}: terminals`)
  const valueBehind = (flag: string) => rest[rest.indexOf(flag) + 1]
  if (/^(new|new-session)$/.test(args[at] ?? '') && rest.includes('-s')) keepSessions([valueBehind('-s') ?? ''], scope)
  if (/^send/.test(args[at] ?? ''))
    judgeTyping(name, rest.includes('-t') ? valueBehind('-t') : undefined, words.join(' '), scope)
  return words.length > 0 ? runSource(words.join(' '), call) : undefined
}

function keepSessions(names: readonly string[], { seen }: Scope): void {
  seen.sessions = [...(seen.sessions ?? []), ...names.filter((name) => name !== '' && !isUnknown(name))]
}

/** Into a session that this text did not start: a human, or another agent, may answer questions there. */
function judgeTyping(name: string, target: string | undefined, typed: string, { ledger, seen }: Scope): void {
  const [session = ''] = (target ?? '').replace(/^=/, '').split(/[:.]/)
  if (seen.sessions?.includes(session)) return
  // A command line is judged as one; a word or a key may be the answer to a question.
  const isLine = /\S\s+\S/.test(typed)
  note(ledger, isLine ? TYPES_LINE : INTO_PROCESS, `${name}: types into a session of others`)
}

const TYPES_LINE = 45

/** `TOOL run [flags] [--] command`; other verbs as usual. */
function withRun(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const at = args.findIndex((arg) => arg === 'run' || arg === 'exec' || arg === 'shell')
  const isRunner = /^(npx|bunx|pnpx|uvx)$/.test(name)
  const text = args[args.findIndex((arg) => arg === '-c' || arg === '--command' || arg === '--call') + 1]
  if (text !== undefined && args.some((arg) => arg === '-c' || arg === '--command' || arg === '--call'))
    return name === 'nix' ? scope.runWords(args.slice(args.indexOf(text)), scope, stdin) : runSource(text, call)
  if (at < 0 && !isRunner) return judgeCommandLine(call, PACKAGE_VERBS, 35)
  const rest = isRunner ? args : args.slice(at + 1)
  const [first = 0, ...later] = startsOf(
    rest,
    wordSet('-p --package --project --config -n --name -e --env-file --with --python --directory --cwd'),
    {},
    scope,
  )
  const inner = rest.slice(first)
  for (const start of later) noteGrave(scope, (unsure) => void unsure.runWords(rest.slice(start), unsure, stdin))
  // The value of a flag that no list here has may have been taken for the program.
  const behind = inner.slice(inner.indexOf('--') + 1)
  if (behind.length > 0 && behind.length < inner.length)
    noteGrave(scope, (apart) => void apart.runWords(behind, apart, stdin))
  note(scope.ledger, 22, `${name}: runs a program of its own environment`)
  const [program = '', ...given] = inner
  // What a registry has by its name is as usual as an installation; its words may still be grave.
  if (isRunner && scope.programOf(program) === undefined) {
    if (isOwnPackage(program)) noteGrave(scope, (apart) => void apart.runWords(['mcpaql', ...given], apart, stdin))
    else judgeOperatorWords('', given, scope)
  }
  const [, bare = program] = /^((?:@[\w.-]+\/)?[\w.-]+)@[\w.^~-]+$/.exec(program) ?? []
  if (isRunner && /^(@[\w.-]+\/)?[\w.-]+$/.test(bare) && scope.programOf(bare) === undefined) {
    noteGrave(scope, (apart) => void apart.runWords([bare, ...given], apart, stdin))
    return said(scope, 30, `${name}: fetches and runs a package`)
  }
  if (isRunner) judgeSources([program], scope, name)
  if (/\.(py|js|ts|mjs|rb)$/.test(program) && !isRunner)
    return scope.runWords([program.endsWith('.py') ? 'python3' : 'node', ...inner], scope, stdin)
  return inner.length > 0 ? scope.runWords([isRunner ? bare : program, ...given], scope, stdin) : undefined
}

const PACKAGE_VERBS = verbTable({
  read: 'list show search tree check env info config about version help python',
  run: 'clean --rm --clear rm install add lock sync init create pip update self use build activate deactivate remove uninstall export cache venv tool shell develop flake fmt template',
  publish: 'publish',
})

function withSources(program: (call: Call) => Stream | undefined): (call: Call) => Stream | undefined {
  return (call) => {
    if (call.args.some((arg) => /^(install|add|pip|tool|remote-add|i)$/.test(arg)))
      judgeSources(call.args, call.scope, call.name)
    return program(call)
  }
}

function later(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  if (args.some((arg) => /^-[rd]$/.test(arg))) return said(scope, 62, `${name}: removes jobs`)
  if (onlyTells(args, '-l')) return said(scope, 8, `${name}: lists jobs`)
  note(scope.ledger, 45, `${name}: runs commands later`)
  const file = args[args.indexOf('-f') + 1]
  if (args.includes('-f') && file !== undefined) act(scope, name, 'create', file)
  if (stdin.kind === 'none' && !args.includes('-f')) return undefined
  return raised(call, { raise: 4 }, (apart) =>
    stdin.kind === 'text'
      ? runSource(stdin.text, { ...call, scope: apart })
      : said(apart, 62, `${name}: what it runs is not known`),
  )
}

export function said(scope: Scope, score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}
