/** What stands in the configuration of the usual clients, so that nobody has to look it up. */
export interface Snippet {
  readonly client: string
  /** Where it goes. */
  readonly where: string
  readonly text: string
}

export function snippetsFor(url: string, token: string): readonly Snippet[] {
  const headers = { Authorization: `Bearer ${token}` }
  return CLIENTS.map(({ client, where, write }) => ({ client, where, text: write(url, headers) }))
}

type Headers = { readonly Authorization: string }

const NAME = 'mcpaql'

const CLIENTS: readonly {
  readonly client: string
  readonly where: string
  readonly write: (url: string, headers: Headers) => string
}[] = [
  {
    // `claude mcp add --header` would put the token into the process list and the history of the shell.
    client: 'Claude Code',
    where: '.mcp.json of a project that is not shared, or mcpServers in ~/.claude.json',
    write: (url, headers) => JSON.stringify({ mcpServers: { [NAME]: { type: 'http', url, headers } } }),
  },
  {
    client: 'Cursor',
    where: '~/.cursor/mcp.json',
    write: (url, headers) => JSON.stringify({ mcpServers: { [NAME]: { url, headers } } }),
  },
  {
    client: 'VS Code',
    where: '.vscode/mcp.json',
    write: (url, headers) => JSON.stringify({ servers: { [NAME]: { type: 'http', url, headers } } }),
  },
  {
    client: 'Codex',
    where: '~/.codex/config.toml',
    write: (url, { Authorization }) =>
      `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}\nhttp_headers = { Authorization = ${JSON.stringify(Authorization)} }`,
  },
  {
    client: 'Gemini CLI',
    where: '~/.gemini/settings.json',
    write: (url, headers) => JSON.stringify({ mcpServers: { [NAME]: { httpUrl: url, headers } } }),
  },
  {
    client: 'Others',
    where: 'their mcpServers',
    write: (url, headers) => JSON.stringify({ mcpServers: { [NAME]: { type: 'http', url, headers } } }),
  },
]
