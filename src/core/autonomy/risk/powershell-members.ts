import { act } from './actions.ts'
import { judgeVariable } from './environment-variables.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { type Scope, UNKNOWN } from './scope.ts'

/** What a method of an object or of a type of .NET is worth: its name says what it does. */
export function judgeMember(type: string | undefined, name: string, given: readonly string[], scope: Scope): void {
  const called = `${type === undefined ? '' : `[${type}]::`}${name}`
  const verb = name.toLowerCase()
  const own = (type ?? '').toLowerCase().replace(/^system\./, '')
  if (own === 'environment' && verb === 'setenvironmentvariable') {
    judgeVariable(given[0] ?? '', given[1] ?? '', scope)
    note(scope.ledger, /^(machine|user)$/i.test(given[2] ?? '') ? 62 : 26, `${called}: sets a variable`)
  } else if (/^io\.(file|directory)$/.test(own) && WRITES.test(verb)) act(scope, called, 'write', given[0] ?? UNKNOWN)
  else if (/^io\.(file|directory)$/.test(own) && /^(copy|replace)$/.test(verb))
    act(scope, called, 'write', given[1] ?? UNKNOWN)
  // With a place and a length it is the one of a text or a list.
  else if (GRAVE.test(verb) || (verb === 'remove' && given.length === 0) || (type !== undefined && STARTS.test(verb)))
    note(scope.ledger, 66, `${called}: deletes, ends, starts or fetches something`)
  else if (type !== undefined && own.includes('convert') && verb === 'frombase64string')
    note(scope.ledger, 45, `${called}: takes a text out of its disguise`)
  else if (type === undefined ? !MILD.has(verb) : !isMildType(own, verb))
    note(scope.ledger, 40, `${called}: a method that no table knows`)
}

const GRAVE =
  /^(delete\w*|kill\w*|terminate|format|\w*shutdown\w*|reboot\w*|invoke(script|command|verb)?|shellexecute\w*|exec|execute\w*|run|create(process|textfile|instance)?|download\w*|upload\w*|drop\w*|move\w*|load\w*|unsafeload\w*|encrypt|setvalue|uninstall\w*|writeall\w+|setaccesscontrol|stop|set_\w+|truncate|flushall|clear\w+|remove\w*user\w*)$/
/** Of a type, these start a program or make code. */
const STARTS = /^(start|create|new|emptyrecyclebin|getdelegateforfunctionpointer|compile\w*|addscript|save)$/
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

/** Types of which every method only computes or asks, and the methods of others that do. */
function isMildType(type: string, verb: string): boolean {
  if (/^(io\.(file|directory))$/.test(type))
    return /^(exists|read\w*|get\w*|enumerate\w*|openread|opentext)$/.test(verb)
  if (type === 'environment') return /^(get\w+|expandenvironmentvariables)$/.test(verb)
  return /^(math|datetime\w*|guid|string|int(32|64)?|long|double|decimal|bool|char|version|timespan|uri|io\.path|convert|bitconverter|text\.\w+|text\.\w+\.\w+|regex|text\.regularexpressions\.\w+|console|array|enum|random|xml|semver|security\.cryptography\.(sha\w+|md5)|net\.(dns|ipaddress|webutility)|web\.httputility|diagnostics\.stopwatch|runtime\.interopservices\.runtimeinformation|globalization\.\w+|linq\.enumerable|numerics\.\w+|tuple|hashtable|collections\.[\w.`]+)$/.test(
    type,
  )
}
