export interface PatchedPath {
  readonly path: string
  readonly deletes: boolean
}

/** The files that a patch touches, in the two notations that clients use, however far a header is indented. */
export function patchedPaths(patch: string): readonly PatchedPath[] {
  const lines = new Set(patch.split('\n').filter((line) => HEADER.test(line)))
  return [...lines].slice(0, MOST_HEADERS + 1).flatMap((line) => {
    const header = line.trimStart().replaceAll(BLANK, ' ')
    const row = MARKS.find(({ mark }) => header.startsWith(mark))
    const path = row ? plain(header.slice(row.mark.length)) : undefined
    if (!row || path === undefined || path === '' || path === '/dev/null') return []
    return [{ path: row.isDiff ? path.replace(/^[ab]\//, '') : path, deletes: row.deletes }]
  })
}

/** A patch that has more is not looked through. */
export const MOST_HEADERS = 2_000

/** How a line begins that may name a file. */
const HEADER = /^\s{0,200}(?:\*{3}|-{3}|\+{3}|rename|copy)\s/

/** Longer than any path, with every sign written as a number. */
const LONGEST_NAME = 20_000

const BLANK = /[\u00a0\u2000-\u200a\u202f\u3000]/g

/** Without what stands behind a tab; a name in quotes has its signs written as numbers. */
function plain(text: string): string {
  const [name = ''] = text.slice(0, LONGEST_NAME).replace(/\r$/, '').split('\t', 1)
  const trimmed = name.trim()
  if (!/^".*"$/.test(trimmed)) return trimmed
  return trimmed
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
    .replaceAll(/\\(.)/g, '$1')
}

const MARKS = [
  { mark: '*** Add File: ', deletes: false, isDiff: false },
  { mark: '*** Update File: ', deletes: false, isDiff: false },
  { mark: '*** Move to: ', deletes: false, isDiff: false },
  { mark: '*** Delete File: ', deletes: true, isDiff: false },
  { mark: '+++ ', deletes: false, isDiff: true },
  { mark: '--- ', deletes: false, isDiff: true },
  { mark: 'rename from ', deletes: true, isDiff: false },
  { mark: 'rename to ', deletes: false, isDiff: false },
  { mark: 'copy to ', deletes: false, isDiff: false },
] as const
