import { HOME } from './risk/scope.ts'
import { resolvePath } from './risk/targets.ts'
import { withoutTrailing } from './without-trailing.ts'

/** The folders and the name in a path as it may be meant: links of encoding, case and spelling undone. */
export function segmentsOf(path: string, cwd: string): readonly string[] {
  const plain = decoded(path.slice(0, LONGEST)).normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll('\\', '/')
  const local = plain.replace(/^file:\/*(localhost(?=\/))?/i, '/').replace(/^\/*([A-Za-z]:(\/|$))/, '/$1')
  return withoutDetours(resolvePath(withoutDetours(local, cwd), cwd).toLowerCase(), cwd.toLowerCase())
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

/** The same place by its usual name: other mounts of the file system, and homes that some systems keep elsewhere. */
function withoutDetours(path: string, cwd: string): string {
  let plain = path
  for (let round = 0; round < MOST_DETOURS; round++) {
    const next = DETOURS.reduce((text, [found, usual]) => text.replace(found, usual), plain).replace(OWN_FOLDER, cwd)
    if (next === plain) break
    plain = next
  }
  return plain
}

const MOST_DETOURS = 8
const OWN_FOLDER = /^\/+proc\/+(?:thread-)?self(?:\/+task\/+\w+)?\/+cwd(?=\/|$)/i
const DETOURS: readonly (readonly [RegExp, string])[] = [
  [/^\/*(?:\$\{?home\}?|\$env:userprofile|%userprofile%)(?=\/|$)/i, HOME],
  [/^\/+proc\/+[\w*?-]+(?:\/+task\/+[\w*?]+)?\/+root(?=\/|$)/i, '/'],
  [/^\/+proc\/+\d+(?:\/+task\/+\w+)?\/+cwd(?=\/|$)/i, '/'],
  [/^\/+(?:host|hostfs|rootfs|host_root|mnt\/+host|system\/+volumes\/+data|volumes\/+macintosh hd)(?=\/|$)/i, '/'],
  [/^\/+(?:wsl\$|wsl\.localhost)\/+[^/]+(?=\/|$)/i, '/'],
  [/^\/+(?:mnt|cygdrive)\/+([a-z])(?=\/|$)/i, '/$1:'],
  [/^\/+([a-z])(?=\/+users(?:\/|$))/i, '/$1:'],
  [/^\/+private\/+(?=(?:var|etc|tmp)(?:\/|$))/i, '/'],
  [/^\/+(?:var|export|usr)\/+home(?=\/|$)/i, '/home'],
  [/^\/+var\/+root(?=\/|$)/i, '/root'],
  [/^\/+var\/+run(?=\/|$)/i, '/run'],
]

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
