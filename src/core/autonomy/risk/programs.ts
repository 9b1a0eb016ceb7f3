import { ADMIN_PROGRAMS } from './admin-programs.ts'
import { ARCHIVE_PROGRAMS } from './archive-programs.ts'
import { BUILDER_PROGRAMS } from './builder-programs.ts'
import { BUILTINS } from './builtins.ts'
import { CMDLETS } from './cmdlets.ts'
import { COMMAND_LINES } from './command-lines.ts'
import { DATABASE_PROGRAMS } from './database-programs.ts'
import { DEVELOPER_TOOLS } from './developer-tools.ts'
import { FILE_PROGRAMS } from './file-programs.ts'
import { GIT_PROGRAMS } from './git.ts'
import { HTTP_PROGRAMS } from './http.ts'
import { INTERPRETERS } from './interpreters.ts'
import { OWN_PROGRAM } from './own-program.ts'
import type { Program } from './program.ts'
import { READER_PROGRAMS } from './readers.ts'
import { REMOTE_PROGRAMS } from './remote-programs.ts'
import { SPREADERS } from './spread.ts'
import { SYSTEM_PACKAGES } from './system-packages.ts'
import { WINDOWS_PROGRAMS } from './windows-programs.ts'
import { WRAPPER_PROGRAMS } from './wrappers.ts'

/** Every program that a table knows. A later row replaces an earlier one of the same name. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  ...READER_PROGRAMS,
  ...WINDOWS_PROGRAMS,
  ...CMDLETS,
  ...DEVELOPER_TOOLS,
  ...COMMAND_LINES,
  ...SYSTEM_PACKAGES,
  ...ADMIN_PROGRAMS,
  ...BUILDER_PROGRAMS,
  ...ARCHIVE_PROGRAMS,
  ...FILE_PROGRAMS,
  ...HTTP_PROGRAMS,
  ...DATABASE_PROGRAMS,
  ...GIT_PROGRAMS,
  ...REMOTE_PROGRAMS,
  ...INTERPRETERS,
  ...SPREADERS,
  ...WRAPPER_PROGRAMS,
  ...BUILTINS,
  ...OWN_PROGRAM,
])
