import { describe, expect, test } from 'vitest'
import { createSearchIndex, type SearchDocument, searchTerms } from './search.ts'

const CATALOGUE: readonly SearchDocument[] = [
  operation('list_issues', 'READ', 'Lists the issues of a repository.', 'GET /repos/{owner}/{repo}/issues'),
  operation('create_issue', 'CREATE', 'Opens an issue.', 'POST /repos/{owner}/{repo}/issues'),
  operation('update_issue', 'UPDATE', 'Changes an issue.', 'PATCH /repos/{owner}/{repo}/issues/{number}'),
  operation('delete_issue', 'DELETE', 'Deletes an issue.', 'DELETE /repos/{owner}/{repo}/issues/{number}'),
  operation(
    'merge_pull_request',
    'EXECUTE',
    'Merges a pull request.',
    'PUT /repos/{owner}/{repo}/pulls/{number}/merge',
  ),
  operation('create_webhook', 'CREATE', 'Subscribes to events.', 'POST /repos/{owner}/{repo}/hooks'),
  operation('get_invoice', 'READ', 'One invoice.', 'GET /invoices/{id}', { source: 'billing', tags: ['invoices'] }),
  operation('constructor', 'READ', 'Who built the car.', 'GET /constructors', { source: 'racing' }),
]
const index = createSearchIndex(CATALOGUE)
const names = (text: string, options = {}) =>
  index.search(text, options).matches.map(({ document }) => CATALOGUE[document]?.name)

describe('design §5 search finds', () => {
  test.each([
    ['what issues does harbor/web have?', 'list_issues'],
    ['open an issue in harbor/web', 'create_issue'],
    ['get rid of issue 9', 'delete_issue'],
    ['merge PR 12', 'merge_pull_request'],
    ['set up a web hook', 'create_webhook'],
    ['the bill of march', 'get_invoice'],
    ['show invoise 4', 'get_invoice'],
    ['constructor', 'constructor'],
  ])('%j: %s', (text, name) => {
    expect(names(text)[0]).toBe(name)
  })

  test('an exact name first, in each of its three forms, whatever was asked for', () => {
    for (const { name, path = '' } of CATALOGUE) {
      expect(names(name)[0]).toBe(name)
      expect(names(name.toUpperCase(), { category: 'DELETE' })[0]).toBe(name)
      expect(names(path)[0]).toBe(name)
    }
    const [camel] = createSearchIndex([operation('z_op', 'READ', ''), operation('doTheThing', 'READ', '')]).search(
      'do_the_thing',
    ).matches
    expect(camel?.document).toBe(1)
  })

  test('an exact name once, with a score above the others', () => {
    const { matches } = index.search('delete_issue', { category: 'READ' })
    expect(matches.filter(({ document }) => document === 3)).toHaveLength(1)
    expect(matches[0]?.score).toBeGreaterThan(matches[1]?.score ?? 0)
  })

  test('no more than the limit, five by default', () => {
    expect(names('issue pull hook invoice constructor repos')).toHaveLength(5)
    expect(names('issue pull hook', { limit: 2 })).toHaveLength(2)
    expect(names('delete_issue', { limit: 1 })).toEqual(['delete_issue'])
  })
})

describe('design §5 search ranks', () => {
  test('the category that was asked for first, without hiding the others', () => {
    expect(names('issue', { category: 'UPDATE' })).toEqual([
      'update_issue',
      'create_issue',
      'delete_issue',
      'list_issues',
    ])
    expect(names('issue', { category: 'DELETE' })[0]).toBe('delete_issue')
  })

  test.each([
    ['CREATE', { CREATE: 1, READ: 0.01, UPDATE: 0.25, DELETE: 0.06, EXECUTE: 0.25 }],
    ['READ', { CREATE: 0.06, READ: 1, UPDATE: 0.01, DELETE: 0.01, EXECUTE: 0.06 }],
    ['UPDATE', { CREATE: 0.25, READ: 0.01, UPDATE: 1, DELETE: 0.06, EXECUTE: 0.25 }],
    ['DELETE', { CREATE: 0.06, READ: 0.01, UPDATE: 0.06, DELETE: 1, EXECUTE: 0.06 }],
    ['EXECUTE', { CREATE: 0.25, READ: 0.01, UPDATE: 0.25, DELETE: 0.06, EXECUTE: 1 }],
    [undefined, { CREATE: 1.06, READ: 1.06, UPDATE: 1.06, DELETE: 1.96, EXECUTE: 1.06 }],
  ] as const)('by the category that was asked for, or that the text suggests: %s', (category, worth) => {
    const options = { explain: true, limit: 20, ...(category && { category }) }
    const { matches } = index.search('delete repos 9', options)
    const found = matches.map(({ document, factors }) => [
      CATALOGUE[document]?.category,
      Math.round((factors?.category ?? 0) * 100) / 100,
    ])
    expect(Object.fromEntries(found)).toEqual(worth)
  })

  test('a deprecated operation behind its twin', () => {
    const twins = [operation('send_note', 'EXECUTE', 'Sends.'), operation('send_note_now', 'EXECUTE', 'Sends.')]
    const deprecated = [{ ...twins[0], deprecated: true }, twins[1]] as SearchDocument[]
    expect(
      createSearchIndex(deprecated)
        .search('send note')
        .matches.map(({ document }) => document),
    ).toEqual([1, 0])
    expect(
      createSearchIndex(twins)
        .search('send note')
        .matches.map(({ document }) => document),
    ).toEqual([0, 1])
  })

  test('what lacks values for its path behind what does not', () => {
    const documents = [
      operation('one_report', 'READ', '', 'GET /reports/{id}'),
      operation('all_report', 'READ', '', 'GET /reports'),
    ]
    const first = (text: string) => createSearchIndex(documents).search(text, { explain: true }).matches[0]
    expect(first('report')?.document).toBe(1)
    expect(first('report 17')).toMatchObject({ document: 0, factors: { path: 1 } })
  })

  test('ties in catalogue order', () => {
    const same = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => operation(`same_words_${letter}`, 'READ', ''))
    const { matches } = createSearchIndex(same).search('words', { limit: 20 })
    expect(matches.map(({ document }) => document)).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })

  test('the same whatever was asked before', () => {
    const before = index.search('close the issue and then merge it', { explain: true })
    index.search('invoice of harbor. constructor, webhook and pull')
    expect(index.search('close the issue and then merge it', { explain: true })).toEqual(before)
  })

  test('by factors that multiply to the score', () => {
    for (const { score, factors } of index.search('open an issue and merge', { explain: true }).matches) {
      expect(Object.keys(factors ?? {})).toEqual([
        'terms',
        'pairs',
        'title',
        'parts',
        'group',
        'category',
        'path',
        'deprecated',
      ])
      expect(Object.values(factors ?? {}).reduce((product, factor) => product * factor, 1)).toBeCloseTo(score)
    }
    expect(index.search('issue').matches[0]).not.toHaveProperty('factors')
    expect(index.search('delete_issue', { explain: true }).matches[0]?.factors).toMatchObject({ exact: 1 })
  })
})

describe('design §5 search looks up what a question names', () => {
  const music = [
    operation('follow_artist', 'UPDATE', 'Follows artists.', 'PUT /artists/{id}/follow'),
    operation('get_album', 'READ', 'One album.', 'GET /albums/{id}'),
    operation('list_tracks', 'READ', 'The tracks of an album.', 'GET /albums/{id}/tracks'),
    operation('list_labels', 'READ', 'The labels of an album.', 'GET /albums/{id}/labels'),
    operation('search_tracks', 'READ', 'By a keyword.', 'GET /search/tracks'),
    operation('search_albums', 'READ', 'By a keyword.', 'GET /search/albums'),
    operation('delete_search', 'DELETE', 'Forgets.', 'DELETE /search'),
  ]
  const found = (text: string, options = {}, documents: readonly SearchDocument[] = music) =>
    createSearchIndex(documents)
      .search(text, options)
      .matches.map(({ document }) => documents[document]?.name)

  test('in the last place, by the operation about the same things', () => {
    expect(found('follow Nina Simone')).toEqual(['follow_artist', 'search_tracks'])
    expect(found('labels of Mojito', { limit: 3 }).at(-1)).toBe('search_albums')
    expect(found('labels of Mojito', { limit: 3, category: 'READ' }).at(-1)).toBe('search_albums')
  })

  test('alone where nothing else is found', () => {
    expect(found('where was Nina Simone born?')).toEqual(['search_tracks', 'search_albums'])
    expect(found('where was Nina Simone born?', { limit: 1 })).toEqual(['search_tracks'])
  })

  test.each([
    ['nothing has a name', 'follow an artist', {}],
    ['the name begins the sentence', 'Nina. Follow an artist', {}],
    ['the name is a day', 'follow an artist on Monday', {}],
    ['the catalogue knows the word', 'follow the Artist', {}],
    ['it is quoted', "follow 'Nina Simone'", {}],
    ['something else is to be done', 'follow Nina', { category: 'UPDATE' }],
    ['there are few places', 'follow Nina', { limit: 2 }],
  ])('not when %s', (_, text, options) => {
    expect(found(text, options)).toEqual(['follow_artist'])
  })

  test('not where no operation of its source wants an id', () => {
    const flat = music.map((document) => ({ ...document, path: document.path?.replace('{id}', 'x') ?? '' }))
    expect(found('follow Nina Simone', {}, flat)).toEqual(['follow_artist'])
    const elsewhere = music.map((document) => ({ ...document, source: document.path?.includes('{') ? 'a' : 'b' }))
    expect(found('follow Nina Simone', {}, elsewhere)).toEqual(['follow_artist'])
  })

  test('once, and says so', () => {
    expect(found('tracks of Mojito').filter((name) => name?.startsWith('search'))).toEqual(['search_tracks'])
    const { matches } = createSearchIndex(music).search('follow Nina Simone', { explain: true })
    expect(matches[1]).toEqual({ document: 4, score: 0, factors: { lookup: 1 } })
    expect(matches[0]?.factors).not.toHaveProperty('lookup')
  })
})

test.each([
  ['who belongs to the group?', 'list_group_members'],
  ['how many groups are there?', 'count_groups'],
  ['which shows are there?', 'list_shows'],
])('design §5 search understands what %j asks for', (text, name) => {
  const documents = ['get_group', 'list_group_members', 'count_groups', 'list_shows'].map((each) =>
    operation(each, 'READ', ''),
  )
  expect(documents[createSearchIndex(documents).search(text).matches[0]?.document ?? -1]?.name).toBe(name)
})

describe('design §5 search with nothing to show', () => {
  test('names the nearest operations and the tags', () => {
    const documents = [operation('list_letters', 'READ', '', undefined, { tags: ['letters'] })]
    expect(createSearchIndex(documents).search('alist of etters!')).toEqual({
      matches: [],
      nearest: ['list_letters'],
      tags: ['letters'],
    })
  })

  test.each(['', '   ', 'the of and', '?!', '__proto__'])('answers %j', (text) => {
    expect(index.search(text)).toMatchObject({ matches: [], tags: ['invoices', 'racing'] })
  })

  test('names the source where an operation has no tags', () => {
    const documents = [operation('list_letters', 'READ', '', undefined, { tags: [], source: 'post' })]
    expect(createSearchIndex(documents).search('?').tags).toEqual(['post'])
  })

  test('answers on an empty catalogue', () => {
    expect(createSearchIndex([]).search('issue')).toEqual({ matches: [], nearest: [], tags: [] })
  })
})

test.each([
  'a@',
  'a/',
  'a.',
  "'",
  '"a',
  'A',
  'A_',
  'a=',
  'a ',
  'issue ',
  'and ',
  'x y z ',
  "a'",
  '😀',
  '\uD800',
  'ﷺ',
  'aA',
])('design §5 search is bounded on a text of %j', (piece) => {
  const start = performance.now()
  index.search(piece.repeat(100_000))
  expect(performance.now() - start).toBeLessThan(2_000)
})

test('design §5 search gives the terms that a question shares with parameters', () => {
  expect(searchTerms('labels of my repo')).toEqual(new Set(['label', 'repositori']))
})

function operation(
  name: string,
  category: SearchDocument['category'],
  description: string,
  path?: string,
  more: Partial<SearchDocument> = {},
): SearchDocument {
  return { name, category, description, params: [], ...(path !== undefined && { path }), ...more }
}
