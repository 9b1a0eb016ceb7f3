export interface PatchedPath {
  readonly path: string
  readonly deletes: boolean
}

/** The files that a patch touches, in the two notations that clients use. */
export function patchedPaths(patch: string): readonly PatchedPath[] {
  return patch.split('\n').flatMap((line) => {
    const row = MARKS.find(({ mark }) => line.startsWith(mark))
    const path = row ? line.slice(row.mark.length).replace(/\r$/, '').split('\t', 1)[0]?.trim() : undefined
    if (!row || path === undefined || path === '' || path === '/dev/null') return []
    return [{ path: row.isDiff ? path.replace(/^[ab]\//, '') : path, deletes: row.deletes }]
  })
}

const MARKS = [
  { mark: '*** Add File: ', deletes: false, isDiff: false },
  { mark: '*** Update File: ', deletes: false, isDiff: false },
  { mark: '*** Move to: ', deletes: false, isDiff: false },
  { mark: '*** Delete File: ', deletes: true, isDiff: false },
  { mark: '+++ ', deletes: false, isDiff: true },
  { mark: '--- ', deletes: false, isDiff: true },
] as const
