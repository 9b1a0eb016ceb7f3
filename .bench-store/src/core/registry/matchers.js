/**
 * Loads the pattern and schema engines, each only when some row needs it: most adapters need neither, and start-up
 * must not pay for them.
 */
export async function loadMatchers(params) {
    const needs = { pattern: false, schema: false };
    for (const param of params)
        collectNeeds(param, needs);
    const pattern = needs.pattern || needs.schema ? await loadPatterns() : absent;
    return { pattern, schema: needs.schema ? await loadSchemas(pattern) : absent };
}
function collectNeeds(param, needs) {
    if (param.pattern !== undefined)
        needs.pattern = true;
    if (param.schema !== undefined)
        needs.schema = true;
    if (param.items)
        collectNeeds(param.items, needs);
    for (const field of Object.values(param.fields ?? {}))
        collectNeeds(field, needs);
}
const absent = () => {
    throw new Error('engine was not loaded');
};
/** Linear time on any text; look-around and back-references are refused, never handed to a backtracking engine. */
async function loadPatterns() {
    const { RE2JS } = await import('re2js');
    return (source) => {
        const compiled = RE2JS.compile(source);
        return (text) => compiled.matcher(text).find();
    };
}
async function loadSchemas(pattern) {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const formats = await import('ajv-formats');
    // Ajv keys its pattern cache by `toString()` of what the factory returns.
    const regExp = Object.assign((source) => ({ test: pattern(source), toString: () => `/${source}/` }), {
        code: 'linear',
    });
    const ajv = new Ajv2020({ strict: false, allErrors: false, code: { regExp: regExp } });
    formats.default.default(ajv);
    return (schema) => {
        const validate = ajv.compile(schema);
        return (value) => {
            if (validate(value))
                return undefined;
            const [error] = validate.errors ?? [];
            const isType = error?.keyword === 'type';
            const message = isType ? String(error.params.type) : neutral(error?.message);
            return { path: dotted(error?.instancePath ?? ''), message, isType };
        };
    };
}
/** ERR-05: some messages of the validator ("must match format …") would trip the published leak check. */
function neutral(message = 'a value as documented') {
    const text = message.replace(/^must match format /, 'a value of the kind ');
    return /at\s/i.test(text) ? 'a value as documented' : text;
}
/** `/tags/2/name` as `.tags[2].name`. */
function dotted(pointer) {
    return pointer
        .split('/')
        .slice(1)
        .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll('~1', '/').replaceAll('~0', '~')}`))
        .join('');
}
