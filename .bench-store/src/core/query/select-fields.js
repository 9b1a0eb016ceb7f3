import { fail } from "../../protocol/errors.js";
import { FORBIDDEN_KEYS } from "../../protocol/request.js";
import { isFailure } from "../../protocol/result.js";
import { parseType } from "../registry/type-grammar.js";
import { fieldAt } from "./read-path.js";
export const PRESETS = ['minimal', 'standard', 'full'];
/** Fields document §2 and §5. Without `fields` and `preset` the fallback decides (FIELD-03). */
export function parseSelection(type, given, fallback, types) {
    const { fields, preset } = given;
    if (fields === undefined && preset === undefined)
        return { selection: presetSelection(type, fallback), unknown: [] };
    const parts = [];
    const unknown = [];
    for (const [param_name, name] of [
        ['fields', fields],
        ['preset', preset],
    ]) {
        if (name === undefined || Array.isArray(name))
            continue;
        if (!isPreset(type, name))
            return unknownPreset(type, param_name);
        parts.push(presetSelection(type, name));
    }
    if (Array.isArray(fields)) {
        if (fields.length === 0 && parts.length === 0)
            return malformedPath();
        const listed = parsePaths(type, fields, types);
        if (isFailure(listed))
            return listed;
        parts.push(listed.selection);
        unknown.push(...listed.unknown);
    }
    return { selection: union(parts), unknown };
}
/** FIELD-02: declared names, and the three that every type has. */
export function presetNames(type) {
    return [...new Set([...PRESETS, ...Object.keys(type.presets ?? {})])];
}
/** What a preset keeps; the same object for every call, so that its plan is made once. */
export function presetSelection(type, name) {
    const known = PRESET_SELECTIONS.get(type) ?? new Map();
    PRESET_SELECTIONS.set(type, known);
    const selection = known.get(name) ?? split(presetPaths(type, name));
    known.set(name, selection);
    return selection;
}
/**
 * Fields document §4. Keeps the nesting of what it keeps, goes through lists of objects, and leaves out what an item
 * does not have. `computed` reads a value that was worked out before.
 */
export function selectFields(item, selection, type, now, computed = (name) => type.computed?.[name]?.compute(item, now)) {
    const kept = selection.paths ? keep(item, planOf(selection.paths)) : { ...item };
    if (selection.computed.length === 0)
        return kept;
    const values = selection.computed.map((name) => [name, computed(name)]);
    const found = values.filter(([, value]) => value !== undefined);
    return found.length === 0 ? kept : { ...kept, [COMPUTED]: Object.fromEntries(found) };
}
const COMPUTED = '_computed';
const COMPUTED_PREFIX = '_computed.';
/** FIELD-08. Linear: no two parts of either pattern can match the same text. */
const PATH = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/;
const COMPUTED_PATH = /^_computed\.[a-z][a-z0-9_]*$/;
/** What `unknown` shows of a path that somebody made up. */
const SHOWN = 100;
function parsePaths(type, paths, types) {
    const kept = [];
    const unknown = [];
    for (const path of new Set(paths)) {
        if (typeof path !== 'string' || !(PATH.test(path) || COMPUTED_PATH.test(path)))
            return malformedPath();
        if (isKnown(type, path, types))
            kept.push(path);
        else
            unknown.push(path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path);
    }
    return { selection: split(kept), unknown };
}
function isKnown(type, path, types) {
    if (path.startsWith(COMPUTED_PREFIX))
        return Object.hasOwn(type.computed ?? {}, path.slice(COMPUTED_PREFIX.length));
    return !path.split('.').some((step) => FORBIDDEN_KEYS.has(step)) && fieldAt(type, path, types) !== undefined;
}
function isPreset(type, name) {
    return typeof name === 'string' && presetNames(type).includes(name);
}
function unknownPreset(type, param_name) {
    const constraint = param_name === 'fields' ? 'a preset name or a list of field paths' : 'a preset name';
    return fail('VALIDATION_INVALID_VALUE', { param_name, constraint, allowed: presetNames(type) });
}
function malformedPath() {
    const constraint = "one or more field paths such as 'title', 'owner.name' or '_computed.age', in lower case";
    return fail('VALIDATION_INVALID_VALUE', { param_name: 'fields', constraint });
}
const PRESET_SELECTIONS = new WeakMap();
function presetPaths(type, name) {
    const declared = type.presets && Object.hasOwn(type.presets, name) ? type.presets[name] : undefined;
    if (declared)
        return declared;
    if (name === 'minimal')
        return identification(type);
    if (name === 'standard')
        return Object.keys(type.fields).filter((field) => isCommon(type.fields[field]));
    return undefined;
}
/** `minimal` of a type that does not say: its key and what people would call it by. */
function identification({ key, fields }) {
    const name = NAMES.find((candidate) => Object.hasOwn(fields, candidate));
    const found = [...new Set([key, name])].filter((field) => field !== undefined);
    return found.length > 0 ? found : Object.keys(fields).slice(0, 1);
}
const NAMES = ['name', 'title', 'display_name', 'full_name', 'label', 'subject', 'summary'];
/**
 * `standard` of a type that does not say: its simple fields. Objects, lists of objects, binary content, secrets and
 * texts declared longer than 1,000 characters are for `full`.
 */
function isCommon(field) {
    if (!field || field.fields || field.sensitive || field.format === 'base64' || (field.maxLength ?? 0) > 1000)
        return false;
    return (parseType(field.type) ?? []).every(({ base, depth }) => depth === 0 ? base !== 'object' && base !== 'array' : depth === 1 && SIMPLE.has(base));
}
const SIMPLE = new Set(['string', 'number', 'integer', 'boolean']);
function split(paths) {
    if (!paths)
        return EVERYTHING;
    const isComputed = (path) => path.startsWith(COMPUTED_PREFIX);
    return Object.freeze({
        paths: Object.freeze(paths.filter((path) => !isComputed(path))),
        computed: Object.freeze(paths.filter(isComputed).map((path) => path.slice(COMPUTED_PREFIX.length))),
    });
}
const EVERYTHING = Object.freeze({ computed: Object.freeze([]) });
/** FIELD-07. */
function union(parts) {
    const [only, ...others] = parts;
    if (only && others.length === 0)
        return only;
    const computed = [...new Set(parts.flatMap((part) => part.computed))];
    if (parts.some(({ paths }) => paths === undefined))
        return { computed };
    return { paths: [...new Set(parts.flatMap(({ paths }) => paths ?? []))], computed };
}
const PLANS = new WeakMap();
function planOf(paths) {
    const known = PLANS.get(paths);
    if (known)
        return known;
    const plan = new Map();
    const steps = paths.map((path) => path.split('.'));
    for (const path of steps)
        if (!path.some((step) => FORBIDDEN_KEYS.has(step)))
            plant(plan, path);
    PLANS.set(paths, plan);
    return plan;
}
function plant(plan, steps) {
    let level = plan;
    for (const [index, step] of steps.entries()) {
        const below = level.get(step);
        if (below === true)
            return;
        if (index === steps.length - 1) {
            level.set(step, true);
            return;
        }
        const next = below ?? new Map();
        level.set(step, next);
        level = next;
    }
}
function keep(item, plan) {
    const kept = {};
    for (const [name, below] of plan) {
        if (!Object.hasOwn(item, name))
            continue;
        const value = below === true ? item[name] : inside(item[name], below);
        if (value !== undefined)
            kept[name] = value;
    }
    return kept;
}
/** Undefined where nothing was found, so that no empty shell remains. */
function inside(value, plan) {
    if (Array.isArray(value))
        return value.map((element) => inside(element, plan) ?? {});
    if (typeof value !== 'object' || value === null)
        return undefined;
    const kept = keep(value, plan);
    return Object.keys(kept).length > 0 ? kept : undefined;
}
