/** Escapes as `echo -e`, `printf` and `tr` read them. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|0?[0-7]{1,3}|.)/g, (_, code: string) => {
    if (/^[xu]./.test(code) && /^[\da-f]+$/i.test(code.slice(1)))
      return String.fromCodePoint(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]+$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    return ESCAPES.get(code) ?? code
  })
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', ''],
  ['b', ''],
  ['c', ''],
  ['e', ''],
  ['f', ' '],
  ['v', ' '],
])
