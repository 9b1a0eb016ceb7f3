export interface CommandParts {
  /** The interpreter and the script, absolute. */
  readonly node: string
  readonly script: string
  readonly client: string
  readonly url: string
  readonly key: string
  readonly deadlineMs?: number
}

/**
 * The line for a client's settings. What cannot be caught inside the process (no interpreter, no script, killed) has
 * other exit codes than 2, which clients ignore: the shell turns them into one. The hook gets no environment: variables
 * like `NODE_OPTIONS` run foreign code before its first line, and all that it needs stands in the line itself.
 */
export function hookCommand(parts: CommandParts, platform: string): string {
  const { node, script, client, url, key, deadlineMs } = parts
  const quote = quoteFor(platform)
  const limit = deadlineMs === undefined ? '' : ` --deadline-ms ${deadlineMs}`
  const line = `${quote(node)} ${quote(script)} --client ${client} --url ${url} --key ${key}${limit} || exit 2`
  return `${platform === 'win32' ? CLEARED : '/usr/bin/env -i '}${line}`
}

/** What stands in a line of ours for its server; undefined when nothing of the kind does. */
export function serverIn(command: string): { readonly url: string; readonly key: string } | undefined {
  const [, url, key] = / --url (\S+) --key (\S+)/.exec(command) ?? []
  return url === undefined || key === undefined ? undefined : { url, key }
}

export function quoteFor(platform: string): (text: string) => string {
  return platform === 'win32' ? quoteForWindows : quoteForShell
}

/** Windows has no empty environment to start from: programs need some of it. `set` ends in 1 where there was nothing. */
const CLEARED = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'NODE_REPL_EXTERNAL_MODULE',
  'NODE_V8_COVERAGE',
  'NODE_USE_ENV_PROXY',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
]
  .map((name) => `set "${name}=" & `)
  .join('')

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quoteForWindows(text: string): string {
  return `"${text.replaceAll('"', '')}"`
}
