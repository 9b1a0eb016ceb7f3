/** Where diagnostics go. Never the answer: the caller learns a reference and nothing else (ERR-04). */
export interface Log {
  readonly write: (entry: LogEntry) => void
}

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warning' | 'error'
  readonly message: string
  readonly [key: string]: unknown
}

export const SILENT: Log = { write: () => {} }
