import { act } from './actions.ts'
import { spend } from './budget.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import type { Scope } from './scope.ts'
import { partsOf } from './verbs.ts'

/** A row of the table: what a statement that starts so is worth. */
type StatementRow = readonly [first: string, score: number, why: string]

const STATEMENTS: readonly StatementRow[] = [
  ['SELECT', 12, 'reads rows'],
  ['TABLE', 12, 'reads rows'],
  ['VALUES', 10, 'reads rows'],
  ['SHOW', 10, 'reads settings'],
  ['DESCRIBE', 10, 'reads a definition'],
  ['DESC', 10, 'reads a definition'],
  ['EXPLAIN', 12, 'reads a plan'],
  ['WITH', 12, 'reads rows'],
  ['USE', 10, 'chooses a database'],
  ['BEGIN', 12, 'opens a transaction'],
  ['START', 12, 'opens a transaction'],
  ['COMMIT', 20, 'ends a transaction'],
  ['ROLLBACK', 20, 'ends a transaction'],
  ['SAVEPOINT', 12, 'marks a transaction'],
  ['SET', 32, 'changes a setting'],
  ['PRAGMA', 28, 'reads or changes a setting'],
  ['ANALYZE', 25, 'gathers statistics'],
  ['VACUUM', 34, 'rewrites tables'],
  ['REINDEX', 34, 'rewrites indexes'],
  ['REFRESH', 38, 'rewrites a view'],
  ['CREATE', 38, 'adds an object'],
  ['COMMENT', 34, 'changes a comment'],
  ['INSERT', 42, 'adds rows'],
  ['COPY', 50, 'moves rows in or out'],
  ['CALL', 52, 'runs a procedure'],
  ['EXEC', 58, 'runs a procedure'],
  ['EXECUTE', 58, 'runs a statement'],
  ['DO', 62, 'runs a block of code'],
  ['MERGE', 56, 'changes rows'],
  ['UPSERT', 50, 'changes rows'],
  ['REPLACE', 58, 'replaces rows'],
  ['UPDATE', 54, 'changes rows'],
  ['DELETE', 58, 'deletes rows'],
  ['ATTACH', 40, 'opens another database'],
  ['DETACH', 50, 'closes a database'],
  ['LOAD', 62, 'loads a file'],
  ['LOCK', 50, 'locks tables'],
  ['RENAME', 62, 'renames an object'],
  ['ALTER', 62, 'changes a definition'],
  ['REASSIGN', 66, 'changes owners'],
  ['GRANT', 70, 'changes rights'],
  ['REVOKE', 70, 'changes rights'],
  ['KILL', 66, 'ends a session'],
  ['FLUSH', 66, 'empties caches or logs'],
  ['RESET', 62, 'resets state'],
  ['PURGE', 80, 'deletes logs'],
  ['SHUTDOWN', 85, 'stops the server'],
  ['TRUNCATE', 88, 'empties a table'],
  ['DROP', 90, 'drops an object'],
]

const BY_WORD = new Map(STATEMENTS.map(([first, ...row]) => [first, row] as const))

/** Functions and clauses that reach beyond the database. */
const REACHES: ReadonlyMap<string, number> = new Map([
  ['XP_CMDSHELL', 92],
  ['SP_CONFIGURE', 70],
  ['OUTFILE', 72],
  ['DUMPFILE', 72],
  ['LOAD_FILE', 62],
  ['LOAD_EXTENSION', 75],
  ['PG_READ_FILE', 62],
  ['PG_WRITE_FILE', 75],
  ['LO_EXPORT', 72],
  ['LO_UNLINK', 66],
  ['PG_TERMINATE_BACKEND', 64],
  ['PG_CANCEL_BACKEND', 50],
  ['DBLINK_EXEC', 70],
  ['SYS_EXEC', 90],
  ['PG_RELOAD_CONF', 55],
  // They run a statement that is a text, so that nothing of it shows here.
  ['QUERY_TO_XML', 66],
  ['QUERY_TO_XML_AND_XMLSCHEMA', 66],
  ['QUERY_TO_XMLSCHEMA', 66],
  ['DBLINK', 66],
  ['PG_FILE_WRITE', 75],
  ['PG_READ_BINARY_FILE', 62],
  ['PG_LS_DIR', 45],
  ['LO_IMPORT', 62],
  ['WRITEFILE', 72],
  ['READFILE', 62],
  ['EDIT', 66],
  ['FSDIR', 45],
  ['SYS_EVAL', 90],
  ['OPENROWSET', 66],
  ['UTL_FILE', 72],
  ['UTL_HTTP', 66],
  ['DBMS_SCHEDULER', 72],
])

/** True for a text that starts as a statement and goes on as one; `update` alone is an English word. */
export function looksLikeSql(text: string): boolean {
  const [first = '', second = '', third = '', fourth = ''] = tokensOf(text.slice(0, 400), 4).map((token) =>
    token.toUpperCase(),
  )
  const follows = FOLLOWS.get(first)
  if (follows === undefined) return false
  if (follows === '')
    return second !== '' && (text.trim().endsWith(';') || /\sfrom\s/i.test(text) || /^[\d*'(]/.test(second))
  return [second, third, fourth].some((token) => wordSet(follows).has(token))
}

/** What must stand near the first word; empty where a `FROM` or a semicolon says enough. */
const FOLLOWS: ReadonlyMap<string, string> = new Map([
  ['SELECT', ''],
  ['WITH', 'AS'],
  ['DELETE', 'FROM'],
  ['INSERT', 'INTO'],
  ['UPDATE', 'SET'],
  ['MERGE', 'INTO'],
  ['REPLACE', 'INTO'],
  [
    'DROP',
    'TABLE DATABASE SCHEMA INDEX VIEW USER ROLE FUNCTION TRIGGER SEQUENCE TYPE PROCEDURE MATERIALIZED COLUMN TABLESPACE EXTENSION OWNED KEYSPACE COLLECTION',
  ],
  ['TRUNCATE', 'TABLE ; CASCADE RESTART ONLY'],
  ['ALTER', 'TABLE DATABASE USER ROLE SYSTEM SCHEMA COLUMN INDEX VIEW TYPE DEFAULT SEQUENCE'],
  [
    'CREATE',
    'TABLE DATABASE USER ROLE INDEX VIEW SCHEMA FUNCTION TRIGGER EXTENSION TEMP TEMPORARY UNIQUE REPLACE MATERIALIZED TYPE',
  ],
  ['GRANT', 'ON TO ALL SELECT'],
  ['REVOKE', 'ON FROM ALL SELECT'],
  ['SHOW', 'TABLES DATABASES COLUMNS STATUS VARIABLES PROCESSLIST SCHEMAS INDEX CREATE GRANTS'],
  ['EXPLAIN', 'SELECT ANALYZE UPDATE DELETE INSERT'],
  ['VACUUM', 'FULL ANALYZE ;'],
  ['DO', '$$ $DO$ $BODY$ $BLOCK$ $_$ LANGUAGE'],
  ['CALL', '('],
])

/** Judges every statement of a text. What is too long to be read in full is over budget. */
export function judgeSql(text: string, scope: Scope, name: string): void {
  if (!spend(scope.budget, text.length / 2)) return
  if (text.includes('\0')) note(scope.ledger, 50, `${name}: SQL that is known only in part`)
  const tokens = tokensOf(text, MOST_TOKENS)
  const statements = split(tokens)
  if (tokens.length === MOST_TOKENS || statements.length > MOST_STATEMENTS) scope.budget.isSpent = true
  for (const statement of statements.slice(0, MOST_STATEMENTS)) judgeStatement(statement, scope, name)
}

const MOST_TOKENS = 4_000
const MOST_STATEMENTS = 256

function judgeStatement(tokens: readonly string[], scope: Scope, name: string): void {
  const upper = tokens.map((token) => token.toUpperCase())
  const [first = ''] = upper
  if (first === '' || first.startsWith('\\') || first.startsWith('.') || first === 'SYSTEM' || first === 'SOURCE') {
    judgeMeta(first, upper, tokens, scope, name)
    return
  }
  const where = upper.lastIndexOf('WHERE')
  const isBounded = where >= 0 && isCondition(upper.slice(where + 1))
  judgeHead(upper, 0, isBounded, scope, name)
  // The client goes on behind the statement: what it shows is run, or given to a program.
  const order = upper.findIndex((token) => CLIENT_ORDERS.test(token))
  if (order > 0) note(scope.ledger, ORDER_SCORE, `${name}: ${upper[order]} of the client runs something`)
  for (const [at, token] of upper.entries()) {
    const reach = REACHES.get(token)
    if (reach !== undefined) note(scope.ledger, reach, `${name}: SQL ${token} reaches beyond the database`)
    if (upper[at + 1] === '(' && endsByName(tokens[at] ?? ''))
      note(scope.ledger, 66, `${name}: SQL calls ${tokens[at]}`)
    if (
      at > 0 &&
      first === 'SELECT' &&
      ENDS.has(token) &&
      upper[at + 1] !== '(' &&
      !BEFORE_INNER.has(upper[at - 1] ?? '')
    )
      note(scope.ledger, 46, `${name}: the words say ${token.toLowerCase()}`)
    if (at > 0 && INNER.has(token) && BEFORE_INNER.has(upper[at - 1] ?? ''))
      judgeHead(upper, at, isBounded && where > at, scope, name)
  }
}

const CLIENT_ORDERS = /^\\(GEXEC|!|COPY|I|IR|SETENV)$/
const ORDER_SCORE = 62

/** Words that no query has, so that they are words of a sentence. */
const ENDS = wordSet('TRUNCATE DROP DELETE DESTROY WIPE PURGE ERASE')

/** `delete_all_users()`, `purge_everything()`: a function whose name says what it takes away. */
function endsByName(name: string): boolean {
  const [first = '', ...rest] = partsOf(name.slice(name.lastIndexOf('.') + 1))
  return rest.length > 0 && /^(delete|drop|purge|truncate|wipe|erase|destroy|remove|terminate|nuke)$/.test(first)
}

/** Statements inside of others, and what may stand before them. */
const INNER = wordSet('DELETE UPDATE INSERT DROP TRUNCATE')
const BEFORE_INNER = wordSet('( ) AS ANALYZE EXPLAIN')

/** The statement whose first word stands at a place. */
function judgeHead(upper: readonly string[], at: number, isBounded: boolean, scope: Scope, name: string): void {
  const first = upper[at] ?? ''
  const second = upper[at + 1]
  const said = (score: number, why: string) => note(scope.ledger, score, `${name}: SQL ${why}`)
  const [score, why] = BY_WORD.get(first) ?? [46, 'that no table knows']
  const keeps = first === 'CREATE' && upper[at + 2] === 'IF' && upper[at + 3] === 'NOT'
  said(keeps ? 28 : score, `${first} ${why}`)
  if ((first === 'DELETE' || first === 'UPDATE') && !isBounded)
    said(80, `${first} without a condition reaches every row`)
  if (first === 'ALTER' && upper.includes('DROP')) said(80, 'ALTER drops a part of a definition')
  if (first === 'DROP' && (second === 'INDEX' || second === 'VIEW')) said(66, 'DROP of an index or view')
  if (first === 'SET' && (second === 'GLOBAL' || second === 'PERSIST')) said(62, 'SET GLOBAL changes the server')
  if (first === 'COPY' && upper.includes('PROGRAM')) said(92, 'COPY runs a program')
  if (first === 'CREATE' && second === 'OR') said(52, 'CREATE OR REPLACE replaces an object')
  if ((first === 'CREATE' || first === 'ALTER') && (second === 'USER' || second === 'ROLE'))
    said(66, `${first} of a user or role changes rights`)
}

/** Commands of clients that write a file. */
const META_WRITES: ReadonlyMap<string, 'write' | 'append'> = new Map([
  ['.OUTPUT', 'write'],
  ['.ONCE', 'write'],
  ['.BACKUP', 'write'],
  ['.SAVE', 'write'],
  ['.CLONE', 'append'],
  ['.LOG', 'append'],
  ['\\O', 'write'],
  ['\\W', 'write'],
  ['TEE', 'append'],
])

/** Commands of the clients themselves: `\! rm`, `.shell`, `.read`. */
function judgeMeta(
  first: string,
  upper: readonly string[],
  tokens: readonly string[],
  scope: Scope,
  name: string,
): void {
  if (first === '') return
  let runs = first === '\\!' || first === '.SHELL' || first === '.SYSTEM' || first === 'SYSTEM' || first === '\\COPY'
  const writes = META_WRITES.get(first)
  const pipe = PIPED.test(first) ? tokens.slice(1).join(' ').replaceAll(/['"]/g, '').trim() : ''
  if (pipe.startsWith('|')) runs = true
  else if (writes !== undefined)
    act(scope, name, writes, (tokens.slice(1).join('') || '-').replaceAll(/^['"]|['"]$/g, ''))
  if (first === '.RESTORE' || first === '.RECOVER') note(scope.ledger, 66, `${name}: ${first} replaces the database`)
  if (first === '.LOAD') note(scope.ledger, 66, `${name}: loads code into the client`)
  if (/^(\.READ|\\I|\\IR|SOURCE)$/.test(first)) note(scope.ledger, 30, `${name}: runs a file of statements`)
  note(scope.ledger, runs ? 62 : 15, `${name}: ${first} of the client`)
  if (first === '\\COPY' && upper.includes('PROGRAM')) note(scope.ledger, 92, `${name}: \\COPY runs a program`)
  if (pipe.startsWith('|')) scope.runText(pipe.slice(1), scope, { kind: 'unknown' })
  else if (runs)
    scope.runWords(
      upper.slice(1).map((word) => word.toLowerCase()),
      scope,
      { kind: 'unknown' },
    )
}

/** What they show goes to a file, or to a program behind `|`. */
const PIPED = /^(\.(ONCE|OUTPUT|EXCEL|IMPORT|SAVE)|\\(O|G|GX|W))$/

/** A condition that is not true for every row. */
function isCondition(tokens: readonly string[]): boolean {
  const rest = tokens.filter((token) => token !== ';')
  if (rest.length === 1 && (rest[0] === 'TRUE' || rest[0] === '1')) return false
  return !rest.some((token, at) => token === '=' && rest[at - 1] === rest[at + 1])
}

function split(tokens: readonly string[]): readonly (readonly string[])[] {
  const statements: string[][] = [[]]
  for (const token of tokens) {
    if (token === ';') statements.push([])
    else statements.at(-1)?.push(token)
  }
  return statements.filter((statement) => statement.length > 0)
}

/** Words, quoted texts as one token each, and single characters; comments are gone. */
function tokensOf(text: string, most: number): readonly string[] {
  const tokens: string[] = []
  let at = 0
  while (at < text.length && tokens.length < most) {
    const char = text[at] ?? ''
    if (/\s/.test(char)) at++
    else if (char === '-' && text[at + 1] === '-') at = after(text, '\n', at)
    else if (char === '#') at = after(text, '\n', at)
    else if (char === '/' && text[at + 1] === '*') {
      // A version comment is run by MySQL.
      if (text[at + 2] === '!') at += 3 + (/^\d*/.exec(text.slice(at + 3, at + 10))?.[0].length ?? 0)
      else at = after(text, '*/', at + 2)
    } else if (char === '*' && text[at + 1] === '/') at += 2
    else if (char === "'" || char === '"' || char === '`') {
      const end = text.indexOf(char, at + 1)
      const to = end < 0 ? text.length : end + 1
      tokens.push(char === "'" ? text.slice(at, to) : text.slice(at + 1, to - 1))
      at = to
    } else if (/[\w\\.@$\u0080-\uffff]/.test(char)) {
      let to = at + 1
      while (to < text.length && /[\w.!@$\u0080-\uffff]/.test(text[to] ?? '')) to++
      tokens.push(text.slice(at, to))
      at = to
    } else {
      tokens.push(char)
      at++
    }
  }
  return tokens
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}
