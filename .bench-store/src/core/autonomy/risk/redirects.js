import { act } from "./actions.js";
import { spend } from "./budget.js";
import { expandParts, expandText } from "./expand-words.js";
import { note } from "./ledger.js";
import { ANYTHING, isUnknown, NOTHING } from "./scope.js";
import { isSecretFile, resolvePath } from "./targets.js";
/** Judges where the streams of a command go. `program` is empty for a redirect without a command. */
export function redirect(redirects, scope, stdin, program) {
    let input = stdin;
    let file;
    for (const one of redirects) {
        if (!spend(scope.budget, 15))
            break;
        if (one.type === 'HereDoc')
            input = { kind: 'text', text: hereText(one, scope) };
        else if (!one.target)
            continue;
        else if (one.type === 'HereString')
            input = { kind: 'text', text: `${expandText(one.target, scope)}\n` };
        else {
            const path = expandText(one.target, scope);
            if (isNetwork(path))
                note(scope.ledger, 85, 'a shell stream to the network');
            if (one.operator === '<' || one.operator === '<&')
                input = readFrom(path, scope, input);
            else if (!isDescriptor(path))
                file = writeTo(path, one.operator, scope, program);
        }
    }
    return { input, keep: (output) => (file === undefined ? output : keepIn(file, output, scope)) };
}
/** What stands in the file, as far as the text itself wrote it. */
export function readFile(path, scope) {
    if (isSecretFile(path))
        note(scope.ledger, 45, 'reads a file that holds secrets');
    return scope.files.get(resolvePath(path, scope.cwd)) ?? ANYTHING;
}
export function keepIn(path, output, scope) {
    if (output.kind !== 'none' && scope.files.size < 64) {
        const before = scope.files.get(path);
        const text = before?.kind === 'text' && output.kind === 'text' ? before.text + output.text : undefined;
        scope.files.set(path, text === undefined ? output : { kind: 'text', text });
    }
    return NOTHING;
}
function writeTo(path, operator, scope, program) {
    act(scope, program === '' ? '>' : 'redirect', program === '' && operator !== '>>' ? 'overwrite' : 'write', path);
    return resolvePath(path, scope.cwd);
}
function readFrom(path, scope, input) {
    return isDescriptor(path) ? input : readFile(path, scope);
}
function hereText({ body }, scope) {
    return body.parts ? expandParts(body.parts, scope) : body.text;
}
function isDescriptor(path) {
    return /^\d*-?$/.test(path);
}
function isNetwork(path) {
    return !isUnknown(path) && (path.startsWith('/dev/tcp/') || path.startsWith('/dev/udp/'));
}
