import { RISK_TOLERANCES } from '../../protocol/directive.ts'
import { isFailure } from '../../protocol/result.ts'
import type { AutonomyOverrides } from '../autonomy/settings.ts'
import type { ConnectionReach } from '../gatekeeper/usable-channels.ts'
import { defineOperation, type OperationDefinition } from '../registry/operation.ts'
import { type Session, seated } from '../session.ts'
import type { Loop } from './loop.ts'

/** Spec §8.5.4: the six operations of the safety loop, made like any other (LOOP-01). */
export function loopOperations(loop: Loop): readonly OperationDefinition[] {
  return [
    executeAgent(loop),
    recordExecutionStep(loop),
    completeExecution(loop),
    abortExecution(loop),
    confirmOperation(loop),
    verifyChallenge(loop),
  ]
}

const TAGS = ['safety'] as const
const element_name = { type: 'string', required: true, maxLength: 200, description: "The agent's name." } as const
const execution_id = {
  type: 'string',
  maxLength: 100,
  description: 'Which execution; the running one if left out.',
} as const

function executeAgent(loop: Loop): OperationDefinition {
  const patterns = { type: 'string[]', description: 'Globs over hints.' } as const
  return defineOperation({
    name: 'execute_agent',
    category: 'EXECUTE',
    description: 'Start a monitored execution of an agent. It allows no action by itself.',
    tags: TAGS,
    weight: -1,
    ...(loop.mode === 'enforcing' && { requires_confirmation: true }), // LOOP-09
    params: {
      element_name,
      goal: { type: 'string', description: 'What the agent is to achieve.' },
      autonomy: {
        type: 'object',
        description: 'Overrides that can only tighten the configuration.',
        fields: {
          maxAutonomousSteps: { type: 'integer', minimum: 0 },
          riskTolerance: { type: 'string', enum: Object.keys(RISK_TOLERANCES) },
          deny: patterns,
          requiresApproval: patterns,
          autoApprove: patterns,
        },
      },
    },
    returns: 'object',
    examples: [{ params: { element_name: 'release-bot', goal: 'Publish version 2' } }],
    handler: ({ element_name: name, goal, autonomy }, { session }) =>
      loop.executeAgent(seated(session as Session), {
        element_name: name,
        ...(goal !== undefined && { goal }),
        ...(autonomy !== undefined && { autonomy: autonomy as AutonomyOverrides }),
      }),
  })
}

function recordExecutionStep(loop: Loop): OperationDefinition {
  return defineOperation({
    name: 'record_execution_step',
    category: 'CREATE',
    description: 'Report what you are about to do, before you do it, and act only if `autonomy.continue` is true.',
    tags: TAGS,
    weight: -1,
    params: {
      element_name,
      next_action_hint: {
        type: 'string',
        required: true,
        oneSpelling: true,
        description: 'The next action in full: tool or command with its arguments and target.',
      },
      step_description: { type: 'string', oneSpelling: true, description: 'What the last step did.' },
      outcome: { type: 'string', description: 'How the last step ended: success, failure or skipped.' },
      findings: { type: 'string', description: 'What the last step found.' },
      execution_id,
      risk_score: {
        type: 'number',
        oneSpelling: true,
        description: 'Your own estimate, 0 to 100; it can only raise the score.',
      },
    },
    returns: 'object',
    examples: [{ params: { element_name: 'release-bot', next_action_hint: 'list_issues of the project' } }],
    handler: (params, context) => loop.recordStep(context.session as Session, params, context as ConnectionReach),
  })
}

function completeExecution(loop: Loop): OperationDefinition {
  return defineOperation({
    name: 'complete_execution',
    category: 'EXECUTE',
    description: 'End your execution as completed.',
    tags: TAGS,
    weight: -1,
    params: {
      element_name,
      execution_id,
      outcome: { type: 'string', description: 'How it ended.' },
      summary: { type: 'string', description: 'What was achieved.' },
    },
    returns: 'object',
    examples: [{ params: { element_name: 'release-bot', summary: 'Published.' } }],
    handler: (params, { session }) =>
      loop.endExecution(session as Session, { ...params, operation: 'complete_execution' }),
  })
}

function abortExecution(loop: Loop): OperationDefinition {
  return defineOperation({
    name: 'abort_execution',
    category: 'EXECUTE',
    description: 'End your execution as cancelled. Always possible; lifts neither a pause nor a block.',
    tags: TAGS,
    weight: -1,
    params: { element_name, execution_id, reason: { type: 'string', description: 'Why.' } },
    returns: 'object',
    examples: [{ params: { element_name: 'release-bot' } }],
    handler: (params, { session }) =>
      loop.endExecution(session as Session, { ...params, operation: 'abort_execution' }),
  })
}

function confirmOperation(loop: Loop): OperationDefinition {
  return defineOperation({
    name: 'confirm_operation',
    category: 'EXECUTE',
    description: 'Decide on a request of another principal. Nobody can decide on their own.',
    tags: TAGS,
    weight: -1,
    params: {
      confirmation_token: { type: 'string', maxLength: 200, description: 'The token of the request.' },
      approval_id: { type: 'string', maxLength: 200, description: 'Or its approval id.' },
      decision: { type: 'string', enum: ['approve', 'deny'], default: 'approve', description: 'The decision.' },
    },
    returns: 'object',
    examples: [{ params: { approval_id: '0123456789abcdef', decision: 'deny' } }],
    handler: (params, { session }) => loop.confirm(session as Session, params),
  })
}

function verifyChallenge(loop: Loop): OperationDefinition {
  return defineOperation({
    name: 'verify_challenge',
    category: 'CREATE',
    description: 'Submit the code that a human has read to you from the display. One try.',
    tags: TAGS,
    weight: -1,
    params: {
      challenge_id: { type: 'string', required: true, maxLength: 100, description: 'The verification id.' },
      code: { type: 'string', required: true, maxLength: 200, sensitive: true, description: 'The code.' },
    },
    returns: 'object',
    examples: [{ params: { challenge_id: '00000000-0000-4000-8000-000000000000', code: 'ABCD-…' } }],
    handler: async ({ challenge_id, code }, { session }) => {
      const verified = await loop.verify(session as Session, challenge_id, code)
      if (isFailure(verified)) return verified
      const { challenge, blockLifted: block_lifted } = verified
      return { verified: true, challenge_id, element_name: challenge.element_name, block_lifted }
    },
  })
}
