import { act } from './actions.ts'
import { firstOf, spend } from './budget.ts'
import {
  callsByName,
  callsComputed,
  judgeLoadedCode,
  membersOf,
  runWordsOf,
  targetsOf,
  writeWords,
} from './code-words.ts'
import { hostKind } from './hosts.ts'
import { dataText } from './interpreted-words.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { namesOwnFile } from './own-files.ts'
import { isPrivate } from './private-places.ts'
import { type Call, noteGrave } from './program.ts'
import { ANYTHING, isUnknown, known } from './scope.ts'
import { judgeSql, looksLikeSql } from './sql.ts'
import { targetKind } from './targets.ts'

export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'r' | 'applescript' | 'awk' | 'other'

/**
 * Code of other languages is not parsed: its names and its strings are read. A string given to a process call is a
 * command; a string that is computed first is not known. The words that the code is given may be what it acts on.
 */
export function judgeCode(
  language: Language,
  source: string,
  { name, scope }: Pick<Call, 'name' | 'scope'>,
  words: readonly string[] = [],
): void {
  if (!spend(scope.budget, source.length / 4)) return
  const { names: called, strings, joined } = lex(source.replaceAll(HOME_INSIDE, '~'))
  const plain = [...called, ...joined, ...membersOf(source)]
  if (language === 'perl' || language === 'ruby') strings.push(...quotedBySign(source))
  const isNamed = plain.some((one) => BY_NAME.has(one))
  const named = isNamed || callsByName(language, source) ? words : []
  const isPerl = language === 'perl' || language === 'php'
  const names =
    isNamed || (isPerl && callsByName(language, source)) ? [...plain, ...strings, ...named] : [...plain, ...named]
  if (names.length + strings.length >= MOST_TOKENS) scope.budget.isSpent = true
  note(scope.ledger, 26, `${name}: runs code of one line`)
  const isHidden = isUnknown(source) && known(source).trim() === ''
  if (isHidden) note(scope.ledger, 75, `${name}: runs code that is known only at run time`)
  else if (isUnknown(source)) note(scope.ledger, 45, `${name}: code that is known only in part`)
  const runs =
    names.find((one) => startsProcess(one, language) || (language === 'other' && one === 'cmd')) ??
    (language === 'perl' || language === 'ruby' || language === 'php' ? backtick(source) : undefined) ??
    (language === 'javascript' && source.includes('$`') ? 'template of a shell' : undefined)
  if (language === 'applescript' && /\b(delete|erase|empty (the )?trash|shut ?down|restart)\b/i.test(source))
    note(scope.ledger, 66, `${name}: deletes or stops`)
  const deletes = names.find((one) => DELETES.has(one))
  const computes = names.some((one) => COMPUTES.has(one))
  if (runs !== undefined) {
    judgeProcess(runs, strings, computes, COMPUTED.test(source), { name, scope })
    runWordsOf(words, strings.filter(isCommand), { name, scope })
  }
  // `open(F, "command|")`: a pipe at the end of a name makes it a command.
  if (names.includes('open') && (language === 'perl' || language === 'ruby'))
    for (const text of strings.filter((one) => /^\s*\|.|.\|\s*$/s.test(one)).slice(0, 16))
      scope.runText(text.replaceAll(/^\s*\||\|\s*$/g, ''), scope, ANYTHING)
  if (deletes !== undefined) {
    const isList = language === 'perl' && names.includes('glob')
    const isHome = JOINS_HOME.test(source)
    const named = strings.filter((text) => !MODULE_NAMES.has(text)).flatMap((text) => pathsIn(text, isList, isHome))
    const paths = named.filter((text) => /^[~/.\w\\*]/.test(text) && !text.includes(' '))
    const bare = [...source.matchAll(/(?:^|\s)((?:\/|~\/)[\w./-]+)/g)].map(([, path = '']) => path)
    const targets = firstOf(paths.length > 0 ? paths : bare, 64, scope.budget)
    for (const path of targetsOf(targets, words))
      act(scope, `${name} ${deletes}`, TREES.has(deletes) ? 'deleteTree' : 'deleteFile', path)
  }
  if (
    names.some((one) => evaluates(one, language, source, runs !== undefined || deletes !== undefined)) &&
    (computes || runs !== undefined || names.some((one) => NETWORK.has(one)) || strings.some(isRemote))
  )
    note(scope.ledger, 75, `${name}: evaluates text that is computed first`)
  const ends = ENDS_IN_CODE.exec(source)
    ?.slice(1)
    .find((found) => found !== undefined)
  if (ends !== undefined) note(scope.ledger, 66, `${name} ${ends}: code that deletes or ends something`)
  if (/\bkillp?g?\s*\(\s*(-?1|0)\s*[,)]/.test(source))
    note(scope.ledger, 66, `${name}: ends every process, or the first`)
  if (computes && /\b(fs|os|shutil|process|child_process|Deno|fsp)\s*(\[|\.__getattribute__)/.test(source))
    note(scope.ledger, 64, `${name}: calls a function whose name is computed`)
  if (callsComputed(source)) note(scope.ledger, 64, `${name}: calls a function whose name is computed`)
  judgeLoadedCode(language, source, words, judgeCode, { name, scope })
  judgeRemote(language, source, names, strings, { name, scope })
  judgeWrites(source, names, strings, words, { name, scope })
  judgeReads(source, names, strings, { name, scope })
  if (namesOwnFile(strings, scope)) note(scope.ledger, 72, `${name}: code that runs mcpaql`)
  if (usesNetwork(names)) note(scope.ledger, runs !== undefined ? 80 : 40, `${name}: code that uses the network`)
  for (const text of firstOf(strings, 256, scope.budget)) {
    if (looksLikeSql(text)) judgeSql(text, scope, name)
    // An address of the kind `data:` holds code itself.
    const inside = text.startsWith('data:') ? dataText(text) : undefined
    if (inside !== undefined && inside.length < source.length) judgeCode(language, inside, { name, scope })
  }
  judgeAsCommand(source, scope)
}

/** `$ENV{HOME}/x`, `#{Dir.home}/x`, `${os.homedir()}/x`: the home folder as each language puts it into a string. */
const HOME_INSIDE =
  /[$#]?\{\s*(?:Dir\.home|(?:os\.)?homedir\(\)|(?:process\.env|ENV|os\.environ)(?:\.HOME|\[['"]?HOME['"]?\])|Path\.home\(\)|getenv\(['"]?HOME['"]?\))\s*\}|\$ENV\{['"]?HOME['"]?\}(?!\s*\.)/g

/** `join(homedir(), 'x')`: the strings behind it are below the home folder. */
const JOINS_HOME =
  /\b(?:join|resolve|joinpath)\s*\(\s*(?:(?:os|require\(['"](?:node:)?os['"]\))\.homedir\(\)|process\.env\.HOME|Path\.home\(\)|os\.environ\[['"]HOME['"]\]|Dir\.home|ENV\[['"]HOME['"]\])\s*,/

/** A string as paths: the names that `glob` of Perl takes are divided by spaces. */
function pathsIn(text: string, isList: boolean, isHome: boolean): readonly string[] {
  const paths = isList ? text.split(/\s+/).filter((path) => path !== '') : [text]
  return isHome ? paths.map((path) => (/^[\w.]/.test(path) ? `~/${path}` : path)) : paths
}

/** Calls of clients of databases and clouds that take something away: `flushall()`, `terminate_instances(…)`, `User.delete_all`. */
const ENDS_IN_CODE =
  /\b((?:terminate|destroy|purge|wipe)(?:_[a-z]|[A-Z])\w+(?=\s*\()|(?:delete|drop|remove|destroy|truncate)(?:_?(?:all|many|users?|accounts?|instances?|buckets?|objects?|tables?|db|databases?|collections?|keyspaces?|stacks?|clusters?|namespaces?|pods?|deployments?|volumes?|snapshots?|queues?|topics?|repo(?:sitory)?|projects?|secrets?|roles?|groups?|records?|items?|schema|everything|data)(?:_\w+)?|(?:All|Many|Users?|Instances?|Buckets?|Objects?|Tables?|Database|Collections?|Stacks?|Clusters?|Namespaces?|Pods?)\w*)\b|flush_?(?:all|db|All|Db)\b|objects\.all\(\)\.delete|reboot(?=\s*\())|(?:->|::)((?:delete|truncate|destroy|forceDelete|drop)\w*(?=\s*\())/

/** `cursor.execute(…)` is given a statement; only elsewhere is it the name of a call that starts a process. */
function startsProcess(called: string, language: Language): boolean {
  return RUNS.has(called) && (called !== 'execute' || language !== 'python')
}

/**
 * `json.load` and `re.compile` make a value of a text; what runs objects that it reads is another thing, and so is code
 * that does something with the value.
 */
function evaluates(called: string, language: Language, source: string, acts: boolean): boolean {
  if (!EVALUATES.has(called)) return false
  if (called === 'assert') return language === 'php'
  if (acts || language !== 'python' || !/^(load|compile)$/.test(called) || RUNS_OBJECTS.test(source)) return true
  return new RegExp(`(?<!\\b(?:json|re|tomllib|csv|ast)\\.)\\b${called}\\b`).test(source)
}

const RUNS_OBJECTS =
  /\b(pickle|cPickle|dill|marshal|shelve|joblib|cloudpickle|torch|yaml|as\s+(json|re|tomllib|csv|ast))\b/

/** Calls to clouds and to other machines that take something away there, and statements that are computed. */
function judgeRemote(
  language: Language,
  source: string,
  names: readonly string[],
  strings: readonly string[],
  { name, scope }: Pick<Call, 'name' | 'scope'>,
): void {
  if (names.some((one) => CLOUDS.has(one)) || strings.some((text) => CLOUD_MODULE.test(text))) {
    const [, method, order] = ENDS_IN_CLOUD.exec(source) ?? []
    const deed = method ?? order
    if (deed !== undefined) note(scope.ledger, 68, `${name} ${deed}: takes something away in a cloud`)
  }
  if (REQUESTS_DELETE.test(source)) {
    const kinds = strings.filter((text) => /^https?:\/\//i.test(text)).map(hostKind)
    const isLocal = kinds.length > 0 && kinds.every((kind) => kind === 'local')
    if (!isLocal) note(scope.ledger, kinds.length > 0 ? 70 : 50, `${name}: code that deletes on the other side`)
  }
  if (language === 'python' && COMPUTED_STATEMENT.test(source))
    note(scope.ledger, 45, `${name}: a statement of a database that is computed`)
}

const CLOUDS = wordSet('boto3 aioboto3 botocore googleapiclient kubernetes openstack digitalocean AWS')
const CLOUD_MODULE = /^(@aws-sdk\/|aws-sdk$|@google-cloud\/|@azure\/|@kubernetes\/|googleapis$)/
const ENDS_IN_CLOUD =
  /\.((?:delete|terminate|purge|destroy|deregister|revoke|schedule_key_deletion|batch_delete|remove)(?:_\w+)?|(?:delete|terminate|purge|deregister)[A-Z]\w*)\s*\(|\b((?:Delete|Terminate|Purge|Deregister)[A-Z]\w*Command)\b/
const REQUESTS_DELETE =
  /\bmethod['"]?\s*[:=]\s*['"`]DELETE['"`]|\b(?:axios|requests|httpx|got|ky|superagent|session|client\.http)\.(?:delete|del)\s*\(|\.request\(\s*['"]DELETE['"]/i
/** A name or a sum where the statement should stand; a text that only asks may hold names of tables. */
const COMPUTED_STATEMENT =
  /\.execute(?:many|script)?\s*\(\s*(?:(?![rbfu]{0,2}["'])[A-Za-z_]|f["'](?!\s*(?:["']{2}\s*)?(?:select|with|explain|pragma)\b))/i

/** An address, or a module that fetches from one: `eval(await get('https://…'))`. */
function isRemote(text: string): boolean {
  return /^(https?|ftp):\/\//i.test(text) || REMOTE_MODULES.has(text)
}

const REMOTE_MODULES = wordSet(
  'http https http2 net tls node:http node:https node:http2 node:net node:tls axios got needle undici request superagent node-fetch cross-fetch open-uri net/http',
)

/** `socket.gethostname()` talks to nobody. */
function usesNetwork(names: readonly string[]): boolean {
  return names.some((one) => NETWORK.has(one) && (one !== 'socket' || names.some((other) => CONNECTS.has(other))))
}

const CONNECTS = wordSet('connect connect_ex create_connection sendto bind create_server fromfd socketpair')

/** A call that writes, or a file that is opened for writing: the paths among the strings decide. */
function judgeWrites(
  source: string,
  names: readonly string[],
  strings: readonly string[],
  words: readonly string[],
  { name, scope }: Pick<Call, 'name' | 'scope'>,
): void {
  const opens =
    WRITES_BY_FORM.test(source) ||
    (names.some((one) => OPENS.has(one)) &&
      ([...strings, ...words].some((text) => MODE.test(text)) || WRITE_FLAG.test(source)))
  const written = opens || names.some((one) => WRITES.has(one))
  if (!written) return
  const paths = strings.map((text) => text.replace(/^\s?\+?>{1,2}\s?(?=.)/, ''))
  const away = paths.filter(
    (text) =>
      /^(\/|~|\.\.\/|[A-Za-z]:[\\/])\S*$/.test(text) ||
      TRUSTED_NAME.test(text) ||
      (/^[\w.-][\w./-]*$/.test(text) && targetKind(text, scope) === 'trust'),
  )
  note(scope.ledger, isUnknown(source) ? 42 : 28, `${name}: code that writes files`)
  for (const path of firstOf(away, 64, scope.budget)) act(scope, name, 'write', path)
  // What goes to a stream goes to no file.
  const streams = source.match(TO_STREAM)?.length ?? 0
  if (opens || names.filter((one) => WRITES.has(one)).length > streams) writeWords(source, words, { name, scope })
}

/** `open(x, ?w)` of Ruby, `new File(x).text = y` of Groovy, `[open x w]` of Tcl. */
const WRITES_BY_FORM =
  /\bos\.(?:replace|rename|link|symlink|truncate)\b|\bio\.output\b|\bsysopen\b|,\s{0,4}\?[wa]\b|\.(?:text|bytes)\s{0,4}=(?!=)|\bopen\s[^\n]{0,80}\s[wa]\+?\s{0,4}(?:\]|$)/

const TO_STREAM = /\b(?:std(?:out|err)|STD(?:OUT|ERR)|\$std(?:out|err))\s{0,4}\.\s{0,4}(?:buffer\.)?write\b/g

const OPENS = wordSet(
  'open fopen sysopen reopen Open OpenFile Create openSync File FileWriter FileOutputStream File_open createWriteStream',
)
/** `w`, `ab+`, `>`, `+<`: modes of opening that change the file. */
const MODE = /^(\+?>{1,2}[^>=\n]{0,200}|\+<|[wax][bt]?\+?[bt]?|r[bt]?\+[bt]?)(:\S*)?$/
const WRITE_FLAG = /O_(WRONLY|RDWR|TRUNC|CREAT)|FileWriter|FileOutputStream|createWriteStream|os\.Create\b/
const TRUSTED_NAME = /^\.(git|claude|ssh|vscode|husky|npmrc|envrc|mcp)|mcpaql|node_modules\/\.bin/

/** A call that reads, with the name of a place that holds secrets; and all variables at once, sent over the network. */
function judgeReads(
  source: string,
  names: readonly string[],
  strings: readonly string[],
  { name, scope }: Pick<Call, 'name' | 'scope'>,
): void {
  const isRead = names.some((one) => READS.has(one)) && !strings.some((text) => /^[wax][bt]?\+?$/.test(text))
  const isSecret =
    isRead && strings.some((text) => /^[\w.~/\\:-]+$/.test(text) && /[./~\\]/.test(text) && isPrivate(text, scope))
  if (isSecret) note(scope.ledger, usesNetwork(names) ? 82 : 62, `${name}: code that reads what holds secrets`)
  if (usesNetwork(names) && WHOLE_ENVIRONMENT.test(source))
    note(scope.ledger, 66, `${name}: code that may send every variable`)
}

const READS = wordSet(
  'open fopen read readFile readFileSync read_text read_bytes readlines readline slurp File IO file_get_contents readfile createReadStream Get get readTextFile readTextFileSync Path cat load loads copy copyfile',
)
/** `os.environ` and `process.env` without a name behind them. */
const WHOLE_ENVIRONMENT = /\bos\.environ\b(?!\s*(\[|\.get\b))|\bprocess\.env\b(?!\s*(\[|\?*\.))|%ENV\b|\bENV\.to_h\b/

/** Some write a command where code is expected. */
function judgeAsCommand(source: string, scope: Call['scope']): void {
  if (source.length > 400 || !/^\s*[a-z]+ +-/.test(source)) return
  noteGrave(scope, (inner) => void inner.runText(source, inner, ANYTHING))
}

function judgeProcess(
  runs: string,
  strings: readonly string[],
  computes: boolean,
  isComputed: boolean,
  { name, scope }: Pick<Call, 'name' | 'scope'>,
): void {
  const commands = strings.filter(isCommand)
  note(scope.ledger, commands.length === 0 || computes || isComputed ? 64 : 45, `${name} ${runs}: starts a process`)
  if (computes || commands.length === 0) return
  for (const text of firstOf(commands, 64, scope.budget)) {
    // A format such as `%s` or `#{…}` is filled at run time.
    if (/%[sd]|#\{|\$\{|\{\}/.test(text)) note(scope.ledger, 62, `${name} ${runs}: a command that is computed`)
    scope.runText(text, scope, ANYTHING)
  }
  // `execvp(file, [file, …])`: the name stands twice.
  const list = commands[0] === commands[1] ? commands.slice(1) : commands
  if (list.length > 1 && list.length < 16) scope.runWords(list, scope, ANYTHING)
}

function isCommand(text: string): boolean {
  return !MODULE_NAMES.has(text) && text.trim() !== ''
}

/** A process call that is given something else than a string or a list of them. */
const COMPUTED =
  /(?:system|popen[23]?|Popen|check_output|check_call|execSync|execFileSync|spawnSync|shell_exec|passthru|execute|os\.exec\w*|subprocess\.(?:run|call))\s*\(\s*(?:\w+\s*=\s*)?(?![bfr]?["'`[(\\)])[\w$@*]/

interface Lexed {
  readonly names: readonly string[]
  readonly strings: string[]
  /** Strings that are put together of others. */
  readonly joined: readonly string[]
}

const MOST_TOKENS = 2_000

function lex(source: string): Lexed {
  const names: string[] = []
  const strings: string[] = []
  const joined: string[] = []
  let whole = ''
  let last = 0
  let at = 0
  while (at < source.length && names.length + strings.length < MOST_TOKENS) {
    const char = source[at] ?? ''
    if (char === '"' || char === "'" || char === '`') {
      const end = closing(source, at + 1, char)
      const text = source.slice(at + 1, end).replaceAll(/\\(.)/g, '$1')
      // Strings that are put together are one.
      if (strings.length > 0 && /^(\+|\.{0,2}|\.concat\()$/.test(source.slice(last, at).trim())) {
        whole += text
        strings.push(whole)
        joined.push(whole)
      } else whole = text
      strings.push(text)
      last = end + 1
      at = end + 1
    } else if (/[A-Za-z_]/.test(char)) {
      let end = at + 1
      while (end < source.length && /[\w]/.test(source[end] ?? '')) end++
      names.push(source.slice(at, end))
      at = end
    } else at++
  }
  return { names, strings, joined }
}

function closing(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === quote) return at
  }
  return source.length
}

function backtick(source: string): string | undefined {
  return source.includes('`') || /%x\W/.test(source) ? 'backticks' : undefined
}

/** `%x(…)`, `qx{…}`, `qq|…|`: strings with signs of their own. */
function quotedBySign(source: string): readonly string[] {
  return [...source.matchAll(/(?:%[xqQ]|\bq[qx]?\s*)([({[<|!/])/g)].slice(0, 64).map((found) => {
    const from = found.index + found[0].length
    const open = found[1] ?? ''
    return source.slice(from, closing(source, from, CLOSING.get(open) ?? open))
  })
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['{', '}'],
  ['[', ']'],
  ['<', '>'],
])

const RUNS =
  wordSet(`system popen popen2 popen3 Popen subprocess check_output check_call exec execSync execFile execFileSync spawn spawnSync
  fork execv execve execl execlp execvp posix_spawn startfile child_process qx shell_exec passthru proc_open pcntl_exec sh Kernel Open3
  capture2 capture3 pty do_shell_script shell getstatusoutput getoutput execa execaSync zx Command io_popen os_execute execute system2 run`)
const DELETES =
  wordSet(`rmtree remove unlink rmdir removedirs rm rmSync rmdirSync unlinkSync rm_rf rm_r rm_f rimraf rimrafSync remove_dir_all
  removeSync emptyDir emptyDirSync delete_file deleteFile remove_entry remove_entry_secure remove_tree unlink_r truncate truncateSync File_delete
  deleteSync del_dir_r removeDirectoryRecursive removeDirectory removePathForcibly removeFile send2trash delete deleteDir deleteRecursively deleteIfExists RemoveAll Remove removeItem rm_rf remove_all deltree
  delete_dir_all removeRecursive erase_all fremove unlink_file rmrf`)
const TREES =
  wordSet(`rmtree rm_rf rm_r rimraf rimrafSync rmSync rm rmdirSync remove_dir_all remove_tree removeSync emptyDir emptyDirSync
  del_dir_r removeDirectoryRecursive removePathForcibly remove_entry_secure remove_entry deleteDir deleteRecursively RemoveAll removeItem remove_all`)
const EVALUATES = wordSet(
  'eval exec compile Function runInNewContext runInThisContext instance_eval class_eval __import__ loadstring load assert',
)
/** Functions that call another one whose name is a string. */
const BY_NAME = wordSet(
  'array_map array_walk call_user_func call_user_func_array usort getattr globals send public_send __send__ method',
)
const COMPUTES =
  wordSet(`b64decode atob fromCharCode fromCodePoint decode unhexlify fromhex pack unpack decode64 base64 rot13 chr join reverse
  reversed base64_decode str_rot13 hex2bin strrev Buffer urlsafe_b64decode codecs gsub tr lc lower translate swapcase downcase replace`)
const NETWORK = wordSet(
  'requests urllib urllib2 urlopen httpx aiohttp socket fetch axios http https net Net Socket TCPSocket open_uri LWP curl_exec fsockopen smtplib ftplib',
)
const WRITES = wordSet(
  `write write_text write_bytes writeFile writeFileSync appendFile appendFileSync copyfile copy copy2 copytree move rename renameSync symlink symlinkSync
  chmod chown file_put_contents fwrite makedirs mkdir mkdirSync copyFileSync WriteFile writeAllText writeTextFile writeTextFileSync saveTo write_file
  setText writeText putContents touch extractall urlretrieve cp cp_r cpSync mv ln_s copy_file install binwrite copy_stream outputFile outputFileSync writeJson writeJsonSync
  outputJson linkSync chmodSync writeLines saveRDS sink inplace`,
)
const MODULE_NAMES = wordSet(
  'child_process fs os path fileutils shutil subprocess node:fs node:child_process utf8 utf-8 w r rb wb a',
)
