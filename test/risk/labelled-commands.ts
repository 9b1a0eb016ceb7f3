import { existsSync, readFileSync } from 'node:fs'

export interface LabelledCommand {
  readonly text: string
  readonly label: 'risky' | 'benign' | 'ordinary'
}

const FILE = new URL('../../../shared/data/risk/commands-dev.jsonl', import.meta.url)

/** Commands that others labelled; empty where the data is not beside the repository. */
export function labelledCommands(): readonly LabelledCommand[] {
  if (!existsSync(FILE)) return []
  return readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledCommand)
}
