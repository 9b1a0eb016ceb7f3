import { Buffer } from 'node:buffer'
import { findCredentials } from '../audit/find-credentials.ts'
import { isSecretName } from '../audit/secret-names.ts'
import { hasShortHost, parseUrl } from '../parse-url.ts'
import { withoutTrailing } from './without-trailing.ts'

/** What speaks against fetching an address. */
export interface AddressFinding {
  readonly score: number
  readonly why: string
}

/** The default ports of this program: servers of other stores may answer there. */
export const OWN_PORTS: readonly number[] = Object.freeze([7420, 7421, 7422])

/** Who asks a container engine there can do everything that it can. */
const ENGINE_PORTS: readonly number[] = Object.freeze([2375, 2376])

const OWN_SCORE = 72
const METADATA_SCORE = 70
const SECRET_SCORE = 62
const OPAQUE_SCORE = 45
const MOST_ADDRESSES = 500
const LONGEST_SENT = 20_000
/** A name in the DNS has 253 characters at most. */
const LONGEST_HOST = 1_000
const LONG_HOST: AddressFinding = { score: OPAQUE_SCORE, why: 'a host name that is longer than any' }

/** Every address in a text, judged by where it leads. */
export function addressFindings(text: string, ports: readonly number[]): readonly AddressFinding[] {
  const addresses = addressesIn(text)
  if (addresses.length > MOST_ADDRESSES) return [{ score: OPAQUE_SCORE, why: 'more addresses than can be looked at' }]
  return addresses.flatMap((address) => {
    if (!hasShortHost(address)) return [LONG_HOST]
    const url = parseUrl(address)
    return url ? placeFindings(url, ports) : []
  })
}

/** By where it leads and by what it carries there. */
export function fetchFindings(address: string, ports: readonly number[]): readonly AddressFinding[] {
  if (!hasShortHost(address)) return [LONG_HOST]
  const url = parseUrl(address)
  if (!url) return []
  return [...placeFindings(url, ports), ...carriedFindings(url)]
}

/** A text that goes to a server as it is, like the words of a search; what is too long to be looked at may hold one. */
export function carriesSecret(text: string): boolean {
  if (text.length > LONGEST_SENT) return true
  return formsOf(text).some((form) => findCredentials(form).length > 0)
}

function placeFindings({ hostname, port, protocol }: URL, ports: readonly number[]): readonly AddressFinding[] {
  if (hostname.length > LONGEST_HOST) return [LONG_HOST]
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  const host = withoutTrailing(hostname, '.').toLowerCase()
  const addresses = ipv4sIn(host)
  return [
    ...(ENGINE_PORTS.includes(number) ? [{ score: SECRET_SCORE, why: 'the interface of a container engine' }] : []),
    ...(ports.includes(number) ? [{ score: OWN_SCORE, why: 'the console or another server of mcpaql' }] : []),
    ...(isMetadataName(host) || addresses.some(isLinkLocal) || isLocalIpv6(host)
      ? [{ score: METADATA_SCORE, why: 'a link-local address, or the metadata of a cloud' }]
      : []),
  ]
}

/** User names, passwords, tokens and long values that nobody can read. */
function carriedFindings(url: URL): readonly AddressFinding[] {
  const { username, password, hostname, pathname, search, hash, searchParams } = url
  const values = [pathname, search, hash, ...searchParams.values(), ...pathname.split('/')]
  const named = [...searchParams].some(([name, value]) => value !== '' && isSecretName(name, value))
  const isSecret = username !== '' || password !== '' || named || values.some(carriesSecret)
  const parts = [
    ...hostname.split('.').filter((part) => part.length >= 40),
    ...pathname.split('/'),
    ...searchParams.values(),
  ]
  return [
    ...(isSecret ? [{ score: SECRET_SCORE, why: 'a secret in the address' }] : []),
    ...(parts.some(isOpaque) ? [{ score: OPAQUE_SCORE, why: 'a long value that nobody can read in the address' }] : []),
  ]
}

/** As it stands, decoded, and as base64 or hexadecimal digits. */
function formsOf(text: string): readonly string[] {
  const forms = [text]
  for (let at = 0; at < 3; at++) {
    const next = decoded(forms.at(-1) ?? '')
    if (next === forms.at(-1)) break
    forms.push(next)
  }
  return forms.flatMap((form) => [form, ...(form.match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? []).flatMap(unpacked)])
}

function unpacked(text: string): readonly string[] {
  const base64 = Buffer.from(text, 'base64').toString('latin1')
  const hex = /^[0-9a-f]+$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : ''
  return [base64, hex].filter((form) => /^[\t\n\r -~]{8,}$/.test(form))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Digits and letters in no order that a word would have. */
function isOpaque(text: string): boolean {
  const [run = ''] = /[A-Za-z0-9+/_=]{64,}/.exec(decoded(text)) ?? []
  return run !== '' && !/^[0-9a-f]{64}$/.test(run)
}

function isMetadataName(host: string): boolean {
  return METADATA_NAMES.some((name) => host === name || host.endsWith(`.${name}`))
}

const METADATA_NAMES = [
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'metadata.azure.internal',
]
/** Alibaba, Oracle, Azure. */
const METADATA_ADDRESSES = ['100.100.100.200', '192.0.0.192', '168.63.129.16']

function isLinkLocal(address: string): boolean {
  return address.startsWith('169.254.') || METADATA_ADDRESSES.includes(address)
}

/** `fe80::/10`, and where Amazon answers by IPv6. */
function isLocalIpv6(host: string): boolean {
  return /^\[fe[89ab][0-9a-f]:/.test(host) || host === '[fd00:ec2::254]' || host === '[fd20:ce::254]'
}

/** The IPv4 addresses that a host is, holds (IPv6) or names (`169-254-169-254.example`, `a9fea9fe.nip.io`). */
function ipv4sIn(host: string): readonly string[] {
  const named = [...host.matchAll(/(?<!\d)(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d)/g)]
  const hex = [...host.matchAll(/(?:^|[.-])(?:0x)?([0-9a-f]{8})(?=[.-])/g)].map(([, digits = '']) => digits)
  return [
    ...named.map(([, ...parts]) => parts.map(Number).join('.')),
    ...hex.map(fromHex),
    ...(host.startsWith('[') ? embedded(host.slice(1, -1)) : []),
  ]
}

/** `::ffff:a9fe:a9fe`, `64:ff9b::a9fe:a9fe`, `2002:a9fe:a9fe::`: any two neighbouring groups. */
function embedded(host: string): readonly string[] {
  const groups = host.split(':').filter((group) => group !== '')
  return groups.slice(1).map((group, at) => fromHex(`${groups[at]?.padStart(4, '0')}${group.padStart(4, '0')}`))
}

function fromHex(digits: string): string {
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)).join('.')
}

/** With a scheme, or a bare word that is an address in numbers or a name of the metadata. */
function addressesIn(text: string): readonly string[] {
  const whole = text.match(/\bhttps?:\/\/[^\s'"`<>|;)]+/gi) ?? []
  const bare = text.match(
    /(?<![\w./:@-])(?:0x[0-9a-f]{8}|\d{8,10}|[\d.]{7,15}|0[0-7.]{8,}|\[[0-9a-f:.]+\]|localhost|metadata(?:\.[a-z.]+)?)(?::\d+)?(?=[/\s'"]|$)/gi,
  )
  return [...new Set([...whole, ...(bare ?? []).map((host) => `http://${host}`)])]
}
