import { Buffer } from 'node:buffer'
import { findCredentials } from '../audit/find-credentials.ts'
import { isSecretName } from '../audit/secret-names.ts'
import { hasShortHost, parseUrl } from '../parse-url.ts'
import { alternativesOf } from './risk/expand-braces.ts'
import { isSecretPlace, picksSecrets } from './secret-places.ts'
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

/** Node and browsers run there whatever they are sent. */
export const DEBUGGER_PORTS: readonly number[] = Object.freeze([9229, 9222])

const OWN_SCORE = 72
const METADATA_SCORE = 70
const SECRET_SCORE = 62
const OPAQUE_SCORE = 45
const MOST_ADDRESSES = 500
const LONGEST_SENT = 20_000
/** A name in the DNS has 253 characters at most. */
const LONGEST_HOST = 1_000
const LONG_HOST: AddressFinding = { score: OPAQUE_SCORE, why: 'a host name that is longer than any' }

/** Every address in a text, judged by where it leads; also one that another address carries, as those of redirects do. */
export function addressFindings(text: string, ports: readonly number[]): readonly AddressFinding[] {
  return decodedForms(text).flatMap((form) => plainFindings(form, ports))
}

function plainFindings(text: string, ports: readonly number[]): readonly AddressFinding[] {
  const addresses = addressesIn(text)
  if (addresses === undefined || addresses.length > MOST_ADDRESSES)
    return [{ score: OPAQUE_SCORE, why: 'more addresses than can be looked at' }]
  // `file://localhost/path`: a host may stand before the path.
  const files = (text.match(FILE_ADDRESS) ?? [])
    .slice(0, MOST_ADDRESSES)
    .flatMap((file) => [file.replace(/^file:\/*/i, '/'), file.replace(/^file:\/\/[^/]*/i, '')])
  return [
    ...(ownPortsIn(text, ports) ? [OWN_FINDING] : []),
    ...(files.some((file) => isSecretPlace(file, '/') || picksSecrets(file, '', '/'))
      ? [{ score: SECRET_SCORE, why: 'a file that holds secrets' }]
      : []),
    ...addresses.flatMap((address) => {
      if (!hasShortHost(address)) return [LONG_HOST]
      const url = parseUrl(address)
      return url ? [...placeFindings(url, ports), ...secretFindings(url)] : []
    }),
  ]
}

/** A port of this machine of which a part is known only at run time (`unknown` stands for it) may be the console's. */
export function openPortFindings(text: string, unknown: string): readonly AddressFinding[] {
  const [, host = '', port = ''] = LOCAL_PORT.exec(text) ?? []
  return port.includes(unknown) && isLoopback(host) ? [OWN_FINDING] : []
}

/** A host and a port that stand apart, as in the fields of a call. */
export function isOwnPort(port: unknown, ports: readonly number[]): boolean {
  return ports.includes(typeof port === 'string' && /^\s*\d{1,6}\s*$/.test(port) ? Number(port) : (port as number))
}

export function isLoopback(host: string): boolean {
  const url = host === '' ? undefined : parseUrl(`http://${host.trim()}`)
  if (!url) return false
  const plain = withoutTrailing(url.hostname, '.').toLowerCase()
  return /^(127\.|0\.0\.0\.0$|\[::1?\]$|\[::ffff:7f|(.*\.)?localhost$|ip6-(localhost|loopback)$)/.test(plain)
}

const OWN_FINDING: AddressFinding = { score: OWN_SCORE, why: 'the console or another server of mcpaql' }
const DEBUGGER_FINDING: AddressFinding = { score: OWN_SCORE, why: 'the debugger of a process of this machine' }
const LOCAL_PORT = /^(?:[a-z]{2,10}:)?[/\\]*(?:[^/@]*@)?(\[[\da-f:.]+\]|[^/?#:[\]]{1,253}):([^/?#]{1,200})/i
const FILE_ADDRESS = /\bfile:[^\s'"`<>|;)]{1,4000}/gi

/** By where it leads and by what it carries there. */
export function fetchFindings(address: string, ports: readonly number[]): readonly AddressFinding[] {
  if (!hasShortHost(address)) return [LONG_HOST]
  const url = parseUrl(address)
  if (!url) return []
  return [...placeFindings(url, ports), ...addressFindings(address, ports), ...carriedFindings(url)]
}

/** A text that goes to a server as it is, like the words of a search; what is too long to be looked at may hold one. */
export function carriesSecret(text: string): boolean {
  if (text.length > LONGEST_SENT) return true
  return formsOf(text).some(
    (form) => findCredentials(form, { withPhrases: true }).length > 0 || announcesSecret(form) || holdsKey(form),
  )
}

/** A text under the name of a parameter or a header: either may say that it is a secret. */
export function carriesSecretAs(key: string, text: string): boolean {
  if (carriesSecret(text)) return true
  const value = text.trim().replace(SCHEME, '')
  return saysSecret(key, text) && value.length > 2 && isLiteral(value) && !/\s/.test(value)
}

/** The name of a parameter says that its value is a secret. */
function saysSecret(name: string, value: string): boolean {
  return (isSecretName(name, value) || (PASS.test(name) && value.length > 5)) && !COUNTS_PAGES.test(name)
}

const PASS = /(^|[_-])(pass|pw)$/i

/** How the value of `Authorization` begins. */
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey|Digest)\s+/i
const SCHEMED = /(authorization["']?\s{0,3}[:=]\s{0,3}["']?)(?:bearer|basic|token|apikey)\s+/gi

/** `DB_PASSWORD=hunter2`; in a sentence (`password: …`) only what no word of it would be. */
function announcesSecret(text: string): boolean {
  for (const [, name = '', between = '', value = ''] of text.replaceAll(SCHEMED, '$1').matchAll(ANNOUNCED))
    if (saysSecret(name, value) && !PLACEHOLDER.test(value) && (between === '=' || /\d/.test(value))) return true
  return false
}

const ANNOUNCED = /(?<![\w.-])([A-Za-z_][\w.-]{1,63})["']?(\s{0,3}[:=]\s{0,3})["']?([^\s"'&;,|<>()\\]{3,400})/g
const PLACEHOLDER = /^[$%[{*.]|^(?:true|false|null|none|undefined|string|number|x{3,})$/i

/** Letters and digits in an order that no word and no identifier has, as long as keys are. */
function holdsKey(text: string): boolean {
  return (text.match(/(?<![\w+/-])[\w+/-]{32,200}(?![\w+/-])/g) ?? []).some((run) => {
    const pieces = run.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
    const isMixed = /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)
    const separators = run.length - run.replaceAll(/[^A-Za-z\d]/g, '').length
    return isMixed && separators * 10 <= run.length && pieces.length * 100 >= run.length * 28
  })
}

function placeFindings({ hostname, port, protocol }: URL, ports: readonly number[]): readonly AddressFinding[] {
  if (hostname.length > LONGEST_HOST) return [LONG_HOST]
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  const host = withoutTrailing(hostname, '.').toLowerCase()
  const addresses = ipv4sIn(host)
  return [
    ...(ENGINE_PORTS.includes(number) ? [{ score: SECRET_SCORE, why: 'the interface of a container engine' }] : []),
    ...(ports.includes(number) ? [OWN_FINDING] : []),
    ...(DEBUGGER_PORTS.includes(number) && isLoopback(hostname) ? [DEBUGGER_FINDING] : []),
    ...(isMetadataName(host) || addresses.some(isLinkLocal) || isLocalIpv6(host)
      ? [{ score: METADATA_SCORE, why: 'a link-local address, or the metadata of a cloud' }]
      : []),
  ]
}

/** Whoever the address is given to: what stands in it goes to that machine, unless it is this one. */
function secretFindings(url: URL): readonly AddressFinding[] {
  if (isLoopback(url.hostname)) return []
  const { username, password, pathname, search, hash, searchParams } = url
  const values = [username, pathname, search, hash, ...searchParams.values(), ...pathname.split('/')]
  const named = [...searchParams].some(([name, value]) => isLiteral(value) && saysSecret(name, value))
  const isSecret = isLiteral(decoded(password)) || named || values.some((value) => value !== '' && carriesSecret(value))
  return isSecret ? [SECRET_FINDING] : []
}

/** A value, and neither a variable nor what stands for one. */
function isLiteral(value: string): boolean {
  return value !== '' && !PLACEHOLDER.test(value)
}

const SECRET_FINDING: AddressFinding = { score: SECRET_SCORE, why: 'a secret in the address' }
/** `page_token`, `nextToken`: where a list goes on. */
const COUNTS_PAGES = /page|next|continu|sync|cursor/i

/** User names and long values that nobody can read. */
function carriedFindings(url: URL): readonly AddressFinding[] {
  const { username, hostname, pathname, searchParams } = url
  const isSecret = username !== ''
  const parts = [
    ...hostname.split('.').filter((part) => part.length >= 40),
    ...pathname.split('/'),
    ...searchParams.values(),
  ]
  return [
    ...(isSecret ? [SECRET_FINDING] : []),
    ...(parts.some(isOpaque) ? [{ score: OPAQUE_SCORE, why: 'a long value that nobody can read in the address' }] : []),
  ]
}

/** As it stands, decoded, and as base64 or hexadecimal digits. */
function formsOf(text: string): readonly string[] {
  return decodedForms(text).flatMap((form) => [
    form,
    ...(form.match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? []).flatMap(unpacked),
  ])
}

function decodedForms(text: string): readonly string[] {
  const forms = [text]
  for (let at = 0; at < 3 && /%[0-9a-f]{2}|\+/i.test(forms.at(-1) ?? ''); at++) {
    const next = decoded(forms.at(-1) ?? '')
    if (next === forms.at(-1)) break
    forms.push(next)
  }
  return forms
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

/** `fe80::/10`, and where Amazon and Google answer by IPv6. */
function isLocalIpv6(host: string): boolean {
  return /^\[(?:fe[89ab][0-9a-f]|fd00:ec2|fd20:ce):/.test(host)
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

/**
 * With a scheme, or a bare word that is an address in numbers, this machine or a name of the metadata; undefined when a
 * pattern in one stands for too many.
 */
function addressesIn(text: string): readonly string[] | undefined {
  const whole = (text.match(WHOLE) ?? []).map((address) => address.replace(/^[a-z\d+]+:[/\\]*/i, 'http://'))
  const bare = (text.match(BARE) ?? []).filter((host) => !/^\d{1,7}(?::|$)/.test(host) || /^0+(?::|$)/.test(host))
  const found = [...new Set([...whole, ...bare.map((host) => `http://${host}`)])]
  if (found.length > MOST_ADDRESSES) return undefined
  const spelled: string[] = []
  for (const address of found) {
    const all = spelledOut(address)
    if (all === undefined) return undefined
    spelled.push(...all)
  }
  return spelled
}

const SCHEMES =
  'https?|wss?|s?ftps?|scp|tcp|udp|gophers?|dict|telnet|rtsps?|ldaps?|smbs?|imaps?|pop3s?|smtps?|mqtts?|rediss?|grpcs?|socks\\w{0,3}'
const WHOLE = new RegExp(`\\b(?:${SCHEMES}):[^\\s'"\`<>|;)]+`, 'gi')
/** A part of an address in numbers, also as `[1-9]` and `{1,2}`, which curl and shells spell out. */
const NUMBER = '(?:0x[\\da-f]{1,16}|\\d{1,16}|[\\d]{0,3}[[{][\\d,.-]{1,40}[\\]}])'
const NAMES = '(?:[\\w-]{1,63}\\.){0,5}localhost|ip6-(?:localhost|loopback)|metadata(?:\\.[a-z.]{1,60})?|instance-data'
const PORT = '\\d{0,5}(?:[[{][\\d,.-]{1,40}[\\]}]|\\d{1,6})\\d{0,5}'
/** Behind `//`, `:` and `@` as well: `//host`, `--connect-to ::host:port`, `user@host`; and behind a flag, as in `-xhost`. */
const BARE = new RegExp(
  `(?:(?<![\\w.-]|(?<!\\/)\\/)|(?<=\\s-[A-Za-z]))(?:\\[[\\da-f:.]{2,60}\\]|${NUMBER}(?:\\.${NUMBER}){0,3}|${NAMES})\\.?(?::${PORT})?(?!\\w|\\.\\d)`,
  'gi',
)

/** One address for each choice in its host and port. */
function spelledOut(address: string): readonly string[] | undefined {
  const [authority = ''] = /^http:\/\/[^/?#\\]*/.exec(address) ?? []
  const rest = address.slice(authority.length)
  let all: readonly string[] = [authority]
  for (let round = 0; round < MOST_CHOICES; round++) {
    const [found] = CHOICE.exec(all[0] ?? '') ?? []
    if (found === undefined) return all.map((each) => each + rest)
    const choices = alternativesOf(
      `{${found.slice(1, -1).replace(RANGE, '$1..$2$3').replace(':', '..')}}`,
      MOST_SPELLED,
    )
    if (choices === undefined || choices.length * all.length > MOST_SPELLED) return undefined
    all = all.flatMap((each) => choices.map((choice) => each.replace(found, () => choice)))
  }
  return undefined
}

const CHOICE = /\{[^{}]*\}|\[\w+-\w+(?::\d+)?\]/
const RANGE = /^(\w+)-(\w+)(:\d+)?$/
const MOST_CHOICES = 6
const MOST_SPELLED = 1_000

/** Behind a name of one word, which may be this machine's, and behind what a shell puts there. */
function ownPortsIn(text: string, ports: readonly number[]): boolean {
  for (const [, port = ''] of text.matchAll(HOST_AND_PORT)) {
    const all = spelledOut(`http://${port}`)?.map((each) => Number(each.slice('http://'.length)))
    if (all === undefined || all.some((each) => ports.includes(each))) return true
  }
  for (const [, host = '', port = ''] of text.matchAll(SOCKET)) if (host !== '' && isOwnPort(port, ports)) return true
  return false
}

const HOST_AND_PORT = new RegExp(
  `(?<![\\w./-])(?:\\$\\([^()\\n]{1,80}\\)|\`[^\`\\n]{1,80}\`|\\$\\{?\\w{1,60}\\}?|[a-z][\\w-]{0,62}(?:\\.local)?):(${PORT})(?!\\w)`,
  'gi',
)
const SOCKET = /\/dev\/(?:tcp|udp)\/([^\s/]{1,253})\/(\d{1,6})/gi
