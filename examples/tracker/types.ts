import { defineType } from '../../src/core/registry/type.ts'
import { PRIORITIES, RELATIONSHIPS, ROLES, STATES } from './vocabulary.ts'

const VERSION = { type: 'integer', readOnly: true, description: 'Grows by one with every change.' } as const
const MOMENT = { type: 'string', format: 'date-time', readOnly: true, sortable: true, filterable: true } as const

const DAY = 86_400_000

export const Issue = defineType({
  name: 'Issue',
  kind: 'object',
  description: 'Something to be done.',
  key: 'id',
  version: '_version',
  fields: {
    id: { type: 'string', readOnly: true, filterable: true },
    project: { type: 'string', readOnly: true, filterable: true, groupable: true },
    ref: { type: 'string', readOnly: true, filterable: true, description: 'As people say it: WEB-1.' },
    title: { type: 'string', required: true, minLength: 1, maxLength: 200, searchable: true },
    body: { type: 'string', maxLength: 20_000, searchable: true },
    state: { type: 'string', required: true, enum: STATES, filterable: true, groupable: true },
    priority: { type: 'string', required: true, enum: PRIORITIES, filterable: true, groupable: true },
    assignee: { type: 'string | null', filterable: true, groupable: true, description: 'Null: nobody.' },
    reporter: { type: 'string', readOnly: true, filterable: true },
    labels: { type: 'string[]', required: true, filterable: true },
    estimate_hours: { type: 'number', minimum: 0, maximum: 1000, filterable: true, sortable: true },
    due_date: {
      type: 'string',
      format: 'date',
      filterable: true,
      sortable: true,
      description: 'Calendar date without a zone.',
    },
    external_id: { type: 'string', format: 'bigint', filterable: true, description: 'Integer as text.' },
    external_id_type: { type: 'string', readOnly: true, description: '`bigint` beside an `external_id`.' },
    metadata: { type: 'object', open: true, description: 'Merged key by key.' },
    attachments: { type: 'string[]', readOnly: true, description: 'Attachment ids.' },
    activity: { type: 'Activity[]', appendOnly: 'create_comment', description: 'What happened, oldest first.' },
    comment_count: { type: 'integer', readOnly: true, filterable: true, sortable: true },
    created_at: MOMENT,
    updated_at: MOMENT,
    closed_at: { type: 'string', format: 'date-time', readOnly: true, filterable: true },
    _version: VERSION,
  },
  presets: {
    minimal: ['id', 'title', 'state'],
    standard: [
      'id',
      'project',
      'ref',
      'title',
      'state',
      'priority',
      'assignee',
      'labels',
      'due_date',
      'updated_at',
      '_version',
    ],
    planning: ['id', 'title', 'priority', 'assignee', 'estimate_hours', 'due_date'],
  },
  computed: {
    // Whole days since it was created.
    age_days: {
      type: 'integer',
      filterable: true,
      sortable: true,
      compute: ({ created_at }, now) => Math.floor((now - Date.parse(String(created_at))) / DAY),
    },
  },
})

export const Activity = defineType({
  name: 'Activity',
  kind: 'object',
  description: 'One entry of the history of an issue.',
  fields: {
    at: { type: 'string', format: 'date-time' },
    actor: { type: 'string', description: 'A handle.' },
    action: {
      type: 'string',
      enum: ['created', 'imported', 'commented', 'updated', 'closed', 'reopened', 'triaged', 'reminded'],
    },
  },
})

export const Project = defineType({
  name: 'Project',
  kind: 'object',
  description: 'Holds issues.',
  key: 'key',
  version: '_version',
  fields: {
    key: { type: 'string', pattern: '^[A-Z]{2,5}$', filterable: true, sortable: true },
    name: { type: 'string', required: true, minLength: 1, maxLength: 100, searchable: true, sortable: true },
    description: { type: 'string', maxLength: 2000, searchable: true },
    lead: { type: 'string', required: true, filterable: true, description: 'A handle.' },
    archived: { type: 'boolean', required: true, filterable: true, description: 'Its issues cannot change.' },
    open_issues: { type: 'integer', readOnly: true, sortable: true, filterable: true },
    created_at: MOMENT,
    updated_at: MOMENT,
    _version: VERSION,
  },
  presets: { minimal: ['key', 'name'], standard: ['key', 'name', 'lead', 'archived', 'open_issues', '_version'] },
})

export const Comment = defineType({
  name: 'Comment',
  kind: 'object',
  description: 'What someone said about an issue.',
  key: 'id',
  version: '_version',
  fields: {
    id: { type: 'string', readOnly: true },
    issue_id: { type: 'string', readOnly: true, filterable: true },
    author: { type: 'string', readOnly: true, filterable: true, groupable: true, description: 'A handle.' },
    body: { type: 'string', required: true, minLength: 1, maxLength: 20_000, searchable: true },
    created_at: MOMENT,
    _version: VERSION,
  },
  presets: { minimal: ['id', 'author'], standard: ['id', 'author', 'body', 'created_at', '_version'] },
})

export const Label = defineType({
  name: 'Label',
  kind: 'object',
  description: 'A word that issues share.',
  key: 'name',
  version: '_version',
  fields: {
    name: { type: 'string', searchable: true, filterable: true, sortable: true },
    color: { type: 'string', required: true, pattern: '^#[0-9a-f]{6}$', filterable: true },
    description: { type: 'string', maxLength: 500, searchable: true },
    issue_count: { type: 'integer', readOnly: true, sortable: true, filterable: true },
    _version: VERSION,
  },
  presets: { minimal: ['name'], standard: ['name', 'color', 'issue_count'] },
})

export const User = defineType({
  name: 'User',
  kind: 'object',
  description: 'Someone who works here.',
  key: 'handle',
  version: '_version',
  fields: {
    handle: { type: 'string', filterable: true, sortable: true, searchable: true },
    name: { type: 'string', required: true, minLength: 1, maxLength: 100, searchable: true, sortable: true },
    email: { type: 'string', format: 'email' },
    role: { type: 'string', required: true, enum: ROLES, filterable: true, groupable: true },
    created_at: MOMENT,
    _version: VERSION,
  },
  presets: { minimal: ['handle', 'name'], standard: ['handle', 'name', 'email', 'role'] },
})

export const Relation = defineType({
  name: 'Relation',
  kind: 'object',
  description: 'A directed link between two issues.',
  key: 'id',
  fields: {
    id: { type: 'string', readOnly: true },
    type: { type: 'string', enum: RELATIONSHIPS },
    source_id: { type: 'string' },
    target_id: { type: 'string' },
  },
})

export const Attachment = defineType({
  name: 'Attachment',
  kind: 'object',
  description: 'A file of an issue.',
  key: 'id',
  fields: {
    id: { type: 'string', readOnly: true },
    issue_id: { type: 'string' },
    file_name: { type: 'string' },
    file_content: { type: 'string', format: 'base64', description: 'Padded standard base64.' },
    file_encoding: { type: 'string', enum: ['base64'] },
    file_mime_type: { type: 'string' },
    file_size: { type: 'integer', readOnly: true, description: 'Bytes.' },
    created_at: { type: 'string', format: 'date-time', readOnly: true },
  },
  presets: { minimal: ['id', 'file_name'], standard: ['id', 'issue_id', 'file_name', 'file_mime_type', 'file_size'] },
})

export const Deleted = defineType({
  name: 'Deleted',
  kind: 'object',
  description: 'What was removed.',
  fields: {
    id: { type: 'string' },
    deleted: { type: 'boolean', description: 'False for a dry run.' },
  },
})

export const Triage = defineType({
  name: 'Triage',
  kind: 'object',
  description: 'What the rules have changed.',
  fields: {
    checked: { type: 'integer' },
    changed: { type: 'string[]', description: 'Issue ids.' },
  },
})

export const Reminder = defineType({
  name: 'Reminder',
  kind: 'object',
  description: 'A message that was handed over for delivery.',
  fields: {
    to: { type: 'string', description: 'A handle.' },
    issue_id: { type: 'string' },
    message: { type: 'string' },
    sent_at: { type: 'string', format: 'date-time' },
  },
})

export const ImportReport = defineType({
  name: 'ImportReport',
  kind: 'object',
  description: 'The `result` of a completed import.',
  fields: {
    project: { type: 'string' },
    imported: { type: 'integer' },
    skipped: { type: 'integer', description: 'Already there.' },
    issue_ids: { type: 'string[]' },
  },
})

export const Priority = defineType({
  name: 'Priority',
  kind: 'enum',
  description: 'How soon.',
  values: PRIORITIES,
})

export const State = defineType({
  name: 'State',
  kind: 'enum',
  description: 'How far.',
  values: STATES,
})

export const TYPES = [
  ...[Issue, Activity, Project, Comment, Label, User, Relation, Attachment],
  ...[Deleted, Triage, Reminder, ImportReport, Priority, State],
]
