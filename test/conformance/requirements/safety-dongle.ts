import { must, type Requirement, should } from './row.ts'

/** The loop as a server of its own. */
export const DONGLE: readonly Requirement[] = [
  must(
    'DONGLE-01',
    'The dongle is a standalone server with its own profile `safety` of three families that offers exactly seven operations: `create` `record_execution_step`, `verify_challenge`; `execute` `execute_agent`, `complete_execution`, `abort_execution`, `confirm_operation`; `read` `introspect`.',
    'loop 2.4, 4.1',
  ),
  must(
    'DONGLE-02',
    'It stores only executions, policies, blocks, counters and audit entries, has no domain operation, and neither contacts nor introspects other MCP servers.',
    'loop 2.1, 2.3',
  ),
  must(
    'DONGLE-03',
    'It starts as `mcpaql-safety-dongle --policy <file>`; the JSON policy accepts `deny`, `requiresApproval`, `autoApprove`, `maxAutonomousSteps`, `riskTolerance`, channel and storage settings, and an unknown key or wrong type ends the start with a non-zero code before any request is served.',
    'loop 5.2, 7.1; R-39',
  ),
  should(
    'DONGLE-04',
    'Without a policy file the built-in lists apply: deny `drop_*`, `delete_all*`, `rm -rf*`, `*_production*`; requiresApproval `delete_*`, `*force*`, `deploy_*`, `git push*`; autoApprove `read_*`, `list_*`, `get_*`, `search_*`.',
    'spec 8.7.2; loop 5.2',
    {
      partly:
        '`rm -rf*` is not denied by its letters: the command is judged by what it removes, so that no other spelling gets another answer',
    },
  ),
  must(
    'DONGLE-05',
    "One dongle judges hints about any server or built-in client capability in the same way, without needing the target server's cooperation.",
    'spec 8.6.6; loop 3.2, 7.2',
  ),
  should(
    'DONGLE-06',
    "The server's MCP instructions and its documentation contain the text telling the model to report each intended action with a detailed hint first and to act only on `continue: true`.",
    'spec 8.6.5; loop 3.3, 7.1',
  ),
  must(
    'DONGLE-07',
    'Documentation and introspection say openly that reporting is cooperative: the dongle cannot stop calls that an agent makes to other servers without reporting.',
    'spec 8.6.5',
  ),
  must(
    'DONGLE-08',
    'A full adapter can embed the same loop with `--safety-mode enforcing`, `monitoring`, `logging` or `disabled`, using the same code path and tests as the dongle.',
    'loop 2.4, 7.3',
  ),
]
