import { once } from 'node:events'
import { createServer as createHttpServer, get } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { listenOnLoopback } from './loopback.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))

const open: Server[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve))
})

/** Another program, on a port of its own or on the one that is named. */
async function occupy(host: string, port = 0): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  open.push(server)
  return (server.address() as AddressInfo).port
}

function answering() {
  return createHttpServer((req, res) => res.end(req.socket.localAddress))
}

function ask(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host, port, agent: false }, async (res) => {
      let text = ''
      for await (const piece of res) text += String(piece)
      resolve(text)
    }).on('error', reject)
  })
}

describe.skipIf(!hasIpv6)('SELF-08 both loopback addresses belong to one program', () => {
  test('the same server answers on both, and ends on both', async () => {
    const { port, close } = await listenOnLoopback(answering(), 0)
    expect([await ask('127.0.0.1', port), await ask('::1', port)]).toEqual(['127.0.0.1', '::1'])
    await close()
    for (const host of ['127.0.0.1', '::1']) await expect(ask(host, port)).rejects.toThrow()
  })

  test.each(['127.0.0.1', '::1'])('nobody else can listen on %s meanwhile', async (host) => {
    const { port, close } = await listenOnLoopback(answering(), 0)
    await expect(occupy(host, port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await close()
  })

  test.each([
    ['127.0.0.1', /^127\.0\.0\.1:\d+ is taken by another program/],
    ['::1', /^\[::1\]:\d+ is taken by another program/],
  ])('whoever was on %s first is told of, and the other address is given back', async (host, message) => {
    const port = await occupy(host)
    await expect(listenOnLoopback(answering(), port)).rejects.toThrow(message)
    await occupy(host === '::1' ? '127.0.0.1' : '::1', port)
    const both = /^127\.0\.0\.1:\d+ and \[::1\]:\d+ are taken by another program/
    await expect(listenOnLoopback(answering(), port)).rejects.toThrow(both)
  })
})

test('where this computer has no such IPv6 address, the other alone is right', async () => {
  const { port, close } = await listenOnLoopback(answering(), 0, '2001:db8::1')
  expect(await ask('127.0.0.1', port)).toBe('127.0.0.1')
  await close()
})
