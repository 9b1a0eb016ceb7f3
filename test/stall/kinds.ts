import { ambiguous, anything, largeValue, letters, list, map, nested, type Pick, repeated, times } from './shapes.ts'

export type { Pick } from './shapes.ts'

/** One way to make a request that is dear to answer. `pick` chooses among the shapes that the search tries. */
export interface Kind {
  readonly name: string
  readonly make: (room: number, pick: Pick) => unknown
  /** Why no request of this kind is ever carried out; `kinds.test.ts` sees to it that some of all others are. */
  readonly refused?: string
}

export const call = (operation: string, params: unknown) => ({ operation, params })

/** A READ whose answer is large, and names for it. */
const LARGE = [
  call('list_issues', { first: 100 }),
  call('introspect', { query: 'operations' }),
  call('list_comments', { issue_id: 'iss_24', first: 100 }),
] as const

const GATED = call('delete_label', { name: 'design' })

export const KINDS: readonly Kind[] = [
  {
    name: 'a batch that halts before entries full of references',
    make: (room, pick) => {
      const reference = { $ref: pick.of(['0', '0.data', '0.data.items', '0.data.items.0']) }
      const each = JSON.stringify(reference).length + 1
      const entries = pick.int(1, 40)
      const per = Math.floor((room - 2_000) / entries / each)
      const full = () =>
        call('create_comment', { issue_id: 'iss_1', body: times(Math.min(per, 9_999), () => reference) })
      return { operations: [pick.of(LARGE), GATED, ...times(entries, full)] }
    },
  },
  {
    name: 'a batch whose entries are full of references',
    make: (room, pick) => {
      const reference = { $ref: pick.of(['0', '0.data', '0.data.items']) }
      const per = Math.floor(room / 45 / (JSON.stringify(reference).length + 1))
      return {
        operations: [
          pick.of(LARGE),
          ...times(45, () => call('create_comment', { issue_id: 'iss_1', body: times(per, () => reference) })),
        ],
      }
    },
  },
  {
    name: 'a batch that doubles a value with every entry',
    make: (_, pick) => ({
      operations: [
        pick.of(LARGE),
        ...times(48, (at) =>
          call('introspect', { query: 'search', text: [{ $ref: `${at}.data` }, { $ref: `${at}.data` }] }),
        ),
      ],
    }),
  },
  {
    name: 'a batch of many READs',
    make: (_, pick) => {
      const parallel = pick.of([true, false])
      const entry = pick.of([...LARGE, call('list_issues', { filter: { title: { contains: 'a' } }, first: 100 })])
      return { operations: times(50, () => entry), ...(parallel && { parallel }) }
    },
  },
  {
    name: 'unknown parameters',
    refused: 'they are unknown',
    make: (room, pick) => {
      const length = pick.of([1, 4, 100, 4_000])
      const count = Math.floor(room / (length + 10))
      const names = times(count, (at) => [`${at.toString(36)}${'k'.repeat(length)}`, 0] as const)
      return call(pick.of(['list_issues', 'create_issue', 'introspect', 'nothing']), Object.fromEntries(names))
    },
  },
  {
    name: 'a call that asks a human, with a long text',
    make: (room, pick) =>
      pick.of([
        call('delete_issue', { issue_id: letters(room - 200, pick) }),
        call('delete_issue', { issue_id: letters(room - 200, pick) }),
        call(pick.of(['delete_user', 'delete_label']), { name: letters(room - 200, pick) }),
      ]),
  },
  {
    name: 'a search',
    make: (room, pick) => {
      const many = pick.of([true, false])
      const count = pick.int(2, 50)
      const text = many ? times(count, () => letters(room / count - 10, pick)) : letters(room - 200, pick)
      return call('introspect', { query: 'search', text, limit: pick.of([1, 5, 20]) })
    },
  },
  {
    name: 'a name that does not exist',
    refused: 'there is no such operation',
    make: (room, pick) => call(letters(room - 100, pick), {}),
  },
  {
    name: 'a filter',
    make: (room, pick) => {
      const deep = (left: number): unknown =>
        left === 0 ? { state: 'open' } : { and: [deep(left - 1), { state: 'open' }] }
      const long = { project: { [pick.of(['contains', 'starts_with', 'eq', 'matches'])]: letters(room - 300, pick) } }
      return call('list_issues', { filter: pick.of([long, long, deep(12)]), first: 100 })
    },
  },
  {
    name: 'sorting and fields',
    make: (room, pick) => {
      const names = times(Math.min(9_999, Math.floor(room / 40)), (at) => `field_${at}.${'a.'.repeat(8)}a`)
      return call('list_issues', pick.of([{ fields: names }, { sort: names.map((field) => ({ field })) }]))
    },
  },
  {
    name: 'a cursor',
    refused: 'its signature is wrong',
    make: (room, pick) => call('list_issues', { first: 10, after: letters(room - 200, pick) }),
  },
  {
    name: 'values of the wrong type',
    refused: 'a title is a text',
    make: (room, pick) => {
      const count = Math.min(9_999, Math.floor(room / 110))
      return call('create_issue', { project: 'WEB', title: times(count, () => nested(24, pick)) })
    },
  },
  {
    name: 'an update with a large input',
    refused: 'no field of an issue takes so much',
    make: (room, pick) =>
      call('update_issue', {
        issue_id: 'iss_24',
        input: { [pick.of(['body', 'title', 'nothing'])]: letters(room - 300, pick) },
      }),
  },
  {
    name: 'a goal or a hint',
    refused: 'the safety loop is part of the server, and of no runtime without one',
    make: (room, pick) =>
      pick.of([
        call('execute_agent', {
          element_name: 'tester',
          goal: letters(Math.min(room, pick.of([9_000, room])) - 300, pick),
        }),
        call('record_execution_step', {
          element_name: 'tester',
          step_description: letters(9_000, pick),
          outcome: 'success',
          nextActionHint: letters(pick.of([9_900, room - 20_000]), pick),
        }),
      ]),
  },
  {
    name: 'a recorded text that can be read in many ways',
    make: (_, pick) =>
      pick.of([
        call('delete_issue', { issue_id: ambiguous(pick) }),
        call('create_comment', { issue_id: 'iss_1', body: ambiguous(pick) }),
        call('list_issues', { filter: { project: ambiguous(pick) } }),
      ]),
  },
  {
    name: 'a recorded text that announces secrets again and again',
    make: (room, pick) =>
      pick.of([
        call('delete_issue', { issue_id: repeated(room - 200, pick) }),
        call('create_comment', { issue_id: 'iss_1', body: repeated(Math.min(room - 200, 19_000), pick) }),
      ]),
  },
  {
    name: 'a goal or a hint that announces secrets again and again',
    refused: 'the safety loop is part of the server, and of no runtime without one',
    make: (room, pick) => {
      const text = pick.of([ambiguous(pick), repeated(9_000, pick), repeated(Math.min(room - 300, 65_000), pick)])
      const step = { element_name: 'tester', step_description: 'x', outcome: 'success', nextActionHint: text }
      return pick.of([
        call('execute_agent', { element_name: 'tester', goal: text }),
        call('execute_agent', { element_name: 'tester', goal: 'x', parameters: { note: text } }),
        call('record_execution_step', step),
      ])
    },
  },
  {
    name: 'parameters as JSON text',
    refused: 'only the transport reads them',
    make: (room, pick) => {
      const inner = JSON.stringify(
        Object.fromEntries(times(Math.floor(room / 40), (at) => [`k${at}`, pick.of(['"', '\\', 'a'])])),
      )
      return call('list_issues', inner.slice(0, room))
    },
  },
  {
    name: 'a token that was never issued',
    refused: 'nobody issued it',
    make: (room, pick) => ({ ...GATED, _confirmation: letters(room - 200, pick) }),
  },
  {
    name: 'labels of an issue',
    refused: 'an issue takes a hundred',
    make: (room, pick) =>
      call('create_issue', { ...ISSUE, labels: largeValue({ type: 'string[]' }, room - 200, pick) }),
  },
  {
    name: 'an open object of an issue',
    refused: 'an issue takes 20,000 characters',
    make: (room, pick) =>
      call('create_issue', { ...ISSUE, metadata: { a: anything(room - 300, pick) }, dry_run: true }),
  },
  {
    name: 'unknown keys in the input of an update',
    refused: 'they are unknown',
    make: (room, pick) => {
      const name = pick.of([(at: number) => `f${at}`, (at: number) => `titl${at}`, (at: number) => `titleOf${at}`])
      return call('update_issue', { issue_id: 'iss_1', input: map(room - 200, name) })
    },
  },
  {
    name: 'unknown keys beside the operation',
    make: (room, pick) => ({
      operation: pick.of(['list_issues', 'delete_issue', 'nothing']),
      ...map(room - 100, pick.of([(at: number) => `k${at}`, (at: number) => `_k${at}`])),
    }),
  },
  {
    name: 'unknown keys in a filter',
    refused: 'they are unknown',
    make: (room, pick) =>
      call('list_issues', { filter: map(room - 100, (at) => `f${at}`, pick.of([1, { eq: 1 }, { nothing: 1 }])) }),
  },
  {
    name: 'a filter with large lists',
    make: (room, pick) => {
      const field = pick.of(['labels', 'project', 'assignee', 'state'])
      const values = list(room - 200, pick.of([(at: number) => `value${at}`, () => 'open']))
      return call('list_issues', { filter: { [field]: pick.of<unknown>([values, { in: values }]) } })
    },
  },
  {
    name: 'texts of every script in a search',
    make: (room, pick) => call('introspect', { query: 'search', text: times(20, () => letters(room / 20 - 20, pick)) }),
  },
  {
    name: 'names that introspection does not know',
    make: (room, pick) =>
      call('introspect', {
        query: pick.of(['operations', 'types', 'search', 'nothing']),
        name: pick.of([letters(room - 200, pick), list(room - 200, (at) => `get_issu${at}`)]),
      }),
  },
  {
    name: 'words that issues are searched for',
    make: (room, pick) =>
      call('search_issues', {
        query: pick.of([
          letters(room - 200, pick),
          times(room / 8, (at) => `w${at}`).join(' '),
          '"a" '.repeat(room / 6),
          'issue '.repeat(room / 8),
        ]),
      }),
  },
  {
    name: 'aggregates',
    make: (room, pick) =>
      call('list_issues', {
        aggregate: pick.of<unknown>([
          Object.fromEntries(times(20, (at) => [letters(room / 30, pick) + at, { count: true, group_by: 'state' }])),
          Object.fromEntries(
            times(20, (at) => [`a${at}`, { count: true, group_by: pick.of(['project', 'assignee']) }]),
          ),
          list(room, (at) => ({ fn: 'count', as: `c${at}` })),
          map(room - 100, (at) => `a${at}`, { count: true }),
        ]),
      }),
  },
  {
    name: 'large pages side by side',
    make: (_, pick) => ({
      operations: times(50, () => call('list_issues', { first: 100, fields: pick.of(['full', 'standard']) })),
      parallel: true,
    }),
  },
  {
    name: 'a batch of entries of one kind',
    make: (room, pick) => {
      const each = room / 50 - 100
      const entry = pick.of<() => unknown>([
        () =>
          call(
            'create_issue',
            map(each, (at) => `titl${at}`),
          ),
        () => call('update_issue', { issue_id: 'iss_1', input: map(each, (at) => `f${at}`) }),
        () => call('introspect', { query: 'search', text: letters(each, pick) }),
        () => call(letters(each, pick), {}),
        () => call('delete_issue', { issue_id: letters(each, pick) }),
        () => call('create_comment', { issue_id: 'iss_1', body: letters(Math.min(each, 20_000), pick) }),
        () => call('create_issue', { $literal: { a: list(each, (at) => at) } }),
        () => call('get_issue', { issue_id: { $ref: `0${'.data'.repeat(each / 8)}` } }),
      ])
      return { operations: times(50, entry) }
    },
  },
  {
    name: 'metadata of the protocol',
    make: (room, pick) => ({
      ...call('list_issues', {}),
      [pick.of(['_meta', '_request_id', '_session', '_id', '_wait_seconds', '_quota_continue'])]: anything(
        room - 200,
        pick,
      ),
    }),
  },
  {
    name: 'tokens and handles of any type',
    refused: 'nobody issued them',
    make: (room, pick) => {
      const value = anything(room - 200, pick)
      return pick.of([
        { ...GATED, _confirmation: value },
        call('delete_label', { name: 'design', confirmation_token: value }),
        call('get_execution', { execution_id: value }),
        call('introspect', { query: 'rest', rest: value }),
        call('verify_challenge', { challenge_id: value, code: value }),
      ])
    },
  },
  {
    name: 'codes and reports of the safety loop',
    refused: 'the safety loop is part of the server, and of no runtime without one',
    make: (room, pick) =>
      pick.of([
        call('verify_challenge', { challenge_id: 'ch_1', code: letters(room - 200, pick) }),
        call('record_execution_step', {
          element_name: 'tester',
          step_description: 'x',
          outcome: 'success',
          findings: anything(room - 300, pick),
          nextActionHint: 'x',
        }),
        call('record_execution_step', {
          element_name: letters(room - 300, pick),
          step_description: 'x',
          outcome: 'success',
        }),
        call('execute_agent', { element_name: 'tester', goal: 'x', parameters: anything(room - 300, pick) }),
      ]),
  },
  {
    name: 'relations',
    make: (room, pick) =>
      call('query_relationships', {
        root: { element_type: 'issue', element_name: pick.of(['iss_1', letters(room / 2, pick)]) },
        direction: 'both',
        depth: 10,
        include: list(room / 2 - 200, () => pick.of(['root', 'graph.nodes', 'relationships'])),
      }),
  },
  {
    name: 'a file',
    make: (room, pick) =>
      call('create_attachment', {
        issue_id: 'iss_1',
        file_name: 'a',
        file_mime_type: 'text/plain',
        file_content: pick.of(['aaaa', 'aaa=', '====', 'a']).repeat(Math.min(room, 690_000) / 4),
      }),
  },
]

const ISSUE = { project: 'WEB', title: 'A stall' }
