import { must, type Requirement } from './row.ts'

/** Blocks that outlive executions and restarts. */
export const BLOCK: readonly Requirement[] = [
  must(
    'BLOCK-01',
    'Every `stopped: true` in `enforcing` mode creates a block for the agent key, written durably to the store (flushed, owner-only access) before the directive is returned; if it cannot be written, the server keeps the block in memory, refuses all executions and reports the storage error.',
    'spec 8.8.3; R-27',
  ),
  must(
    'BLOCK-02',
    'For a blocked agent `execute_agent`, `record_execution_step` and `complete_execution` are refused with `PERMISSION_AGENT_BLOCKED` and details `element_name`, `verificationId`, `blocked_at`, `reason`; only `abort_execution`, `verify_challenge` and `introspect` remain, and every other operation of its principal, READs included, is refused too.',
    'spec 8.8.3, 8.6.2; R-24',
  ),
  must(
    'BLOCK-03',
    'The block belongs to the agent and not to the execution: a new execution, a new session, a reconnect or a different spelling of the name does not escape it.',
    'spec 8.8.3; R-27',
  ),
  must(
    'BLOCK-04',
    'While a principal has an unresolved block it cannot start an execution under a name that was not in use before the block, in this or any other session, and look-alike spellings count as the same name; executions already running under other names continue to be evaluated, but for a stop by the operator they are refused at their next call.',
    'R-27',
  ),
  must(
    'BLOCK-05',
    'Blocks are loaded before the first request after a restart is served, an unreadable block store refuses all executions, and challenges pending at shutdown are void and replaced on demand.',
    'spec 8.8.3; R-27',
  ),
  must(
    'BLOCK-06',
    'Only a successful `verify_challenge` or an admin override removes a block; expiry of the challenge, completion, abort, time, mode change and configuration reload do not.',
    'spec 8.8.3',
  ),
  must(
    'BLOCK-07',
    "The admin override exists only in the operator's command line and the web console for the admin role, needs a reason text, is audited as `ADMIN_OVERRIDE`, clears the `danger_zone` notifications and grants no action.",
    'spec 8.8.3; R-36',
  ),
  must(
    'BLOCK-08',
    'A block record stores agent key, trigger (`danger_zone` or `deny`), hint, score, `verificationId`, `blocked_at` and, once lifted, `unblocked_at`, `unblocked_by` and channel.',
    'R-36',
  ),
  must(
    'BLOCK-09',
    'A `verify` pause is not persisted and does not prevent `execute_agent`, but as long as its challenge is pending it applies to every execution of the agent key; after expiry the action is evaluated anew and creates a new challenge.',
    'spec 8.8.3',
  ),
  must(
    'BLOCK-10',
    'The operator can stop an agent at any time from console or command line (`mcpaql block AGENT --reason TEXT`): a block as any other, running executions refused at their next call, audited; a denial marked "looks manipulated" pauses the agent in the same way.',
    'choice',
  ),
]
