import { expect, test } from 'vitest'
import type { AuditEntry } from '../core/audit/entry.ts'
import { auditLine } from './print-audit.ts'

const WORLD = { colours: false, columns: undefined }
const ASKED = { user_id: 'anonymous', session_id: 'abcdefghijklmnop', operation: 'delete_issue', danger_level: 2 }

function lineOf(entry: Partial<AuditEntry> & Pick<AuditEntry, 'event'>): string {
  const whole = { timestamp: '2026-05-01T12:00:00.000Z', ...entry }
  return auditLine({ seq: 7, previous: '', hash: '', entry: whole }, WORLD)
}

test.each([
  ['CONFIRMATION_GRANTED', 'console', 'approved by operator through console'],
  ['CONFIRMATION_GRANTED', 'elicitation', 'approved by operator through elicitation'],
  ['APPROVAL_DENIED', 'terminal', 'denied by operator through terminal'],
  ['REQUEST_VIEWED', 'console', 'seen by operator through console'],
] as const)('SELF-02 %s by %s: who decided, never the agent in their place', (event, channel, said) => {
  const line = lineOf({ ...ASKED, event, operator: 'operator', channel })
  expect(line).toContain(`${said}  asked by anonymous session abcdefgh`)
  expect(line).not.toContain('  by anonymous')
})

test.each([
  ['AGENT_BLOCKED', 'operator', 'stopped by operator  agent of anonymous'],
  ['AGENT_BLOCKED', undefined, 'agent of anonymous'],
  ['AGENT_UNBLOCKED', 'operator', 'let go by operator  agent of anonymous'],
  ['ADMIN_OVERRIDE', 'operator', 'lifted by operator  agent of anonymous'],
] as const)('BLOCK-10 %s, set by %s: the agent that it is about has not asked for it', (event, operator, said) => {
  const line = lineOf({ ...ASKED, event, ...(operator && { operator }) })
  expect(line).toContain(said)
  expect(line).not.toMatch(/asked by|\bby anonymous/)
})

test('what an agent did is by its connection, with what it calls itself as a claim', () => {
  const client_context = { label: 'desk', claims: 'claude-code 2.1" by operator' }
  expect(lineOf({ ...ASKED, event: 'OPERATION_CALLED', client_context })).toMatch(
    /by anonymous \(desk\) session abcdefgh, says "claude-code 2.1⟨U\+0022 QUOTATION MARK⟩␠by operator"$/,
  )
})

test('SELF-04 a claim cannot leave its quotation marks, is made visible once, and stays apart from others', () => {
  const line = (claims: string) => lineOf({ ...ASKED, event: 'OPERATION_CALLED', client_context: { claims } })
  expect(line('a\nb')).toMatch(/says "a↵b"$/)
  expect(line('a"b')).not.toBe(line("a'b"))
  for (const claim of ['x" y', 'x” · named by you: laptop · says “y', 'x„y', 'x«y»']) {
    const said = / says "(.*)"$/.exec(line(claim))?.[1]
    expect(said).not.toMatch(/["“”„«»]/)
  }
})
