import { note } from "./ledger.js";
import { wordSet } from "./options.js";
const STATEMENTS = [
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
];
const BY_WORD = new Map(STATEMENTS.map(([first, ...row]) => [first, row]));
/** Functions and clauses that reach beyond the database. */
const REACHES = new Map([
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
]);
/** True for a text that starts as a statement and goes on as one; `update` alone is an English word. */
export function looksLikeSql(text) {
    const [first = '', second = '', third = '', fourth = ''] = tokensOf(text.slice(0, 400)).map((token) => token.toUpperCase());
    const follows = FOLLOWS.get(first);
    if (follows === undefined)
        return false;
    if (follows === '')
        return (second !== '' && (text.trim().endsWith(';') || text.toUpperCase().includes(' FROM ') || /^[\d*'(]/.test(second)));
    return [second, third, fourth].some((token) => wordSet(follows).has(token));
}
/** What must stand near the first word; empty where a `FROM` or a semicolon says enough. */
const FOLLOWS = new Map([
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
]);
/** Judges every statement of a text. */
export function judgeSql(text, scope, name) {
    const source = text.slice(0, 20_000);
    if (text.includes('\0'))
        note(scope.ledger, 50, `${name}: SQL that is known only in part`);
    for (const statement of split(tokensOf(source)))
        judgeStatement(statement, scope, name);
}
function judgeStatement(tokens, scope, name) {
    const upper = tokens.map((token) => token.toUpperCase());
    const [first = ''] = upper;
    if (first === '' || first.startsWith('\\') || first.startsWith('.')) {
        judgeMeta(first, upper, scope, name);
        return;
    }
    const said = (score, why) => note(scope.ledger, score, `${name}: SQL ${why}`);
    const [score, why] = BY_WORD.get(first) ?? [46, 'that no table knows'];
    said(score, `${first} ${why}`);
    for (const [at, token] of upper.entries()) {
        const reach = REACHES.get(token);
        if (reach !== undefined)
            said(reach, `${token} reaches beyond the database`);
        const before = upper[at - 1];
        const isInner = at > 0 && (before === '(' || before === 'AS' || before === 'ANALYZE' || before === 'EXPLAIN' || before === ')');
        if (isInner &&
            (token === 'DELETE' || token === 'UPDATE' || token === 'INSERT' || token === 'DROP' || token === 'TRUNCATE'))
            judgeStatement(tokens.slice(at), scope, name);
    }
    if ((first === 'DELETE' || first === 'UPDATE') && !isBounded(upper))
        said(80, `${first} without a condition reaches every row`);
    if (first === 'ALTER' && upper.includes('DROP'))
        said(80, 'ALTER drops a part of a definition');
    if (first === 'DROP' && (upper[1] === 'INDEX' || upper[1] === 'VIEW'))
        said(66, 'DROP of an index or view');
    if (first === 'COPY' && upper.includes('PROGRAM'))
        said(92, 'COPY runs a program');
    if (first === 'CREATE' && upper[1] === 'OR')
        said(52, 'CREATE OR REPLACE replaces an object');
    if ((first === 'CREATE' || first === 'ALTER') && (upper[1] === 'USER' || upper[1] === 'ROLE'))
        said(66, `${first} of a user or role changes rights`);
}
/** Commands of the clients themselves: `\! rm`, `.shell`, `.read`. */
function judgeMeta(first, upper, scope, name) {
    if (first === '')
        return;
    const runs = first === '\\!' || first === '.SHELL' || first === '.SYSTEM' || first === '\\COPY';
    note(scope.ledger, runs ? 62 : 15, `${name}: ${first} of the client`);
    if (runs)
        scope.runWords(upper.slice(1).map((word) => word.toLowerCase()), scope, { kind: 'unknown' });
}
/** A condition that is not true for every row. */
function isBounded(upper) {
    const where = upper.lastIndexOf('WHERE');
    if (where < 0)
        return false;
    const rest = upper.slice(where + 1).filter((token) => token !== ';');
    if (rest.length === 1 && (rest[0] === 'TRUE' || rest[0] === '1'))
        return false;
    for (const [at, token] of rest.entries())
        if (token === '=' && rest[at - 1] === rest[at + 1])
            return false;
    return true;
}
function split(tokens) {
    const statements = [[]];
    for (const token of tokens) {
        if (token === ';')
            statements.push([]);
        else
            statements.at(-1)?.push(token);
    }
    return statements.filter((statement) => statement.length > 0).slice(0, 32);
}
const MOST_TOKENS = 600;
/** Words, quoted texts as one token each, and single characters; comments are gone. */
function tokensOf(text) {
    const tokens = [];
    let at = 0;
    while (at < text.length && tokens.length < MOST_TOKENS) {
        const char = text[at] ?? '';
        if (/\s/.test(char))
            at++;
        else if (char === '-' && text[at + 1] === '-')
            at = after(text, '\n', at);
        else if (char === '#')
            at = after(text, '\n', at);
        else if (char === '/' && text[at + 1] === '*') {
            // A version comment is run by MySQL.
            if (text[at + 2] === '!')
                at += 3 + (/^\d*/.exec(text.slice(at + 3, at + 10))?.[0].length ?? 0);
            else
                at = after(text, '*/', at + 2);
        }
        else if (char === '*' && text[at + 1] === '/')
            at += 2;
        else if (char === "'" || char === '"' || char === '`') {
            const end = text.indexOf(char, at + 1);
            const to = end < 0 ? text.length : end + 1;
            tokens.push(char === "'" ? text.slice(at, to) : text.slice(at + 1, to - 1));
            at = to;
        }
        else if (/[\w\\.@$\u0080-\uffff]/.test(char)) {
            let to = at + 1;
            while (to < text.length && /[\w.!@$\u0080-\uffff]/.test(text[to] ?? ''))
                to++;
            tokens.push(text.slice(at, to));
            at = to;
        }
        else {
            tokens.push(char);
            at++;
        }
    }
    return tokens;
}
function after(text, mark, from) {
    const at = text.indexOf(mark, from);
    return at < 0 ? text.length : at + mark.length;
}
