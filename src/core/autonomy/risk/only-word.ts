import { words } from './options.ts'

/*
 * A switch that makes a call harmless is believed where it is the only word about it. Programs differ in which of two
 * words wins, in how they negate and in how far names may be cut; so no second word is weighed against the first.
 */

/** Names of one meaning, without their dashes. */
export type Family = ReadonlySet<string>

const HELP = 'help h ? usage'
const VERSION = 'version V'
const REHEARSAL =
  'dry-run dry what-if noop no-op simulate just-print recon no-act nono pretend check-only build-only rehearse'

const FAMILIES = [HELP, VERSION, REHEARSAL].map(familyFrom)

/** What else a program may call these switches; of several families, those that they belong to. */
export function familyOf(names: Iterable<string>): Family {
  const own = Array.from(names, bare)
  const families = FAMILIES.filter((family) => own.some((name) => family.has(name)))
  return new Set(families.length > 0 ? [...own, ...families.flatMap((family) => [...family])] : own)
}

/** For switches that make a rehearsal. */
export function rehearsalFamily(names: Iterable<string>): Family {
  return new Set([...Array.from(names, bare), ...familyFrom(REHEARSAL)])
}

/** True when no word but the one at this place says anything about the family, and none turns it off. */
export function isOnlyWord(args: readonly string[], at: number, family: Family): boolean {
  return !isOff(args[at + 1] ?? '') && args.every((arg, i) => i === at || !speaksOf(arg, args[i + 1] ?? '', family))
}

/** A word that turns off the switch before it. */
function isOff(word: string): boolean {
  return OFF.test(word)
}

/** `--help`, `--no-help`, `--help=x`, `--he=false`, `--nodry-run`, `-s-`, `-vs=no`, `-o APT::Get::Simulate=0`. */
function speaksOf(arg: string, next: string, family: Family): boolean {
  const cut = arg.lastIndexOf('=')
  if (!arg.startsWith('-')) return cut > 0 && family.has(bare(lastPart(arg.slice(0, cut))))
  if (/^-\w{1,4}(-$|[=:])/.test(arg) && (arg.endsWith('-') || isOff(arg.replace(/^.*[=:]/, '')))) return true
  const [, said = '', value = next] = /^--?([^=:]+)(?:[=:](.*))?$/s.exec(arg) ?? []
  const name = bare(said)
  if (family.has(name) || (cut > 0 && family.has(bare(lastPart(arg.slice(0, cut)))))) return true
  if (isOff(value) && isCut(name, family)) return true
  const negated = /^no(.+)$/.exec(name)?.[1]
  return arg.startsWith('--') && negated !== undefined && isCut(negated, family)
}

/** A name as it stands, or cut short as many programs allow. */
function isCut(name: string, family: Family): boolean {
  return name !== '' && [...family].some((one) => one.startsWith(name))
}

function lastPart(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('='), text.lastIndexOf(':'), text.lastIndexOf('.')) + 1)
}

/** `--dry_run` and `--dryRun` are `--dry-run` for some programs; a letter is itself. */
function bare(name: string): string {
  const plain = name.replace(/^-+/, '').replaceAll(/[-_]/g, '')
  return plain.length === 1 ? plain : plain.toLowerCase()
}

function familyFrom(names: string): Family {
  return new Set(words(names).map(bare))
}

const OFF = /^["']?\$?(false|f|none|no|n|off|0|null|without|disabled?)["']?$/i
