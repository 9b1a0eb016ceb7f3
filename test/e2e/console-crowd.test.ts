import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { hasBrowser, linkOf, onStage, openBrowser, type Stage, signedIn } from './console-stage.ts'

let crowd: Socket[] = []

afterEach(() => {
  for (const socket of crowd) socket.destroy()
  crowd = []
})

/** What a process says that wants nothing but the place. */
const SILENCES: Readonly<Record<string, (host: string) => string>> = {
  nothing: () => '',
  'half a header': (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
  'half a body': (host) =>
    `POST /api/session HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"link":"`,
  'requests whose answers it does not read': (host) => `GET /main.js HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(3),
}

describe('SELF-08 connections of others do not keep the operator out', () => {
  test.each(Object.entries(SILENCES))(
    '1,500 that say %s',
    async (_, say) => {
      await onStage(async (stage) => {
        const bearer = await signIn(stage)
        const kept = await openStream(stage, bearer)
        await occupy(stage.server.port, 1_500, say(hostOf(stage)))
        for (let round = 0; round < 10; round++) {
          expect((await ask(stage, '/')).status).toBe(200)
          expect((await ask(stage, '/api/requests', bearer)).status).toBe(200)
        }
        expect(await signIn(stage)).toMatch(/^[\w-]{43}$/)
        expect(kept.isOpen()).toBe(true)
      })
    },
    60_000,
  )

  test('while they keep coming', async () => {
    await onStage(async (stage) => {
      const { port } = stage.server
      let isOver = false
      const coming = (async () => {
        while (!isOver) await occupy(port, 50, SILENCES['half a header']?.(hostOf(stage)) ?? '')
      })()
      const bearer = await signIn(stage)
      const kept = await openStream(stage, bearer)
      for (let round = 0; round < 20; round++) expect((await ask(stage, '/api/requests', bearer)).status).toBe(200)
      expect(kept.isOpen()).toBe(true)
      isOver = true
      await coming
    })
  }, 60_000)

  test.skipIf(!hasBrowser)(
    'a browser signs in among 1,500 of them',
    async () => {
      const browser = await openBrowser()
      try {
        await onStage(async (stage) => {
          await occupy(stage.server.port, 1_500, SILENCES['half a header']?.(hostOf(stage)) ?? '')
          const { page, trouble } = await signedIn(stage, browser)
          await occupy(stage.server.port, 600, '')
          await page.reload()
          await page.waitForSelector('.dot.live')
          expect(trouble).toEqual([])
        })
      } finally {
        await browser.close()
      }
    },
    90_000,
  )
})

function hostOf({ server }: Stage): string {
  return new URL(server.url).host
}

/** Connections that stay as long as they are let. */
async function occupy(port: number, count: number, words: string): Promise<void> {
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => {
            socket.pause()
            socket.write(words, () => resolve())
          })
          socket.on('error', () => resolve())
          crowd.push(socket)
        }),
    ),
  )
}

async function signIn(stage: Stage): Promise<string> {
  const { text } = await ask(stage, '/api/session', undefined, { link: await linkOf(stage) })
  return JSON.parse(text).bearer
}

interface Reply {
  readonly status: number
  readonly text: string
}

/** Each on a connection of its own, and given up after five seconds. */
function ask({ server: { port, url } }: Stage, path: string, bearer?: string, body?: object): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { host, origin } = new URL(url)
    const headers = {
      host,
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body && { origin, 'content-type': 'application/json' }),
    }
    const method = body ? 'POST' : 'GET'
    const req = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false, timeout: 5_000 }, (res) => {
      let text = ''
      res.on('data', (chunk) => {
        text += String(chunk)
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text }))
      res.on('error', reject)
    })
    req.on('timeout', () => req.destroy(new Error(`no answer to ${path} within five seconds`)))
    req.on('error', reject)
    req.end(body && JSON.stringify(body))
  })
}

/** The stream of a page that is signed in. */
function openStream({ server: { port, url } }: Stage, bearer: string): Promise<{ readonly isOpen: () => boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(url).host, authorization: `Bearer ${bearer}` }
    const req = httpRequest({ host: '127.0.0.1', port, path: '/api/events', headers, agent: false }, (res) => {
      let isOpen = true
      res.on('close', () => {
        isOpen = false
      })
      res.on('error', () => {})
      res.resume()
      resolve({ isOpen: () => isOpen })
    })
    req.on('error', reject)
    req.end()
  })
}
