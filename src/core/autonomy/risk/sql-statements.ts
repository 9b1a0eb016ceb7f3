import { wordSet } from './options.ts'
import { isProgram } from './program-names.ts'
import { replaceQuoted } from './quoted.ts'
import { looksLikeSql } from './sql.ts'
import { VERBS } from './verbs.ts'

/**
 * True where the whole text can be SQL and nothing else says more: statements that begin so, in which names follow each
 * other only as in an alias. A sentence that begins with "select" or a pipe of a shell is none.
 */
export function readsAsStatement(text: string): boolean {
  if (!looksLikeSql(text)) return false
  const bare = withoutTexts(text)
  if (bare === undefined || /[|&$\\{}]|[<>]\s*[~/.]|[<>]\(/.test(bare)) return false
  return bare.split(';').every((statement) => isStatement(statement.match(TOKENS) ?? []))
}

/** Texts and quoted names become one letter; undefined where a quote has no end or back-ticks hold more than a name. */
export function withoutTexts(text: string): string | undefined {
  const bare = replaceQuoted(withoutComments(text), `'"\``, (inner, quote) =>
    MARKED[quote]?.test(inner) ? ' q ' : quote,
  )
  return /['"`]/.test(bare) ? undefined : bare
}

/** What may stand between quotes of a statement; anything else is left as a quote that has no end. */
const MARKED: Readonly<Record<string, RegExp>> = { "'": /^/, '"': /^[^$`\\]*$/, '`': /^\w+$/ }

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.replaceAll(/--[^\n]*/g, ' ').split('/*')
  // A version comment is run, and one without an end hides what follows it.
  return (
    first +
    rest
      .map((part) => (part.startsWith('!') || !part.includes('*/') ? `/*${part}` : part.slice(part.indexOf('*/') + 2)))
      .join('')
  )
}

const TOKENS = /[A-Za-z_][\w.]*|[\d.]+|[^\s\w]/g

function isStatement(tokens: readonly string[]): boolean {
  let names = 0
  let most = 2
  const hasCase = tokens.some((token) => /^case$/i.test(token))
  for (const [at, token] of tokens.entries()) {
    const word = token.toUpperCase()
    if (word === 'THEN' && !hasCase) return false
    if (!/^[A-Z_]/.test(word)) names = 0
    else if (KEYWORDS.has(word)) {
      names = 0
      if (CONDITIONS.has(word)) most = 1
      else if (LISTS.has(word)) most = 2
    } else if (++names > most) return false
    else if (isDeed(token) && !/^[(.=,)]$/.test(tokens[at + 1] ?? '')) return false
  }
  return true
}

/** A word that only statements begin or go on with: no shell and no program knows it. */
export function isStatementWord(word = ''): boolean {
  return KEYWORDS.has(word.toUpperCase()) && !SHELL_WORDS.has(word) && !isProgram(word.toLowerCase())
}

const SHELL_WORDS = wordSet('if then else for do case select in time end')

/** A bare word that deletes or ends something is no name that a statement would hold without quotes. */
function isDeed(token: string): boolean {
  return VERBS.get(token.toLowerCase()) === 'destroy'
}

const CONDITIONS = wordSet('WHERE AND OR NOT ON HAVING WHEN THEN ELSE')
const LISTS = wordSet('SELECT FROM JOIN INTO TABLE SET AS UPDATE')
const KEYWORDS =
  wordSet(`SELECT DISTINCT ALL FROM WHERE AND OR NOT ON USING JOIN LEFT RIGHT INNER OUTER FULL CROSS NATURAL LATERAL GROUP ORDER BY HAVING
  LIMIT OFFSET FETCH FIRST NEXT ROW ROWS ONLY UNION EXCEPT INTERSECT AS IN IS NULL LIKE ILIKE BETWEEN EXISTS CASE WHEN THEN ELSE END ASC DESC NULLS
  LAST WITH RECURSIVE INSERT INTO VALUES DEFAULT UPDATE SET DELETE RETURNING CONFLICT DO NOTHING MERGE MATCHED REPLACE DROP TABLE DATABASE SCHEMA
  INDEX VIEW USER ROLE FUNCTION TRIGGER SEQUENCE TYPE PROCEDURE MATERIALIZED COLUMN TABLESPACE EXTENSION OWNED KEYSPACE COLLECTION IF CASCADE RESTRICT
  TRUNCATE RESTART IDENTITY CONTINUE ALTER ADD RENAME TO CONSTRAINT PRIMARY KEY FOREIGN REFERENCES UNIQUE CHECK CREATE TEMP TEMPORARY OR GRANT REVOKE
  PRIVILEGES SHOW TABLES DATABASES COLUMNS STATUS VARIABLES PROCESSLIST SCHEMAS GRANTS EXPLAIN ANALYZE VERBOSE VACUUM FULL FOR OF OVER PARTITION
  WINDOW FILTER TRUE FALSE ANY SOME ARRAY INTERVAL DATE TIMESTAMP TIME ZONE AT INTEGER INT BIGINT SMALLINT TEXT VARCHAR CHAR BOOLEAN BOOL NUMERIC DECIMAL
  REAL DOUBLE PRECISION SERIAL JSON JSONB UUID BEGIN COMMIT ROLLBACK USE`)
