/** Stands in a word for what is known only at run time. A shell's words cannot hold it, and hints lose theirs. */
export const UNKNOWN = '\0';
export const NOTHING = Object.freeze({ kind: 'none' });
export const ANYTHING = Object.freeze({ kind: 'unknown' });
/** Where relative paths start; what a variable of the environment is taken for. */
export const HOME = '/home/user';
export const PROJECT = '/home/user/project';
export const ENVIRONMENT = new Map([
    ['HOME', HOME],
    ['PWD', PROJECT],
    ['OLDPWD', HOME],
    ['TMPDIR', '/tmp'],
    ['TMP', '/tmp'],
    ['TEMP', '/tmp'],
    ['IFS', ' \t\n'],
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ['SHELL', '/bin/bash'],
    ['BASH', '/bin/bash'],
    ['USER', 'user'],
    ['LOGNAME', 'user'],
    ['LANG', 'C'],
    ['TERM', 'xterm'],
    ['EUID', '1000'],
    ['UID', '1000'],
]);
/** The text with what is unknown taken for empty. */
export function known(text) {
    return text.includes(UNKNOWN) ? text.replaceAll(UNKNOWN, '') : text;
}
export function isUnknown(text) {
    return text.includes(UNKNOWN);
}
