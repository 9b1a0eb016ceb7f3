import { defineCommand, EXIT, isStop, stop } from '../command.ts'
import { jsonLine } from '../json-line.ts'
import { readText } from '../read-text.ts'

/** what `record_execution_step` refuses. */
const LONGEST_HINT = 10_000

export const risk = defineCommand({
  name: 'risk',
  summary: 'Show how risky a command or a hint is, and why.',
  usage: ['TEXT', '--lines FILE'],
  about: [
    'Prints one JSON object for each hint: score (0-100), tier (advisory, confirm, verify, danger_zone) and the factors behind them. Nothing is run, and the patterns of a policy are not applied: a hook or a loop may ask about more.',
  ],
  examples: ["mcpaql risk 'git push --force origin main'", 'mcpaql risk --lines hints.jsonl'],
  options: {
    lines: {
      type: 'string',
      value: 'FILE',
      description: 'Read hints from a file that holds one JSON string in each line.',
    },
    json: { type: 'boolean', description: 'Print JSON, as it does anyway.' },
  },
  positionals: [0, 1],

  async run({ values, positionals: [text] }, world) {
    if ((text === undefined) === (values.lines === undefined))
      return stop(EXIT.badUsage, 'Give either a text or --lines FILE', 'See mcpaql risk --help')
    const hints = values.lines === undefined ? [text ?? ''] : await readHints(values.lines, world)
    if (isStop(hints)) return hints
    const { scoreHint } = await import('../../core/autonomy/risk/score-hint.ts')
    for (const hint of hints) {
      if (hint.length > LONGEST_HINT)
        return stop(EXIT.badUsage, `A hint has at most ${LONGEST_HINT} characters; this one has ${hint.length}`)
      world.out(jsonLine(scoreHint(hint)))
    }
    return EXIT.ok
  },
})

async function readHints(file: string, world: Parameters<typeof readText>[2]) {
  const text = await readText(file, '--lines', world)
  if (isStop(text)) return text
  const hints: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const hint = parseLine(line)
    if (hint === undefined)
      return stop(EXIT.badUsage, `${file}:${index + 1}: not a JSON string`, 'Each line holds one JSON string')
    hints.push(hint)
  }
  return hints
}

function parseLine(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
