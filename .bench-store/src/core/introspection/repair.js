import { failure } from "../../protocol/result.js";
import { isObject } from "../registry/check-value.js";
import { holdsSecrets } from "../registry/secrets.js";
import { nearestNames } from "./search.js";
import { signatureOf } from "./signature.js";
/**
 * Extension "repairable errors": the first fault stays the error; `details` adds the other faults, the signature and,
 * where one can be made from what was sent, a request that would pass.
 */
export function repair({ failures, given }, { target }, passes) {
    const [first, ...others] = failures;
    const { code, message, details } = first.error;
    const example = corrected(target, given, wrongNames(failures), passes);
    return failure({
        code,
        message,
        details: Object.freeze({
            ...details,
            ...(others.length > 0 && { other_faults: others.slice(0, 8).map(({ error }) => error.message) }),
            signature: signatureOf(target),
            ...(example && { example: { operation: target.name, params: example } }),
        }),
    });
}
/** `tags[2].name` is a fault of `tags`; a conflict of paging controls is one of all but the first pair. */
function wrongNames(failures) {
    const names = failures.map(({ error: { details } }) => {
        const name = String(details?.param_name ?? details?.location ?? '');
        return name.split(/[.[]/)[0] ?? name;
    });
    return new Set(names.flatMap((name) => (name === 'pagination' ? OTHER_PAGING : [name])));
}
const OTHER_PAGING = ['last', 'before', 'limit', 'offset', 'page', 'page_size'];
/** Stands for what only the caller can know. */
const BLANK = '…';
/**
 * What was right is kept, a misspelt name is put right, what was wrong is left out. A value that has to be invented is
 * shown only in a READ: an example of a write must not be one that changes something else when it is copied.
 */
function corrected(target, given, wrong, passes) {
    const shown = mended(target, given, wrong);
    const probe = { ...shown };
    const known = target.definition.examples?.[0]?.params ?? {};
    for (const { name, required, param } of target.params) {
        if (!required || Object.hasOwn(shown, name))
            continue;
        if (name === 'input')
            return undefined;
        probe[name] = Object.hasOwn(known, name) ? known[name] : sampleOf(param);
        shown[name] = target.category === 'READ' && !param.sensitive ? probe[name] : BLANK;
    }
    if (Object.hasOwn(shown, 'after') && !Object.hasOwn(shown, 'first'))
        shown.first = probe.first = 20;
    if (passes(probe))
        return shown;
    return target.category === 'READ' && passes(known) ? known : undefined;
}
function mended(target, given, wrong) {
    const kept = {};
    const fits = ({ check }, value) => !check(value) && isShort(value);
    for (const entry of target.params) {
        if (!Object.hasOwn(given, entry.name) || hidesSecrets(entry, target))
            continue;
        const value = given[entry.name];
        if (entry.name === 'input' && target.input && isObject(value))
            Object.assign(kept, mendedInput(target, value));
        else if (!wrong.has(entry.name) && fits(entry, value))
            kept[entry.name] = value;
    }
    const declared = new Map(target.params.map((entry) => [entry.name, entry]));
    const strange = Object.keys(given).filter((name) => !declared.has(name));
    for (const name of strange.slice(0, MOST_COMPARED)) {
        const [nearest = ''] = nearestNames(name.slice(0, 64), declared.keys(), 1);
        const entry = declared.get(nearest);
        const free = entry && !Object.hasOwn(given, nearest) && !hidesSecrets(entry, target);
        if (free && fits(entry, given[name]))
            kept[nearest] = given[name];
    }
    return kept;
}
/** The fields of `input` that can be written, misspelt ones among them; nothing where none is left. */
function mendedInput({ input: rules }, input) {
    const checks = rules?.checks ?? new Map();
    const kept = {};
    const strange = Object.keys(input).filter((name) => !checks.has(name));
    const left = new Set(strange.slice(MOST_COMPARED));
    for (const [name, value] of Object.entries(input)) {
        if (left.has(name))
            continue;
        const [nearest = ''] = checks.has(name) ? [name] : nearestNames(name.slice(0, 64), checks.keys(), 1);
        const free = nearest === name || !Object.hasOwn(input, nearest);
        if (free && checks.has(nearest) && !checks.get(nearest)?.(value) && isShort(value))
            kept[nearest] = value;
    }
    return Object.keys(kept).length > 0 ? { input: kept } : {};
}
/** A request may carry a hundred thousand names; none of those was misspelt. */
const MOST_COMPARED = 20;
function hidesSecrets({ name, param }, { input }) {
    return holdsSecrets({ row: name === 'input' && input ? { ...param, fields: input.rows } : param });
}
function isShort(value) {
    return (JSON.stringify(value)?.length ?? 0) <= 200;
}
function sampleOf(param) {
    if (param.default !== undefined)
        return param.default;
    const [choice] = param.enum ?? [];
    const base = param.type.split(' | ')[0] ?? '';
    if (base.endsWith('[]'))
        return choice === undefined ? [] : [choice];
    if (choice !== undefined)
        return choice;
    if (base === 'number' || base === 'integer')
        return param.minimum ?? 1;
    if (base === 'boolean')
        return true;
    if (base === 'array')
        return [];
    if (base === 'object')
        return sampleFields(param);
    return BLANK;
}
function sampleFields({ fields = {} }) {
    const required = Object.entries(fields).filter(([, field]) => field.required);
    return Object.fromEntries(required.map(([name, field]) => [name, sampleOf(field)]));
}
