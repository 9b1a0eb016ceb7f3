import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

/**
 * One port on 127.0.0.1 and on [::1]. A browser takes the names of this computer to either address: if only one of them
 * were ours, another program could listen on the other and be the same origin. Port 0 lets the system choose.
 */
export async function listenOnLoopback(server: HttpServer, wanted: number, ipv6 = '::1'): Promise<Listening> {
  for (let choices = wanted === 0 ? MOST_CHOICES : 1; ; choices--) {
    const second = createServer(SOCKETS, (socket) => server.emit('connection', socket))
    const six = await bind(second, wanted, ipv6)
    const four = await bind(server, six.port ?? wanted, IPV4)
    const faults = [four, six].flatMap(({ fault }) => fault ?? []).filter((fault) => !isMissing(fault))
    const close = async () => void (await Promise.all([closed(server), closed(second)]))
    if (four.port !== undefined && faults.length === 0) return { port: four.port, close }
    await close()
    if (choices === 1 || !faults.every(isTaken)) throw refused(faults)
  }
}

const IPV4 = '127.0.0.1'

/** A port that is free on one of the addresses is rarely taken on the other. */
const MOST_CHOICES = 20

/** As an HTTP server makes its own. */
const SOCKETS = { allowHalfOpen: true, noDelay: true }

interface Bound {
  readonly port?: number
  readonly fault?: Fault
}

type Fault = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }

function bind(server: Server, port: number, host: string): Promise<Bound> {
  return new Promise((resolve) => {
    const fail = (fault: Fault) => resolve({ fault })
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve({ port: (server.address() as AddressInfo).port })
    })
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
}

/** A machine without IPv6: no other program can listen there either. */
function isMissing({ code, address }: Fault): boolean {
  return address !== IPV4 && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
}

function isTaken({ code }: Fault): boolean {
  return code === 'EADDRINUSE'
}

function refused(faults: readonly Fault[]): Error {
  const taken = faults.filter(isTaken).map(({ address = '', port }) => `${bracketed(address)}:${port}`)
  if (taken.length === 0) return faults[0] ?? new Error('no address of this computer can be listened on')
  const isOne = taken.length === 1
  return new Error(
    `${taken.join(' and ')} ${isOne ? 'is' : 'are'} taken by another program, and the console must have its port on 127.0.0.1 and on [::1] for itself`,
  )
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}
