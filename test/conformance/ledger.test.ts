import { describe, expect, test } from 'vitest'
import { familyOf, REQUIREMENTS, type Requirement, summary } from './requirements.ts'
import { findCases, idsIn } from './requirements-cases.ts'

const cases = findCases()
const met = REQUIREMENTS.filter((row) => row.status === 'met')

/** The families whose rows rule between sources. */
const RULINGS = ['X', 'R']

/** Sources, adapter files and generated adapters. */
const WHOLLY_LATER = ['ELEM', 'PLUG', 'GEN', 'DISC']

/** SHOULD rows that may go without a case. */
const SHOULD_TOLERANCE = 0.05

describe('every rule has a case', () => {
  test('each MUST that is met', () => {
    expect(idsOf(met.filter((row) => row.level === 'MUST' && !isShown(row)))).toEqual([])
  })

  test('95 % of the SHOULDs that are met', () => {
    const should = met.filter((row) => row.level === 'SHOULD')
    const missing = idsOf(should.filter((row) => !isShown(row)))
    expect(missing.length > should.length * SHOULD_TOLERANCE ? missing : []).toEqual([])
  })

  test('no case names a rule that does not exist', () => {
    const known = new Set(idsOf(REQUIREMENTS))
    const unknown = [...cases].filter(([id]) => !known.has(id)).map(([id, files]) => `${id} in ${files.join(', ')}`)
    expect(unknown).toEqual([])
  })
})

describe('the ledger is sound', () => {
  test('ids are unique', () => {
    const ids = idsOf(REQUIREMENTS)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('a row that is later or waived has a reason, and no other has one', () => {
    const wrong = REQUIREMENTS.filter((row) => (row.status === 'met') === Boolean(row.reason))
    expect(idsOf(wrong)).toEqual([])
  })

  test('every row says something and names its source', () => {
    expect(idsOf(REQUIREMENTS.filter((row) => row.statement.length < 40 || row.source === ''))).toEqual([])
  })

  test('a ruling is shown by rows that exist and are not rulings', () => {
    const rows = new Map(REQUIREMENTS.map((row) => [row.id, row]))
    const wrong = REQUIREMENTS.flatMap(({ id, shownBy = [] }) =>
      shownBy
        .filter((other) => !rows.has(other) || RULINGS.includes(familyOf({ id: other })))
        .map((other) => `${id} ${other}`),
    )
    expect(wrong).toEqual([])
  })

  // biome-ignore format: a table reads by columns
  test('the numbers of rows are the catalogue’s', () => {
    const totals = Object.fromEntries([...summary()].map(([family, { total }]) => [family, total]))
    expect(totals).toEqual({
      SES: 7, MODE: 9, TOOL: 16, REQ: 12, UPD: 9, VAL: 11, DATA: 12, RES: 11, ERR: 40, INT: 25, TYPE: 4, OPN: 7,
      LIFE: 6, BATCH: 11, FIELD: 9, COLL: 7, PAGE: 10, AGG: 6, COMP: 3, REL: 6, CONC: 4, PROG: 4, MULTI: 4,
      MCP: 25, CONF: 9, X: 38,
      GATE: 15, DNG: 23, TRUST: 21, TOK: 20, RATE: 17, LOOP: 24, AUTO: 19, NOTE: 9, OOB: 15, BLOCK: 10, SELF: 14,
      AUDIT: 10, SESS: 10, DONGLE: 8, ELEM: 18, PLUG: 13, GEN: 22, DISC: 14, R: 46,
    })
    const having = (level: string) => REQUIREMENTS.filter((row) => row.level === level).length
    expect([having('MUST'), having('SHOULD'), having('MAY')]).toEqual([495, 110, 28])
  })

  test('only these rows are later or waived', () => {
    const later = REQUIREMENTS.filter((row) => row.status === 'later')
    const whole = new Set(
      WHOLLY_LATER.flatMap((family) => idsOf(REQUIREMENTS.filter((row) => familyOf(row) === family))),
    )
    expect(idsOf(later.filter(({ id }) => !whole.has(id)))).toEqual([
      'ERR-08',
      'BATCH-10',
      'MCP-10',
      'MCP-11',
      'X-22',
      'R-40',
      'R-41',
      'R-42',
    ])
    expect(later.filter(({ id }) => whole.has(id))).toHaveLength(whole.size)
    const waived = REQUIREMENTS.filter((row) => row.status === 'waived')
    expect(waived.map(({ id, level }) => `${id} ${level}`)).toEqual(['DNG-22 MAY', 'TOK-20 MAY'])
    expect(idsOf(REQUIREMENTS.filter((row) => row.partly))).toEqual(['LOOP-05', 'DONGLE-04'])
  })

  test('the summary counts by family and status', () => {
    expect(summary().get('MCP')).toEqual({ total: 25, met: 23, later: 2, waived: 0 })
    expect(summary().get('SES')).toEqual({ total: 7, met: 7, later: 0, waived: 0 })
  })
})

describe('what counts as a case', () => {
  test.each([
    ['a title in single quotes', "test('PAGE-07 each item once', () => {})", ['PAGE-07']],
    ['a title in double quotes', 'test("it is ERR-20’s template", () => {})', ['ERR-20']],
    ['a row of a table', "test.each([['X-04 unknown', 1], ['ERR-30', 2]])('%s', run)", ['X-04', 'ERR-30']],
    [
      'a template, on both sides of a value',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source text of a case
      'test(`SES-01 ${a} SES-02 ${b} SES-03`, run)',
      ['SES-01', 'SES-02', 'SES-03'],
    ],
    ['several ids in one title', "test('UPD-03 and UPD-04 merge', run)", ['UPD-03', 'UPD-04']],
    ['a range names its ends only', "test('PAGE-01 to PAGE-03', run)", ['PAGE-01', 'PAGE-03']],
    ['not a line comment', "// PAGE-07\ntest('walks', run)", []],
    ['not a block comment', "/* PAGE-07 */ test('walks', run)", []],
    ['not a regular expression, which may hold a quote', "/'/.test(a); run() // 'PAGE-07'", []],
    ['a ruling of either catalogue', "test('R-01 and X-04', run)", ['R-01', 'X-04']],
    ['not a longer number', "test('MCP-2026 and ERR-200', run)", []],
    ['not another family', "test('ELF-01 UTF-16 TAX-04', run)", []],
    ['not a planned test', "test.todo('PAGE-07 walks')", []],
    ['not a skipped test', "test.skip('PAGE-07 walks', run)", []],
    ['not a skipped table', "test.skip.each([['PAGE-07']])('%s', run)", []],
    ['not a skipped suite', "describe.skip('paging', () => { test('PAGE-07', run) })", []],
    ['a test that runs where it can', "test.skipIf(!data)('PAGE-07 walks', run)", ['PAGE-07']],
  ])('%s', (_, source, ids) => {
    expect([...idsIn(source)]).toEqual(ids)
  })
})

function isShown({ id, shownBy = [] }: Requirement): boolean {
  return [id, ...shownBy].some((shown) => cases.has(shown))
}

function idsOf(rows: readonly Requirement[]): string[] {
  return rows.map((row) => row.id)
}
