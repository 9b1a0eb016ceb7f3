import { defineCommand, EXIT, type Stop, stop } from '../command.ts'
import { asOperator, atDesk, type Desk, storeOptions } from '../open-operator.ts'
import type { World } from '../world.ts'

export const client = defineCommand({
  name: 'client',
  summary: 'Name the clients that call over HTTP, and revoke them.',
  usage: ['add NAME [--elicitation] [--url URL]', 'list [--json]', 'revoke NAME'],
  about: [
    'A named client proves itself by a bearer token, has blocks and sessions of its own, and is shown under its name. Callers without a token share the name anonymous: what stops one of them stops all. serve --require-client refuses them. add and revoke work at the terminal only, with the operator secret; a revocation holds at the next request. To change the token, or whether the client may ask its user to approve, revoke the name and add it again.',
  ],
  examples: ['mcpaql client add laptop', 'mcpaql client add desk --elicitation', 'mcpaql client revoke laptop'],
  options: {
    elicitation: {
      type: 'boolean',
      description: 'Let whoever answers the forms of this client approve: only where a human sits at it (add).',
    },
    url: { type: 'string', value: 'URL', description: 'The address that the configuration names (add).' },
    json: { type: 'boolean', description: 'Print the list as compact JSON (list).' },
    ...storeOptions(),
  },
  positionals: [1, 2],

  async run({ values, positionals: [what, name] }, world) {
    if (what === 'list' && name === undefined)
      return atDesk(values, world, (desk) => list(desk, values.json === true, world))
    if (what !== 'add' && what !== 'revoke')
      return stop(EXIT.badUsage, `There is no client ${what}${name === undefined ? '' : ` ${name}`}`, FORMS)
    if (name === undefined) return stop(EXIT.badUsage, `Name the client: mcpaql client ${what} NAME`)
    const { url = DEFAULT_URL, elicitation = false } = values
    if (what === 'add' && !isHttp(url)) return stop(EXIT.badUsage, `--url ${url} is no address of a server`)
    return atDesk(values, world, (desk) =>
      what === 'add' ? add(desk, { name, url, elicitation }, world) : revoke(desk, name, world),
    )
  },
})

const FORMS = 'There are client add NAME, client list and client revoke NAME'
const DEFAULT_URL = 'http://127.0.0.1:7420/mcp'

async function list(desk: Desk, isJson: boolean, world: World): Promise<number> {
  const { clientsJson, clientsText } = await import('../print-clients.ts')
  const clients = await desk.operator.clients.list()
  world.out(isJson ? JSON.stringify(clientsJson(clients)) : clientsText(clients, world))
  return EXIT.ok
}

interface Wish {
  readonly name: string
  readonly url: string
  readonly elicitation: boolean
}

/** An agent with a shell must not name itself, so the secret is typed first; the token goes to the terminal alone. */
async function add(desk: Desk, { name, url, elicitation }: Wish, world: World): Promise<number | Stop> {
  const { faultOfName } = await import('../../core/operator/client-record.ts')
  const fault = faultOfName(name)
  if (fault !== undefined) return stop(EXIT.badUsage, `The name ${name} ${fault}`)
  return asOperator(world, desk, async ({ operator: { subject, channel } }, terminal) => {
    const { addedText } = await import('../print-clients.ts')
    const { snippetsFor } = await import('../client-snippets.ts')
    const done = await desk.operator.clients.add({ name, elicitation, by: subject, channel })
    if (done.kind === 'refused') return stop(EXIT.badUsage, `The name ${name} ${done.why}`)
    if (done.kind === 'exists') {
      return stop(
        EXIT.failed,
        `${name} has a token already`,
        `For a new one: mcpaql client revoke ${name}, then add it again`,
      )
    }
    terminal.write(addedText(name, done.token, snippetsFor(url, done.token), elicitation))
    return EXIT.ok
  })
}

function revoke(desk: Desk, name: string, world: World): Promise<number | Stop> {
  return asOperator(world, desk, async ({ operator: { subject, channel } }, terminal) => {
    const done = await desk.operator.clients.revoke({ name, by: subject, channel })
    if (done === 'unknown') return stop(EXIT.failed, `No client ${name} has a token`, 'To see them: mcpaql client list')
    terminal.write(
      `${name} is revoked: its next request is refused, and its sessions end. Unless serve runs with --require-client, whoever used it can still call without a token, as anonymous.\n`,
    )
    return EXIT.ok
  })
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
