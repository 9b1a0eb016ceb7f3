/** What clients call the moment before a tool runs, and the moment after it. Most ask; these report what has run. */
const REPORTS: ReadonlySet<string> = new Set([
  'PostToolUse',
  'PostToolUseFailure',
  'postToolUse',
  'AfterTool',
  'afterShellExecution',
  'afterMCPExecution',
])

export function isReport(event: string): boolean {
  return REPORTS.has(event)
}
