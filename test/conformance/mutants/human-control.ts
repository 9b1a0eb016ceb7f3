import { type Call, type Fields, isFields, type Mutation } from '../mutant-server.ts'
import {
  answering,
  changeMember,
  failure,
  ignoring,
  list,
  type Mutants,
  mutant,
  onBatch,
  onData,
  onDetails,
  onFailure,
  onParams,
  onProtocol,
  operation,
  without,
} from '../mutations.ts'

/** What asks for approval. */
export const HUMAN_CONTROL_MUTANTS: Mutants = {
  'control-holds': [
    mutant(
      'removes first and asks afterwards',
      removing(() => true),
    ),
    mutant(
      'asks nobody about what it calls destructive',
      answering(operation('delete_issue'), { success: true, data: null }),
    ),
  ],
  'control-demand': [
    mutant('does not repeat the token in confirmation', () => ({
      result: (result) => without(result, 'confirmation'),
    })),
    mutant(
      'asks with the token in confirmation only',
      onDemand((details) => without(details, 'confirmation_token')),
    ),
    mutant(
      'does not say when the token expires',
      onDemand((details) => without(details, 'expires_at')),
    ),
    mutant(
      'does not say how dangerous it is',
      onDemand((details) => ({ ...details, danger_level: 2 })),
    ),
    mutant(
      'does not name the operation',
      onDemand((details) => without(details, 'operation')),
    ),
  ],
  'control-echo': [
    mutant('takes the token for an approval', () => ({
      call: (call) => (tokenOf(call) === undefined ? call : { result: { success: true, data: null } }),
    })),
    mutant(
      'asks again, but has removed it',
      removing((call) => tokenOf(call) !== undefined),
    ),
    mutant('asks with another token each time', () => {
      let count = 0
      return onDemand((details) => ({ ...details, confirmation_token: `conf_${count++}_${'0'.repeat(40)}` }))()
    }),
  ],
  'control-unknown-token': [
    mutant('takes any token', ignoring('TOKEN_INVALID')),
    mutant(
      'asks again in place of refusing the token',
      onParams((params) =>
        String(params.confirmation_token).startsWith('conf_000') ? without(params, 'confirmation_token') : params,
      ),
    ),
    mutant(
      'does not say which token it means',
      onFailure('TOKEN_INVALID', (error) => ({ ...error, details: {} })),
    ),
  ],
  'control-scope': [
    mutant('runs with other parameters than were agreed to', ignoring('TOKEN_SCOPE_MISMATCH')),
    mutant(
      'hides what the token is for',
      onFailure('TOKEN_SCOPE_MISMATCH', (error) => ({
        ...error,
        details: without(error.details as Fields, 'token_operation'),
      })),
    ),
    mutant(
      'refuses, but has removed it',
      removing((call) => tokenOf(call) !== undefined),
    ),
  ],
  'control-once': [
    mutant('lets a token be used twice', ignoring('TOKEN_ALREADY_USED')),
    mutant(
      'asks again after the approval',
      onParams((params) => without(params, 'confirmation_token')),
    ),
    mutant('says that it ran although it did not', () => ({
      call: (call) => (tokenOf(call) === undefined ? call : { result: { success: true, data: null } }),
    })),
  ],
  'control-batch': [
    mutant(
      'counts the demand as a failure',
      onBatch((result) => changeMember(result, 'summary', (summary) => ({ ...summary, failed: 2 }))),
    ),
    mutant(
      'runs on past the demand',
      onBatch((result) =>
        result.halted_at
          ? without({ ...result, results: [...list(result.results), result.halted_at] }, 'halted_at')
          : result,
      ),
    ),
    mutant(
      'forgets what was not run',
      onBatch((result) => without(result, 'pending_operations')),
    ),
    mutant(
      'shows a confirmation object inside an entry',
      onBatch((result) =>
        changeMember(result, 'halted_at', (halted) =>
          changeMember(halted, 'result', (inner) => ({ ...inner, confirmation: { token: 'conf_1' } })),
        ),
      ),
    ),
    mutant(
      'halts after it has run',
      removing((call) => list(call.args.operations).length > 0),
    ),
  ],
  'control-batch-continued': [
    mutant(
      'lets one approval cover the rest',
      onBatch((result) =>
        list(result.results).length > 0
          ? without({ ...result, results: [...list(result.results), result.halted_at] }, 'halted_at')
          : result,
      ),
    ),
    mutant('does not know the token in a batch', () => ({
      call: (call) => ({
        ...call,
        args: {
          ...call.args,
          ...(call.args.operations !== undefined && {
            operations: list(call.args.operations).map((entry) =>
              changeMember(entry, 'params', (params) => without(params, 'confirmation_token')),
            ),
          }),
        },
      }),
    })),
  ],
  'control-documented': [
    mutant(
      'hides that it asks',
      onProtocol((protocol) =>
        changeMember(protocol, 'capabilities', (capabilities) => ({ ...capabilities, confirmation: false })),
      ),
    ),
    mutant(
      'hides that operations may be dangerous',
      onProtocol((protocol) =>
        changeMember(protocol, 'capabilities', (capabilities) => without(capabilities, 'dangerous_operations')),
      ),
    ),
    mutant(
      'does not list what asked among the dangers',
      onData(
        ({ args }) => isFields(args.params) && args.params.query === 'danger' && args.params.name === undefined,
        (data) => changeMember(data, 'danger', (danger) => without(danger, 'delete_issue')),
      ),
    ),
    mutant(
      'calls it safe when asked by name',
      onData(
        ({ args }) => isFields(args.params) && args.params.query === 'danger' && args.params.name !== undefined,
        (data) => changeMember(data, 'danger', (danger) => ({ ...danger, level: 'safe' })),
      ),
    ),
    mutant(
      'takes a token that it does not document',
      onDetails((details) => ({
        ...details,
        parameters: list(details.parameters).filter((row) => row.name !== 'confirmation_token'),
      })),
    ),
  ],
}

function onDemand(change: (details: Fields) => Fields): () => Mutation {
  return onFailure('CONFIRMATION_REQUIRED', (error) => changeMember(error, 'details', change))
}

/** A server on which what was to be deleted is gone, whatever it answered. */
function removing(when: (call: Call) => boolean): () => Mutation {
  return () => {
    const gone = new Set<unknown>()
    return {
      call: (call) => {
        if (operation('get_issue')(call) && idsOf(call.args).some((id) => gone.has(id)))
          return { result: failure('NOT_FOUND_RESOURCE') }
        const deletions = [call.args, ...list(call.args.operations)].filter((each) => each.operation === 'delete_issue')
        if (when(call)) for (const id of deletions.flatMap(idsOf)) gone.add(id)
        return call
      },
    }
  }
}

function idsOf({ params }: Fields): readonly unknown[] {
  return isFields(params) ? Object.values(without(params, 'confirmation_token')) : []
}

function tokenOf({ args }: Call): unknown {
  return isFields(args.params) ? args.params.confirmation_token : undefined
}
