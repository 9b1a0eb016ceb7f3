import { segmentsOf } from '../autonomy/place-names.ts'

/**
 * Files that others act upon: what is written there runs later or changes what is asked. The configuration, policies and
 * state of this program, the settings of clients, hooks, start-up files of shells, programs that npm finds first.
 */
export function isTrustFile(path: string, cwd: string): boolean {
  const segments = segmentsOf(path, cwd)
  const name = segments.at(-1) ?? ''
  const full = `/${segments.join('/')}`
  return (
    segments.some((segment) => FOLDERS.has(segment)) ||
    NAMES.has(name) ||
    PARTS.some((part) => `${full}/`.includes(part)) ||
    OWN_FILE.test(name) ||
    STARTED.test(name) ||
    /^state\.db(-wal|-shm|-journal)?$/.test(name)
  )
}

/** Files that work on a project changes often, and that a runner, a container, an editor or a package manager runs at another time. */
export function runsLater(path: string, cwd: string): boolean {
  const segments = segmentsOf(path, cwd)
  return LATER_NAMES.has(segments.at(-1) ?? '') || LATER_PARTS.some((part) => `/${segments.join('/')}/`.includes(part))
}

const LATER_NAMES = new Set(
  words(`.gitlab-ci.yml .travis.yml azure-pipelines.yml jenkinsfile lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml
  .pre-commit-config.yaml .pnp.cjs .pnp.loader.mjs .mise.toml mise.toml bunfig.toml .overcommit.yml lefthook-local.yml .pre-commit-config.yml .gitpod.yml .tool-versions
  docker-compose.override.yml compose.override.yaml compose.override.yml`),
)
const LATER_PARTS = [
  '/.github/workflows/',
  '/.github/actions/',
  '/.circleci/',
  '/.buildkite/',
  '/.zed/',
  '/.devcontainer/',
  '/.idea/',
  '/.vscode/launch.json/',
  '/node_modules/',
  '/site-packages/',
  '/.idx/',
]

/** What an interpreter runs whenever it starts. */
const STARTED = /\.pth$/

/** The configuration, operation policies and safety policies, as the guides name them. */
const OWN_FILE =
  /^\.?mcpaql([.-][\w.-]+)?\.(ya?ml|json)$|^(mcpaql-|safety-)?polic(y|ies)\.(ya?ml|json)$|^safety\.(ya?ml|json)$/

const FOLDERS = new Set(
  words(`.ssh .gnupg .aws .kube .docker .azure .claude .cursor .codex .gemini .windsurf .continue .opencode .roo .kiro .amazonq .codeium .clinerules .claude-plugin .qwen .factory .junie .crush .goose .cline .amp .aider .trae .husky .githooks .direnv
  .mcpaql launchagents launchdaemons autostart crontabs cron.d cron.daily cron.hourly`),
)
const NAMES = new Set(
  words(`.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .zlogout .login
  .cshrc .tcshrc .kshrc .inputrc .xinitrc .xprofile .xsession .xsessionrc .gitconfig .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs
  .pypirc .netrc .curlrc .wgetrc .gdbinit .vimrc .envrc .pam_environment .rhosts .forward .tmux.conf .mcp.json mcp.json
  .claude.json opencode.json opencode.jsonc .aider.conf.yml mcp_config.json claude_desktop_config.json authorized_keys known_hosts id_rsa id_ed25519 crontab sudoers
  microsoft.powershell_profile.ps1 cline_mcp_settings.json mcp_settings.json mcp-config.json mcp_config.yaml crush.json .crush.json
  sitecustomize.py usercustomize.py .irbrc .pryrc .pdbrc .lldbinit .exrc .nvimrc .nvim.lua .dir-locals.el .sqliterc .psqlrc .screenrc
  hgrc .hgrc .pythonstartup`),
)
const PARTS = [
  '/.git/hooks/',
  '/.venv/bin/',
  '/venv/bin/',
  '/.venv/scripts/',
  '/venv/scripts/',
  '/.yarn/releases/',
  '/.yarn/plugins/',
  '/.yarn/sdks/',
  '/.cargo/config/',
  '/.cargo/config.toml/',
  '/.cargo/bin/',
  '/.mvn/',
  '/gradle/wrapper/',
  '/.bundle/config/',
  '/.jj/',
  '/hooks/hooks.json/',
  '/.vscode/tasks.json/',
  '/node_modules/.bin/',
  '/node_modules/mcpaql/',
  '/.config/systemd/',
  '/.config/autostart/',
  '/.config/fish/',
  '/.config/gh/',
  '/.config/gcloud/',
  '/.config/git/',
  '/.config/mcpaql/',
  '/.local/state/mcpaql/',
  '/.cache/mcpaql/',
  '/caches/mcpaql/',
  '/application support/mcpaql/',
  '/appdata/local/mcpaql/',
  '/spool/cron/',
  '/systemd/system/',
  '/systemd/user/',
  '/startup/',
]

function words(text: string): readonly string[] {
  return text.split(/\s+/)
}
