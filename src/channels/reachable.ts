import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Security: where a request of ours may go. The name is resolved once, and what was checked is what is connected to. */

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

export type Resolve = (host: string) => Promise<readonly Address[]>

export type Resolved =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }

export interface ReachOptions {
  readonly allowedHosts?: readonly string[]
  readonly resolve?: Resolve
}

/** One private address among public ones is enough to refuse: nobody knows which would have been taken. */
export async function resolveAddress(hostname: string, options: ReachOptions): Promise<Resolved> {
  const host = bare(hostname)
  const found = await addressesOf(host, options.resolve ?? resolveName)
  const [first] = found
  if (!first) return { kind: 'failed', why: 'its host is not known' }
  if (options.allowedHosts?.some((allowed) => bare(allowed).toLowerCase() === host.toLowerCase()))
    return { kind: 'address', address: first }
  const mayBe = isLoopbackName(hostname) ? isLoopback : isPublic
  if (found.every(mayBe)) return { kind: 'address', address: first }
  return { kind: 'refused', why: 'its host lies in a private or reserved network, and the operator has not allowed it' }
}

export function isLoopbackName(hostname: string): boolean {
  const host = bare(hostname)
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(addressOf(host)))
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly Address[]> {
  if (isIP(host) !== 0) return [addressOf(host)]
  return resolve(host).catch(() => [])
}

const resolveName: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => addressOf(address))

function addressOf(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 }
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isLoopback({ address, family }: Address): boolean {
  return isIn(LOOPBACK, address, family)
}

function isPublic({ address, family }: Address): boolean {
  return !isIn(RESERVED, address, family)
}

function isIn(lists: Lists, address: string, family: 4 | 6): boolean {
  return lists[family].check(address, `ipv${family}`)
}

const LOOPBACK = listsOf([
  ['127.0.0.0', 8],
  ['::1', 128],
])

/** The special-purpose registries of IANA. What carries an IPv4 address inside an IPv6 one is not looked into. */
const RESERVED = listsOf([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, and the metadata of clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
])

/** One for each family: a range of mapped addresses in a common list would take in all of IPv4. */
type Lists = Readonly<Record<4 | 6, BlockList>>

function listsOf(ranges: readonly (readonly [string, number])[]): Lists {
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const [net, prefix] of ranges) {
    const family = net.includes(':') ? 6 : 4
    lists[family].addSubnet(net, prefix, `ipv${family}`)
  }
  return lists
}
