import { isReport } from '../../core/hook/hook-events.ts'
import type { Word } from './ask-server.ts'

/** What the process says at its end. */
export interface Ending {
  readonly stdout: string
  readonly stderr: string
  readonly exit: 0 | 2
}

/**
 * Section 6, 2: a no is written in every form that the client understands. A yes is only the absence of a no, so that
 * the client's own rules and questions stay in force; clients that want a word get one.
 */
export function answerClient(word: Word, event: string, client = ''): Ending {
  const isCursor = CURSOR_EVENTS.has(event) || (event === '' && client === 'cursor')
  if (word.kind === 'allow') return { stdout: isCursor ? yesToCursor(event) : '', stderr: '', exit: 0 }
  const { reason } = word
  // Each client checks the whole object, so that a form of another one would make it unreadable.
  const said = isCursor ? noToCursor(reason) : isReport(event) ? stop(event, reason) : no(event, reason)
  return { stdout: `${JSON.stringify(said)}\n`, stderr: `${reason}\n`, exit: 2 }
}

const CURSOR_EVENTS: ReadonlySet<string> = new Set([
  'beforeShellExecution',
  'beforeMCPExecution',
  'preToolUse',
  'afterShellExecution',
  'afterMCPExecution',
  'postToolUse',
])

/** What has run already needs no permission. */
function yesToCursor(event: string): string {
  return isReport(event) ? '{}\n' : '{"permission":"allow"}\n'
}

function noToCursor(reason: string) {
  return {
    permission: 'deny',
    user_message: reason,
    agent_message: reason,
    userMessage: reason,
    agentMessage: reason,
  }
}

function no(event: string, reason: string) {
  return {
    decision: 'block',
    reason,
    hookSpecificOutput: {
      hookEventName: event || 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  }
}

/** Behind a tool that has run there is nothing left to deny but going on. */
function stop(event: string, reason: string) {
  return {
    continue: false,
    stopReason: reason,
    decision: 'block',
    reason,
    hookSpecificOutput: { hookEventName: event, additionalContext: reason },
  }
}
