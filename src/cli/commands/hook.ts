import { defineCommand, EXIT, isStop, type Stop, stop } from '../command.ts'
import { allOptions } from '../settings.ts'
import type { World } from '../world.ts'

const PORT = 7422

export const hook = defineCommand({
  name: 'hook',
  summary: 'Ask the safety server before a client runs a tool.',
  usage: [
    'install CLIENT [--user] [--yes]',
    'remove CLIENT [--user] [--yes]',
    'doctor CLIENT [--key KEY]',
    '--url URL --key KEY',
  ],
  about: [
    'A client with hooks hands every tool call to this command before it runs; the command asks mcpaql safety and lets nothing pass that the server has not allowed. A server that is gone, late or not to be trusted is a no. After the call the client tells what has run: what was not allowed before pauses the agent until a human decides.',
    'CLIENT is claude (Claude Code) or cursor (Cursor). install and remove show what they would change in the client’s settings file; with --yes they write it and keep the old file beside it. doctor compares what stands in the settings with what install writes, and runs that very line against the failures, as the client would; any difference is BAD.',
    'Without a subcommand it reads one event as JSON from stdin, as the clients send it, and ends with 0 (allowed) or 2 (refused).',
    'The hook runs under the account of the agent: an agent that can edit the client’s settings can remove it.',
  ],
  examples: [
    'mcpaql hook install claude',
    'mcpaql hook install claude --user --yes',
    'mcpaql hook doctor claude',
    'mcpaql hook remove cursor --yes',
  ],
  options: {
    yes: { type: 'boolean', description: 'Write what is shown.' },
    user: { type: 'boolean', description: 'The settings of the user, not those of the project in this folder.' },
    port: {
      type: 'string',
      value: 'N',
      description: `The port on which mcpaql safety answers hooks (default: ${PORT}).`,
    },
    key: { type: 'string', value: 'KEY', description: 'The public key of the server; install finds it in the store.' },
    url: { type: 'string', value: 'URL', description: 'Where the server answers hooks.' },
    client: { type: 'string', value: 'NAME', description: 'Which client asks.' },
    'deadline-ms': { type: 'string', value: 'N', description: 'How long the server has to answer (default: 3000).' },
    ...storeOptions(),
  },
  positionals: [0, 2],

  async run({ values, positionals: [verb, name] }, world) {
    if (verb === undefined) return ask(values)
    const { HOOK_CLIENTS, settingsPath } = await import('../hook/clients.ts')
    const client = HOOK_CLIENTS.find((each) => each.name === name)
    if (!VERBS.has(verb) || !client) {
      const names = HOOK_CLIENTS.map((each) => each.name).join(', ')
      return stop(EXIT.badUsage, `mcpaql hook takes install, remove or doctor, and a client: ${names}`)
    }
    const self = { node: world.self[0] ?? 'node', script: await scriptPath() }
    if (verb === 'doctor') {
      const { runDoctor } = await import('../hook/doctor.ts')
      const key = typeof values.key === 'string' ? values.key : await keyInStore(values, world)
      return runDoctor(client, { ...self, key: isStop(key) ? { why: key.message } : key }, world)
    }
    const path = settingsPath(client, values.user === true, world)
    const { changeSettings } = await import('../hook/change-settings.ts')
    const { withHook, withoutHook } = await import('../hook/edit-settings.ts')
    const isMeant = values.yes === true
    if (verb === 'remove') {
      return changeSettings(
        {
          path,
          edit: (text) => (text === undefined ? { text: '' } : withoutHook(text, client)),
          isMeant,
          unchanged: `${path} holds no hook of mcpaql`,
          done: `${client.title} no longer asks mcpaql before its tools run.`,
        },
        world,
      )
    }
    const command = await commandFor(client.name, self, values, world)
    if (isStop(command)) return command
    const { key, since } = client.failClosed
    const done = [
      `${client.title} asks before its tools run; start mcpaql safety, or every call is refused.`,
      `${client.gaps} ${key} needs ${client.title} ${since}; mcpaql hook doctor ${client.name} checks the rest.`,
    ].join('\n')
    const unchanged = `${path} holds this hook already`
    return changeSettings({ path, edit: (text) => withHook(text, client, command), isMeant, unchanged, done }, world)
  },
})

const VERBS: ReadonlySet<string> = new Set(['install', 'remove', 'doctor'])

function storeOptions() {
  return Object.fromEntries(Object.entries(allOptions()).filter(([flag]) => flag === 'store' || flag === 'config'))
}

type Values = Readonly<Record<string, unknown>>

/** Never returns: the process ends with 0 or 2. */
async function ask(values: Values): Promise<never> {
  const { readOrder } = await import('../hook/run-hook.ts')
  const { runAsProcess } = await import('../hook/edge.ts')
  const flags = ['client', 'url', 'key', 'deadline-ms'].filter((flag) => typeof values[flag] === 'string')
  return runAsProcess(readOrder(flags.flatMap((flag) => [`--${flag}`, String(values[flag])])))
}

async function commandFor(
  client: string,
  self: { readonly node: string; readonly script: string },
  values: Values,
  world: World,
): Promise<string | Stop> {
  const port = Number(values.port ?? PORT)
  if (!(Number.isInteger(port) && port > 0 && port < 65_536))
    return stop(EXIT.badUsage, `--port ${String(values.port)} must be a port, 1 to 65535`)
  const key = typeof values.key === 'string' ? values.key : await keyInStore(values, world)
  if (isStop(key)) return key
  if (!/^[\w-]{43}$/.test(key)) return stop(EXIT.badUsage, '--key must be the 43 letters that mcpaql safety prints')
  const { hookCommand } = await import('../hook/hook-command.ts')
  return hookCommand({ ...self, client, url: `http://127.0.0.1:${port}/hook`, key }, world.platform)
}

/** Of the store that mcpaql safety will use under this account. */
async function keyInStore(values: Values, world: World): Promise<string | Stop> {
  const { atDesk } = await import('../open-operator.ts')
  const { openHookKey } = await import('../../core/hook/hook-key.ts')
  let key = ''
  const ended = await atDesk(values, world, async ({ store }) => {
    key = (await openHookKey(store)).publicKey
    return EXIT.ok
  })
  return isStop(ended) ? ended : key
}

/** Beside this file in the package, wherever that is installed; links are followed, so that it stays the same file. */
async function scriptPath(): Promise<string> {
  const { realpath } = await import('node:fs/promises')
  const { fileURLToPath } = await import('node:url')
  const path = fileURLToPath(new URL('../hook/bin.js', import.meta.url))
  return realpath(path).catch(() => path)
}
