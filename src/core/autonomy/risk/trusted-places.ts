import { matchesGlob } from '../../registry/glob.ts'
import { wordSet } from './options.ts'
import { UNKNOWN } from './scope.ts'

/** True for a path that others trust, and for a pattern that a shell can take for one. */
export function isTrusted(full: string, segments: readonly string[], globsDots = false): boolean {
  const [first] = segments
  if (first === 'etc') return segments.length > 1 && segments[1] !== '*'
  const at = segments.findIndex((segment) => TRUSTED.has(segment) || TRUSTED.has(segment.toLowerCase()))
  // What an editor keeps in a cache of its own folder is made again.
  if (at >= 0 && !segments.slice(at + 1).some((segment) => KEPT_FOR_SPEED.has(segment))) return true
  if (TRUSTED_PARTS.some((part) => full.includes(part))) return true
  return isWild(full) && mayBeTrusted(segments, globsDots)
}

/** A pattern of a shell, or a name of which a part is known only at run time. */
export function isWild(path: string): boolean {
  return /[*?[\0]|[@+!]\(|\{(?=[^{}]*(,|\.\.))[^{}]*\}/.test(path)
}

/** `$DIR/settings.local.json`: which folder is meant is known only at run time, and the name says enough. */
export function namesTrust(path: string): boolean {
  const [, name] = /^\/?\0[^/]*\/([^/]+)$/.exec(path) ?? []
  return name !== undefined && isTrustedName(name)
}

/** True when a pattern picks the absolute path, or what lies below it where that ends with `/`. */
export function mayBe(segments: readonly string[], place: string, globsDots = false): boolean {
  const names = place.replace(/^\/|\/$/g, '').split('/')
  if (place.endsWith('/') ? segments.length <= names.length : segments.length !== names.length) return false
  return names.every((name, at) => fits(segments[at] ?? '', name, globsDots))
}

/** Files that work on a project changes often, and that a runner, a container or an editor runs at another time. */
export function runsLater(full: string, globsDots = false): boolean {
  const segments = full.split('/').slice(1)
  const last = segments.at(-1) ?? ''
  return (
    LATER_LOWER.has(last.toLowerCase()) ||
    (isWild(last) && LATER_NAMES.some((name) => means(last, name, globsDots))) ||
    holdsPart(segments, LATER_PARTS, globsDots)
  )
}

function mayBeTrusted(segments: readonly string[], globsDots: boolean): boolean {
  if (segments.length > MOST_SEGMENTS) return true
  const at = segments.findIndex((segment) => isWild(segment) && fitsAny(segment, globsDots))
  if (at >= 0 && !segments.slice(at + 1).some((segment) => KEPT_FOR_SPEED.has(segment))) return true
  return holdsPart(segments, PATTERNED_PARTS, globsDots)
}

type Parts = readonly (readonly string[])[]

function holdsPart(segments: readonly string[], parts: Parts, globsDots: boolean): boolean {
  return parts.some((names) =>
    segments.some((_, start) =>
      names.every((name, i) => {
        const segment = segments[start + i] ?? ''
        // `.git/*`: what is meant is not said, unless more follows.
        return name === ''
          ? segment !== ''
          : fits(segment, name, globsDots) && !(OPEN.test(segment) && start + i === segments.length - 1)
      }),
    ),
  )
}

/** `*.json` is a kind of file: names without a dot before them are meant where the pattern says more. */
function fitsAny(segment: string, globsDots: boolean): boolean {
  return PATTERNED.some((name) => means(segment, name, globsDots))
}

function means(segment: string, name: string, globsDots: boolean): boolean {
  const said = segment.replace(/\.\w+$/, '').replaceAll(/\[[^\]]{0,255}\]|\{[^{}]*\}|[^A-Za-z\d]/g, '')
  return (name.startsWith('.') || said.length > 2) && fits(segment, name, globsDots)
}

/** As a shell takes it: a leading dot is matched by a dot alone. */
function fits(segment: string, name: string, globsDots: boolean): boolean {
  if (!isWild(segment)) return segment === name
  if (segment.length > LONGEST_SEGMENT) return true
  if (name.startsWith('.') && !globsDots && !DOTTED.test(segment)) return false
  // `.cl$D`: a variable may hold the rest of a name that begins like one.
  if (segment.includes(UNKNOWN) && !/^\.[A-Za-z]/.test(segment)) return false
  return matchesGlob(plainGlob(segment), name)
}

/** Classes of characters, choices and what is unknown are taken for anything. */
function plainGlob(segment: string): string {
  return segment
    .replaceAll(/\[[^\]]*\]?/g, '?')
    .replaceAll(/[@+!*?]\([^)]*\)?|\{[^{}]*\}/g, '*')
    .replaceAll(UNKNOWN, '*')
}

/** It begins with a dot, or with a choice of which one does. */
const DOTTED = /^(\.|[@+*?]\([^)]*\.|\{[^}]*\.)/
const OPEN = /^[*?]+$/
const MOST_SEGMENTS = 64
const LONGEST_SEGMENT = 256

const TRUSTED =
  wordSet(`.ssh .gnupg .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zprofile .zshenv .zlogin .zlogout .login .bash_aliases
  .cshrc .tcshrc .kshrc .inputrc .xinitrc .xprofile .gitconfig .npmrc .yarnrc .yarnrc.yml .pypirc .netrc .aws .kube .docker .azure authorized_keys
  known_hosts id_rsa id_ed25519 .sudo_as_admin_successful crontabs LaunchAgents LaunchDaemons autostart .vault-token .pam_environment .rhosts
  .forward .curlrc .wgetrc .gdbinit .lldbinit .husky .claude .cursor .codex .gemini .windsurf .vscode .idea .vimrc .exrc .envrc .mcp.json
  mcp.json mcpaql.yaml mcpaql.yml .mcpaql .claude.json policy.json policy.yaml policy.yml safety.json safety.yaml safety.yml hooks.json .gitmodules .pre-commit-config.yaml sitecustomize.py usercustomize.py cline_mcp_settings.json mcp_settings.json`)
const KEPT_FOR_SPEED = wordSet('cache caches logs')
/** Names that follow one another; an empty one is any. */
const PARTS: Parts = [
  ['.config', 'systemd'],
  ['.config', 'autostart'],
  ['.config', 'fish'],
  ['.config', 'gh'],
  ['.config', 'git', ''],
  ['.config', 'gcloud'],
  ['.config', 'Code', ''],
  ['.config', 'mcpaql'],
  ['.local', 'state', 'mcpaql'],
  ['.local', 'share', 'mcpaql'],
  ['.cache', 'mcpaql'],
  ['Caches', 'mcpaql'],
  ['Application Support', 'mcpaql'],
  ['.git', 'hooks'],
  ['.git', 'config'],
  ['node_modules', '.bin', ''],
  ['.cargo', 'config'],
  ['.cargo', 'config.toml'],
  ['.mvn', ''],
  ['spool', 'cron'],
  ['systemd', 'system'],
  ['Startup', ''],
]
/** As they stand in a path. */
const TRUSTED_PARTS = PARTS.map((names) => `/${names.join('/')}`)

/** Whoever writes `.env*` means the files of variables. */
const PATTERNED = [...TRUSTED].filter((name) => name !== '.envrc')
/** Other names are too common for a pattern to mean them. */
const PATTERNED_PARTS = PARTS.filter((names) => names.some((name) => name.startsWith('.')))
const LATER_PARTS: Parts = [
  ['.github', 'workflows', ''],
  ['.github', 'actions', ''],
  ['.circleci', ''],
  ['.buildkite', ''],
  ['.devcontainer', ''],
  ['.zed', ''],
]
const LATER_NAMES = [
  '.gitlab-ci.yml',
  '.travis.yml',
  'azure-pipelines.yml',
  'Jenkinsfile',
  'lefthook.yml',
  '.gitpod.yml',
]
const LATER_LOWER: ReadonlySet<string> = new Set(LATER_NAMES.map((name) => name.toLowerCase()))

/** Files that lie in trusted folders, by the names that they have there; each stands for its kind. */
const FILES_INSIDE = [
  ...['settings.json', 'settings.local.json', 'hooks.json'].map((name) => `.claude/${name}`),
  ...['hooks.json', 'mcp.json'].map((name) => `.cursor/${name}`),
  ...['config.toml', 'hooks.json'].map((name) => `.codex/${name}`),
  '.gemini/settings.json',
  '.vscode/settings.json',
  ...['pre-commit', 'pre-push', 'commit-msg'].map((name) => `.husky/${name}`),
  ...['pre-commit', 'pre-push', 'commit-msg', 'post-checkout', 'post-merge', 'post-commit'].map(
    (name) => `.git/hooks/${name}`,
  ),
  '.ssh/authorized_keys',
]
const NAMES_INSIDE: ReadonlySet<string> = new Set(FILES_INSIDE.map((path) => path.slice(path.lastIndexOf('/') + 1)))

/** True for the name of a file or folder that others trust, wherever it lies or in the folder that it belongs to. */
export function isTrustedName(name: string): boolean {
  return TRUSTED.has(name) || NAMES_INSIDE.has(name)
}

/** A place that others trust as a list of files may give it: a path below the folder that is listed. */
export interface ListedPlace {
  readonly path: string
  /** True for a folder, in which a file may have any name. */
  readonly isFolder: boolean
  /** True for what runs at another time and is changed often. */
  readonly runsLater: boolean
}

/** All places of the tables above, for the lists that programs make. */
export const LISTED_PLACES: readonly ListedPlace[] = [
  ...FILES_INSIDE.map((path) => ({ path, isFolder: false, runsLater: false })),
  ...[...TRUSTED].flatMap((name) => placesOf([name], false)),
  ...PARTS.flatMap((names) => placesOf(names, false)),
  ...LATER_PARTS.flatMap((names) => placesOf(names, true)),
  ...LATER_NAMES.map((path) => ({ path, isFolder: false, runsLater: true })),
]

/** What a name is, a file or a folder, is not said; with an empty one behind it, it is a folder. */
function placesOf(names: readonly string[], later: boolean): readonly ListedPlace[] {
  const path = names.filter((name) => name !== '').join('/')
  const folder = { path, isFolder: true, runsLater: later }
  return names.at(-1) === '' ? [folder] : [{ ...folder, isFolder: false }, folder]
}
