/** Conformance document §3.3: traces of the implementation that no message may show (ERR-04). */
export const LEAKS: readonly RegExp[] = [
  /\b(?:Type|Reference|Syntax|Range|Eval|URI|Aggregate)Error\b/i,
  /#<\w+>|\[object \w+\]/,
  /\/src\//i,
  /\/node_modules\//i,
  /\bnode:internal\b/,
  /\.[cm]?[jt]sx?:\d+/i,
  /\bat (?:async |new )?[\w.<>$]+ \(/,
  /\b(?:Traceback \(most recent call last\)|SQLITE_[A-Z]+|SQLSTATE|ECONNREFUSED|ENOENT|EACCES)\b/,
  /(?:^|[\s'"(])(?:\/(?:home|usr|var|tmp|root|Users|opt|etc)\/|[A-Za-z]:\\)/,
]

/** What the published runner flags beside them, in spite of the many ordinary words that end so (ERR-05). */
export const AT_WORD = /at\s+\S+/i

/** The published list, as `verifyEvidence` applies it. */
export const PUBLISHED_LEAKS: readonly RegExp[] = [
  /typeerror/i,
  /referenceerror/i,
  /syntaxerror/i,
  AT_WORD,
  /\/src\//i,
  /\/node_modules\//i,
  /\.ts:\d+/i,
  /\.js:\d+/i,
]
