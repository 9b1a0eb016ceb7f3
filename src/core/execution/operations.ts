import type { AdapterDefinition } from '../registry/adapter.ts'
import type { OperationDefinition } from '../registry/operation.ts'
import { defineOperation } from '../registry/operation.ts'
import { defineType, type ObjectType } from '../registry/type.ts'
import type { Session } from '../session.ts'
import type { Executions } from './executions.ts'

/** Spec §8.4.3, the shape of every answer about an execution. */
const EXECUTION: ObjectType = defineType({
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
    cancel_requested_at: {
      type: 'string',
      format: 'date-time',
      description: 'Somebody asked to cancel it. While it is running, its work has not confirmed that it stopped.',
    },
    progress: { type: 'object', description: 'percentage, current with total, or message.' },
    error: { type: 'object', description: 'Why it failed: code, message, details.' },
    result: {
      type: 'object | array | string | number | boolean | null',
      description: 'What a completed one returned; in get_execution, not in list_executions.',
    },
  },
  presets: {
    minimal: ['execution_id', 'status'],
    standard: [
      'execution_id',
      'status',
      'operation',
      'started_at',
      'finished_at',
      'cancel_requested_at',
      'progress',
      'error',
    ],
  },
})

function executionOperations(executions: Executions, supportsRetry: boolean): readonly OperationDefinition[] {
  const execution_id = { type: 'string', required: true, description: 'Which execution.' } as const
  const examples = [{ params: { execution_id: 'exec_…' } }]
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
      handler: (params, { session }) => executions.get(session as Session, params.execution_id),
    }),
    defineOperation({
      name: 'list_executions',
      category: 'READ',
      description: 'List your long-running operations, without their results.',
      tags: ['executions'],
      weight: -1,
      collection: { of: 'Execution', aggregate: false, order: { field: 'started_at', order: 'desc' } },
      examples: [{ params: { filter: { status: 'running' } } }],
      handler: (_, { session }) => executions.list(session as Session),
    }),
    defineOperation({
      name: 'cancel_execution',
      category: 'EXECUTE',
      description: 'Cancel a pending or running operation. It is cancelled when its work has stopped.',
      tags: ['executions'],
      weight: -1,
      params: { execution_id },
      returns: 'Execution',
      examples,
      handler: (params, { session }) => executions.cancel(session as Session, params.execution_id),
    }),
    ...(supportsRetry ? [retryOperation(executions)] : []),
  ]
}

function retryOperation(executions: Executions): OperationDefinition {
  return defineOperation({
    name: 'retry_execution',
    category: 'EXECUTE',
    description: 'Run a failed operation again. Not execute: nothing new is started.',
    tags: ['executions'],
    weight: -1,
    params: { execution_id: { type: 'string', required: true, description: 'Which execution.' } },
    returns: 'Execution',
    examples: [{ params: { execution_id: 'exec_…' } }],
    // A retry that can be made goes through the pipeline as the operation that it runs again; only what cannot gets here.
    handler: (params, { session }) => executions.refuseRetry(session as Session, params.execution_id),
  })
}

function hasLifecycle({ operations }: AdapterDefinition): boolean {
  return (Array.isArray(operations) && operations?.some((operation) => operation?.lifecycle !== undefined)) ?? false
}

export function withExecutionType(adapter: AdapterDefinition): AdapterDefinition {
  return hasLifecycle(adapter) ? { ...adapter, types: [...(adapter.types ?? []), EXECUTION] } : adapter
}

/** For every adapter that has an operation with a lifecycle; made with `defineOperation` like any other. */
export function lifecycleOperations(
  adapter: AdapterDefinition,
  executions: Executions,
): readonly OperationDefinition[] {
  if (!hasLifecycle(adapter)) return []
  return executionOperations(
    executions,
    adapter.operations.some((operation) => operation?.lifecycle?.supports_retry),
  )
}
