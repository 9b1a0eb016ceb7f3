import { describe, expect, test } from 'vitest'
import { DATA_FOLDER } from '../../../bench/catalogue.ts'
import {
  everydayQuestions,
  filmQuestions,
  githubQuestions,
  spotifyQuestions,
  toolQuestions,
} from '../../../bench/question-sets.ts'
import { createSetIndex, measureQuality, qualityOfAll } from '../../../bench/search-quality.ts'

const note = DATA_FOLDER === undefined ? ' (SKIPPED: the folder shared/data is not beside the repository)' : ''

describe.skipIf(DATA_FOLDER === undefined)(`design §5 search reaches on public questions${note}`, () => {
  test('StableToolBench: hit@1 .76, recall@5 .75', () => {
    const set = toolQuestions()
    const quality = measureQuality(set, createSetIndex(set), false)
    expect(quality.hit1).toBeGreaterThanOrEqual(0.76)
    expect(quality.recall5).toBeGreaterThanOrEqual(0.75)
  })

  test('RestBench Spotify, category given: recall@5 .83', () => {
    const set = spotifyQuestions()
    expect(measureQuality(set, createSetIndex(set), true).recall5).toBeGreaterThanOrEqual(0.83)
  })

  test('GitHub: hit@1 .62, the right one among five .83; every exact name first', () => {
    const set = githubQuestions()
    const index = createSetIndex(set)
    const quality = measureQuality(set, index, false)
    expect(quality.hit1).toBeGreaterThanOrEqual(0.62)
    expect(quality.any5).toBeGreaterThanOrEqual(0.83)
    const missed = set.operations.filter(({ name }, at) => index.search(name).matches[0]?.document !== at)
    expect(missed).toEqual([])
  })

  test('everyday words about five APIs: hit@1 .21, the right one among five .46', () => {
    const sets = everydayQuestions().map(({ single }) => single)
    const quality = qualityOfAll(sets, createSetIndex, false)
    expect(quality.hit1).toBeGreaterThanOrEqual(0.21)
    expect(quality.any5).toBeGreaterThanOrEqual(0.46)
  })

  test('everyday words about five APIs, several steps: recall@5 .82', () => {
    const sets = everydayQuestions().map(({ steps }) => steps)
    expect(qualityOfAll(sets, createSetIndex, false).recall5).toBeGreaterThanOrEqual(0.82)
  })
})

test('design §5 search finds the steps of questions about films that give names: recall@5 .68', () => {
  const set = filmQuestions()
  expect(measureQuality(set, createSetIndex(set), false).recall5).toBeGreaterThanOrEqual(0.68)
})
