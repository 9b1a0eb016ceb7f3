import { CATEGORY_NAMES } from "../../protocol/categories.js";
/** TYPE-01 — the types that every adapter lists. */
export const PROTOCOL_TYPES = [
    { name: 'SemanticCategory', kind: 'enum', description: 'What an operation does to state.', values: CATEGORY_NAMES },
    {
        name: 'OperationInput',
        kind: 'object',
        description: 'A request.',
        fields: {
            operation: { type: 'string', required: true, description: 'Which operation.' },
            params: { type: 'object', description: 'Its parameters.' },
        },
    },
    {
        name: 'OperationResult',
        kind: 'union',
        description: 'What every operation answers.',
        members: ['OperationSuccess', 'OperationFailure'],
    },
    {
        name: 'OperationSuccess',
        kind: 'object',
        description: 'success is true.',
        fields: {
            success: { type: 'boolean', required: true },
            data: { type: 'object | array | string | number | boolean | null', required: true },
            warnings: { type: 'object[]', description: 'code, message, details?, severity?' },
        },
    },
    {
        name: 'OperationFailure',
        kind: 'object',
        description: 'success is false.',
        fields: {
            success: { type: 'boolean', required: true },
            error: { type: 'object', required: true, description: 'code, message, details?' },
        },
    },
    {
        name: 'EndpointPermissions',
        kind: 'object',
        description: 'What the category of an operation allows.',
        fields: {
            readOnly: { type: 'boolean', required: true },
            destructive: { type: 'boolean', required: true },
        },
    },
];
