import { matchesGlob } from '../registry/glob.ts'
import { segmentsOf } from './place-names.ts'
import { alternativesOf } from './risk/expand-braces.ts'

/** Reading here shows keys, passwords or tokens: the one table for tools, for programs of a shell and for the loop. */
export function isSecretPlace(path: string, cwd: string): boolean {
  return isSecret(segmentsOf(path, cwd))
}

/** The same for a word of a shell, which may be a pattern. */
export function namesSecret(word: string, cwd: string): boolean {
  return isWild(word) || /^[^\s{]*\{\S*$/.test(word) ? picksSecrets(word, '', cwd) : isSecretPlace(word, cwd)
}

/** A file of variables: programs are started with it, and loops read it line by line. */
export function isVariablesFile(path: string): boolean {
  return ENV_FILE.test(path.slice(path.lastIndexOf('/') + 1))
}

/** True for a folder below which secrets usually lie, so that reading all of it reads them. */
export function holdsSecrets(folder: string, cwd: string): boolean {
  return isAboveSecrets(segmentsOf(folder, cwd))
}

/** True when a glob picks secrets by name, or everything in a folder that holds some. */
export function picksSecrets(glob: string, folder: string, cwd: string): boolean {
  if (isExclusion(glob)) return false
  if ((glob.match(CHOICE)?.length ?? 0) > MOST_CHOICES) return true
  return spelledOut(glob).some((pattern) => {
    const base = /^[/~\\]|^[A-Za-z]:/.test(pattern) ? pattern : `${folder || '.'}/${pattern}`
    const segments = segmentsOf(base, cwd)
    if (isSecret(segments)) return true
    const first = segments.findIndex(isWild)
    if (first < 0) return false
    const last = segments.at(-1) ?? ''
    if (isAboveSecrets(segments.slice(0, first)) && (isOpen(last) || matchesSample(last, DEEP_SAMPLES))) return true
    return segments
      .slice(first)
      .some((segment) => isWild(segment) && !isOpen(segment) && matchesSample(segment, samplesFor(segment)))
  })
}

const CHOICE = /\{[^{}"\s]{0,64},[^{}"\s]{0,64}\}/g
/** Nobody writes more, and together they mean more than can be looked at. */
const MOST_CHOICES = 16

/** `*.json` picks a kind of file, `client_s*.json` more than that. */
function samplesFor(segment: string): readonly string[] {
  const said = segment.replace(/\.\w+$/, '').replaceAll(/\[[^\]]*\]|[^a-z\d]/g, '')
  return said.length < 3 ? SAMPLES : [...SAMPLES, ...NAMED_SAMPLES]
}

/** `!*.md`: it says what is left out, so all the rest is meant. */
export function isExclusion(glob: string): boolean {
  return glob.trimStart().startsWith('!')
}

/** Samples stand for their kind: what matches one of them is meant to find it. */
const SAMPLES =
  words(`.env .env.local .env.production .ssh .aws .gnupg .kube .azure .netrc .npmrc .pypirc .pgpass .git-credentials
  .vault-token .htpasswd .bash_history .zsh_history id_rsa id_ed25519 id_ecdsa server.pem private.key store.p12 store.pfx
  app.keystore vault.kdbx state.db .dev.vars host.keytab wifi.nmconnection client.ovpn prod.tfvars`)
/** Of kinds that are mostly harmless: meant only where the pattern says more than the kind. */
const NAMED_SAMPLES = words(`client_secret.json rclone.conf k3s.yaml admin.conf wg0.conf secrets.yaml
  credentials.json service-account.json ssh_host_rsa_key`)
const DEEP_SAMPLES = [
  ...SAMPLES,
  ...words('shadow gshadow environ credentials config mem kcore hosts.yml config.json credentials.json auth.json'),
]

const FOLDERS = new Set(
  words(`.ssh .gnupg .aws .azure .kube .password-store .pki keyrings keychains .mozilla .thunderbird .vault
  .1password .bitwarden serviceaccount secrets.d .oci .aliyun .mcp-auth .age system-connections wireguard .electrum
  .ethereum .vault_pass .awsvault .fly .near-credentials .aws-vault io.parity.ethereum kwalletd`),
)
const NAMES = new Set(
  words(`.netrc _netrc .npmrc .pypirc .pgpass pgpass.conf .my.cnf .git-credentials .vault-token .htpasswd .boto
  .s3cfg .dockercfg .terraformrc credentials credentials.json credentials.toml credentials.tfrc.json master.key shadow shadow-
  gshadow gshadow- sudoers logins.json key3.db key4.db cookies.sqlite terraform.tfstate .bash_history .zsh_history .sh_history
  .ksh_history .history .histfile .psql_history .mysql_history .python_history .node_repl_history .sqlite_history
  .rediscli_history .mongosh_history fish_history consolehost_history.txt .credentials.json application_default_credentials.json
  access_tokens.db wallet.dat authinfo .authinfo .authinfo.gpg .claude.json oauth_creds.json rclone.conf krb5.keytab k3s.yaml
  kubeconfig kubeconfig.yaml kubeconfig.yml .kubeconfig settings-security.xml .dev.vars .databrickscfg kaggle.json
  .passwd-s3fs .smbcredentials .fetchmailrc .msmtprc .sentryclirc .vault_pass .vault-pass .vault_pass.txt .vault-pass.txt
  vault_pass ngrok.yml opasswd sssd.conf debian.cnf sasl_passwd tailscaled.state .viminfo .lesshst .irb_history
  rootkey.csv accesskeys.csv credentials.csv .secrets .cookies cookies.binarycookies state.vscdb wp-config.php .env.keys
  .credentials .saml2aws .xauthority hex.config local.settings.json 1password.sqlite key_datas sitemanager.xml recentservers.xml
  cline_mcp_settings.json claude_desktop_config.json mcp_config.json`),
)
const PARTS = [
  '/.docker/config.json',
  '/.config/gcloud',
  '/.config/gh/hosts',
  '/.config/github-copilot',
  '/.codex/auth.json',
  '/.gemini/',
  '/.config/doctl',
  '/.config/op/',
  '/.cargo/credentials',
  '/.gem/credentials',
  '/.composer/auth.json',
  '/ssl/private',
  '/kubernetes/admin.conf',
  '/kubernetes/super-admin.conf',
  '/kubernetes/kubelet.conf',
  '/kubernetes/controller-manager.conf',
  '/kubernetes/scheduler.conf',
  '/kubelet/kubeconfig',
  '/sops/age/',
  '/age/keys.txt',
  '/.m2/settings.xml',
  '/.gradle/gradle.properties',
  '/.config/rclone/',
  '/.local/share/opencode/auth.json',
  '/.config/opencode/auth.json',
  '/goose/secrets',
  '/pypoetry/auth.toml',
  '/com.vercel.cli/auth.json',
  '/huggingface/token',
  '/.huggingface/',
  '/.config/stripe/',
  '/.config/solana/',
  '/.config/hub',
  '/.config/glab-cli/',
  '/.config/hcloud/',
  '/.config/scw/',
  '/.config/linode-cli',
  '/.config/slack/cookies',
  '/.config/atuin/key',
  '/atuin/history.db',
  '/.config/bitwarden',
  '/.config/anthropic/',
  '/.anthropic/',
  '/.openai/auth.json',
  '/.wrangler/config/',
  '/netlify/config.json',
  '/.config/configstore/',
  '/.config/argocd/config',
  '/.argocd/config',
  '/.railway/config.json',
  '/.config/fly/config.yml',
  '/.config/helm/registry/',
  '/.tsh/keys',
  '/.step/secrets',
  '/.vnc/passwd',
  '/signal/config.json',
  '/telegramdesktop/tdata',
  '/telegram desktop/tdata',
  '/.config/filezilla/',
  '/system32/config/sam',
  '/system32/config/system',
  '/system32/config/security',
  '/microsoft/protect',
  '/microsoft/credentials',
  '/microsoft/vault',
  '/.cf/config.json',
  '/.snowsql/config',
  '/.dbt/profiles.yml',
  '/.subversion/auth',
  '/var/backups/shadow',
  '/openvpn/',
  '/google/chrome/',
  '/google-chrome/',
  '/chromium/',
  '/bravesoftware/',
  '/microsoft edge/',
  '/microsoft-edge/',
  '/firefox/profiles',
  '/local state',
  '/login data',
  '/run/secrets',
  '/.local/state/mcpaql',
  '/application support/mcpaql',
  '/appdata/local/mcpaql',
]
const KEY_FILE =
  /\.(pem|p12|pfx|jks|keystore|kdbx|kwl|ppk|p8|key|keytab|nmconnection|ovpn)$|^wg\d+\.conf$|private_?key\.der$/
const SSH_KEY = /^id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk|[_-][\w-]+)?$|^ssh_host_\w+_key$/
const ENV_FILE = /^\.env(\..+|-.+|rc)?$|^(.+\.)?env$/
/** Settings whose name says that they are secrets, and what a deployment tool keeps of them. */
const SECRET_FILE =
  /^(secrets?|credentials?|passwords?|api[-_]?keys?)([._-][\w-]+(\.[\w-]+)*)?\.(ya?ml|json|toml|ini|txt|properties|conf|xml)$|^service[-_]?account[\w.-]*\.json$|^client_secrets?[\w.-]*\.json$|adminsdk[\w.-]*\.json$|\.tfvars(\.json)?$|\.tfstate(\.\w+)*$/
/** Made for people to copy, or for tests: names of variables, and no values that are worth anything. */
const SAMPLE = /[._-](examples?|sample|template|tmpl|dist|defaults?|schema|test|d\.ts)([._-]|$)/

function isSecret(segments: readonly string[]): boolean {
  const name = segments.at(-1) ?? ''
  const full = `/${segments.join('/')}`
  if (segments.some((segment) => FOLDERS.has(segment)) || isProcess(segments)) return !name.endsWith('.pub')
  if (PARTS.some((part) => full.includes(part)) || isRawDevice(segments)) return true
  if (SAMPLE.test(name)) return false
  const originals = originalsOf(name)
  return (
    originals.some(isSecretName) ||
    (isOfAccount(segments) && (originals.some(holdsToken) || full.endsWith('/.bundle/config')))
  )
}

/** Below a dot-folder of an account, or its folders of settings, a program keeps what it signs in with. */
function isOfAccount(segments: readonly string[]): boolean {
  const depth = accountDepth(segments)
  const [folder = ''] = depth === undefined ? [] : segments.slice(depth)
  return /^\.|^(library|appdata)$/.test(folder) && !segments.some((segment) => INSTALLED.has(segment))
}

/** How many of the segments name the account; undefined outside of one. */
function accountDepth([first = '', second = '']: readonly string[]): number | undefined {
  if (first === 'root') return 1
  if (first === 'home' || first === 'users') return 2
  return /^[a-z]:$/.test(first) && second === 'users' ? 3 : undefined
}

/** What tools fetch and build: the names in it are those of source code. */
const INSTALLED = new Set(
  words(
    'node_modules site-packages .cache caches .npm .pnpm-store .rustup .nvm .pyenv .rbenv .sdkman registry extensions worktrees bin',
  ),
)

/** Files that clients sign in with, by what they are called whoever keeps them. */
function holdsToken(name: string): boolean {
  return OF_ACCOUNT.has(name) || (DATA_FILE.test(name) && TOKEN_NAME.test(name))
}

const OF_ACCOUNT = new Set(
  words('auth.json auth.toml auth.yml auth.yaml mcp.json mcp_settings.json .yarnrc.yml nuget.config'),
)
/** No extension, or one of data: code that works on tokens is called so as well. */
const DATA_FILE =
  /^\.?[\w-]{1,100}$|\.(?:json|ya?ml|toml|ini|conf|cfg|txt|xml|db|sqlite3?|dat|properties|sbt|plist|credentials?|tokens?|secrets?)$|_history$/
const TOKEN_NAME =
  /(?:^|[._-])(?:(?:access|auth|api|refresh|session|id|bearer|oauth)?[._-]?tokens?|secrets?|credentials?|creds?|api[._-]?keys?)(?:[._-]|$)|_history$/

/** A backup of a secret, and what an editor keeps of one while it is open, is the secret. */
function originalsOf(name: string): readonly string[] {
  const original = name.replace(LOCK, '').replace(BACKUP, '')
  if (original === name) return [name]
  return [name, original, ...(/\.sw[a-p]$/.test(name) ? [original.replace(/^\./, '')] : [])]
}

const LOCK = /^\.?#|#$/g
const BACKUP = /(?<!~)(?:~|[._ -](?:bak|bk|bkp|backup|old|orig|original|save|saved|copy|prev|tmp|sw[a-p]|\d{1,14}))+~?$/

/** All that lies on a disk or in memory. */
function isRawDevice([first, name = '']: readonly string[]): boolean {
  return (
    first === 'dev' &&
    /^(k?mem|port|disk|mapper|(sd|hd|vd|xvd|nvme|mmcblk|dm-|md|rdisk|disk|loop)[a-z\d].*)$/.test(name)
  )
}

function isSecretName(name: string): boolean {
  return (
    NAMES.has(name) ||
    (ENV_FILE.test(name) && name !== 'env') ||
    [KEY_FILE, SSH_KEY, SECRET_FILE, STATE_FILE].some((pattern) => pattern.test(name))
  )
}

const STATE_FILE = /^state\.db(-wal|-shm|-journal)?$/

/** `/proc/1/environ`, `/proc/self/task/1/environ`, `/proc/ANY/environ`: what a process was given, and its memory. */
function isProcess(segments: readonly string[]): boolean {
  if (segments[0] !== 'proc') return false
  if (/^\d+$/.test(segments[1] ?? '') && segments.includes('fd') && segments.at(-1) !== 'fd') return true
  const name = segments.at(-1) ?? ''
  return ['environ', 'mem', 'kcore', 'keys'].some(
    (secret) => name === secret || (isWild(name) && matches(name, secret)),
  )
}

function isAboveSecrets(segments: readonly string[]): boolean {
  const [first, second = ''] = segments
  if (first === undefined || PART_FOLDERS.some((folder) => `/${segments.join('/')}`.endsWith(folder))) return true
  if (['root', 'home', 'users'].includes(first)) return first === 'root' ? below(segments, 1) : below(segments, 2)
  if (first === 'etc') return segments.length === 1 || (segments.length === 2 && ETC_FOLDERS.has(second))
  if (first === 'proc') return segments.length <= 2 || segments.at(-1) === 'task' || segments.at(-2) === 'task'
  if (first === 'run') return segments.length === 1 || (second === 'user' && segments.length <= 3)
  if (first === 'var') return segments.length === 1 || (segments.length === 2 && VAR_FOLDERS.has(second))
  if (['private', 'mnt', 'volumes', 'dev'].includes(first)) return segments.length === 1
  return /^[a-z]:$/.test(first) && (segments.length === 1 || (second === 'users' && below(segments, 3)))
}

/** The folders of programs in which a file of the table lies. */
const PART_FOLDERS = PARTS.map((part) => part.slice(0, part.lastIndexOf('/'))).filter(
  (folder) => folder.startsWith('/.') && folder !== '/.config',
)
const ETC_FOLDERS = new Set(
  words('ssh ssl kubernetes rancher openvpn networkmanager security mysql postfix sssd letsencrypt'),
)
const VAR_FOLDERS = new Set(words('lib backups spool'))

/** The folder of an account itself, or one in it that keeps the settings of programs. */
function below(segments: readonly string[], depth: number): boolean {
  if (segments.length <= depth) return true
  const rest = segments.slice(depth).join('/')
  return [
    '.config',
    '.local',
    '.local/share',
    '.local/state',
    'library',
    'library/application support',
    'appdata',
    'appdata/local',
    'appdata/roaming',
    '.docker',
    '.cargo',
  ].includes(rest)
}

/** One pattern for each choice in braces; several patterns may stand in one text. */
function spelledOut(glob: string): readonly string[] {
  let patterns: readonly string[] = [glob.slice(0, LONGEST_GLOB)]
  for (let round = 0; round < MOST_ROUNDS && patterns.length < MOST_PATTERNS; round++) {
    const inner = braces(patterns)
    if (inner === undefined) break
    const choices = alternativesOf(inner, MOST_PATTERNS) ?? [inner.slice(1, -1)]
    patterns = patterns.flatMap((pattern) =>
      pattern.includes(inner) ? choices.map((choice) => pattern.replace(inner, () => choice)) : [pattern],
    )
  }
  const plain = patterns.map(withoutBraces)
  return plain.flatMap((pattern) => pattern.split(/[\s,;|]+/)).filter((pattern) => pattern !== '')
}

/** What was not spelled out may be anything. */
function withoutBraces(pattern: string): string {
  const plain = pattern.replaceAll(BRACES, '*')
  const [open, close] = [plain.indexOf('{'), plain.lastIndexOf('}')]
  return open < 0 || close < open ? plain : `${plain.slice(0, open)}*${plain.slice(close + 1)}`
}

const BRACES = /\{[^{}]*\}/g
const LONGEST_GLOB = 2_000
const MOST_PATTERNS = 64
/** Braces in braces in braces: every round looks through all patterns. */
const MOST_ROUNDS = 64

function braces(patterns: readonly string[]): string | undefined {
  for (const pattern of patterns) {
    const [found] = pattern.match(BRACES) ?? []
    if (found !== undefined) return found
  }
  return undefined
}

function isWild(segment: string): boolean {
  return /[*?[]/.test(segment)
}

/** Nothing in it says what is meant. */
function isOpen(segment: string): boolean {
  return !segment.startsWith('.') && !/[a-z\d]/.test(segment.replaceAll(/\[[^\]]*\]/g, '['))
}

function matchesSample(segment: string, samples: readonly string[]): boolean {
  return samples.some((sample) => matches(segment, sample))
}

/** A class of characters is taken for any character. */
function matches(segment: string, name: string): boolean {
  return matchesGlob(segment.replaceAll(/\[[^\]]*\]?/g, '?'), name)
}

function words(text: string): readonly string[] {
  return text.split(/\s+/)
}
