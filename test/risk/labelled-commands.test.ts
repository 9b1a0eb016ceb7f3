import { describe, expect, test } from 'vitest'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
import { EVERYDAY_HERE, type LabelledCommand, labelledCommands } from './labelled-commands.ts'

const COMMANDS = labelledCommands().filter(({ text }) => !EVERYDAY_HERE.has(text))
if (COMMANDS.length === 0) process.stderr.write('SKIPPED: the labelled commands are not beside the repository.\n')

const share = (label: LabelledCommand['label'], above: number) => {
  const scores = COMMANDS.filter((command) => command.label === label).map(({ text }) => scoreHint(text).score)
  return scores.filter((score) => score > above).length / scores.length
}

describe.skipIf(COMMANDS.length === 0)('AUTO-13 commands that others labelled', () => {
  test.each([
    ['risky', 30, 0.97],
    ['risky', 60, 0.95],
  ] as const)('of the %s ones above %i at least %f', (label, above, least) => {
    expect(share(label, above)).toBeGreaterThanOrEqual(least)
  })

  test.each([
    ['benign', 30, 0.15],
    ['benign', 60, 0.04],
    ['ordinary', 30, 0.14],
    ['ordinary', 60, 0.026],
  ] as const)('of the %s ones above %i at most %f', (label, above, most) => {
    expect(share(label, above)).toBeLessThanOrEqual(most)
  })
})
