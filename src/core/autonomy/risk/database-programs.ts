import { act } from './actions.ts'
import { firstOf } from './budget.ts'
import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTells } from './only-pretends.ts'
import { optionValue, splitOptions, valuesOf, wordSet, words } from './options.ts'
import { type Call, judgeApart, type Programs } from './program.ts'
import { isStdin, readFile } from './redirects.ts'
import { fileScore } from './run-file.ts'
import { known, type Stream } from './scope.ts'
import { judgeSql } from './sql.ts'
import { partsOf, VERBS, verbKind } from './verbs.ts'

const CLIENT_VALUES = `-h --host -p --port -U --user -u -d --dbname -D --database -P --password -S --socket -v --set -o --output -l -s -t -F --format`

/** Clients of a file: their long options begin with one sign, or with two. */
const FILE_VALUES = '--separator --nullvalue --newline --init --mmap --maxsize --lookaside --pagecache --heap --vfs'

/** Clients that take SQL or a command language of their own. */
export const DATABASE_PROGRAMS: Programs = [
  ...words('psql pgcli cockroach').map((name) => [name, sqlClient('-c --command', '-f --file')] as const),
  ...words('mysql mariadb mycli').map((name) => [name, sqlClient('-e --execute', '')] as const),
  ...words('sqlite3 sqlite duckdb litecli').map((name) => [name, sqlClient('--cmd -c -s', '', true)] as const),
  ...words('sqlcmd mssql-cli').map((name) => [name, sqlClient('-Q -q', '-i')] as const),
  ...words('clickhouse-client clickhouse snowsql trino presto beeline hive spark-sql impala-shell cqlsh').map(
    (name) => [name, sqlClient('-q --query -e --execute -Q', '-f --file')] as const,
  ),
  ['bq', sqlClient('', '', true)],
  ...words('redis-cli valkey-cli keydb-cli').map((name) => [name, keyStore] as const),
  ...words('redis-benchmark valkey-benchmark').map((name) => [name, benchmark] as const),
  ...words('mongosh mongo').map((name) => [name, documentStore] as const),
  ...words('dropdb dropuser').map(
    (name) =>
      [
        name,
        ({ scope, args }: Call) =>
          said(scope, isTried(args) && !isElsewhere(args) ? 45 : 90, `${name}: drops a database or user`),
      ] as const,
  ),
  ...words('createdb createuser').map(
    (name) =>
      [
        name,
        ({ scope }: Call) => said(scope, name === 'createdb' ? 28 : 45, `${name}: adds a database or user`),
      ] as const,
  ),
  ...words('pg_dump pg_dumpall mysqldump mongodump mongoexport sqldiff').map(
    (name) => [name, ({ scope }: Call) => said(scope, 28, `${name}: writes a copy of the data`)] as const,
  ),
  ...words('pg_restore mongorestore mongoimport mysqlimport').map(
    (name) =>
      [
        name,
        ({ scope, args }: Call) =>
          said(
            scope,
            args.some((arg) => /^(-c|--clean|--drop|--delete)$/.test(arg))
              ? 78
              : args.includes('-l') || args.includes('--list')
                ? 12
                : 58,
            `${name}: writes data back`,
          ),
      ] as const,
  ),
  ['mysqladmin', ({ scope, args }) => said(scope, worst(args, 35), 'mysqladmin: administers a server')],
  ['pg_ctl', ({ scope, args }) => said(scope, worst(args, 35), 'pg_ctl: administers a server')],
  ['cypher-shell', graphStore],
  ['pg_resetwal', ({ scope }) => said(scope, 90, 'pg_resetwal: resets the log of a server')],
  ['initdb', ({ scope }) => said(scope, 50, 'initdb: makes a database cluster')],
]

function longOption(arg: string): string {
  return /^-[a-z]{2}[a-z_-]*$/.test(arg) ? `-${arg}` : arg
}

/** What is done to a database, and to which: one for tests is made again, and a file lies somewhere. */
function sqlClient(text: string, file: string, isOperand = false): (call: Call) => Stream | undefined {
  const judge = statements(text, file, isOperand)
  return (given) => {
    const isFile = isOperand && given.name !== 'bq'
    const call = isFile ? { ...given, args: given.args.map(longOption) } : given
    const { args, scope } = call
    const apart = judgeApart(scope, (inner) => void judge({ ...call, scope: inner }))
    const path = isFile ? splitOptions(args, wordSet(`${FILE_VALUES} ${text}`)).operands[0] : undefined
    const most = isElsewhere(args) ? 0 : isTried(args) ? 58 : path === undefined ? 0 : 42
    for (const [why, score] of apart.findings) {
      // Rows of a database that somebody tries things out in are put back; its tables are more work.
      const isRows = most === 58 && why.endsWith('reaches every row')
      note(scope.ledger, isRows ? 45 : score <= most ? Math.min(28, score) : score, why)
    }
    if (path !== undefined && apart.score > 30) act(scope, given.name, 'write', path)
    return undefined
  }
}

/** Names of databases that somebody works on alone: `dev`, `app_test`, `test.db`. */
const TRIED =
  /^(?!-)(?:[\w./:@-]*[\W_])?(dev|development|test|tests|testing|local|scratch|sandbox|playground)(?:[_-]\w+|\.\w+|\d+)?$/

/** A user or a host of such a name says nothing about the data. */
function isTried(args: readonly string[]): boolean {
  return args.some(
    (arg, at) => TRIED.test(known(arg)) && !/^(-U|-u|--user\w*|-h|--host|-p|-P|-W)$/.test(args[at - 1] ?? ''),
  )
}

function statements(text: string, file: string, isOperand: boolean): (call: Call) => Stream | undefined {
  const valued = wordSet(`${isOperand ? FILE_VALUES : CLIENT_VALUES} ${text} ${file}`)
  return ({ name, args, scope, stdin }) => {
    if (onlyTells(args, '--help --version -V')) return said(scope, 6, `${name}: shows its version`)
    if (name === 'bq') {
      if (onlyPretends(args, { names: '--dry_run' })) return said(scope, 12, 'bq: a rehearsal')
      for (const arg of args) if (arg.includes(' ')) judgeSql(arg, scope, name)
      return said(scope, args.includes('-f') && worst(args, 20) > 60 ? 85 : worst(args, 20), 'bq: tables')
    }
    const options = splitOptions(args, valued)
    const started = args[args.findIndex((arg) => /^--?init$/.test(arg)) + 1]
    if (started !== undefined && args.some((arg) => /^--?init$/.test(arg)))
      note(scope.ledger, Math.max(45, fileScore(started, scope)), `${name}: runs a file of statements first`)
    const given = valuesOf(args, words(text), NAMES_FIRST).filter((one) => !/^-\S*$/.test(one))
    const operands = isOperand ? options.operands.slice(1) : options.operands.filter((operand) => operand.includes(' '))
    for (const source of [...given, ...operands]) judgeSql(source, scope, name)
    const path = file === '' ? undefined : valuesOf(args, words(file), NAMES_FIRST)[0]
    const stream: Stream = path === undefined || isStdin(path) ? stdin : readFile(path, scope)
    if (stream.kind === 'text' && path === undefined && given.length + operands.length === 0)
      judgeSql(stream.text, scope, name)
    else if (stream.kind === 'text') judgeSql(stream.text, scope, name)
    else if (path !== undefined) note(scope.ledger, isElsewhere(args) ? 50 : 30, `${name}: runs a file of statements`)
    else if (given.length + operands.length === 0)
      note(
        scope.ledger,
        options.flags.includes('-l') || options.flags.includes('--list')
          ? 10
          : stdin.kind === 'none'
            ? 28
            : stdin.kind === 'unknown' && stdin.isFile && !isElsewhere(args)
              ? 30
              : 62,
        `${name}: statements that are not in the text`,
      )
    return undefined
  }
}

/** A server that is not this machine: another host, or an address of one. */
function isElsewhere(args: readonly string[]): boolean {
  return args.some((arg, at) => {
    const plain = known(arg)
    if (/^(-h|--host)$/.test(args[at - 1] ?? '')) return hostKind(plain) !== 'local'
    if (/^(--host=|-h.)/.test(plain)) return hostKind(plain.replace(/^(--host=|-h)/, '')) !== 'local'
    if (/prod/i.test(plain) && !plain.startsWith('-')) return true
    return /^\w+:\/\//.test(plain) && hostKind(plain) !== 'local'
  })
}

/** Letters of the clients whose value, a name or a password, may be the rest of the word. */
const NAMES_FIRST = 'hpPuUdD'

const REDIS_READS =
  wordSet(`get mget keys scan exists ttl pttl type hget hgetall hmget hkeys hvals hlen hscan lrange llen lindex smembers scard sismember sscan zrange zcard
  zscore zscan zrank strlen getrange info ping dbsize monitor memory slowlog client object dump echo time lastsave randomkey xrange xlen xinfo subscribe pubsub command
  cluster latency --stat --bigkeys --scan --memkeys --hotkeys --latency exit quit select auth ft.search json.get xread bitcount geopos`)
/** What adds to a store; on this machine that is mostly one under work. */
const REDIS_WRITES = wordSet(
  'set setex setnx mset append incr incrby decr decrby lpush rpush sadd zadd hset hmset hincrby publish xadd setbit geoadd pfadd',
)
const REDIS_ENDS: ReadonlyMap<string, number> = new Map([
  ['flushall', 90],
  ['flushdb', 88],
  ['shutdown', 85],
  ['del', 66],
  ['unlink', 66],
  ['debug', 66],
  ['script', 50],
  ['eval', 62],
  ['slaveof', 72],
  ['replicaof', 72],
  ['failover', 66],
  ['migrate', 66],
  ['swapdb', 66],
  ['hdel', 50],
  ['xtrim', 62],
  ['ltrim', 62],
  ['rename', 50],
  ['expire', 45],
  ['bgrewriteaof', 45],
  ['acl', 62],
  ['module', 75],
])

/** Without an order of its own it fills the store with keys. */
function benchmark(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const { operands, values } = splitOptions(
    args,
    wordSet('-h -p -s -a -u -c -n -d -r -P -t -k --user --dbnum --threads --cacert --cert --key'),
  )
  const isLocal = hostKind(optionValue({ values }, '-h') ?? 'localhost') === 'local'
  if (operands.length > 0) return keyStore({ ...call, args: operands })
  return said(scope, isLocal ? 28 : 62, `${name}: writes keys and takes all of the time of a server`)
}

function keyStore({ name, args, scope, stdin }: Call): Stream | undefined {
  const { operands } = splitOptions(
    args,
    wordSet('-h -p -s -a -u -n -r -i -d -D --user --pass --eval --pattern --count --cacert --cert --key'),
  )
  const lines =
    operands.length > 0
      ? [operands]
      : stdin.kind === 'text'
        ? stdin.text.split('\n').map((line) => line.trim().split(/\s+/))
        : []
  if (lines.length === 0)
    return said(
      scope,
      args.some((arg) => REDIS_READS.has(arg)) ? 12 : stdin.kind === 'none' ? 28 : 62,
      `${name}: commands that are not in the text`,
    )
  for (const line of firstOf(lines, 256, scope.budget)) {
    const [verb = '', second = ''] = line.map((word) => known(word).toLowerCase())
    if (verb === '') continue
    const isConfig = verb === 'config' && second !== 'get'
    const ends =
      verb === 'cluster' && /reset|forget|failover|flush/.test(second)
        ? 80
        : verb === 'client' && second === 'kill'
          ? 64
          : verb === 'acl' && /^(list|whoami|getuser|users|cat)$/.test(second)
            ? 12
            : verb === 'script' && second === 'flush'
              ? 66
              : (REDIS_ENDS.get(verb) ?? (verb.includes('-') && verbKind(verb) === 'destroy' ? 72 : undefined))
    note(
      scope.ledger,
      isConfig
        ? 66
        : (ends ??
            (REDIS_READS.has(verb) || verb === 'config' ? 12 : REDIS_WRITES.has(verb) && !isElsewhere(args) ? 30 : 42)),
      `${name}: ${verb} ${second}`,
    )
  }
  return undefined
}

/** The methods of the shell, found as names. */
function documentStore({ name, args, scope, stdin }: Call): Stream | undefined {
  const given = valuesOf(args, ['--eval', '-e'], NAMES_FIRST)
  const text = given.length > 0 ? given.join(';') : stdin.kind === 'text' ? stdin.text : undefined
  if (onlyTells(args)) return said(scope, 6, `${name}: shows its version`)
  if (text === undefined)
    return said(scope, args.some((arg) => arg.endsWith('.js')) ? 50 : 28, `${name}: commands that are not in the text`)
  for (const call of firstOf(text.split(/[^\w$]+/), 2_000, scope.budget)) {
    const kind = VERBS.get(partsOf(call)[0] ?? '')
    if (/^(dropDatabase|drop|dropIndexes|dropUser|dropRole|dropAllUsersFromDatabase)$/.test(call))
      note(scope.ledger, 88, `${name}: ${call}`)
    else if (
      /^(deleteMany|remove|deleteOne|findOneAndDelete|bulkWrite|shutdownServer|fsyncLock|dropIndex|killOp|shutdown|load|\$out|\$merge|runProgram|exec|spawn|execSync|child_process)$/.test(
        call,
      )
    )
      note(scope.ledger, call === 'deleteOne' || call === 'findOneAndDelete' ? 62 : 72, `${name}: ${call}`)
    else if (kind === 'change' || kind === 'create') note(scope.ledger, 48, `${name}: ${call}`)
    else if (/^(insert|replace|update|rename|create)/.test(call)) note(scope.ledger, 48, `${name}: ${call}`)
  }
  note(scope.ledger, 14, `${name}: queries`)
  return undefined
}

/** Cypher: what it matches is read, and the verbs behind it say the rest. */
function graphStore({ name, args, scope, stdin }: Call): Stream | undefined {
  const text = [...args.filter((arg) => arg.includes(' ')), stdin.kind === 'text' ? stdin.text : ''].join(';')
  if (text === ';' || text === '')
    return said(scope, stdin.kind === 'none' ? 28 : 62, `${name}: statements that are not in the text`)
  const score = /\b(delete|remove|drop)\b/i.test(text) ? 76 : /\b(create|merge|set|load|call)\b/i.test(text) ? 48 : 12
  return said(scope, score, `${name}: statements`)
}

function worst(args: readonly string[], otherwise: number): number {
  const kinds = args.map(known).flatMap((arg) => {
    const kind = VERBS.get(partsOf(arg)[0] ?? '')
    return kind === undefined || (kind === 'read' && arg.startsWith('-')) ? [] : [kind]
  })
  if (kinds.includes('destroy')) return 80
  if (kinds.includes('stop')) return 64
  if (kinds.includes('read')) return 12
  return kinds.includes('create') ? Math.min(28, otherwise) : otherwise
}

function said(scope: Call['scope'], score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}
