import type { Kind } from './kinds.ts'
import { ambiguous, anything, letters, list, map, type Pick, repeated, times } from './shapes.ts'

/** One request over HTTP to a server that a person or a client's hook talks to. */
export interface HttpRequest {
  readonly to: 'hook' | 'console'
  readonly path?: string
  readonly body: string
}

const hook = (tool: string, input: unknown, cwd = '/srv/app'): HttpRequest => ({
  to: 'hook',
  body: JSON.stringify({
    nonce: 'n'.repeat(30),
    client: 'claude',
    event: 'PreToolUse',
    tool,
    input,
    session: 's1',
    cwd,
  }),
})

const json = (path: string, body: unknown): HttpRequest => ({ to: 'console', path, body: JSON.stringify(body) })

/** Keys under which tools name commands, files, addresses and what is looked for. */
const TOOLS = ['Bash', 'Write', 'Read', 'Grep', 'Glob', 'WebFetch', 'WebSearch', 'apply_patch', 'mcp__a__b'] as const
const KEYS = ['command', 'file_path', 'path', 'glob', 'pattern', 'url', 'query', 'content', 'patch', 'code'] as const

export const HTTP_KINDS: readonly Kind[] = [
  {
    name: 'a hook asks about a long text',
    make: (room, pick) => hook(pick.of(TOOLS), { [pick.of(KEYS)]: letters(room - 400, pick) }),
  },
  {
    name: 'a hook asks about an address of dots',
    make: (room, pick) => {
      const host = pick.of(['.', '0.', '[', 'a-', '1.1.']).repeat(room / 8)
      return hook(pick.of(['Bash', 'WebFetch']), {
        [pick.of(['command', 'url'])]: pick.of([`ls http://${host}a/`, `http://${host}a/`]),
      })
    },
  },
  {
    name: 'a hook asks about many addresses',
    make: (room, pick) => {
      const address = `http://${pick.of(['.', 'a.', '1-'])}`
      const each = room / 40 - 20
      return hook('Bash', {
        command: times(40, (at) => `curl ${address.repeat(each / address.length)}${at}/`).join(' '),
      })
    },
  },
  {
    name: 'a hook asks about many keys',
    make: (room, pick) => hook(pick.of(TOOLS), map(room - 400, pick.of([(at) => `k${at}`, (at) => `keyOf${at}`]))),
  },
  {
    name: 'a hook asks about large values',
    make: (room, pick) => hook(pick.of(TOOLS), { [pick.of(KEYS)]: anything(room - 400, pick) }),
  },
  {
    name: 'a hook asks about many places',
    make: (_, pick) => {
      const place = pick.of<(at: number) => string>([
        (at) => `/tmp/${at}`,
        () => `/${'. '.repeat(2_000)}x`,
        () => `${'{'.repeat(900)}a${'}'.repeat(900)}`,
        () => '{a,b}'.repeat(300),
        () => '*'.repeat(1_900),
      ])
      const places = times(pick.of([24, 400]), place)
      const cwd = pick.of(['/srv/app', `${'/'.repeat(4_000)}x`])
      return hook(
        pick.of(['Glob', 'Read', 'Write']),
        { [pick.of(['glob', 'path', 'paths', 'file_path'])]: places },
        cwd,
      )
    },
  },
  {
    name: 'a hook asks about a word that can be read in many ways',
    make: (_, pick) => hook(pick.of(TOOLS), { command: 'git push', [pick.of(KEYS)]: ambiguous(pick) }),
  },
  {
    name: 'a hook asks about what announces secrets or texts again and again',
    make: (room, pick) => {
      const text = repeated(Math.min(room - 400, pick.of([12_000, 60_000, 131_072, room])), pick)
      return hook(pick.of(TOOLS), { command: 'git push', [pick.of(KEYS)]: text })
    },
  },
  {
    name: 'the console is sent a long body',
    make: (room, pick) => json(pick.of(PATHS), { [pick.of(['link', 'secret', 'pass'])]: letters(room - 400, pick) }),
  },
  {
    name: 'the console is sent a body of any shape',
    make: (room, pick) => json(pick.of(PATHS), anything(room - 400, pick)),
  },
  {
    name: 'the console is sent what is no JSON',
    make: (room, pick) => ({ to: 'console', path: pick.of(PATHS), body: noJson(room, pick) }),
  },
]

const PATHS = [
  '/api/session',
  '/api/reauth',
  '/api/explain',
  '/api/policies/replay',
  '/api/requests/x/decision',
] as const

function noJson(room: number, pick: Pick): string {
  return pick.of([
    '['.repeat(room),
    '{"a":'.repeat(room / 5),
    `"${'\\u0061'.repeat(room / 6 - 2)}`,
    list(room, () => 1).join(' '),
  ])
}
