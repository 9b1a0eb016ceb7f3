import { act } from './actions.ts'
import { judgeVariable } from './environment-variables.ts'
import { leaksSecrets } from './file-programs.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { isUnknown, known, type Scope, UNKNOWN } from './scope.ts'
import { judgeReadFile } from './secrets.ts'

/** Stands for a block that has been run where it was given; what is given it need not read it again. */
export const BLOCK = '{}'

/** A member that is called: by a name that stands there as a plain word, or by one that is quoted or computed. */
export interface Member {
  readonly name: string
  readonly isPlain: boolean
}

/** What a method of an object or of a type of .NET is worth: its name says what it does. */
export function judgeMember(type: string | undefined, member: Member, given: readonly string[], scope: Scope): void {
  const { name, isPlain } = member
  const called = `${type === undefined ? '' : `[${type}]::`}${known(name) === '' ? 'a member' : known(name)}`
  const verb = name.toLowerCase()
  const own = (type ?? '').toLowerCase().replace(/^system\./, '')
  if (/^io\.(file|streamreader|filestream)$/.test(own) && READS.test(verb)) judgeReadFile(called, given[0] ?? '', scope)
  if (own === 'environment' && verb === 'setenvironmentvariable') {
    judgeVariable(given[0] ?? '', given[1] ?? '', scope)
    note(scope.ledger, /^(machine|user)$/i.test(given[2] ?? '') ? 62 : 26, `${called}: sets a variable`)
  } else if (/^io\.(file|directory)$/.test(own) && WRITES.test(verb)) act(scope, called, 'write', given[0] ?? UNKNOWN)
  else if (/^io\.(file|directory)$/.test(own) && /^(copy|replace)$/.test(verb)) {
    if (leaksSecrets(given.slice(0, 1), given[1], scope)) note(scope.ledger, 62, `${called}: ${NAMED_ANEW}`)
    act(scope, called, 'write', given[1] ?? UNKNOWN)
  } else if (own === 'net.dns' && scope.seen.given && given.some(isUnknown))
    note(scope.ledger, 66, `${called}: sends a secret to whoever answers for the name`)
  // With a place and a length it is the one of a text or a list.
  else if (GRAVE.test(verb) || (verb === 'remove' && given.length === 0) || (type !== undefined && STARTS.test(verb)))
    judgeGrave(called, verb, scope)
  else if (type !== undefined && own.includes('convert') && verb === 'frombase64string')
    note(scope.ledger, 45, `${called}: takes a text out of its disguise`)
  else if (type === undefined ? !MILD.has(verb) : !isMildType(own, verb))
    note(scope.ledger, isPlain ? 40 : 66, `${called}: a method that no table knows`)
}

/** What copies, moves and links do to a secret. */
export const NAMED_ANEW = 'gives a file that holds secrets another name'

/** What each of many has: a method is called, and of a property the value is read. */
export function judgeEach(name: string, given: readonly string[], scope: Scope): void {
  const isProperty = given.length === 0 && PROPERTIES.has(name.toLowerCase())
  if (!isProperty) judgeMember(undefined, { name, isPlain: !isUnknown(name) }, given, scope)
}

/** Of files that were listed, the places say more than the name. */
function judgeGrave(called: string, verb: string, scope: Scope): void {
  note(scope.ledger, 66, `${called}: deletes, ends, starts or fetches something`)
  if (scope.chosen && /^(delete|remove)/.test(verb)) act(scope, called, 'deleteTree', UNKNOWN)
  if (scope.chosen && /^move/.test(verb)) act(scope, called, 'moveAway', UNKNOWN)
}

const GRAVE =
  /^(delete\w*|kill\w*|terminate|format|\w*shutdown\w*|reboot\w*|invoke(script|command|verb)?|shellexecute\w*|exec|execute\w*|run|create(process|textfile|instance)?|download\w*|upload\w*|drop\w*|move\w*|load\w*|unsafeload\w*|encrypt|setvalue|uninstall\w*|writeall\w+|setaccesscontrol|stop|set_\w+|truncate|flushall|clear\w+|remove\w*user\w*)$/
/** Of a type, these start a program or make code. */
const STARTS = /^(start|create|new|emptyrecyclebin|getdelegateforfunctionpointer|compile\w*|addscript|save)$/
const READS = /^(read\w*|open\w*|new)$/
const WRITES = /^(writeall\w+|appendall\w+|create|createtext|createdirectory|openwrite|open|appendtext)$/

/** Methods that give a value and leave everything as it is, or change what only the session holds. */
const MILD = wordSet(
  `replace split trim trimstart trimend substring tostring toupper tolower toupperinvariant tolowerinvariant startswith endswith contains
  indexof lastindexof padleft padright insert add addrange adddays addhours addminutes addseconds addmonths addyears gettype count
  equals matches match ismatch where foreach join compareto getenumerator containskey containsvalue readtoend readline close
  dispose sort reverse toarray touniversaltime tolocaltime toshortdatestring getbytes getstring gethashcode selectnodes
  selectsinglenode getelementsbytagname getattribute append appendline normalize tochararray subtract getvalue item first last
  writeline write flush refresh getresponse getmembers getproperty isnullorempty remove removeat`,
)

/** Properties that files, processes, services, matches and parsed texts have. */
const PROPERTIES = wordSet(
  `name names fullname basename extension length count size id ids pid processname path paths cpu ws handles value values key keys
  line lines linenumber filename matches groups index lastwritetime lastaccesstime creationtime directoryname directory parent root
  version status state displayname description title type mode psiscontainer pschildname pspath psparentpath exists isreadonly
  attributes target linktarget versioninfo fileversion productversion company source definition commandtype module parameters message
  year month day hour minute second date days hours minutes seconds totalseconds totalminutes ticks x y items properties content
  text url uri href src tag tags label labels number email user username owner author hash algorithm localport remoteport
  localaddress remoteaddress owningprocess scripts dependencies devdependencies`,
)

/** Types of which every method only computes or asks, and the methods of others that do. */
function isMildType(type: string, verb: string): boolean {
  if (/^(io\.(file|directory))$/.test(type))
    return /^(exists|read\w*|get\w*|enumerate\w*|openread|opentext)$/.test(verb)
  if (type === 'environment') return /^(get\w+|expandenvironmentvariables)$/.test(verb)
  return /^(math|datetime\w*|guid|string|int(32|64)?|long|double|decimal|bool|char|version|timespan|uri|io\.path|convert|bitconverter|text\.\w+|text\.\w+\.\w+|regex|text\.regularexpressions\.\w+|console|array|enum|random|xml|semver|security\.cryptography\.(sha\w+|md5)|net\.(dns|ipaddress|webutility)|web\.httputility|diagnostics\.stopwatch|runtime\.interopservices\.runtimeinformation|globalization\.\w+|linq\.enumerable|numerics\.\w+|tuple|hashtable|collections\.[\w.`]+)$/.test(
    type,
  )
}
