/** One way to make a request that is dear to answer. `pick` chooses among the shapes that the search tries. */
export interface Kind {
  readonly name: string
  readonly make: (room: number, pick: Pick) => unknown
}

export interface Pick {
  of<T>(choices: readonly T[]): T
  int(least: number, most: number): number
}

/** Letters that are dear to look at, or that take much room once they are written out. */
const ALPHABETS = [
  'a',
  'Привет мир ',
  'שלום עולם ',
  '\u202e\u2066a',
  'pаypаl ',
  'a\u0301\u0302\u0303',
  '漢字',
  '😀😃',
  '\u{e0041}\u{e0042}',
  '\\"',
  '\u0000\u0001',
  'a.b.',
  'rm -rf / ; ',
  "$(echo '",
  '{"a":[',
  'http://аррlе.com/ ',
] as const

function letters(bytes: number, pick: Pick): string {
  const alphabet = pick.of(ALPHABETS)
  const each = Buffer.byteLength(JSON.stringify(alphabet)) - 2
  return alphabet.repeat(Math.max(1, Math.floor(bytes / each)))
}

const call = (operation: string, params: unknown) => ({ operation, params })

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: Math.max(0, count) }, (_, at) => make(at))
}

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
      call(pick.of(['delete_issue', 'delete_user', 'delete_label']), {
        [pick.of(['issue_id', 'username', 'name'])]: letters(room - 200, pick),
      }),
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
    make: (room, pick) => call(letters(room - 100, pick), {}),
  },
  {
    name: 'a filter',
    make: (room, pick) => {
      const deep = (left: number): unknown =>
        left === 0 ? { state: 'open' } : { and: [deep(left - 1), { state: 'open' }] }
      const wide = { state: times(Math.min(9_999, Math.floor(room / 30)), (at) => `state${at}`) }
      const long = { title: { [pick.of(['contains', 'matches', 'eq', 'starts_with'])]: letters(room - 300, pick) } }
      return call('list_issues', { filter: pick.of([wide, long, deep(12)]), first: 100 })
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
    make: (room, pick) => call('list_issues', { first: 10, after: letters(room - 200, pick) }),
  },
  {
    name: 'values of the wrong type',
    make: (room, pick) => {
      const nested = (depth: number): unknown =>
        depth === 0 ? 1 : pick.of([true, false]) ? [nested(depth - 1)] : { a: nested(depth - 1) }
      const count = Math.min(9_999, Math.floor(room / 110))
      return call('create_issue', { project: 'WEB', title: times(count, () => nested(24)) })
    },
  },
  {
    name: 'an update with a large input',
    make: (room, pick) =>
      call('update_issue', {
        issue_id: 'iss_24',
        input: { [pick.of(['body', 'title', 'nothing'])]: letters(room - 300, pick) },
      }),
  },
  {
    name: 'a goal or a hint',
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
    name: 'parameters as JSON text',
    make: (room, pick) => {
      const inner = JSON.stringify(
        Object.fromEntries(times(Math.floor(room / 40), (at) => [`k${at}`, pick.of(['"', '\\', 'a'])])),
      )
      return call('list_issues', inner.slice(0, room))
    },
  },
  {
    name: 'a token that was never issued',
    make: (room, pick) => ({ ...GATED, _confirmation: letters(room - 200, pick) }),
  },
]
