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
  return /^\/?\0[^/]*\/(settings(\.local)?\.json|hooks\.json|\.?mcp\.json|\.claude\.json|pre-(commit|push)|post-(checkout|merge|commit)|commit-msg)$/.test(
    path,
  )
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
  return LATER_NAMES.has(segments.at(-1)?.toLowerCase() ?? '') || holdsPart(segments, LATER_PARTS, globsDots)
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
  const said = segment.replace(/\.\w+$/, '').replaceAll(/\[[^\]]*\]|\{[^{}]*\}|[^A-Za-z\d]/g, '')
  return PATTERNED.some((name) => (name.startsWith('.') || said.length > 2) && fits(segment, name, globsDots))
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
const TRUSTED_PARTS = [
  '/.config/systemd',
  '/.config/autostart',
  '/.config/fish',
  '/.config/gh',
  '/.config/git/',
  '/.config/gcloud',
  '/.config/Code/',
  '/.config/mcpaql',
  '/.local/state/mcpaql',
  '/.local/share/mcpaql',
  '/.cache/mcpaql',
  '/Caches/mcpaql',
  '/Application Support/mcpaql',
  '/.git/hooks',
  '/.git/config',
  '/node_modules/.bin/',
  '/.cargo/config',
  '/.mvn/',
  '/spool/cron',
  '/systemd/system',
  '/Startup/',
]

/** Whoever writes `.env*` means the files of variables. */
const PATTERNED = [...TRUSTED].filter((name) => name !== '.envrc')
/** Names that follow one another; an empty one is any. */
const PATTERNED_PARTS: Parts = [
  ['.git', 'hooks'],
  ['.git', 'config'],
  ['node_modules', '.bin', ''],
  ['.config', 'systemd'],
  ['.config', 'autostart'],
  ['.config', 'fish'],
  ['.config', 'gh'],
  ['.config', 'git', ''],
  ['.config', 'gcloud'],
  ['.config', 'mcpaql'],
  ['.local', 'state', 'mcpaql'],
  ['.local', 'share', 'mcpaql'],
  ['.cache', 'mcpaql'],
  ['.cargo', 'config'],
  ['.cargo', 'config.toml'],
  ['.mvn', ''],
]
const LATER_PARTS: Parts = [
  ['.github', 'workflows', ''],
  ['.github', 'actions', ''],
  ['.circleci', ''],
  ['.buildkite', ''],
  ['.devcontainer', ''],
  ['.zed', ''],
]
const LATER_NAMES = wordSet('.gitlab-ci.yml .travis.yml azure-pipelines.yml jenkinsfile lefthook.yml .gitpod.yml')
