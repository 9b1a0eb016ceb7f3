import { changesIn, hasRandomPart, isFormOfSecret, isLongPassword, isPassphrase, isPlaceholder } from './secret-form.ts'
import { isReference, isSecretName } from './secret-names.ts'
import { createValueEnds, quoteAt, type ValueEnds } from './value-ends.ts'

/** A part of a text that looks like a credential. */
export interface Credential {
  readonly start: number
  readonly end: number
  readonly kind: CredentialKind
  /** It may reach over several words, and so over something else than a credential. */
  readonly isPhrase?: boolean
  /** It stands where a secret would and has not the form of one: a word, code, a placeholder. */
  readonly isDoubtful?: boolean
}

export type CredentialKind =
  | 'confirmation token'
  | 'client token'
  | 'verification code'
  | 'private key'
  | 'password'
  | 'bearer token'
  | 'JSON web token'
  | 'key'
  | 'secret'

export interface SearchOptions {
  /** Also what stands behind a name that announces a secret, as in `DB_PASSWORD=…`, `--token …` or `mysql -p…`. */
  readonly isProse?: boolean
  /** Also what may be a secret of several words. */
  readonly withPhrases?: boolean
  /** Without what is doubtful. */
  readonly onlyCertain?: boolean
  /** The text is the beginning of a longer one: a quotation that does not end in it goes on behind it. */
  readonly isCut?: boolean
}

/**
 * In order, none inside another. Each search takes linear time: nothing that repeats is followed by something that it
 * could have matched itself, and what may fail after a long run begins only where no run could have begun before it.
 * What is found is one word: no blank, no quotation mark and nothing that a shell reads (`; | & $ ( ) < > { } \`, a
 * backtick) stands inside. So whatever an agent writes, a mask hides no command and no argument but the one word that
 * was taken for a credential. Only phrases reach further; they are for texts that nothing runs.
 */
export function findCredentials(text: string, options: SearchOptions = {}): readonly Credential[] {
  const found: Credential[] = []
  for (const shape of SHAPES)
    if (text.length >= shape.shortest && text.search(shape.shape) >= 0) found.push(...ofShape(text, shape))
  if (text.includes('PRIVATE KEY')) found.push(...inKeyBlocks(text))
  found.push(...inAddresses(text))
  if (options.isProse) found.push(...inProse(text, options.isCut))
  const { withPhrases = false, onlyCertain = false } = options
  const meant = found.filter(
    ({ isPhrase = false, isDoubtful = false }) => (withPhrases || !isPhrase) && !(onlyCertain && isDoubtful),
  )
  return meant.length > 1 ? apart(meant) : meant
}

/** Most texts hold no word that announces anything and no name of a program, and each search costs more than that. */
function inProse(text: string, isCut = false): readonly Credential[] {
  const isProgram = (/\s-/.test(text) || text.includes('login')) && PROGRAM.test(text)
  if (!isProgram && !MAY_ANNOUNCE.test(text)) return []
  const whole = createValueEnds(text, false)
  const ends = isCut ? createValueEnds(text, true) : whole
  const given = isProgram ? givenToPrograms(text, ends) : []
  const words = [...announced(text, ends), ...named(text, whole), ...besides(text, whole), ...givenInTexts(text, ends)]
  return [...words, ...inCookies(text), ...given]
}

/** Where two overlap the first one grows. */
function apart(found: readonly Credential[]): readonly Credential[] {
  const all: Credential[] = []
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    if (!last || each.start >= last.end) all.push(each)
    else if (each.end > last.end) all[all.length - 1] = grown(last, each)
  }
  return all
}

function grown(last: Credential, next: Credential): Credential {
  const isPhrase = last.isPhrase === true || next.isPhrase === true
  return { start: last.start, end: next.end, kind: last.kind, ...(isPhrase && { isPhrase }) }
}

interface Shape {
  readonly kind: CredentialKind
  /** Its first parenthesis, if any, holds what stands before the credential. */
  readonly shape: RegExp
  readonly isMeant?: (held: string) => boolean
  /** How long a text with one is at least: most texts of a call are names and ids. */
  readonly shortest: number
  readonly isPhrase?: (held: string) => boolean
  readonly isDoubtful?: (held: string) => boolean
}

/** How the keys of well-known services begin. */
const KEY_SHAPE =
  /\b(?:gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent)-|xox[a-eprs][.-]|xapp-|sk-|[spr]k_(?:live|test)_|whsec_|npm_|pypi-|hf_|do[opr]_v1_|shp(?:at|ca|ss|pa)_|lin_api_|ya29\.|SG\.|AGE-SECRET-KEY-1|A[KS]IA|AIza|EAA|AT[AC]TT3|ATBB|glsa_|glc_|hv[bs]\.|dckr_pat_|sq0(?:atp|csp)-|GOCSPX-|gsk_|dapi(?=[0-9a-f]{32})|figd_|sntry[su]_|xkeysib-|tskey-|HRKU-|pat-(?:na|eu)\d-|sbp_|sb_secret_|pscale_|CCIPAT_|rubygems_|xai-|pplx-|ntn_|ops_eyJ|secret_(?=[A-Za-z0-9]{43}(?!\w))|NRAK-|NRII-|PMAK-|pul-(?=[0-9a-f]{40})|CLOJARS_|CFPAT-|cfat_|duffel_(?:live|test)_|shippo_(?:live|test)_|rzp_live_|tfp_|sgp_|phx_|napi_|tvly-|e2b_|pcsk_|lsv2_|bkua_|nfp_|rnd_|r8_|EZAK|SK(?=[0-9a-f]{32}(?!\w))|(?<![\w-])key-(?=[0-9a-f]{32}(?!\w))|access-production-)[A-Za-z0-9_-]{16,}/g

/**
 * What is found must have the form of a credential, not only follow a word that announces one: a path or a name after
 * `Basic` is what somebody will look for in the trail. Behind the name of the header whatever stands there is one.
 */
const SHAPES: readonly Shape[] = [
  {
    kind: 'confirmation token',
    shortest: 21,
    shape: /(?:conf|quota_continue)_(?:[0-9a-f]{64}|[A-Za-z0-9_-]{16,})/g,
    isMeant: (held) => /_[0-9a-f]{64}$/.test(held) || isKey(held),
  },
  { kind: 'client token', shortest: 50, shape: /\bmcpaql_[\w-]{43}/g },
  {
    kind: 'verification code',
    shortest: 28,
    shape: /\b[A-Z2-7]{4}(?:(?:-[A-Z2-7]{4}){6}|[A-Z2-7]{24}|(?: [A-Z2-7]{4}){6})\b/gi,
    isMeant: isCode,
    isPhrase: (held) => held.includes(' '),
  },
  {
    kind: 'private key',
    shortest: 40,
    shape:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\s{0,4}[A-Za-z]{1,20}(?:-[A-Za-z]{1,20})?: [^\n;|&$()<>`"']{0,200}){0,4}(?:[A-Za-z0-9+/=\s\\]{0,20000}(?=-----END)|(?:(?:\s|\\[nr]){0,4}[A-Za-z0-9+/=]{16,}){0,2000})/g,
    isMeant: (held) => !/-----\s*$/.test(held.slice(-60)),
    isPhrase: () => true,
  },
  {
    kind: 'bearer token',
    shortest: 20,
    shape: inHeader('(?:Bearer|Digest|Negotiate|Token)'),
    isDoubtful: (held) => !isFormOfSecret('token', held),
  },
  { kind: 'password', shortest: 20, shape: inHeader('Basic') },
  { kind: 'password', shortest: 10, shape: /\b(Basic )[A-Za-z0-9+/]{4,}={0,2}/gi, isMeant: isBasic },
  // The whole text is the value of a header.
  {
    kind: 'bearer token',
    shortest: 19,
    shape: /^((?:Bearer|Digest|Negotiate) )[A-Za-z0-9._~+/=-]{12,8192}$/gi,
    isMeant: isMixed,
  },
  {
    kind: 'bearer token',
    shortest: 19,
    shape: /\b((?:Bearer|Digest|Negotiate) )[A-Za-z0-9][A-Za-z0-9._~+=-]{11,}(?:\/[A-Za-z0-9._~+=-]{0,2000}){0,200}/gi,
    isMeant: isKey,
  },
  {
    kind: 'JSON web token',
    shortest: 16,
    shape: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}/g,
    isMeant: isWebToken,
  },
  { kind: 'key', shortest: 40, shape: /\bgh[pousr]_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'key', shortest: 19, shape: KEY_SHAPE, isMeant: isKey, isDoubtful: (held) => /^A[KS]IA/.test(held) },
  // Keys of several parts, one beside its id, and what stands behind the id of a bot.
  {
    kind: 'key',
    shortest: 25,
    shape:
      /\b(?:SG\.[\w-]{16,100}\.[\w-]{16,200}|ya29\.(?:[a-z]\.)?[\w-]{16,2000}(?:\.[\w-]{1,2000})?|AT[AC]TT3[\w-]{16,500}=[0-9A-Fa-f]{8}(?!\w)|1\/\/0[\w-]{30,500}|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,200}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|pat[A-Za-z0-9]{14}\.[0-9a-f]{64})/g,
    isMeant: isKey,
  },
  {
    kind: 'key',
    shortest: 57,
    shape: /(\bA[KS]IA[A-Z0-9]{12,20}(?:\\?["'])?[\s,:;=/]{1,3}(?:\\?["'])?)[A-Za-z0-9/+]{40}(?![\w/+=])/g,
    isMeant: isKey,
  },
  {
    kind: 'key',
    shortest: 60,
    shape: /\.[\w-]{6}\.(?<=\b[MNO][\w-]{23,27}\.[\w-]{6}\.)[\w-]{27,45}(?![\w.-])/g,
    isMeant: isKey,
  },
  { kind: 'key', shortest: 39, shape: /(:)AA[\w-]{30,40}(?![\w-])/g, isMeant: isKey },
  // Addresses that are credentials themselves, and the signature of an address that opens a store.
  {
    kind: 'key',
    shortest: 24,
    shape:
      /(\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)|hooks\.zapier\.com\/hooks|discord(?:app)?\.com\/api\/webhooks\/\d{1,30})\/|\.webhook\.office\.com\/webhookb2\/)[\w@/-]{8,}/gi,
  },
  { kind: 'key', shortest: 30, shape: /(\bbot)\d{6,20}:[\w-]{20,}/gi },
  {
    kind: 'key',
    shortest: 11,
    shape: /([?&](?:sig|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=)[\w%+/=.-]{6,}/gi,
  },
  // SQL that sets a password.
  {
    kind: 'password',
    shortest: 18,
    shape:
      /(\bIDENTIFIED\s{1,3}(?:WITH\s{1,3}[\w'"]{1,64}\s{1,3})?(?:BY|AS)\s{1,3}['"])[^\s"'`;|&$()<>{}\\]{3,200}(?=["'])/gi,
  },
  {
    kind: 'password',
    shortest: 20,
    shape:
      /(\b(?:USER|ROLE|LOGIN)\s{1,3}[\w"'@.%-]{1,64}\s{1,3}(?:[A-Z]{1,20}\s{1,3}){0,4}PASSWORD\s{0,3}=?\s{0,3}')[^\s"'`;|&$()<>{}\\]{3,200}(?=')/gi,
  },
]

/**
 * A header with its scheme, as it is sent or as one quoted word. Without the quotation mark `Authorization=Bearer x` is
 * a variable of a shell, and `x` what it runs.
 */
function inHeader(scheme: string): RegExp {
  return new RegExp(
    `\\b((?:Proxy-)?Authorization["']?\\s{0,3}(?::\\s{0,3}["']?|=\\s{0,3}["'])${scheme} )[^\\s"'\\\\;|&$()<>{}\`]+`,
    'gi',
  )
}

function ofShape(text: string, { kind, shape, isMeant, isPhrase, isDoubtful }: Shape): readonly Credential[] {
  const found: Credential[] = []
  for (const { 0: all, 1: head = '', index } of text.matchAll(shape)) {
    const held = all.slice(head.length)
    if (isMeant?.(held) === false) continue
    const marks = { ...(isPhrase?.(held) && { isPhrase: true }), ...(isDoubtful?.(held) && { isDoubtful: true }) }
    found.push({ kind, start: index + head.length, end: index + all.length, ...marks })
  }
  return found
}

/** Upper and lower letters or digits mixed for so long that no name is written like it. */
function isKey(held: string): boolean {
  return changesIn(held) >= 4 || /[A-Z0-9]{14,}/.test(held)
}

/** With hyphens, in capital letters, or mixed: 28 small letters and a year are a name. */
function isCode(held: string): boolean {
  if (!/[2-7]/.test(held)) return false
  if (held.includes(' ')) return /[A-Z]/i.test(held)
  return held.includes('-') || held === held.toUpperCase() || changesIn(held) >= 3
}

function isWebToken(held: string): boolean {
  return /^\{\s*"\w+"\s*:/.test(Buffer.from(held.slice(0, 60).split('.')[0] ?? '', 'base64url').toString('latin1'))
}

/**
 * The lines of a private key: long ones that look random, and the last one where it is padded or mixed. Everything else
 * between the two marks stays, since it may be a command.
 */
function inKeyBlocks(text: string): readonly Credential[] {
  const found: Credential[] = []
  for (const { index, 0: mark } of text.matchAll(KEY_BLOCK)) {
    KEY_HEADERS.lastIndex = index + mark.length
    let at = KEY_HEADERS.test(text) ? KEY_HEADERS.lastIndex : index + mark.length
    let lines: Span | undefined
    for (;;) {
      KEY_LINE.lastIndex = at
      const [, gap = '', line = ''] = KEY_LINE.exec(text) ?? []
      if (!isKeyLine(line, lines !== undefined)) break
      lines = { start: lines?.start ?? at + gap.length, end: at + gap.length + line.length }
      at = lines.end
    }
    if (lines) found.push({ kind: 'private key', ...lines })
  }
  return found
}

const KEY_BLOCK = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g
/** They stay in sight, whatever they say. */
const KEY_HEADERS = /(?:(?:\s|\\[nr]){1,4}[A-Za-z-]{1,30}: [^\n\\]{0,200}){0,4}/y
const KEY_LINE = /((?:\s|\\[nr]){0,6})([A-Za-z0-9+/]{1,20000}={0,2})/y

function isKeyLine(line: string, isBehindOthers: boolean): boolean {
  if (line.length >= 32) return isRandom(line)
  return (
    isBehindOthers &&
    line.length >= 4 &&
    (line.endsWith('=') || (/[a-z]/.test(line) && /[A-Z]/.test(line) && /\d/.test(line)))
  )
}

/** A user and a password in base64. */
function isBasic(credential: string): boolean {
  return /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(credential, 'base64').toString('latin1'))
}

function isMixed(token: string): boolean {
  return /[0-9]/.test(token) && /[A-Za-z]/.test(token)
}

/** The password of an address. Each piece between one `://` and the next is read twice. */
function inAddresses(text: string): readonly Credential[] {
  const found: Credential[] = []
  for (let at = text.indexOf('://'); at >= 0; ) {
    const from = at + 3
    at = text.indexOf('://', from)
    const piece = text.slice(from, at < 0 ? undefined : at)
    const [address = ''] = ADDRESS.exec(piece) ?? []
    const place = passwordIn(address)
    if (place)
      found.push({
        kind: 'password',
        start: from + place.start,
        end: from + place.end,
        ...(isExample(address, place) && { isDoubtful: true }),
      })
    if (!SIGN.test(piece[address.length] ?? '')) continue
    const [whole = ''] = QUOTED_ADDRESS.exec(piece) ?? []
    const hidden = passwordIn(whole)
    if (hidden && hidden.end > address.length && isHidden(whole.slice(hidden.start, hidden.end)))
      found.push({ kind: 'password', start: from + hidden.start, end: from + hidden.end, isPhrase: true })
  }
  return found
}

const ADDRESS = /^(?:[^\s;|&$()<>{},`"'\\]|\$(?![({A-Za-z_]))*/
/** In a quotation nothing but its end ends the address. */
const QUOTED_ADDRESS = /^[^\s"'`\\]*/
const SIGN = /[;|&$()<>{},]/

interface Span {
  readonly start: number
  readonly end: number
}

/** A word that stands for a password, also the name of the user where the host is this computer or a service beside it. */
function isExample(address: string, { start, end }: Span): boolean {
  const password = address.slice(start, end)
  if (isPlaceholder(password)) return true
  return (
    password === address.slice(0, start - 1) &&
    /^(?:[\w-]+|127\.[\d.]+|\[::1\])(?:[:/?#]|$)/.test(address.slice(end + 1))
  )
}

/** Not the variables of a shell or of a template. */
function isHidden(password: string): boolean {
  const literal = password.replace(/\$(?:\w+|\{[^{}]*\}|\([^()]*\))/g, (name) => (hasRandomPart(name) ? name : ''))
  return isFormOfSecret('password', literal)
}

/** Up to the last `@` before the path; one that holds a slash itself up to the first behind it, where no port stands. */
function passwordIn(address: string): Span | undefined {
  const path = address.search(/[/?#]/)
  const host = path < 0 ? address : address.slice(0, path)
  const colon = host.indexOf(':')
  const sign = host.lastIndexOf('@')
  if (sign >= 0) {
    if (colon >= 0 && colon + 1 < sign) return { start: colon + 1, end: sign }
    return /^[\w-]{16,}@/.test(host) && isMixed(host.slice(0, sign)) ? { start: 0, end: sign } : undefined
  }
  const isHostAlone = colon < 0 || host.startsWith('[') || /^\d*$/.test(host.slice(colon + 1))
  const end = isHostAlone || path < 0 ? -1 : address.indexOf('@', path)
  return end < 0 ? undefined : { start: colon + 1, end }
}

function announced(text: string, ends: ValueEnds): readonly Credential[] {
  const found: Credential[] = []
  let from = 0
  for (const match of text.matchAll(ANNOUNCER)) {
    const { 0: all, 1: flag, 2: key = '', 3: before = '', 4: sign = '', 5: after = '', index } = match
    const name = flag ?? key
    if (index < from || !announces(name) || isNameOfData(name, sign, text, index + all.length)) continue
    const at = index + all.length
    const isAssignedNothing = sign === '=' && before === '' && after !== ''
    const isSentence = flag === undefined && after !== ''
    if (isAssignedNothing || (flag !== undefined && SWITCH.test(flag))) continue
    SCHEME.lastIndex = at
    const [scheme = ''] = sign === '=' || after === '' || flag !== undefined ? [] : (SCHEME.exec(text) ?? [])
    const start = at + scheme.length
    const isStrong = isSecretName(name, 'text')
    const isGiven = before === '' && after === '' // as to a program, or in JSON
    const isLiteral = isGiven && LITERAL_NAME.test(name)
    found.push(...joinedAt(text, start))
    const secrets = secretsAt({ text, start, ends, isSentence, isStrong, isBlock: scheme.includes('\n') })
    if (secrets.length > 0 && isCount(name, text, start)) continue
    found.push(...secrets.map((secret) => weighed(secret, name, text, { isGiven, isLiteral })))
    from = Math.max(from, ...secrets.map(({ end }) => end))
  }
  return found
}

/** AUDIT-06: only what has the form of a secret stops an action; the rest is masked at most. */
function weighed(secret: Credential, name: string, text: string, how: Giving = {}): Credential {
  const { isGiven = false, isLiteral = false } = how
  const { start, end, isPhrase = false } = secret
  const value = text.slice(start, Math.min(end, start + LONGEST_SEEN))
  const isCalled = text[end] === '(' || text[end] === '['
  const isCertain = isPhrase
    ? isPassphrase(name, value) || isFormOfSecret(name, unquoted(value))
    : !isCalled && (isFormOfSecret(name, value, isLiteral) || (isGiven && isLongPassword(name, value, isLiteral)))
  return isCertain ? secret : { ...secret, isDoubtful: true }
}

/** `ab"…"`, which a shell reads as one word. */
function joinedAt(text: string, start: number): readonly Credential[] {
  JOINED.lastIndex = start
  const [all = '', part = ''] = JOINED.exec(text) ?? []
  const end = start + all.length - 1
  return hasRandomPart(part) ? [{ kind: 'secret', start: end - part.length, end }] : []
}

const JOINED = /[\w.+/=@#%^*~-]{1,100}["']([^\s"'&;,|<>()`$\\{}]{8,200})["']/y

interface Giving {
  /** Without blanks, as to a program or in JSON. */
  readonly isGiven?: boolean
  /** No program has names there. */
  readonly isLiteral?: boolean
}

const LITERAL_NAME = /^-|^[A-Z][A-Z0-9_]*$/

function unquoted(value: string): string {
  const inner = value.slice(quoteAt(value, 0).length)
  const [closing = ''] = /\\?["']$/.exec(inner.slice(-2)) ?? []
  return inner.slice(0, inner.length - closing.length)
}

/**
 * A name starts where none could have started before it, so that each text is read once. Behind a flag a space is
 * enough; nothing reaches into the next line.
 */
const ANNOUNCER =
  /(?<![\w.-])(?:(--?[A-Za-z][\w.-]{1,127})[ \t]{1,3}|(-{0,2}[A-Za-z_][\w.-]{1,127})\\?["']?\]?([ \t]{0,3})(:=|[-=]>|[:=：＝])([ \t]{0,3}))/g

/**
 * `key` and `session` name a place in a store as well, as in `{"Key": "9f86…"}`, `del session:8f3a…` and
 * `{"key": "user:8f3a…"}`, where a number in hexadecimal is an id.
 */
function isNameOfData(name: string, sign: string, text: string, start: number): boolean {
  if (OF_DATA.test(name)) return true
  if (sign !== ':' || !/^(?:key|session)$/i.test(name)) return false
  ID.lastIndex = start
  return ID.test(text) && (/^key$/i.test(name) || text[start - 1] === ':')
}

const OF_DATA =
  /(?:^|[-_.])(?:idempotency|cache|partition|sort|primary|foreign|public|row|hash|range|group|object|dedup(?:lication)?|routing)[-_]?key$/i
const ID =
  /\\?["']?(?:[A-Za-z][A-Za-z_-]{0,30}[:/#]){0,4}[0-9a-f]{4,}(?:-[0-9a-f]{2,}){0,10}(?:[:/#][A-Za-z_-]{1,30}){0,4}(?![\w.:/#-])/y

/**
 * Where the name and the secret are two values (`{"name": "X-Api-Key", "value": "…"}`, `setdefault('password', '…')`),
 * or the secret is what a shell takes where the name has no value (`${DB_PASSWORD:-…}`): only with the form of a secret.
 */
function besides(text: string, ends: ValueEnds): readonly Credential[] {
  const found: Credential[] = []
  for (const shape of BESIDES) {
    if (text.search(shape) < 0) continue
    for (const { 0: all, 1: name = '', index } of text.matchAll(shape)) {
      if (!announces(name)) continue
      const secrets = secretsAt({ text, start: index + all.length, ends })
      const weighty = secrets.map((secret) => weighed(secret, name, text, { isGiven: true }))
      found.push(...weighty.filter(({ isDoubtful }) => !isDoubtful))
    }
  }
  return found
}

const BESIDES: readonly RegExp[] = [
  /(?<!\w)(?:parameter)?(?:name|key|header|variable|field)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?([A-Za-z_][\w.-]{1,127})\\?["']?(?:\s|\\n|,){1,40}\\?["']?(?:parameter)?value\\?["']?[ \t]{0,3}[:=][ \t]{0,3}/gi,
  /\([ \t]{0,3}\\?["']([A-Za-z_][\w.-]{1,127})\\?["'][ \t]{0,3},[ \t]{0,3}(?=\\?["'])/g,
  /\$\{([A-Za-z_]\w{1,127}):?[-=](?=[^\s$])/g,
]

/** The values of all cookies, of which only the first stands behind a name that announces one. */
function inCookies(text: string): readonly Credential[] {
  if (text.search(COOKIES) < 0) return []
  const found: Credential[] = []
  let from = 0
  for (const { 0: all, index } of text.matchAll(COOKIES)) {
    if (index < from) continue
    COOKIE.lastIndex = index + all.length
    for (let match = COOKIE.exec(text); match; match = COOKIE.exec(text)) {
      const { 0: pair, 1: value = '', 2: next = '' } = match
      const end = match.index + pair.length - next.length
      if (isFormOfSecret('cookie', value)) found.push({ kind: 'secret', start: end - value.length, end })
      from = match.index + pair.length
    }
  }
  return found
}

const COOKIES =
  /(?:\bcookies?\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?|\b(?:curl|http|https|wget)\b[^\n|;&$()<>`]{0,120}?\s(?:-b|--cookie)[ =]{0,3}\\?["']?)/gi
const COOKIE = /[\w.-]{1,100}=([^\s"'`;,|&$()<>{}\\]{0,4096})(;[ \t]{0,3})?/y

/** Behind a name and a blank only what looks like a secret is one: `the password is …`, `configure aws_secret_key …`. */
function named(text: string, ends: ValueEnds): readonly Credential[] {
  const found: Credential[] = []
  for (const { 0: all, 1: name = '', index } of text.matchAll(NAMER)) {
    if (!announces(name)) continue
    found.push(...secretsAt({ text, start: index + all.length, ends, isStrong: false }))
  }
  return found
}

const NAMER = /(?<![\w.-])([A-Za-z_][\w.-]{1,127})[ \t]{1,3}(?:(?:is|was|to)[ \t]{1,3})?(?![-=:])/g

/** `max_tokens: 500` */
function isCount(name: string, text: string, start: number): boolean {
  NUMBER.lastIndex = start
  return NUMBER.test(text) && !isSecretName(name, 0)
}

const NUMBER = /\d[\d_]{0,12}(?![\w.-])/y

function announces(name: string): boolean {
  if (!MAY_ANNOUNCE.test(name) || isReference(name) || WITHOUT.test(name)) return false
  return isSecretName(name, 'text') || WEAK_NAME.test(name)
}

const MAY_ANNOUNCE = /pass|secret|cred|auth|cookie|key|token|pwd?|psw|pin|otp|jwt|bearer|cv[vc]|session|sig|kennwort/i

/** What stands behind these is a secret only if it looks like one. */
const WEAK_NAME = /(?:^|[^A-Za-z])(?:x-)?(?:auth|key|session|sig|signature)$/i

/** `NOPASSWD:ALL` */
const WITHOUT = /^-{0,2}no[-_]?(?:pass|token|auth|cookie|secret)/i

/** A flag that takes no value, or the name of what is acted upon: what follows is another argument. */
const SWITCH =
  /^--?(?:with|without|ask|use|save|keep|show|list|get|allow|skip|require|enable|disable|reset|rotate|delete|remove|export|import|generate|create)[-_]/i

/** Between the name and the secret: how a header authenticates, or the start of a block of YAML. */
const SCHEME = /(?:(?:Basic|Bearer|Digest|Negotiate|Token)[ \t]{1,3}|[|>][-+]?\r?\n\s{1,20})/iy

function givenToPrograms(text: string, ends: ValueEnds): readonly Credential[] {
  return PROGRAMS.flatMap((shape) => behind(text, shape, ends)).map((secret) => givenSecret(secret, text))
}

function givenInTexts(text: string, ends: ValueEnds): readonly Credential[] {
  return PASSWORDS_OF_TEXTS.flatMap((shape) => behind(text, shape, ends)).map((secret) =>
    weighed(secret, 'password', text),
  )
}

/** What a program is given as its password is one, unless it stands for one. */
function givenSecret(secret: Credential, text: string): Credential {
  if (secret.isPhrase) return weighed(secret, 'password', text)
  return isPlaceholder(text.slice(secret.start, secret.end)) ? { ...secret, isDoubtful: true } : secret
}

function behind(text: string, shape: RegExp, ends: ValueEnds): readonly Credential[] {
  if (text.search(shape) < 0) return []
  const found: Credential[] = []
  for (const { 0: all, 1: quote = '', index } of text.matchAll(shape)) {
    const start = index + all.length
    for (const secret of secretsAt({ text, start, ends, quote })) found.push({ ...secret, kind: 'password' })
  }
  return found
}

/** The programs below, by their beginnings. */
const PROGRAM =
  /\b(?:mysql|mariadb|curl|http|wget|etcdctl|sshpass|redis-cli|ldap|mongo|cqlsh|cypher-shell|twine|ncftpput|useradd|poetry|security|smbclient|docker|podman|nerdctl|buildah|skopeo|oras|crane|helm|az|oc|openssl|machine|default|zip|unzip|sqlcmd|bcp|mssql-cli|ipmitool|7z|rar|unrar|htpasswd)/

/** What stands before the password; in the first parenthesis the quotation mark that it is inside of. */
const PROGRAMS: readonly RegExp[] = [
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&$()<>`]{0,80}?\s-p(?=\S)/g,
  /\b(?:curl|http|https|wget|etcdctl)\b[^\n|;&$()<>`]{0,120}?\s(?:-[A-Za-z]{0,8}u|--user|--proxy-user)[ =]?(["']?)[^\s:"'=]{1,64}:/g,
  /\bsshpass\s{1,3}-p[ \t]{0,3}/g,
  /\bredis-cli\b[^\n|;&$()<>`]{0,80}?\s-a[ \t]{1,3}/g,
  /\b(?:ldapsearch|ldapmodify|ldapadd|ldapdelete|ldappasswd|ldapwhoami)\b[^\n|;&$()<>`]{0,120}?\s-w[ \t]{0,3}/g,
  /\b(?:mongo(?:sh|dump|restore|export|import)?|cqlsh|cypher-shell|twine|ncftpput|useradd|poetry\s{1,3}publish|security\s{1,3}unlock-keychain)\b[^\n|;&$()<>`]{0,120}?\s-p[ \t]{0,3}/g,
  /(?<![\w./-])(?:zip|unzip|sqlcmd|bcp|mssql-cli|ipmitool)\b[^\n|;&$()<>`]{0,120}?\s-P[ \t]{0,3}/g,
  /(?<![\w./-])(?:7z[ar]?|7zz|rar|unrar)\b[^\n|;&$()<>`]{0,120}?\s-h?p(?=\S)/g,
  /\bhtpasswd\s{1,3}(?=-\w{0,6}b)(?:-\w{0,6}n\w{0,6}|-\w{1,8}\s{1,3}\S{1,100})\s{1,3}\S{1,100}\s{1,3}/g,
  /\bsmbclient\b[^\n|;&$()<>`]{0,120}?\s(?:-U|--user)[ =]?(["']?)[^\s%"'=]{1,64}%/g,
  /\b(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|helm|az|oc)\b[^\n|;&$()<>`]{0,40}?\slogin\b[^\n|;&$()<>`]{0,100}?\s-p[ =]{0,3}/g,
  /\bopenssl\s{1,3}enc\b[^\n|;&$()<>`]{0,120}?\s-k[ \t]{1,3}/g,
  /\b(?:machine\s{1,3}\S{1,100}|default)\s{1,3}login\s{1,3}\S{1,100}\s{1,3}password[ \t]{1,3}/g, // netrc
]

/** SQL, words before a quotation, a user and a password in Python, and XML. */
const PASSWORDS_OF_TEXTS: readonly RegExp[] = [
  /\bpass(?:word|wd|phrase)(?:[ \t]{1,3}(?=\\?["'][^\s"'\\]{3,200}\\?["'])|\((?=\\?["']))/gi,
  /\bSET\s{1,3}PASSWORD\s{1,3}FOR\s{1,3}[\w"'@.%-]{1,64}\s{0,3}=\s{0,3}(?=['"])/gi,
  /\bauth\s{0,3}=\s{0,3}\(\s{0,3}\\?["'][^\s"'\\]{1,64}\\?["']\s{0,3},\s{0,3}(?=\\?["'])/g,
  /<(?:[\w:.-]{0,40}(?:password|passwd|secret|token|api-?key))>(?=[^\s<>]{3,4096}<\/)/gi,
]

interface Place {
  readonly text: string
  readonly start: number
  readonly ends: ValueEnds
  /** The quotation mark that the place is inside of. */
  readonly quote?: string
  /** A word of a language may stand there. */
  readonly isSentence?: boolean
  /** The line behind `password: |`, which for a shell is the next command. */
  readonly isBlock?: boolean
  /** False where only what looks like a secret is one. */
  readonly isStrong?: boolean
}

/** The word that stands there, and all of it where that is more. */
function secretsAt({
  text,
  start,
  ends,
  quote = '',
  isSentence,
  isBlock,
  isStrong = true,
}: Place): readonly Credential[] {
  if (/^\$["']/.test(text.slice(start, start + 2))) return secretsAt({ text, start: start + 1, ends, quote, isStrong })
  if (!isStrong && !isLikeSecret(text, start)) return []
  const end = secretEnd(text, start, ends, quote)
  if (end === start) return []
  const word = isBlock ? undefined : wordAt(text, start, quote)
  if (isSentence && word && word.start === start && isPlainWord(text, word)) return []
  const isWhole = word !== undefined && end <= word.end + (word.start - start)
  return [
    ...(word ? [{ kind: 'secret', ...word } as const] : []),
    ...(isWhole || !isStrong ? [] : [{ kind: 'secret', start, end, isPhrase: true } as const]),
  ]
}

/**
 * One word of a shell, of which nothing else is a part. In a quotation that goes on behind a blank it is not known to
 * be one.
 */
function wordAt(text: string, start: number, quote: string) {
  const mark = quoteAt(text, start)
  const opened = quote === '' ? mark : quote
  const begin = quote === '' ? start + mark.length : start
  WORD.lastIndex = begin
  if (!WORD.test(text)) return undefined
  const end = WORD.lastIndex
  const next = text[end] ?? ''
  const isEnded = opened === '' ? next !== '\\' : next === '' || text.startsWith(opened, end) || OPERATOR.test(next)
  const word = { start: begin, end }
  return isEnded && !isSeen(text.slice(begin, end)) ? word : undefined
}

const WORD = /(?:[^\s"'&;,|<>()`$\\{}]|\$(?![({A-Za-z_'"])){3,8192}/y
const OPERATOR = /[;|&$()<>`,]/

/** A word of a language or a name in a program, as in `token: expire it`, `password: string` or `token = readToken()`. */
function isPlainWord(text: string, { start, end }: Span): boolean {
  if (text[end] === '(') return true
  return PLAIN_WORD.test(text.slice(start, Math.min(end, start + LONGEST_NAME)))
}

const LONGEST_NAME = 200
const PLAIN_WORD =
  /^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[a-z]+-[a-z]+|[A-Za-z_]+(?:\.[A-Za-z_]+)+|[A-Za-z_][A-Za-z]*_[A-Za-z_]+|[A-Z]+)(?:\[\S*|[.:!?…]*)$/

/** Only its beginning is looked at, since many may stand one inside another. */
function isLikeSecret(text: string, start: number): boolean {
  SECRET_START.lastIndex = start
  return changesIn(SECRET_START.exec(text)?.[1] ?? '') >= 4
}

const SECRET_START = /\\?["']?([^\s"'&;,|<>()`$\\{}]{12,64})/y

/** Where what stands there ends; at once where it is too short for a secret, or something that may be seen. */
function secretEnd(text: string, start: number, ends: ValueEnds, quote = ''): number {
  const quoted = quote === '' ? -1 : ends.quotedEnd(start, quote)
  const end = quoted < 0 ? ends.valueEnd(start) : quoted
  const value = unquoted(text.slice(start, Math.min(end, start + LONGEST_SEEN)))
  const isVariable = text[start] !== "'" && VARIABLE_ALONE.test(value)
  return value.length < 3 || isVariable || isSeen(value) ? start : end
}

const VARIABLE_ALONE = /^(?:(?:Basic|Bearer|Digest|Negotiate|Token) )?\$(?:(?:env:)?[A-Za-z_]\w*|\{[A-Za-z_]\w*\})$/i
const LONGEST_SEEN = 4_096

/**
 * A place, a pattern, a flag or a value of every day: somebody will look for it in the trail. A long text of letters in
 * both cases and digits is a secret, also where it begins like a path.
 */
export function isSeen(value: string): boolean {
  if (
    /^(?:(?:true|false|null|none|string|number|basic|bearer|digest|negotiate|token|\d{1,3}|[[{]+|\*+|\$\{\{[^{}]*\}\})$|[a-z][a-z+]{1,10}:\/\/)/i.test(
      value,
    )
  )
    return true
  const beginning = value.slice(0, LONGEST_WEIGHED)
  if (/^(?:\{\{|--?[A-Za-z][\w-]*$|%\w+%$)/.test(value)) return !hasRandomPart(beginning)
  return /^(?:~|\.{1,2}|\*{1,2})?\/|^\*\.|^~$/.test(value) && !isRandom(beginning) && !isRandomName(beginning)
}

/** What looks random does so at its beginning, and thousands of values may begin inside one another. */
const LONGEST_WEIGHED = 512

/** `/Lq77xQ7mZ9vK4p`: at the top there is no place of such a name. */
function isRandomName(value: string): boolean {
  return /^\/[^/]*$/.test(value) && hasRandomPart(value)
}

function isRandom(value: string): boolean {
  return value.length >= 20 && changesIn(value) >= 5
}
