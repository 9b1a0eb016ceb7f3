import type { Terminal } from '../channels/read-secret.ts'
import { displayRecorded, displayText, textOf } from '../core/display.ts'
import type { ApprovalRequest, RequestState } from '../core/gatekeeper/request.ts'
import { seconds } from './open-operator.ts'
import { counted, plainLine, widthOf } from './render.ts'

/** SELF-12: more than a human reads at a terminal is not decided there. */
export const MOST_BYTES = 65_536

/** Everything that will run and everything that is known about it; nothing is cut. */
export function requestLines(request: ApprovalRequest, state: RequestState, now: number): readonly Line[] {
  const { principal, session, client, agent } = request
  return [
    ['Request', `${request.id}, ${KINDS[request.kind]}, class ${request.class}, ${state}`],
    ['Operation', `${displayText(request.operation)}, ${request.category}`],
    ['Danger', request.level],
    ['Source', `${displayText(request.adapter)}, trust ${request.trust}`],
    ...(agent ? [line('Agent', agent.element_name)] : []),
    ['Asked by', `principal ${displayText(principal)}, session ${displayText(session)}`],
    ...(request.label === undefined ? [] : [['You call it', displayText(request.label)] as const]),
    ...(client === undefined ? [] : [['It says it is', `${displayText(client)} (not verified)`] as const]),
    ...(request.message === undefined ? [] : [['Question', plainLine(request.message)] as const]),
    ...listed('Because', request.reasons.map(displayText)),
    ...listed('Layers', request.trace.map(layerText)),
    ...listed(
      'Earlier',
      request.decisions.map(({ decision, by, channel }) => `${decision} by ${displayText(by)}, ${channel}`),
    ),
    ['Issued', new Date(request.issuedAt).toISOString()],
    ['Expires', `${new Date(request.expiresAt).toISOString()}, in ${seconds(request.expiresAt - now)}`],
    ...(request.cooldownSeconds > 0 ? [line('Cooldown', `${request.cooldownSeconds} s between approval and use`)] : []),
    ['SHA-256', request.paramsHash],
    ['Parameters', `${Object.keys(request.params).length}`],
    ...Object.entries(request.params).flatMap(([name, value]) => parameterLines(name, value)),
  ]
}

export type Line = readonly [label: string, text: string]

/** The text as a terminal of that width shows it, indented, broken anywhere: a value has no words. */
export function layOut(lines: readonly Line[], columns: number): readonly string[] {
  const room = Math.max(20, columns - INDENT - 1)
  return lines.flatMap(([label, text]) =>
    pieces(text, room).map((piece, at) => `${(at === 0 ? label : '').padEnd(INDENT)}${piece}`),
  )
}

/** Page by page, so that the end has been on the screen. False when the human breaks off. */
export async function showAll(terminal: Terminal, lines: readonly string[]): Promise<boolean> {
  const page = Math.max(5, terminal.rows - 2)
  for (let at = 0; at < lines.length; at += page) {
    terminal.write(`${lines.slice(at, at + page).join('\n')}\n`)
    if (at + page >= lines.length) break
    const answer = await terminal.readLine(`-- ${counted(lines.length - at - page, 'more line')}; Enter goes on --`)
    if (answer === undefined) return false
  }
  return true
}

const INDENT = 15

const KINDS = {
  operation: 'an operation',
  quota: 'a quota to go beyond',
  agent: 'an agent to start',
  pause: 'a paused agent',
} as const

function line(label: string, text: string): Line {
  return [label, displayText(text)]
}

function listed(label: string, texts: readonly string[]): Line[] {
  return texts.map((text, at) => [at === 0 ? label : '', text])
}

function layerText({ layer, verdict, text, decisive }: ApprovalRequest['trace'][number]): string {
  return `${decisive ? '* ' : '  '}${layer}: ${verdict}${text === '' ? '' : `, ${displayText(text)}`}`
}

function parameterLines(name: string, value: unknown): Line[] {
  const shown = displayRecorded(value)
  const notes = [
    ...(shown.hidden ? ['holds characters that cannot be seen'] : []),
    ...(shown.alike ? ['holds characters that look like others'] : []),
    ...(shown.scripts.length > 1 ? [`letters of ${shown.scripts.join(', ')}`] : []),
  ]
  const text = textOf(shown)
  return [
    [`  ${displayText(name)}`, ''],
    ['', text],
    ...(notes.length > 0 ? [['', `(${counted(text.length, 'character')}; ${notes.join('; ')})`] as const] : []),
  ]
}

function pieces(text: string, width: number): string[] {
  const lines: string[] = []
  let piece = ''
  let used = 0
  for (const letter of text) {
    const wide = widthOf(letter)
    if (used + wide > width) {
      lines.push(piece)
      piece = ''
      used = 0
    }
    piece += letter
    used += wide
  }
  return [...lines, piece]
}
