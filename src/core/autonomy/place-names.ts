import { resolvePath } from './risk/targets.ts'
import { withoutTrailing } from './without-trailing.ts'

/** The folders and the name in a path as it may be meant: links of encoding, case and spelling undone. */
export function segmentsOf(path: string, cwd: string): readonly string[] {
  const plain = decoded(path.slice(0, LONGEST)).normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll('\\', '/')
  const local = plain.replace(/^file:\/*(localhost(?=\/))?/i, '/').replace(/^\/*([A-Za-z]:\/)/, '/$1')
  return resolvePath(local, cwd)
    .toLowerCase()
    .split('/')
    .map((segment) => (segment === '.' || segment === '..' ? segment : withoutTrailing(segment, '. ')))
    .filter((segment) => segment !== '')
}

/** True for a text that can be the name of a file or folder. */
export function looksLikePath(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= LONGEST &&
    !/[\n\r\0]/.test(text) &&
    /^[~./\\]|[/\\]|%(2f|5c)|^file:|^\S+\.\w+$|^\w+$/i.test(text)
  )
}

const LONGEST = 4_096
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

function decoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
