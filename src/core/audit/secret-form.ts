/**
 * Has a value behind a name that announces a secret the form of one? Words, names in programs, placeholders, versions,
 * places and patterns have not: an action with one of them is no action with a credential.
 */
export function isFormOfSecret(name: string, value: string): boolean {
  if (/[\s()[\]{}<>]|\.\*|\\[a-z]/.test(value) || PLACEHOLDER.test(value) || VERSION.test(value)) return false
  if (NUMBERED_NAME.test(value)) return false
  if (NUMBERED.test(name) && /^\d{4,12}$/.test(value)) return true
  if (!/\d/.test(value)) return changesIn(value) >= 4 && !IDENTIFIER.test(value)
  if (isOfPassword(name)) return value.length >= 6 && /[A-Za-z]/.test(value) && !DOTTED.test(value)
  return value.split(/[._:/-]/).some(isRandomPiece)
}

/** Only a password has several words; a token or a key has none. */
export function isPassphrase(name: string, value: string): boolean {
  const words = value.replace(/^\\?["']|\\?["']$/g, '')
  return isOfPassword(name) && words.length >= 12 && PASSPHRASE.test(words) && !PLACEHOLDER.test(words)
}

/** Letters alone, where a program is given a password: longer than the word that stands for one in an example. */
export function isLongPassword(name: string, value: string): boolean {
  return isOfPassword(name) && /^[a-z]{10,}$/.test(value)
}

export function isOfPassword(name: string): boolean {
  return /pass|pwd?$|psw$|kennwort/i.test(name)
}

const NUMBERED = /(?:^|[^A-Za-z])(?:pin|cv[vc])$/i
const VERSION = /^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/
/** `bcrypt10Rounds`, `passwordInput1`, `min8chars`, `release-1` */
const NUMBERED_NAME =
  /^(?:[a-z]+\d{0,2}(?:[A-Z][a-z]+)+\d{0,2}|(?:min|max)\d+[a-z]+|[a-z]+(?:[-_/][a-z]+)*[-_/]\d{1,3})$/
/** `getAccessTokenFromStore`, `process.env.TOKEN`, `my_token` */
const IDENTIFIER = /^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*$|^[A-Za-z_$]+(?:[._:/-]+[A-Za-z_$]+)+[?!]?$/
/** `req.body.password2` */
const DOTTED = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/
const PLACEHOLDER =
  /^(?:(?:your|my|the|a|an|some|new|old|dummy|fake|sample|example|placeholder)\b.*|<.*|x{3,}|(?:change|replace)[ _-]?(?:me|this|it)\b.*|(?:password|passwd|pass|secret|token|test|foo|bar|user|admin|root|postgres|example|dummy|sample)[-_]?\d{0,4}!?)$/i
/** Three words and more, and no sign of a program between them. */
const PASSPHRASE = /^[^\s"'`;|&$()<>{}\\=]+(?: [^\s"'`;|&$()<>{}\\=]+){2,9}$/

function isRandomPiece(piece: string): boolean {
  if (piece.length < 8 || !/[A-Za-z]/.test(piece)) return false
  return changesIn(piece) >= 3 || (piece.match(/\d/g)?.length ?? 0) >= 4
}

/** How often letters of one kind and digits follow one another. */
export function changesIn(value: string): number {
  return value.match(/[a-z](?=[A-Z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
}
