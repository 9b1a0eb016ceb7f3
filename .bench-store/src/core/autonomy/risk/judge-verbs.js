import { note } from "./ledger.js";
import { wordSet } from "./options.js";
import { known } from "./scope.js";
import { partsOf, VERB_KINDS, VERBS, verbFinding, verbKind, verbTable } from "./verbs.js";
/** A program that takes verbs: `PROGRAM noun… verb name… --flags`. */
export function commandLine(row = {}) {
    const own = verbTable(row.verbs ?? {});
    return (call) => {
        const isTried = row.rehearsal !== undefined && call.args.includes(row.rehearsal);
        return judgeCommandLine(isTried ? { ...call, args: [...call.args, '--dry-run'] } : call, own, row.bare ?? 35);
    };
}
const MOST_WORDS = 8;
export function judgeCommandLine({ name, args, scope }, own, bare) {
    const plain = args.map(known);
    if (plain.length === 0)
        return noted(call(scope, name), bare > 35 ? bare : 12, 'shows its help');
    if (plain.some((arg) => HELP.has(arg)))
        return noted(call(scope, name), 8, 'shows its help or version');
    if (isRehearsal(plain))
        return noted(call(scope, name), 15, 'a rehearsal that changes nothing');
    const found = findVerb(args, plain, own);
    for (const flag of plain)
        judgeFlag(flag, found?.kind, call(scope, name));
    if (isOpen(args, plain, found?.at ?? 4))
        note(scope.ledger, 62, `${name}: what it shall do is known only at run time`);
    if (partsOf(name).some((part) => VERBS.get(part) === 'destroy'))
        note(scope.ledger, 70, `${name}: a name that says what it deletes`);
    if (!found && isListing(plain))
        return noted(call(scope, name), 14, 'lists');
    if (!found)
        return noted(call(scope, name), bare, 'a sub-command that no table knows');
    const { score, why } = verbFinding(found.kind, found.verb, plain.slice(0, found.at + 2).filter((word) => !OPERAND.test(word)));
    note(scope.ledger, score, `${name} ${why}`);
    return undefined;
}
/** A word before the verb that is known only at run time, and is no flag's value. */
function isOpen(args, plain, before) {
    return args.slice(0, before).some((arg, at) => arg !== '' && plain[at] === '' && !plain[at - 1]?.startsWith('-'));
}
/** One thing in the plural and nothing to do with it: it is listed. */
function isListing(plain) {
    const [first = '', ...rest] = plain;
    return /[^s]s$/.test(first) && rest.every((arg) => arg.startsWith('-'));
}
/** Words that make a change only a rehearsal. */
export function isRehearsal(args) {
    return args.some((arg) => REHEARSALS.has(arg));
}
/** Verbs among the flags (`--delete`, `-destroy`) and flags that take away a safety. */
function judgeFlag(flag, kind, here) {
    if (!flag.startsWith('-') || flag.length < 4)
        return;
    const name = flag.split('=', 1)[0] ?? flag;
    const own = RISKY_FLAGS.get(name.replace(/^--?/, ''));
    if (own !== undefined && (kind === undefined || VERB_KINDS[kind].score > 30))
        noted(here, own, `${name} takes away a safety`);
    const [first = ''] = partsOf(name);
    const byFlag = VERBS.get(first);
    if (byFlag === 'destroy' && first.length > 2 && !flag.endsWith('=false'))
        noted(here, 66, `${name} deletes`);
    else if (kind === undefined && byFlag && name.startsWith('--'))
        noted(here, VERB_KINDS[byFlag].score, `${name} ${VERB_KINDS[byFlag].why}`);
}
/**
 * The first word that is a verb. A word behind a flag may be that flag's value: it counts only where it is graver
 * than the verb that follows, or where none does.
 */
function findVerb(args, plain, own) {
    let gravest;
    let seen = 0;
    for (const [at, verb] of plain.entries()) {
        if (seen >= MOST_WORDS)
            break;
        if (verb.startsWith('-') || verb === '' || OPERAND.test(verb))
            continue;
        seen++;
        const kind = verbKind(verb, own);
        if (!kind || isNoun(verb, plain[at + 1], own))
            continue;
        const before = plain[at - 1] ?? '';
        const isSure = !(before.startsWith('-') && !before.includes('='));
        const found = { verb, kind, at, isSure };
        if (!gravest || VERB_KINDS[kind].score > VERB_KINDS[gravest.kind].score)
            gravest = found;
        if (isSure && !args[at]?.includes('\0'))
            return ASKING.has(verb) ? gravest : graver(gravest, plain, at, own);
    }
    return gravest ?? verbFlag(plain, own);
}
/** `stack rm`, `migrate reset`: one of the next words says more than a word that may be a thing. */
function graver(found, plain, from, own) {
    for (const [at, verb] of plain.slice(0, from + 3).entries()) {
        if (at <= from || !(own.has(verb) || VERBS.has(partsOf(verb)[0] ?? '')))
            continue;
        const kind = verbKind(verb, own);
        if ((kind === 'destroy' || kind === 'stop') && VERB_KINDS[kind].score > VERB_KINDS[found.kind].score)
            return { ...found, verb, kind, at };
    }
    return found;
}
/** `backup delete`, `release list`: words that are verbs elsewhere and things here. */
function isNoun(word, next, own) {
    return (NOUNS.has(word) &&
        next !== undefined &&
        !next.startsWith('-') &&
        !OPERAND.test(next) &&
        verbKind(next, own) !== undefined);
}
/** `kafka-topics --list`: the flag is the verb. */
function verbFlag(plain, own) {
    for (const [at, flag] of plain.entries()) {
        const kind = own.get(flag) ?? (flag.startsWith('--') ? VERBS.get(flag.slice(2)) : undefined);
        if (kind)
            return { verb: flag, kind, at, isSure: true };
    }
    return undefined;
}
function call(scope, name) {
    return { scope, name };
}
function noted({ scope, name }, score, why) {
    note(scope.ledger, score, `${name}: ${why}`);
    return undefined;
}
const ASKING = wordSet('get list ls describe show view status info help cat search find inspect logs read head query explain create');
const NOUNS = wordSet(`backup restore schedule snapshot snapshots config tag label log logs plan version versions account key record store run
  test report watch lock release deploy import export template trace scan build archive process monitor proxy mount call event events
  request query package graph metrics output discover cache stat health audit history login comment issue`);
const HELP = wordSet('--help --version -version');
const REHEARSALS = wordSet(`--dry-run --dryrun --dry-run=client --dry-run=server --dry-run=true --dry --what-if --noop --simulate
  --just-print --preview --dry-run=all -WhatIf --check-only --plan --diff-only`);
const OPERAND = /[/=.@{}<>,*]|::|:.*\d|:$/;
const RISKY_FLAGS = new Map([
    ['force', 64],
    ['force-destroy', 75],
    ['auto-approve', 68],
    ['skip-final-snapshot', 72],
    ['force-delete-without-recovery', 80],
    ['unsafe-allow-remove-all', 80],
    ['no-preserve-root', 97],
    ['grace-period', 62],
    ['replicas=0', 64],
    ['allow-unauthenticated', 62],
    ['disable-rollback', 62],
    ['ignore-not-found', 12],
]);
