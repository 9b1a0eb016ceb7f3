/**
 * Where a source text without comments gets hold of an operation's handler. A definition that gives an operation its
 * handler, the type that names it, and a message with the word in it are no use of it.
 */
export function handlerUses(code: string): readonly string[] {
  const rest = code
    .replaceAll(/'[^'\n]*'/g, (text) => (text.includes(' ') ? "''" : text))
    .replaceAll(/\bhandler: (?:async )?\(/g, '')
    .replaceAll(/\breadonly handler: /g, '')
  return [...rest.matchAll(/[^\n]*\bhandler\b[^\n]*/g)].map(([line]) => line.trim())
}
