import { defineOperation } from '../../../src/core/registry/operation.ts'
import { createAttachment, deleteAttachment, getAttachment } from '../backend/attachments.ts'
import type { Database } from '../backend/database.ts'
import { missing } from '../backend/records.ts'
import { removal } from './controls.ts'

const ATTACHMENT_ID = { type: 'string', required: true, description: 'Such as att_1.' } as const

export const attachmentOperations = (db: Database) => [
  defineOperation({
    name: 'get_attachment',
    category: 'READ',
    description: 'Get a file of an issue, its content as base64.',
    tags: ['download', 'file'],
    params: { attachment_id: ATTACHMENT_ID },
    returns: 'Attachment',
    examples: [{ params: { attachment_id: 'att_3' } }],
    handler: ({ attachment_id }) => getAttachment(db, attachment_id) ?? missing('attachment', attachment_id),
  }),

  defineOperation({
    name: 'create_attachment',
    category: 'CREATE',
    description: 'Attach a file to an issue.',
    tags: ['upload', 'file'],
    params: {
      issue_id: { type: 'string', required: true, description: 'Such as iss_1.' },
      file_name: { type: 'string', required: true, minLength: 1, maxLength: 200 },
      file_content: { type: 'string', required: true, format: 'base64', maxLength: 700_000 },
      file_encoding: { type: 'string', enum: ['base64'], default: 'base64' },
      file_mime_type: { type: 'string', required: true, pattern: '^[a-z]+/[a-z0-9.+-]+$', maxLength: 100 },
    },
    returns: 'Attachment',
    examples: [
      {
        params: {
          ...{ issue_id: 'iss_4', file_name: 'note.txt', file_mime_type: 'text/plain' },
          ...{ file_content: 'TWVhc3VyZWQu', file_encoding: 'base64' },
        },
      },
    ],
    handler: (file, { now }) => createAttachment(db, file, now),
  }),

  defineOperation({
    name: 'delete_attachment',
    category: 'DELETE',
    description: 'Delete a file of an issue.',
    params: { attachment_id: ATTACHMENT_ID },
    returns: 'Deleted',
    dryRun: true,
    examples: [{ params: { attachment_id: 'att_1', dry_run: true } }],
    handler: ({ attachment_id, ...params }, { now }) =>
      removal(db, params, attachment_id, () => deleteAttachment(db, attachment_id, now)),
  }),
]
