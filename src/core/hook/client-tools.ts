import type { TargetKind } from '../autonomy/risk/targets.ts'

/** How a tool that comes with a client is judged. */
export type ToolKind = 'shell' | 'write' | 'patch' | 'read' | 'fetch' | 'search' | 'inner'

interface ToolRow {
  readonly kind: ToolKind
  /** What a call is worth where its arguments say nothing worse. */
  readonly score: number
}

/** By name in small letters: the tools of common clients. What is not here is unknown, and a human is asked. */
export const CLIENT_TOOLS: ReadonlyMap<string, ToolRow> = new Map([
  ...rows('shell', 0, 'bash shell powershell local_shell exec_command unified_exec run_terminal_cmd run_shell_command'),
  ...rows('write', 0, 'write edit multiedit notebookedit write_file edit_file search_replace replace create_file'),
  ...rows('patch', 0, 'apply_patch'),
  ...rows('read', 8, 'read notebookread ls glob grep read_file read_many_files list_dir list_directory grep_search'),
  ...rows('read', 12, 'readmcpresourcetool'),
  ...rows('fetch', 0, 'webfetch web_fetch'),
  ...rows('search', 12, 'websearch web_search google_web_search'),
  ...rows('inner', 5, 'todowrite todoread todo_write update_plan exitplanmode enterplanmode askuserquestion'),
  ...rows('inner', 5, 'bashoutput taskoutput toolsearch listmcpresourcestool'),
  ...rows('inner', 12, 'task agent'),
  ...rows('inner', 20, 'killshell killbash taskstop'),
  ...rows('inner', 26, 'skill slashcommand'),
])

/** What writing a file is worth, for each kind of place. */
export const WRITE_SCORES: Readonly<Record<TargetKind, number>> = {
  sink: 6,
  temporary: 15,
  temporaryRoot: 15,
  regenerable: 18,
  project: 20,
  projectRoot: 62, // the history, and what runs when it is used
  unknown: 45,
  outside: 45,
  trust: 72,
  system: 82,
  home: 45,
  root: 72,
  device: 95,
}

/** And deleting one. */
export const DELETE_SCORES: Readonly<Record<TargetKind, number>> = {
  sink: 10,
  temporary: 25,
  temporaryRoot: 62,
  regenerable: 34,
  project: 45,
  projectRoot: 72,
  unknown: 55,
  outside: 62,
  trust: 72,
  system: 88,
  home: 75,
  root: 90,
  device: 95,
}

function rows(kind: ToolKind, score: number, names: string): readonly (readonly [string, ToolRow])[] {
  return names.split(' ').map((name) => [name, { kind, score }])
}
