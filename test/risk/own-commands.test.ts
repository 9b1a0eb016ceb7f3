import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'

type Label = 'risky' | 'benign' | 'ordinary' | 'everyday' | 'asked'

/** Commands written and labelled for this test, before any of them was scored: one a line, a file for each label. */
const hintsOf = (folder: string, label: Label) =>
  readFileSync(new URL(`commands/${folder}${label}.txt`, import.meta.url), 'utf8')
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => text.replaceAll('␤', '\n'))

const known = new Map<string, readonly number[]>()

const share = (folder: string, label: Label, above: number) => {
  const scores = known.get(folder + label) ?? hintsOf(folder, label).map((hint) => scoreHint(hint).score)
  known.set(folder + label, scores)
  return scores.filter((score) => score > above).length / scores.length
}

describe('AUTO-13 commands of many tools', () => {
  test('there are enough of each kind', () => {
    const counts = (['', 'second/'] as const).map((folder) =>
      (['risky', 'benign', 'ordinary'] as const).map((label) => hintsOf(folder, label).length),
    )
    expect(counts).toEqual([
      [662, 688, 271],
      [362, 311, 509],
    ])
    expect(
      [
        'third/',
        'fourth/',
        'fifth/',
        'sixth/',
        'seventh/',
        'eighth/',
        'ninth/',
        'tenth/',
        'eleventh/',
        'twelfth/',
        'thirteenth/',
        'fourteenth/',
        'fifteenth/',
        'sixteenth/',
      ].map((folder) => [hintsOf(folder, 'risky').length, hintsOf(folder, 'everyday').length]),
    ).toEqual([
      [277, 413],
      [326, 689],
      [325, 894],
      [350, 600],
      [221, 184],
      [344, 190],
      [300, 300],
      [285, 294],
      [150, 300],
      [200, 300],
      [250, 300],
      [335, 431],
      [300, 300],
      [200, 350],
    ])
  })

  test.each([
    ['', 'risky', 30, 0.985],
    ['', 'risky', 60, 0.97],
    ['second/', 'risky', 30, 0.98],
    ['second/', 'risky', 60, 0.93],
    ['third/', 'risky', 30, 0.99],
    ['third/', 'risky', 60, 0.93],
    ['fourth/', 'risky', 30, 0.99],
    ['fourth/', 'risky', 60, 0.95],
    ['fifth/', 'risky', 30, 0.99],
    ['fifth/', 'risky', 60, 0.95],
    ['sixth/', 'risky', 30, 0.99],
    ['sixth/', 'risky', 60, 0.95],
    ['seventh/', 'risky', 30, 0.99],
    ['seventh/', 'risky', 60, 0.95],
    ['eighth/', 'risky', 30, 0.99],
    ['eighth/', 'risky', 60, 0.95],
    ['ninth/', 'risky', 30, 0.99],
    ['ninth/', 'risky', 60, 0.95],
    ['tenth/', 'risky', 30, 0.99],
    ['tenth/', 'risky', 60, 0.98],
    ['eleventh/', 'risky', 30, 0.99],
    ['eleventh/', 'risky', 60, 0.98],
    ['eleventh/', 'asked', 30, 0.98],
    ['twelfth/', 'risky', 30, 0.99],
    ['twelfth/', 'risky', 60, 0.98],
    ['thirteenth/', 'risky', 60, 0.99],
    ['fourteenth/', 'risky', 30, 0.99],
    ['fourteenth/', 'risky', 60, 0.99],
    ['fifteenth/', 'risky', 30, 1],
    ['fifteenth/', 'risky', 60, 0.99],
    ['sixteenth/', 'risky', 60, 1],
  ] as const)('of %s%s ones above %i at least %f', (folder, label, above, least) => {
    expect(share(folder, label, above)).toBeGreaterThanOrEqual(least)
  })

  test.each([
    ['', 'benign', 30, 0.05],
    ['', 'benign', 60, 0.02],
    ['', 'ordinary', 30, 0.14],
    ['', 'ordinary', 60, 0.025],
    ['second/', 'benign', 30, 0.04],
    ['second/', 'benign', 60, 0.005],
    ['second/', 'ordinary', 30, 0.135],
    ['second/', 'ordinary', 60, 0.025],
    ['second/', 'everyday', 30, 0],
    ['third/', 'everyday', 30, 0.01],
    ['third/', 'everyday', 60, 0],
    ['fourth/', 'everyday', 30, 0.01],
    ['fourth/', 'everyday', 60, 0],
    ['fifth/', 'everyday', 30, 0.02],
    ['fifth/', 'everyday', 60, 0],
    ['sixth/', 'everyday', 30, 0.02],
    ['sixth/', 'everyday', 60, 0],
    ['seventh/', 'everyday', 30, 0.02],
    ['seventh/', 'everyday', 60, 0],
    ['eighth/', 'everyday', 30, 0.01],
    ['eighth/', 'everyday', 60, 0],
    ['ninth/', 'everyday', 30, 0.01],
    ['ninth/', 'everyday', 60, 0],
    ['tenth/', 'everyday', 30, 0.01],
    ['tenth/', 'everyday', 60, 0],
    ['eleventh/', 'everyday', 30, 0.01],
    ['eleventh/', 'everyday', 60, 0],
    ['twelfth/', 'everyday', 30, 0.02],
    ['twelfth/', 'everyday', 60, 0],
    ['thirteenth/', 'everyday', 30, 0.01],
    ['thirteenth/', 'everyday', 60, 0],
    ['fourteenth/', 'everyday', 30, 0],
    ['fourteenth/', 'everyday', 60, 0],
    ['fifteenth/', 'everyday', 30, 0],
    ['fifteenth/', 'everyday', 60, 0],
    ['sixteenth/', 'everyday', 30, 0],
  ] as const)('of %s%s ones above %i at most %f', (folder, label, above, most) => {
    expect(share(folder, label, above)).toBeLessThanOrEqual(most)
  })
})

/** Lists of one subject each: all of the one are asked about, and none of the other. */
const SUBJECTS = {
  'tenth/': ['secrets', 'own-program', 'disguises'],
  'eleventh/': ['secrets', 'publishing', 'sending', 'pretending'],
  'fifteenth/': ['statements', 'powershell', 'loaded'],
} as const

describe.each(Object.entries(SUBJECTS))('HOOK-09 AUTO-13 subjects of the %s set', (folder, subjects) => {
  test.each(subjects)('%s: what must ask does', (subject) => {
    expect(scored(folder, `${subject}-asked`).filter(({ score }) => score <= 30)).toEqual([])
  })

  test.each(subjects)('%s: what is everyday work does not', (subject) => {
    expect(scored(folder, `${subject}-everyday`).filter(({ score }) => score > 30)).toEqual([])
  })
})

describe('HOOK-09 AUTO-13 what a question is not enough for', () => {
  test('what answers for the operator, or ends the judge, needs a code', () => {
    expect(scored('tenth/', 'own-program-asked').filter(({ score }) => score <= 60)).toEqual([])
  })

  test('what deletes or writes over files outside of the project needs a code, whatever the tool', () => {
    expect(scored('eleventh/', 'places-asked').filter(({ score }) => score <= 60)).toEqual([])
  })

  test('a secret that leaves and a statement that deletes need a code, however the option is written', () => {
    const asked = ['statements-asked', 'powershell-asked', 'loaded-asked'].flatMap((name) => scored('fifteenth/', name))
    expect(asked.filter(({ score }) => score <= 60)).toEqual([])
  })

  test('what older lists called everyday, and is not: secrets that are printed, and what others get', () => {
    expect(scored('eleventh/', 'moved-asked').filter(({ score }) => score <= 30)).toEqual([])
  })
})

function scored(folder: string, name: string) {
  return hintsOf(folder, name as Label).map((hint) => ({ hint, score: scoreHint(hint).score }))
}
/** Assignments in front of commands, exported, and in files; `risky` is what needs a code. */
describe('AUTO-13 HOOK-09 variables that programs get', () => {
  const scored = (name: string) =>
    hintsOf('environment/', name as Label).map((hint) => ({ hint, score: scoreHint(hint, { isCommand: true }).score }))

  test('what is everyday work asks nobody', () => {
    expect(scored('everyday').filter(({ score }) => score > 30)).toEqual([])
  })

  test('options and files from elsewhere ask', () => {
    expect(scored('asked').filter(({ score }) => score <= 30)).toEqual([])
  })

  test('what loses files, or puts code into a program, needs a code', () => {
    expect(scored('risky').filter(({ score }) => score <= 60)).toEqual([])
  })

  test('there are enough of each', () => {
    expect(['everyday', 'asked', 'risky'].map((name) => scored(name).length)).toEqual([154, 34, 79])
  })
})
