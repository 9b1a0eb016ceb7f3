import { has, type Options, words } from './options.ts'

/** When a sub-command is worth something: the rows are read in order, and the first that fits decides. */
type GitRow = readonly [when: (options: Options) => boolean, score: number, why: string]

const always = () => true
const flag =
  (...names: readonly string[]) =>
  (options: Options) =>
    has(options, ...names)
const first = (name: string) => (options: Options) => options.operands[0] === name
const both =
  (...tests: readonly ((options: Options) => boolean)[]) =>
  (options: Options) =>
    tests.every((test) => test(options))

/** Settings that say who somebody is and how output looks. */
const PERSONAL =
  /^(user\.(name|email)|init\.defaultbranch|pull\.|push\.(default|autosetupremote)|color\.|rebase\.|merge\.(conflictstyle|ff)|core\.(autocrlf|eol|longpaths|filemode|ignorecase|quotepath)|fetch\.|diff\.(algorithm|colormoved)|log\.|branch\.|commit\.verbose|advice\.|column\.)/i

/** A branch that is named, and that is none of those that all work on. */
function isOwnBranch(ref: string | undefined): boolean {
  return (
    ref !== undefined &&
    !/[:*\0]|^(HEAD|main|master|trunk|dev|develop|development|staging|prod\w*|release\S*|stable|live|gh-pages)$/.test(
      ref,
    )
  )
}

/** Sub-commands that only look. */
export const GIT_READS =
  words(`status log diff show blame shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file grep reflog-show whatchanged
  name-rev merge-base merge-tree for-each-ref count-objects cherry range-diff diff-tree diff-index diff-files show-ref show-branch var help version verify-commit
  verify-tag check-ignore check-attr fsck annotate bugreport diagnose request-pull get-tar-commit-id instaweb column stripspace interpret-trailers
  difftool`)

export const GIT: Readonly<Record<string, readonly GitRow[]>> = {
  add: [
    [flag('-f', '--force'), 28, 'stages what is ignored'],
    [flag('-A', '--all'), 20, 'stages everything there is'],
    [always, 14, 'stages changes'],
  ],
  commit: [
    [flag('--amend'), 26, 'rewrites the last commit'],
    [always, 18, 'records changes'],
  ],
  fetch: [
    [flag('--prune', '-p'), 24, 'forgets branches that are gone'],
    [always, 12, 'fetches'],
  ],
  pull: [
    [flag('--force'), 45, 'overwrites local branches'],
    [always, 24, 'fetches and merges'],
  ],
  clone: [[always, 24, 'copies a repository']],
  init: [[always, 14, 'makes a repository']],
  merge: [[always, 26, 'merges']],
  rebase: [
    [flag('--abort', '--quit'), 28, 'drops a rebase'],
    [always, 30, 'rewrites commits'],
  ],
  'cherry-pick': [[always, 26, 'copies commits']],
  revert: [[always, 26, 'undoes a commit by another']],
  am: [[always, 28, 'applies patches']],
  apply: [
    [both(flag('--check', '--stat', '--numstat', '--summary'), (o) => !has(o, '--apply')), 8, 'reads a patch'],
    [always, 28, 'applies a patch'],
  ],
  mv: [[always, 24, 'renames files']],
  notes: [[always, 26, 'changes notes']],
  archive: [[always, 18, 'writes an archive']],
  bundle: [[always, 18, 'writes a bundle']],
  'format-patch': [[always, 18, 'writes patches']],
  bisect: [[always, 26, 'searches a commit']],
  lfs: [
    [first('prune'), 62, 'deletes local files'],
    [always, 24, 'large files'],
  ],
  rm: [
    [both(flag('--cached'), (o) => !has(o, '-f')), 26, 'unstages files'],
    [flag('-f', '--force'), 66, 'deletes changed files'],
    [always, 30, 'deletes files that are recorded'],
  ],
  reset: [
    [flag('--hard'), 74, 'throws changes away'],
    [flag('--merge'), 68, 'throws staged changes away'],
    [flag('--keep'), 62, 'moves the branch and may lose commits'],
    [always, 26, 'unstages or moves the branch'],
  ],
  clean: [
    [flag('-f', '--force'), 72, 'deletes files that are not recorded'],
    [flag('-i', '--interactive'), 45, 'asks what to delete'],
    [always, 28, 'refuses without force'],
  ],
  checkout: [
    [flag('-f', '--force'), 68, 'throws changes away'],
    [flag('--ours', '--theirs', '--pathspec-from-file', '--overlay', '--no-overlay'), 64, 'overwrites files'],
    [flag('--patch', '-p'), 30, 'asks which changes to throw away'],
    [flag('--merge', '-m'), 30, 'changes the branch and keeps changes'],
    [flag('--orphan'), 30, 'starts a branch without history'],
  ],
  switch: [
    [flag('-f', '--force', '--discard-changes'), 68, 'throws changes away'],
    [flag('-C', '--force-create'), 34, 'makes a branch over another'],
    [always, 18, 'changes the branch'],
  ],
  restore: [
    [both(flag('--staged', '-S'), (o) => !has(o, '--worktree', '-W')), 20, 'unstages files'],
    [flag('--patch', '-p'), 34, 'asks which changes to throw away'],
    [flag('--pathspec-from-file'), 67, 'throws changes in files away'],
    [always, 66, 'throws changes in files away'],
  ],
  stash: [
    [first('drop'), 58, 'deletes a stash'],
    [first('clear'), 74, 'deletes every stash'],
    [(o) => o.operands[0] === 'list' || o.operands[0] === 'show', 8, 'reads stashes'],
    [always, 22, 'sets changes aside or brings them back'],
  ],
  branch: [
    [flag('-D'), 66, 'deletes a branch with its commits'],
    [both(flag('-d', '--delete'), flag('-f', '--force')), 66, 'deletes a branch with its commits'],
    [flag('-d', '--delete'), 28, 'deletes a branch that is merged elsewhere'],
    [flag('-f', '--force'), 62, 'moves a branch and may lose commits'],
    [flag('-M', '-C'), 30, 'renames a branch over another'],
    [flag('-m', '--move'), 28, 'renames a branch'],
    [always, 14, 'lists or makes branches'],
  ],
  tag: [
    [flag('-d', '--delete'), 62, 'deletes a tag'],
    [flag('-f', '--force'), 62, 'moves a tag'],
    [always, 14, 'lists or makes tags'],
  ],
  remote: [
    [(o) => ['remove', 'rm'].includes(o.operands[0] ?? ''), 45, 'forgets a remote'],
    [(o) => ['prune', 'rename'].includes(o.operands[0] ?? ''), 26, 'tidies remotes'],
    [(o) => ['set-url'].includes(o.operands[0] ?? ''), 45, 'changes a remote'],
    [first('add'), 26, 'adds a remote'],
    [always, 8, 'lists remotes'],
  ],
  push: [
    [flag('--mirror'), 80, 'makes the other side equal, deletions too'],
    [flag('--delete', '-d', '--prune'), 72, 'deletes branches on the other side'],
    [(o) => o.operands.slice(1).some((ref) => ref.startsWith(':')), 72, 'deletes branches on the other side'],
    [(o) => has(o, '-f') || o.flags.includes('--force'), 74, 'overwrites the history of the other side'],
    [(o) => o.operands.slice(1).some((ref) => ref.startsWith('+')), 74, 'overwrites the history of the other side'],
    [
      (o) => o.flags.some((name) => name.startsWith('--force-')) && isOwnBranch(o.operands[1]),
      30,
      'overwrites a branch of its own if nobody else changed it',
    ],
    [
      (o) => o.flags.some((name) => name.startsWith('--force-')),
      56,
      'overwrites the history of the other side if nobody else changed it',
    ],
    [
      (o) => o.flags.some((name) => name.length > 4 && '--force'.startsWith(name)),
      74,
      'overwrites the history of the other side',
    ],
    [always, 30, 'publishes commits'],
  ],
  worktree: [
    [both(first('remove'), flag('-f', '--force')), 68, 'deletes a work tree with its changes'],
    [first('remove'), 28, 'deletes a work tree without changes'],
    [first('prune'), 26, 'forgets work trees that are gone'],
    [first('list'), 8, 'lists work trees'],
    [always, 24, 'adds or moves work trees'],
  ],
  submodule: [
    [both(first('deinit'), flag('-f', '--force')), 66, 'deletes submodules with their changes'],
    [first('deinit'), 30, 'removes submodules without changes'],
    [(o) => o.operands.length === 0 || o.operands[0] === 'status', 8, 'lists submodules'],
    [both(first('update'), flag('-f', '--force')), 64, 'overwrites submodules'],
    [always, 24, 'fetches submodules'],
  ],
  reflog: [
    [(o) => ['expire', 'delete', 'drop'].includes(o.operands[0] ?? ''), 76, 'deletes what undoing needs'],
    [always, 8, 'reads where branches were'],
  ],
  gc: [
    [(o) => o.flags.includes('--prune') || has(o, '--aggressive'), 64, 'deletes what undoing needs'],
    [always, 26, 'tidies'],
  ],
  prune: [[always, 64, 'deletes what undoing needs']],
  repack: [[always, 28, 'tidies']],
  maintenance: [[always, 24, 'tidies']],
  'update-ref': [
    [flag('-d'), 70, 'deletes a branch or tag'],
    [always, 62, 'moves a branch or tag'],
  ],
  'symbolic-ref': [
    [flag('-d', '--delete'), 62, 'deletes a name'],
    [(o) => o.operands.length > 1, 45, 'moves a name'],
    [always, 8, 'reads a name'],
  ],
  'filter-branch': [[always, 80, 'rewrites the whole history']],
  'filter-repo': [[always, 82, 'rewrites the whole history']],
  replace: [[always, 62, 'replaces objects']],
  'read-tree': [
    [flag('--reset', '-u'), 66, 'throws changes away'],
    [always, 40, 'changes the index'],
  ],
  'checkout-index': [
    [flag('-f', '--force'), 66, 'overwrites files'],
    [always, 40, 'writes files'],
  ],
  'update-index': [[always, 34, 'changes the index']],
  'fast-import': [[always, 62, 'writes history']],
  config: [
    [
      (o) =>
        has(o, '--get', '--list', '-l', '--get-all', '--show-origin', '--get-regexp') ||
        ['get', 'list'].includes(o.operands[0] ?? '') ||
        (o.operands.length === 1 && !has(o, '--unset', '--unset-all', '--remove-section', '-e', '--edit')),
      8,
      'reads settings',
    ],
    [flag('--system'), 62, 'changes settings of all users'],
    [
      (o) =>
        has(o, '--global') &&
        !has(o, '--unset', '--unset-all') &&
        PERSONAL.test(o.operands.find((one) => one.includes('.')) ?? ''),
      26,
      'changes a habit',
    ],
    [flag('--global'), 45, 'changes settings of the user'],
    [always, 28, 'changes settings'],
  ],
  'sparse-checkout': [[always, 28, 'changes which files are there']],
  'send-email': [[always, 62, 'sends mail']],
  svn: [[always, 40, 'exchanges with Subversion']],
  daemon: [[always, 62, 'serves repositories']],
}
