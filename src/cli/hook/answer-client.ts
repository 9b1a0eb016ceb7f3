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
export function answerClient(word: Word, event: string): Ending {
  const isCursor = CURSOR_EVENTS.has(event)
  if (word.kind === 'allow') return { stdout: isCursor ? '{"permission":"allow"}\n' : '', stderr: '', exit: 0 }
  const { reason } = word
  // Each client checks the whole object, so that a form of another one would make it unreadable.
  const said = isCursor
    ? {
        permission: 'deny',
        user_message: reason,
        agent_message: reason,
        userMessage: reason,
        agentMessage: reason,
      }
    : {
        decision: 'block',
        reason,
        hookSpecificOutput: {
          hookEventName: event || 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: reason,
        },
      }
  return { stdout: `${JSON.stringify(said)}\n`, stderr: `${reason}\n`, exit: 2 }
}

const CURSOR_EVENTS: ReadonlySet<string> = new Set(['beforeShellExecution', 'beforeMCPExecution', 'preToolUse'])
