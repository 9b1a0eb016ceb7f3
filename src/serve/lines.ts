import { Buffer } from 'node:buffer'
import type { Envelope } from '../core/pipeline/bytes.ts'
import { createSkim, type Skim } from '../core/pipeline/skim.ts'
import { appendBytes } from './append-bytes.ts'

export interface LineReaderOptions {
  /** Longer lines are not kept: of these only the beginning, and whose they are. */
  readonly most: number
  /** False holds the lines that have arrived back, until `run`. */
  readonly mayGoOn: () => boolean
  readonly onLine: (line: Buffer) => void
  readonly onOversized: (line: OversizedLine) => void
}

export interface OversizedLine {
  readonly beginning: Buffer
  /** Read from the whole of it. */
  readonly envelope: Envelope
  readonly size: number
}

export interface LineReader {
  push(chunk: Buffer): void
  /** What stands after the last newline is a line too. */
  end(): void
  /** Goes on with what was held back. */
  run(): void
  hasMore(): boolean
}

const NEWLINE = 10

/** MCP-05. Splits bytes at newlines in bounded memory: a line that is too long is dropped up to its end. */
export function createLineReader({ most, mayGoOn, onLine, onOversized }: LineReaderOptions): LineReader {
  let arrived: Buffer = EMPTY
  let bytes: Buffer = EMPTY
  let size = 0
  let skim: Skim | undefined
  let ended = false

  function keep(part: Buffer): void {
    const kept = Math.min(size, most)
    size += part.length
    if (size > most) {
      skim ??= skimOf(bytes.subarray(0, kept))
      skim.push(part)
    }
    if (kept < most) bytes = appendBytes(bytes, kept, part.subarray(0, most - kept), most)
  }

  function emit(): void {
    const beginning = bytes.subarray(0, Math.min(size, most))
    const oversized = skim && { beginning, envelope: skim.envelope(), size }
    bytes = EMPTY
    size = 0
    skim = undefined
    if (oversized) onOversized(oversized)
    else onLine(beginning)
  }

  function run(): void {
    while (arrived.length > 0 && mayGoOn()) {
      const at = arrived.indexOf(NEWLINE)
      const part = at < 0 ? arrived : arrived.subarray(0, at)
      arrived = at < 0 ? EMPTY : arrived.subarray(at + 1)
      if (at >= 0 && size === 0 && part.length <= most) {
        if (part.length > 0) onLine(part)
        continue
      }
      keep(part)
      if (at >= 0) emit()
    }
    if (ended && arrived.length === 0 && size > 0 && mayGoOn()) emit()
  }

  return {
    push(chunk) {
      arrived = arrived.length === 0 ? chunk : Buffer.concat([arrived, chunk])
      run()
    },
    end() {
      ended = true
      run()
    },
    run,
    hasMore: () => arrived.length > 0 || (ended && size > 0),
  }
}

const EMPTY: Buffer = Buffer.alloc(0)

/** Of what a message which proves too long began with. */
export function skimOf(beginning: Buffer): Skim {
  const skim = createSkim()
  skim.push(beginning)
  return skim
}
