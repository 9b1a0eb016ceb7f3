import type { NewIssue } from './issues.ts'

/** What a foreign tracker would answer. The demo talks to nobody: its rows are made here, the same each time. */
export interface ForeignIssue extends Pick<NewIssue, 'title' | 'body' | 'priority' | 'labels' | 'estimate_hours'> {
  readonly external_id: string
}

/** A key that the foreign tracker no longer takes, so that a failed import can be shown. */
export function isRefused(apiKey: string): boolean {
  return apiKey.startsWith('key_expired')
}

export function foreignIssue(index: number): ForeignIssue {
  const [subject = '', label = 'feature'] = SUBJECTS[index % SUBJECTS.length] ?? []
  const round = Math.floor(index / SUBJECTS.length)
  return {
    title: round === 0 ? subject : `${subject} (${round + 1})`,
    body: `Brought over from ticket ${FIRST + BigInt(index)}.`,
    priority: index % 5 === 0 ? 'high' : 'normal',
    labels: [label],
    estimate_hours: 1 + (index % 8),
    external_id: String(FIRST + BigInt(index)),
  }
}

/** Beyond what a JSON number holds exactly (DATA-06). */
const FIRST = 9_100_000_000_000_000_001n

const SUBJECTS: readonly (readonly [string, string])[] = [
  ['Invoice PDF lacks the customer number', 'bug'],
  ['Allow several delivery addresses', 'feature'],
  ['Explain the return process', 'docs'],
  ['Slow start of the reporting page', 'performance'],
  ['Session stays open after a password change', 'security'],
  ['Quantity field accepts minus one', 'bug'],
  ['Export orders as a spreadsheet', 'feature'],
  ['Focus ring is invisible on dark buttons', 'accessibility'],
]
