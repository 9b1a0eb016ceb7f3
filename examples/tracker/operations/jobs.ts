import { defineOperation } from '../../../src/core/registry/operation.ts'
import type { Database } from '../backend/database.ts'
import { importIssues, refusal } from '../backend/import.ts'
import { sendReminder } from '../backend/reminders.ts'
import { triage } from '../backend/triage.ts'
import { attempt } from './controls.ts'

export const jobOperations = (db: Database) => [
  defineOperation({
    name: 'import_issues',
    category: 'EXECUTE',
    description:
      'Import issues from a foreign tracker. Long-running and undone when cancelled; `import` is the customary word for execute_import.',
    params: {
      project: {
        type: 'string',
        required: true,
        pattern: '^[A-Z]{2,5}$',
        description: 'Key of the receiving project.',
      },
      api_key: {
        type: 'string',
        required: true,
        sensitive: true,
        pattern: '^key_[a-z0-9]{4,40}$',
        description: 'Of the foreign tracker; keys with key_expired are refused by it.',
      },
      count: { type: 'integer', minimum: 1, maximum: 500, default: 20 },
      delay_ms: { type: 'integer', minimum: 0, maximum: 1000, default: 100, description: 'Per issue.' },
    },
    returns: 'Execution',
    lifecycle: { supports_cancel: true, supports_retry: true, progress_reporting: true },
    examples: [{ params: { project: 'API', api_key: 'key_demo1234', count: 5 } }],
    handler: ({ project, api_key, count, delay_ms }, { now, run }) =>
      refusal(db, project) ??
      run((execution) => importIssues(db, { project, apiKey: api_key, count, delayMs: delay_ms, now }, execution)),
  }),

  defineOperation({
    name: 'execute_triage',
    category: 'EXECUTE',
    description: 'Raise the priority of overdue issues by one step.',
    params: { project: { type: 'string', pattern: '^[A-Z]{2,5}$', description: 'Only this one.' } },
    returns: 'Triage',
    dryRun: true,
    examples: [{ params: { project: 'WEB', dry_run: true } }],
    handler: (params, { now, progress }) =>
      attempt(db, params, () => triage(db, { project: params.project, now }, progress)),
  }),

  defineOperation({
    name: 'send_reminder',
    category: 'EXECUTE',
    description:
      'Remind the assignee of an issue. The message leaves the tracker, hence EXECUTE; `send` is plainer than `execute`.',
    params: {
      issue_id: { type: 'string', required: true, description: 'Such as iss_1.' },
      message: { type: 'string', minLength: 1, maxLength: 1000 },
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        deprecated: { since: '0.1.0', replacement: 'message', removal: '2027-06-30' },
      },
    },
    returns: 'Reminder',
    examples: [{ params: { issue_id: 'iss_1', message: 'The customers are waiting.' } }],
    handler: ({ issue_id, message, text }, { now }) => sendReminder(db, issue_id, message ?? text, now),
  }),
]
