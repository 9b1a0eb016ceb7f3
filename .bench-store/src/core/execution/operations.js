import { defineOperation } from "../registry/operation.js";
import { defineType } from "../registry/type.js";
/** Spec §8.4.3, the shape of every answer about an execution. */
export const EXECUTION = defineType({
    name: 'Execution',
    kind: 'object',
    description: 'The state of a long-running operation.',
    key: 'execution_id',
    fields: {
        execution_id: { type: 'string', required: true },
        status: {
            type: 'string',
            required: true,
            enum: ['pending', 'running', 'completed', 'failed', 'cancelled'],
            filterable: true,
            sortable: true,
            groupable: true,
        },
        operation: { type: 'string', filterable: true, sortable: true, groupable: true },
        started_at: { type: 'string', format: 'date-time', filterable: true, sortable: true },
        finished_at: {
            type: 'string',
            format: 'date-time',
            filterable: true,
            sortable: true,
            description: 'In terminal states only.',
        },
        progress: { type: 'object', description: 'percentage, current with total, or message.' },
        error: { type: 'object', description: 'Why it failed: code, message, details.' },
        result: {
            type: 'object | array | string | number | boolean | null',
            description: 'What a completed one returned.',
        },
    },
    presets: {
        minimal: ['execution_id', 'status'],
        standard: ['execution_id', 'status', 'operation', 'started_at', 'finished_at', 'progress', 'error'],
    },
});
/** Added to every adapter that has an operation with a lifecycle; made with `defineOperation` like any other. */
export function executionOperations(executions, supportsRetry) {
    const execution_id = { type: 'string', required: true, description: 'Which execution.' };
    const examples = [{ params: { execution_id: 'exec_…' } }];
    return [
        defineOperation({
            name: 'get_execution',
            category: 'READ',
            description: 'Get the state, progress and result of a long-running operation.',
            tags: ['executions'],
            weight: -1,
            params: { execution_id },
            returns: 'Execution',
            examples,
            handler: (params, { session }) => executions.get(session, params.execution_id),
        }),
        defineOperation({
            name: 'list_executions',
            category: 'READ',
            description: 'List your long-running operations.',
            tags: ['executions'],
            weight: -1,
            collection: { of: 'Execution', aggregate: false, order: { field: 'started_at', order: 'desc' } },
            examples: [{ params: { filter: { status: 'running' } } }],
            handler: (_, { session }) => executions.list(session),
        }),
        defineOperation({
            name: 'cancel_execution',
            category: 'EXECUTE',
            description: 'Cancel a pending or running operation.',
            tags: ['executions'],
            weight: -1,
            params: { execution_id },
            returns: 'Execution',
            examples,
            handler: (params, { session }) => executions.cancel(session, params.execution_id),
        }),
        ...(supportsRetry ? [retryOperation(executions)] : []),
    ];
}
function retryOperation(executions) {
    return defineOperation({
        name: 'retry_execution',
        category: 'EXECUTE',
        description: 'Run a failed operation again. Not execute: nothing new is started.',
        tags: ['executions'],
        weight: -1,
        params: { execution_id: { type: 'string', required: true, description: 'Which execution.' } },
        returns: 'Execution',
        examples: [{ params: { execution_id: 'exec_…' } }],
        handler: (params, { session }) => executions.retry(session, params.execution_id),
    });
}
