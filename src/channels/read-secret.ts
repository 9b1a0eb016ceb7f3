import { openSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { ReadStream, WriteStream } from 'node:tty'

/**
 * SELF-07: the operator's own terminal, and nothing that stands in for it. What is asked here is asked of the device
 * itself; no pipe, file, argument or variable can answer.
 */
export interface Terminal {
  /** Goes to the terminal even when the output of the command goes elsewhere: nobody decides on what they cannot see. */
  write(text: string): void
  readonly columns: number
  readonly rows: number
  /** Not echoed. Undefined when the human breaks off. */
  readSecret(question: string): Promise<string | undefined>
  /** Echoed. Undefined when the human breaks off. */
  readLine(question: string): Promise<string | undefined>
  close(): void
}

export interface TerminalParts {
  /** The program's standard input, which must be the terminal as well. */
  readonly stdin: { readonly isTTY?: boolean }
  readonly platform: string
  readonly interrupted: AbortSignal
}

/** Why there is nobody to ask. */
export type NoTerminal = 'piped' | 'no_terminal'

export function openTerminal({ stdin, platform, interrupted }: TerminalParts): Terminal | NoTerminal {
  if (stdin.isTTY !== true) return 'piped'
  const device = DEVICES[platform === 'win32' ? 'win32' : 'posix']
  try {
    const input = new ReadStream(openSync(device.input, 'r+'))
    return terminalOn(input, new WriteStream(openSync(device.output, 'w')), interrupted)
  } catch {
    return 'no_terminal' // Nothing controls this process: a daemon, or a job without a session.
  }
}

const DEVICES = {
  posix: { input: '/dev/tty', output: '/dev/tty' },
  win32: { input: '\\\\.\\CONIN$', output: '\\\\.\\CONOUT$' },
} as const

function terminalOn(input: ReadStream, output: WriteStream, interrupted: AbortSignal): Terminal {
  input.pause()
  const write = (text: string) => {
    output.write(text)
  }

  /** Whatever was typed before the question was there does not answer it. */
  const drain = async () => {
    input.setRawMode(true)
    const ignore = () => {}
    input.on('data', ignore).resume()
    await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
    input.off('data', ignore)
    input.pause()
  }

  /** Feeds what is typed to `take` until that returns an answer. */
  const read = (take: (text: string) => Answer | undefined) =>
    new Promise<string | undefined>((resolve) => {
      const decoder = new StringDecoder('utf8')
      const end = (answer: string | undefined) => {
        input.off('data', onData)
        input.off('end', onEnd)
        interrupted.removeEventListener('abort', onEnd)
        input.pause()
        resolve(answer)
      }
      const onEnd = () => end(undefined)
      const onData = (bytes: Buffer) => {
        const answer = take(decoder.write(bytes))
        if (answer) end(answer.text)
      }
      if (interrupted.aborted) return resolve(undefined)
      input.on('data', onData).on('end', onEnd).resume()
      interrupted.addEventListener('abort', onEnd, { once: true })
    })

  return {
    write,
    columns: output.columns || 80, // some do not know their size and say 0
    rows: output.rows || 24,

    async readSecret(question) {
      await drain()
      write(question)
      try {
        return await read(createLineEditor())
      } finally {
        input.setRawMode(false)
        write('\n')
      }
    },

    async readLine(question) {
      await drain()
      input.setRawMode(false)
      write(question)
      return read(createLine())
    },

    close() {
      input.setRawMode(false)
      input.destroy()
      output.destroy()
    },
  }
}

const DRAIN_MS = 60

interface Answer {
  readonly text: string | undefined
}

const LONGEST = 4_096

/** The terminal does not edit for us when it does not echo. */
export function createLineEditor(): (text: string) => Answer | undefined {
  let typed: string[] = []
  let isEscape = false
  return (text) => {
    for (const letter of text) {
      if (isEscape) {
        isEscape = !/[A-Za-z~]/.test(letter) // the end of what an arrow key sends
        continue
      }
      switch (letter) {
        case '\r':
        case '\n':
          return { text: typed.join('') }
        case '\u0003': // Ctrl-C
        case '\u0004': // Ctrl-D
          return { text: undefined }
        case '\u007f':
        case '\b':
          typed.pop()
          break
        case '\u0015': // Ctrl-U
          typed = []
          break
        case '\u001b':
          isEscape = true
          break
        default:
          if (letter >= ' ' && typed.length < LONGEST) typed.push(letter)
      }
    }
    return undefined
  }
}

/** The terminal has echoed and edited; a line ends, or the input does (Ctrl-D). */
function createLine(): (text: string) => Answer | undefined {
  let typed = ''
  return (text) => {
    typed += text
    const end = typed.search(/[\r\n]/)
    if (end >= 0) return { text: typed.slice(0, end) }
    return typed.length > LONGEST ? { text: undefined } : undefined
  }
}
