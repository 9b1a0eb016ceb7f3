/**
 * Has a value behind a name that announces a secret the form of one? Words, names in programs, placeholders, versions,
 * places and patterns have not: an action with one of them is no action with a credential. A literal is the value of an
 * environment variable or of a flag, where no program has names.
 */
export function isFormOfSecret(name: string, value: string, isLiteral = false): boolean {
  if (isPlaceholder(value) || VERSION.test(value) || CURSOR.test(name)) return false
  if (CODE.test(value)) return isSecretWithSigns(name, value)
  if (NUMBERED_NAME.test(value) && !(isLiteral && isOfPassword(name) && NUMBERED_WORD.test(value))) return false
  if (NUMBERED.test(name) && /^\d{4,12}$/.test(value)) return true
  if (!/\d/.test(value)) return changesIn(value) >= 4 && !IDENTIFIER.test(value)
  if (isOfPassword(name))
    return value.length >= 6 && /[A-Za-z]/.test(value) && !(DOTTED.test(value) && !hasRandomPart(value))
  return value.split(/[._:/-]/).some(isRandomPiece)
}

/**
 * With signs that stand in code, in a pattern or between words it is a secret where a part looks random, and a password
 * where a bracket has no partner, as in no code.
 */
function isSecretWithSigns(name: string, value: string): boolean {
  if (/\s/.test(value) && /["'`;|&()<>]/.test(value)) return false
  if (hasRandomPart(value)) return true
  return isOfPassword(name) && hasBracketAlone(value) && value.length >= 6 && /[A-Za-z]/.test(value) && /\d/.test(value)
}

function hasBracketAlone(value: string): boolean {
  if (/^[[({<]|\s|\.\*|\\[a-z]/.test(value)) return false
  return BRACKETS.some(([open, close]) => value.split(open).length !== value.split(close).length)
}

const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
] as const

/** A run of letters and digits mixed as in no name, also one of several humps such as `getOAuth2TokenFromStore`. */
export function hasRandomPart(value: string): boolean {
  return value.split(/[^A-Za-z0-9]+/).some((part) => {
    const changes = part.length < 8 || !/\d/.test(part) ? 0 : changesIn(part)
    return changes >= 4 && changes * 7 >= part.length * 2
  })
}

/** Only a password has several words; a token or a key has none. */
export function isPassphrase(name: string, value: string): boolean {
  const words = value.replace(/^\\?["']|\\?["']$/g, '')
  return isOfPassword(name) && words.length >= 12 && PASSPHRASE.test(words) && !isPlaceholder(words)
}

/** Letters alone, where a program is given a password: longer than the word that stands for one in an example. */
export function isLongPassword(name: string, value: string, isLiteral: boolean): boolean {
  return isOfPassword(name) && (isLiteral ? /^[a-z]{10,}$/i : /^[a-z]{10,}$/).test(value) && !isPlaceholder(value)
}

export function isOfPassword(name: string): boolean {
  return /pass|pwd?$|psw$|kennwort/i.test(name)
}

/** `changeme`, `your-api-key`, `password123`: what stands for a secret in an example, in short words only. */
export function isPlaceholder(value: string): boolean {
  return (PLACEHOLDER.test(value) && !hasRandomPart(value)) || PLACEHOLDER_WORDS.test(value)
}

const CODE = /[\s()[\]{}<>]|\.\*|\\[a-z]/
const NUMBERED = /(?:^|[^A-Za-z])(?:pin|passcode|cv[vc])$/i
const VERSION = /^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/
/** They say where a list goes on. */
const CURSOR = /(?:next|page|continuation|cursor|sync|resume|start|starting)[-_]?(?:page[-_]?)?token$/i
/** `bcrypt10Rounds`, `passwordInput1`, `min8chars`, `release-1` */
const NUMBERED_NAME =
  /^(?:[a-z]+\d{0,2}(?:[A-Z][a-z]+)+\d{0,2}|(?:min|max)\d+[a-z]+|[a-z]+(?:[-_/][a-z]+)*[-_/]\d{1,3})$/
/** `dragon-123`, `monkey12Dragon` */
const NUMBERED_WORD = /^[A-Za-z]+(?:[-_]?\d+[A-Za-z]*)$/
/** `getAccessTokenFromStore`, `process.env.TOKEN`, `my_token` */
const IDENTIFIER = /^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*$|^[A-Za-z_$][A-Za-z$]*[._:/-][A-Za-z_$.:/-]*[A-Za-z_$][?!]?$/
/** `req.body.password2` */
const DOTTED = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/
const PLACEHOLDER =
  /^(?:<[\w /.:-]{0,60}>|x{3,}|(?:password|passwd|pass|secret|token|test|foo|bar|user|admin|root|postgres|example|dummy|sample)[-_]?(?!(?:19|20)\d\d)\d{0,4}!?)$/i
/** Few words, each in letters of one kind, and short numbers. */
const PLACEHOLDER_WORDS =
  /^(?:[Yy]our|YOUR|[Mm]y|MY|[Tt]he|THE|[Aa]n?|AN|[Ss]ome|SOME|[Nn]ew|NEW|[Oo]ld|OLD|[Dd]ummy|DUMMY|[Ff]ake|FAKE|[Ss]ample|SAMPLE|[Ee]xample|EXAMPLE|[Pp]laceholder|PLACEHOLDER|(?:[Cc]hange|CHANGE|[Rr]eplace|REPLACE)[ _-]?(?:[Mm]e|ME|[Tt]his|THIS|[Ii]t|IT))(?:[A-Z][a-z]{1,11}){0,4}(?:[-_. ]{1,2}(?:[A-Z]?[a-z]{1,12}|[A-Z]{1,12}|\d{1,3})){0,5}[.!?…]{0,3}$/
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
