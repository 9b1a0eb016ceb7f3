import { afterEach, beforeEach, expect, test } from 'vitest'
import { isFailure } from '../../../src/protocol/result.ts'
import { createAttachment, getAttachment } from './attachments.ts'
import { createComment, deleteComment, listComments, updateComment } from './comments.ts'
import { type Database, openDatabase } from './database.ts'
import { createIssue, deleteIssue, getIssue, type NewIssue, updateIssue } from './issues.ts'
import { createLabel, deleteLabel, getLabel, updateLabel } from './labels.ts'
import { createProject, deleteProject, updateProject } from './projects.ts'
import type { Change, Resource } from './records.ts'
import { createRelation, deleteRelation, edgesOf } from './relations.ts'
import { sendReminder } from './reminders.ts'
import { prepare } from './schema.ts'
import { triage } from './triage.ts'
import { createUser, deleteUser, updateUser } from './users.ts'

const NOW = Date.parse('2026-11-16T10:00:00Z')
const AT = '2026-11-16T10:00:00.000Z'
const issue: NewIssue = { project: 'WEB', title: 'Ä title', reporter: 'ada' }
const change = (input: Resource, ifMatch?: string | number): Change => ({ input, ifMatch, now: NOW })
const code = (value: unknown) => (isFailure(value) ? value.error.code : undefined)

let db: Database
beforeEach(() => {
  db = openDatabase(':memory:')
  prepare(db)
})
afterEach(() => db.close())

test('CONF-06 an issue returns every submitted field unchanged', () => {
  const given = {
    ...issue,
    body: 'It\'s \u{1f600} "quoted"; DROP TABLE issues; --',
    priority: 'high',
    assignee: 'grace',
    labels: ['design', 'bug'],
    estimate_hours: 0.1,
    due_date: '2028-02-29',
    external_id: '-123456789012345678901234567890',
    metadata: { a: { b: [null, 1.5, 'x'] }, c: false },
  } as const
  const made = createIssue(db, given, NOW) as Resource
  expect(getIssue(db, String(made.id))).toEqual(made)
  expect(made).toMatchObject(given)
  expect(made).toMatchObject({
    id: 'iss_61',
    ref: 'WEB-27',
    state: 'open',
    external_id_type: 'bigint',
    created_at: AT,
    _version: 1,
  })
})

test('DATA-12 an omitted assignee is the lead, null is nobody', () => {
  expect(createIssue(db, issue, NOW)).toMatchObject({ assignee: 'grace' })
  expect(createIssue(db, { ...issue, assignee: null }, NOW)).toMatchObject({ assignee: null })
})

// biome-ignore format: a table reads by columns
test.each<[string, string, Resource]>([
  ['nothing',              'iss_15', {}],
  ['what is there',        'iss_15', { state: 'in_progress', labels: ['feature', 'security'], metadata: {} }],
  ['nobody where nobody is', 'iss_60', { assignee: null }],
  ['null for what is absent', 'iss_60', { external_id: null }],
])('UPD-03 an update with %s leaves version, times and history as they are', (_, id, input) => {
  const before = getIssue(db, id)
  expect(updateIssue(db, id, change(input), 'ada')).toEqual(before)
  expect(getIssue(db, id)).toEqual(before)
})

test('UPD-03 an update that changes nothing leaves the others as they are as well', () => {
  const versions = [
    updateProject(db, 'WEB', change({})),
    updateComment(db, 'cmt_1', change({})),
    updateLabel(db, 'bug', change({})),
    updateUser(db, 'ada', change({})),
  ].map((stored) => (stored as Resource)._version)
  expect(versions).toEqual([1, 1, 1, 1])
})

test('CONC-02 an update that changes nothing still compares the version', () => {
  expect(code(updateIssue(db, 'iss_15', change({}, 7), 'ada'))).toBe('CONFLICT_VERSION_MISMATCH')
})

test('the history of every issue is oldest first, and so are its comments', () => {
  const isSorted = (times: readonly string[]) => times.every((time, at) => at === 0 || (times[at - 1] ?? '') < time)
  const numbers = Array.from({ length: 60 }, (_, at) => at + 1)
  const wrong = numbers.filter((number) => {
    const { activity } = getIssue(db, `iss_${number}`) as { readonly activity: readonly { readonly at: string }[] }
    return !isSorted(activity.map(({ at }) => at))
  })
  expect(wrong).toEqual([])
  const comments = db.all('SELECT issue_id, created_at FROM comments ORDER BY rowid')
  for (const number of numbers) {
    const own = comments.filter(({ issue_id }) => issue_id === `iss_${number}`)
    expect(isSorted(own.map(({ created_at }) => String(created_at)))).toBe(true)
  }
})

test('UPD-03 UPD-04 UPD-05 objects merge, arrays replace, null removes, the rest stays', () => {
  const before = getIssue(db, 'iss_15') as Resource
  const input = {
    metadata: { customer: { tier: null, city: 'Oslo' }, tags: [null, 1] },
    labels: ['bug'],
    due_date: null,
  }
  const after = updateIssue(db, 'iss_15', change(input), 'ada') as Resource
  expect(after.metadata).toEqual({ votes: 9, customer: { name: 'Nordlicht', city: 'Oslo' }, tags: [null, 1] })
  expect(after.labels).toEqual(['bug'])
  expect(after).not.toHaveProperty('due_date')
  const changed = new Set(['metadata', 'labels', 'due_date', 'updated_at', 'activity', '_version'])
  const untouched = (each: Resource) => Object.entries(each).filter(([name]) => !changed.has(name))
  expect(untouched(after)).toEqual(untouched(before))
  expect(getIssue(db, 'iss_15')).toEqual(after)
})

test.each(['title', 'state', 'priority', 'labels'])('UPD-06 %s cannot be removed, and nothing is stored', (name) => {
  const before = getIssue(db, 'iss_15')
  expect(code(updateIssue(db, 'iss_15', change({ [name]: null, body: 'x' }), 'ada'))).toBe('VALIDATION_INVALID_VALUE')
  expect(getIssue(db, 'iss_15')).toEqual(before)
})

test('CONC-02 CONC-03 a stale if_match changes nothing, the right one does, and versions grow', () => {
  const stale = updateIssue(db, 'iss_1', change({ title: 'lost' }, 7), 'ada')
  expect(stale).toMatchObject({
    error: {
      code: 'CONFLICT_VERSION_MISMATCH',
      details: { resource_id: 'iss_1', expected_version: 7, actual_version: 1 },
    },
  })
  expect(getIssue(db, 'iss_1')).toMatchObject({ _version: 1 })
  expect(updateIssue(db, 'iss_1', change({ title: 'won' }, '1'), 'ada')).toMatchObject({ title: 'won', _version: 2 })
  expect(code(updateIssue(db, 'iss_1', change({ title: 'late' }, 1), 'ada'))).toBe('CONFLICT_VERSION_MISMATCH')
  expect(createComment(db, { issue_id: 'iss_1', body: 'b', author: 'ada' }, NOW)).toMatchObject({ _version: 1 })
  expect(getIssue(db, 'iss_1')).toMatchObject({ _version: 3 })
})

test('closing and reopening keep closed_at and the history', () => {
  expect(updateIssue(db, 'iss_1', change({ state: 'closed' }), 'ada')).toMatchObject({ closed_at: AT })
  const open = updateIssue(db, 'iss_1', change({ state: 'open' }), 'grace') as Resource
  expect(open).not.toHaveProperty('closed_at')
  const actions = (open.activity as readonly Resource[]).map(({ action }) => action)
  expect(actions).toEqual(['created', 'commented', 'commented', 'commented', 'closed', 'reopened'])
})

test('an archived project takes nothing', () => {
  expect(code(createIssue(db, { ...issue, project: 'LEG' }, NOW))).toBe('CONFLICT_PROJECT_ARCHIVED')
  expect(code(updateIssue(db, 'iss_49', change({ title: 'x' }), 'ada'))).toBe('CONFLICT_PROJECT_ARCHIVED')
  expect(code(createComment(db, { issue_id: 'iss_49', body: 'x', author: 'ada' }, NOW))).toBe(
    'CONFLICT_PROJECT_ARCHIVED',
  )
  expect(updateProject(db, 'LEG', change({ archived: false }, 1))).toMatchObject({ archived: false, _version: 2 })
  expect(createIssue(db, { ...issue, project: 'LEG' }, NOW)).toMatchObject({ ref: 'LEG-11' })
})

test.each([
  ['project', () => createIssue(db, { ...issue, project: 'NO' }, NOW)],
  ['user', () => createIssue(db, { ...issue, assignee: 'nobody' }, NOW)],
  ['user', () => createIssue(db, { ...issue, reporter: 'nobody' }, NOW)],
  ['label', () => createIssue(db, { ...issue, labels: ['bug', 'none'] }, NOW)],
  ['issue', () => updateIssue(db, 'iss_999', change({}), 'ada')],
  ['issue', () => deleteIssue(db, 'iss_999')],
  ['issue', () => listComments(db, 'iss_999')],
  ['issue', () => createComment(db, { issue_id: 'iss_999', body: 'b', author: 'ada' }, NOW)],
  ['user', () => createComment(db, { issue_id: 'iss_1', body: 'b', author: 'nobody' }, NOW)],
  ['comment', () => updateComment(db, 'cmt_999', change({ body: 'b' }))],
  ['comment', () => deleteComment(db, 'cmt_999', NOW)],
  ['user', () => createProject(db, { key: 'NEW', name: 'n', lead: 'nobody' }, NOW)],
  ['project', () => updateProject(db, 'NO', change({}))],
  ['user', () => updateProject(db, 'WEB', change({ lead: 'nobody' }))],
  ['project', () => deleteProject(db, 'NO')],
  ['label', () => updateLabel(db, 'none', change({}))],
  ['label', () => deleteLabel(db, 'none', NOW)],
  ['user', () => updateUser(db, 'nobody', change({}))],
  ['user', () => deleteUser(db, 'nobody', NOW)],
  ['issue', () => createRelation(db, { type: 'uses', source_id: 'iss_1', target_id: 'iss_999' })],
  ['relation', () => deleteRelation(db, 'rel_999')],
  ['issue', () => sendReminder(db, 'iss_999', undefined, NOW)],
] as const)('NOT_FOUND_RESOURCE names the missing %s', (resource_type, call) => {
  expect(call()).toMatchObject({ error: { code: 'NOT_FOUND_RESOURCE', details: { resource_type } } })
})

test.each([
  ['project', () => createProject(db, { key: 'WEB', name: 'n', lead: 'ada' }, NOW)],
  ['label', () => createLabel(db, { name: 'bug', color: '#000000' })],
  ['user', () => createUser(db, { handle: 'ada', name: 'n', role: 'guest' }, NOW)],
  ['issue', () => createIssue(db, { ...issue, project: 'API', external_id: '9007199254740993' }, NOW)],
  ['issue', () => updateIssue(db, 'iss_33', change({ external_id: '9007199254740993' }), 'ada')],
  ['relation', () => createRelation(db, { type: 'blocks', source_id: 'iss_1', target_id: 'iss_24' })],
] as const)('CONFLICT_ALREADY_EXISTS for a second %s', (resource_type, call) => {
  expect(call()).toMatchObject({ error: { code: 'CONFLICT_ALREADY_EXISTS', details: { resource_type } } })
})

test('projects, labels and users return what was submitted', () => {
  const project = { key: 'NEW', name: 'New', description: 'd', lead: 'linus' }
  expect(createProject(db, project, NOW)).toEqual({
    ...project,
    archived: false,
    open_issues: 0,
    created_at: AT,
    updated_at: AT,
    _version: 1,
  })
  expect(createLabel(db, { name: 'x', color: '#00ff00' })).toEqual({
    name: 'x',
    color: '#00ff00',
    issue_count: 0,
    _version: 1,
  })
  const user = { handle: 'eve', name: 'Eve', role: 'guest' } as const
  expect(createUser(db, user, NOW)).toEqual({ ...user, created_at: AT, _version: 1 })
  expect(updateUser(db, 'eve', change({ email: 'e@x.example', name: 'E' }, 1))).toMatchObject({
    email: 'e@x.example',
    _version: 2,
  })
  expect(updateLabel(db, 'x', change({ description: 'now' }))).toMatchObject({ description: 'now', _version: 2 })
})

test('DATA-07 a file returns byte by byte, with its size', () => {
  const file = {
    issue_id: 'iss_1',
    file_name: 'a.bin',
    file_content: 'AAEC/w==',
    file_encoding: 'base64',
    file_mime_type: 'application/x',
  } as const
  const made = createAttachment(db, file, NOW) as Resource
  expect(made).toMatchObject({ ...file, id: 'att_4', file_size: 4 })
  expect(getAttachment(db, 'att_4')).toEqual(made)
  expect(getIssue(db, 'iss_1')).toMatchObject({ attachments: ['att_1', 'att_4'], _version: 2 })
})

test('what is deleted takes along what belongs to it, and ids are not given again', () => {
  createIssue(db, issue, NOW)
  expect(deleteIssue(db, 'iss_61')).toBeUndefined()
  expect(createIssue(db, issue, NOW)).toMatchObject({ id: 'iss_62', ref: 'WEB-28' })
  expect(deleteIssue(db, 'iss_1')).toBeUndefined()
  const left = (table: string) => db.one(`SELECT count(*) AS n FROM ${table}`)?.n
  expect(['comments', 'attachments', 'relations'].map(left)).toEqual([97, 2, 10])
})

test('a label leaves every issue that wears it, and their versions grow', () => {
  expect(getLabel(db, 'design')).toMatchObject({ issue_count: 5 })
  expect(deleteLabel(db, 'design', NOW)).toBeUndefined()
  expect(getIssue(db, 'iss_2')).toMatchObject({ labels: ['feature'], _version: 2 })
})

test('a user with work stays, one without goes, and a project with issues stays', () => {
  expect(code(deleteUser(db, 'ada', NOW))).toBe('CONFLICT_USER_IN_USE')
  createUser(db, { handle: 'eve', name: 'Eve', role: 'guest' }, NOW)
  updateIssue(db, 'iss_1', change({ assignee: 'eve' }), 'ada')
  expect(deleteUser(db, 'eve', NOW)).toBeUndefined()
  expect(getIssue(db, 'iss_1')).toMatchObject({ assignee: null, _version: 3 })
  expect(deleteProject(db, 'WEB')).toMatchObject({
    error: { code: 'CONFLICT_PROJECT_NOT_EMPTY', details: { issues: 26 } },
  })
  expect(deleteProject(db, 'LAB')).toBeUndefined()
})

test('the graph has edges both ways, with labels, and a cycle', () => {
  const node = (element_type: string, element_name: string) => ({ element_type, element_name })
  expect(edgesOf(db, node('issue', 'iss_1'))).toEqual([
    { type: 'blocks', direction: 'outgoing', target: node('issue', 'iss_24') },
    { type: 'blocks', direction: 'incoming', target: node('issue', 'iss_51') },
    { type: 'uses', direction: 'outgoing', target: node('label', 'bug') },
    { type: 'uses', direction: 'outgoing', target: node('label', 'checkout') },
  ])
  expect(edgesOf(db, { element_type: 'label', element_name: 'accessibility' })).toHaveLength(4)
  expect(code(createRelation(db, { type: 'uses', source_id: 'iss_1', target_id: 'iss_1' }))).toBe(
    'VALIDATION_INVALID_VALUE',
  )
})

test('triage raises overdue issues by one step, once for each run, and reports progress', () => {
  const later = Date.parse('2026-11-21T00:00:00Z')
  const steps: unknown[] = []
  const report = triage(db, { now: later }, (step) => steps.push(step))
  expect(report).toEqual({ checked: 42, changed: ['iss_3', 'iss_22'] })
  expect(steps).toEqual([
    { current: 1, total: 2 },
    { current: 2, total: 2 },
  ])
  expect(getIssue(db, 'iss_3')).toMatchObject({ priority: 'urgent', _version: 2 })
  expect(triage(db, { project: 'WEB', now: later }, () => {})).toMatchObject({ changed: [] })
})

test('a reminder goes to the assignee of an open issue only', () => {
  expect(sendReminder(db, 'iss_1', undefined, NOW)).toEqual({
    ...{ to: 'grace', issue_id: 'iss_1', message: 'Please look into WEB-1.', sent_at: AT },
  })
  expect(sendReminder(db, 'iss_12', 'x', NOW)).toMatchObject({ error: { details: { state: 'unassigned' } } })
  expect(sendReminder(db, 'iss_9', 'x', NOW)).toMatchObject({ error: { details: { state: 'closed' } } })
})
