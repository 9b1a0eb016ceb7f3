import { displayRecorded, displayText, textOf } from '../display.ts'
import type { ApprovalRequest } from './request.ts'

/** What a form shows of a request. */
export type FormSubject = Pick<
  ApprovalRequest,
  'kind' | 'operation' | 'category' | 'level' | 'adapter' | 'params' | 'reasons' | 'message'
>

/** SELF-06: operation, parameters, level, reasons and expiry; everything foreign made visible. */
export function formText(subject: FormSubject, expiresAt: number): string {
  const { reasons, kind } = subject
  const lines = [
    ...askedLines(subject),
    ...(reasons.length > 0 ? [`Why you are asked: ${reasons.map(displayText).join('; ')}`] : []),
    `Open until ${new Date(expiresAt).toISOString()}. ${AFTER[kind]}`,
  ]
  return lines.join('\n')
}

/** Making a text safe to show takes time and never makes it shorter, so a long one is not even begun. */
export function fitsForm(subject: FormSubject): boolean {
  const { params, reasons, message } = subject
  const characters = JSON.stringify([params, reasons, message]).length
  return characters <= MOST_CHARACTERS && formText(subject, 0).length <= MOST_CHARACTERS
}

/** A form that is longer is not read; the console shows everything (SELF-12). */
const MOST_CHARACTERS = 4_000

/** The decision first, in the words of what is really decided: a pause and a start run nothing by themselves. */
function askedLines({ kind, operation, category, level, adapter, params, message }: FormSubject): readonly string[] {
  const asked = message === undefined ? [] : [message]
  const call = `${operation} (${category}, ${level}) on ${displayText(adapter)}`
  switch (kind) {
    case 'pause':
      return [...asked, `Next action (${level}), as the agent reports it: ${textOf(displayRecorded(params.hint))}`]
    case 'agent':
      return [...asked, `This is ${call}.`, `Parameters: ${textOf(displayRecorded(params))}`]
    default:
      return [`Run ${call}?`, ...asked, `Parameters: ${textOf(displayRecorded(params))}`]
  }
}

const AFTER = {
  operation: 'Runs once.',
  quota: 'Runs once.',
  agent: 'Starts once.',
  pause: 'It then reports the action again.',
} as const
