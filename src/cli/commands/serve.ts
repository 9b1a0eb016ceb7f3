import { defineCommand, EXIT, type Given, isStop, type Stop, stop } from '../command.ts'
import { allOptions, flaglessSettings, SETTINGS_ELSEWHERE } from '../settings.ts'
import type { LocalSource } from '../source.ts'

export const serve = defineCommand({
  name: 'serve',
  summary: 'Serve operations over MCP, on stdio or Streamable HTTP.',
  usage: ['SOURCE… [--http [HOST:]PORT] [OPTIONS]'],
  about: [
    'SOURCE is demo, or a module (*.ts, *.js) that exports an adapter; several are served side by side.',
    SETTINGS_ELSEWHERE,
  ],
  examples: [
    'mcpaql serve demo --http 7420',
    'mcpaql serve ./adapter.ts',
    'mcpaql serve ./adapter.ts --client laptop',
    'mcpaql serve ./adapter.ts --http 0 --mode single --store memory:',
    'mcpaql serve demo --read-only --exclude "delete_*"',
  ],
  options: {
    http: { type: 'string', value: '[HOST:]PORT', description: 'Streamable HTTP at /mcp in place of stdio.' },
    json: { type: 'boolean', description: 'Say where the server listens as JSON on stdout (with --http).' },
    client: {
      type: 'string',
      value: 'NAME',
      description: 'What you call this process: shown beside what it asks (on stdio).',
    },
    ...allOptions(),
  },
  more: { heading: 'Settings without a flag', rows: flaglessSettings() },
  positionals: [1, 100],

  async run(given, world) {
    const { readSettings, tellFiles } = await import('../read-config.ts')
    const { readLocalSource } = await import('../source.ts')
    const address = readAddress(given)
    if (isStop(address)) return address
    const settings = await readSettings({ ...given.values, ...address }, world, {
      ...(address['http-port'] && { http_port: 'http' }),
      ...(address['http-host'] && { http_host: 'http' }),
    })
    if (isStop(settings)) return settings
    const { config } = settings
    tellFiles(settings, world)
    const sources: LocalSource[] = []
    for (const name of given.positionals) {
      const source = readLocalSource(name, 'is served already')
      if (isStop(source)) return source
      sources.push(source)
    }

    const { serveOverHttp, serveOverStdio } = await import('../serve-sources.ts')
    const label = readLabel(given.values.client, config.http_port !== null)
    if (isStop(label)) return label
    if (config.require_client && config.store_url === 'memory:')
      return stop(EXIT.badUsage, '--require-client needs a store on disk: no client can be named in memory')
    const order = { sources, names: given.positionals, config, json: given.values.json === true, ...label }
    return config.http_port === null ? serveOverStdio(order, world) : serveOverHttp(order, config.http_port, world)
  },
})

/** A label for the operator's eyes; over HTTP a name is proved by a token. */
function readLabel(name: unknown, isHttp: boolean): { readonly label?: string } | Stop {
  if (typeof name !== 'string') return {}
  if (isHttp) {
    const hint = 'Over HTTP a client is named by its token: mcpaql client add NAME'
    return stop(EXIT.badUsage, '--client names a process on stdio', hint)
  }
  if (/^[a-z][a-z0-9_-]{0,62}$/.test(name)) return { label: name }
  return stop(EXIT.badUsage, `--client ${name} must be small letters, digits, _ and -, and begin with a letter`)
}

/** `7420`, `0.0.0.0:7420`, `[::1]:7420`. */
function readAddress({ values: { http } }: Given): Readonly<Record<string, string>> | Stop {
  if (typeof http !== 'string') return {}
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(http) ?? []
  if (port === undefined)
    return stop(
      EXIT.badUsage,
      `--http ${http} must be a port, or host and port`,
      'For example --http 7420 or --http 127.0.0.1:7420',
    )
  return { 'http-port': port, ...(host !== undefined && { 'http-host': host.replace(/^\[|\]$/g, '') }) }
}
