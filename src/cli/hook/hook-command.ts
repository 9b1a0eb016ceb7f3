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
 * other exit codes than 2, which clients ignore: the shell turns them into one.
 */
export function hookCommand(parts: CommandParts, platform: string): string {
  const { node, script, client, url, key, deadlineMs } = parts
  const quote = platform === 'win32' ? quoteForWindows : quoteForShell
  const limit = deadlineMs === undefined ? '' : ` --deadline-ms ${deadlineMs}`
  return `${quote(node)} ${quote(script)} --client ${client} --url ${url} --key ${key}${limit} || exit 2`
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quoteForWindows(text: string): string {
  return `"${text.replaceAll('"', '')}"`
}
