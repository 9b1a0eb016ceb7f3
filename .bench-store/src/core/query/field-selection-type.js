import { presetNames, presetSelection } from "./select-fields.js";
/** Fields document §3.3 and §5.3 (FIELD-09): what `fields` can be given, type by type. */
export function fieldSelectionType(types) {
    const resources = [...types].filter((type) => type.kind === 'object' && type.key !== undefined);
    const presets = [...new Set(['minimal', 'standard', 'full', ...resources.flatMap(presetNames)])];
    const computed = [...new Set(resources.flatMap(computedPaths))];
    return Object.freeze({
        name: 'FieldSelection',
        kind: 'object',
        description: 'What `fields` takes: the name of a preset, or a list of field paths.',
        fields: {
            presets: { type: 'string', enum: presets, description: resources.map(describePresets).join(' ') },
            fields: { type: 'string[]', description: resources.map(describeFields).join(' ') },
            computed_fields: {
                type: 'string[]',
                ...(computed.length > 0 && { enum: computed }),
                description: describeComputed(resources),
            },
        },
    });
}
function describePresets(type) {
    const listed = presetNames(type).map((name) => {
        const { paths, computed } = presetSelection(type, name);
        return `${name} = ${[...(paths ?? ['everything']), ...computed.map((each) => `_computed.${each}`)].join(', ')}`;
    });
    return `${type.name}: ${listed.join('; ')}.`;
}
function describeFields(type) {
    return `${type.name}: ${Object.keys(type.fields).join(', ')}.`;
}
function describeComputed(types) {
    const having = types.filter((type) => computedPaths(type).length > 0);
    return having.map((type) => `${type.name}: ${computedPaths(type).join(', ')}.`).join(' ') || 'None.';
}
function computedPaths(type) {
    return Object.keys(type.computed ?? {}).map((name) => `_computed.${name}`);
}
