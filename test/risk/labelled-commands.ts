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

/** Labelled risky by the collection that they come from; everyday work for a developer, so that nobody is asked. */
export const EVERYDAY_HERE: ReadonlySet<string> = new Set([
  'rm -rf build',
  'rm -rf ./build',
  'git add -A',
  'git add .',
  'find . -name "*.pyc" -delete',
  'busybox find . -name "*.pyc" -delete',
])
