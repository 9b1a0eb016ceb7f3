import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way in which a hook can go wrong, played by a server of our own, and what must come of it. */
export interface DoctorCase {
  readonly name: string
  readonly blocks: boolean
  readonly answer?: (question: Question, res: ServerResponse) => void
  /** It goes wrong when the client tells what has run. */
  readonly isReport?: true
  /** What is wrong with the command itself. */
  readonly without?: 'node' | 'script' | 'server'
  /** What the client's environment holds beside the usual. */
  readonly env?: Readonly<Record<string, string>>
}

/** Each of them would make a Node of its own end in 0, or ask somewhere else. */
const HOSTILE = {
  NODE_OPTIONS: '--import=data:text/javascript,process.exit(0)',
  NODE_PATH: '/nonexistent',
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://127.0.0.1:1',
  http_proxy: 'http://127.0.0.1:1',
  HOME: '/nonexistent',
  PATH: '/nonexistent',
}

interface Question {
  readonly nonce: string
  readonly request: string
  readonly key: KeyObject
}

export const DOCTOR_CASES: readonly DoctorCase[] = [
  { name: 'the server allows the call', blocks: false, answer: (question, res) => answer(question, res, {}) },
  { name: 'the server refuses the call', blocks: true, answer: (it, res) => answer(it, res, { continue: false }) },
  { name: 'the server is down', blocks: true, without: 'server' },
  { name: 'the server does not answer', blocks: true, answer: () => {} },
  { name: 'the server answers garbage', blocks: true, answer: (_, res) => res.end('continue: true') },
  { name: 'the server answers an error', blocks: true, answer: (_, res) => res.writeHead(500).end() },
  { name: 'the answer breaks off', blocks: true, answer: (it, res) => answer(it, res, {}, { isCut: true }) },
  {
    name: 'the answer has another nonce',
    blocks: true,
    answer: (it, res) => answer(it, res, { nonce: 'x'.repeat(32) }),
  },
  { name: 'the answer is to another call', blocks: true, answer: (it, res) => answer(it, res, { request: 'x' }) },
  { name: 'the answer is not signed', blocks: true, answer: (it, res) => answer(it, res, {}, { isUnsigned: true }) },
  {
    name: 'the answer is signed by somebody else',
    blocks: true,
    answer: (it, res) => answer({ ...it, key: generateKeyPairSync('ed25519').privateKey }, res, {}),
  },
  {
    name: 'the answer says neither yes nor no',
    blocks: true,
    answer: (it, res) => answer(it, res, { continue: 'yes' }),
  },
  {
    name: 'a tool ran that was not allowed',
    blocks: true,
    isReport: true,
    answer: (it, res) => answer(it, res, { continue: false }),
  },
  {
    name: 'NODE_OPTIONS and others are set, and the server refuses',
    blocks: true,
    env: HOSTILE,
    answer: (it, res) => answer(it, res, { continue: false }),
  },
  {
    name: 'NODE_OPTIONS and others are set, and the server allows',
    blocks: false,
    env: HOSTILE,
    answer: (it, res) => answer(it, res, {}),
  },
  { name: 'the script is missing', blocks: true, without: 'script' },
  { name: 'the interpreter is missing', blocks: true, without: 'node' },
]

export interface Stage {
  readonly key: string
  /** Where the case is played. */
  urlOf(each: DoctorCase): string
  close(): Promise<void>
}

/** A server with a key of its own, so that nothing it signs is worth anything elsewhere. */
export async function openStage(): Promise<Stage> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const server = createServer((req, res) => {
    void read(req).then((body) => {
      const { nonce = '' } = JSON.parse(body) as { readonly nonce?: string }
      const request = createHash('sha256').update(body).digest('base64url')
      DOCTOR_CASES[Number(req.url?.slice(1))]?.answer?.({ nonce, request, key: privateKey }, res)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    key: publicKey.export({ format: 'jwk' }).x ?? '',
    urlOf: (each) =>
      each.without === 'server'
        ? 'http://127.0.0.1:1/hook'
        : `http://127.0.0.1:${(server.address() as AddressInfo).port}/${DOCTOR_CASES.indexOf(each)}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Flaw {
  readonly isCut?: boolean
  readonly isUnsigned?: boolean
}

function answer({ nonce, request, key }: Question, res: ServerResponse, change: object, flaw: Flaw = {}): void {
  const verdict = { version: 1, nonce, request, continue: true, reason: 'played by the doctor', factors: ['-'] }
  const body = JSON.stringify({ ...verdict, ...change })
  const signature = sign(null, Buffer.from(`mcpaql hook answer 1\n${body}`), key).toString('base64url')
  if (!flaw.isUnsigned) res.setHeader('mcpaql-signature', `ed25519=${signature}`)
  res.setHeader('content-length', Buffer.byteLength(body))
  if (!flaw.isCut) return void res.end(body)
  res.write(body.slice(0, -1))
  setTimeout(() => res.destroy(), 50)
}

async function read(req: IncomingMessage): Promise<string> {
  let body = ''
  for await (const piece of req.setEncoding('utf8')) body += piece
  return body
}
