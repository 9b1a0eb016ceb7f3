import { ARCHIVE_PROGRAMS } from './archive-programs.ts'
import { BUILTINS } from './builtins.ts'
import { CMDLETS } from './cmdlets.ts'
import { FILE_PROGRAMS } from './file-programs.ts'
import { GIT_PROGRAMS } from './git.ts'
import { INTERPRETERS } from './interpreters.ts'
import { wordSet, words } from './options.ts'
import { OWN_PROGRAM } from './own-program.ts'
import type { Programs } from './program.ts'
import { nameOf } from './program-names.ts'
import { REMOTE_PROGRAMS } from './remote-programs.ts'
import type { Scope } from './scope.ts'
import { isMetadata } from './secret-arguments.ts'
import { PRINTS } from './secrets.ts'
import { SPREADERS } from './spread.ts'
import { judgeTrustedWords } from './trusted-words.ts'
import { WINDOWS_PROGRAMS } from './windows-programs.ts'
import { WRAPPER_PROGRAMS } from './wrappers.ts'

/** Whatever the program, a word that names a place which others trust is a question unless the program only reads it. */
export function judgePlaces(name: string, args: readonly string[], scope: Scope): void {
  const at = args.findIndex((arg) => !arg.startsWith('-'))
  if (RUNNERS.has(name) && at >= 0) judgePlaces(nameOf(args[at] ?? ''), args.slice(at + 1), scope)
  else if (INTERPRETED.has(name)) judgeScript(name, args, at < 0 ? args.length : at, scope)
  else if (MAY_WRITE.has(name)) judgeTrustedWords(name, args, scope, 'any')
  else if (FOLLOWED.has(name)) judgeTrustedWords(name, args, scope, 'reads')
  else if (RUNS_OTHERS.has(name)) return
  else if (PRINTS.has(name) || isMetadata(name, [])) judgeTrustedWords(name, args, scope, 'reads')
  else judgeTrustedWords(name, args, scope, CHECKS.has(name) ? 'options' : 'any')
}

/** Its own options, and what the script or the module is given. Code in a word is judged where it is read. */
function judgeScript(name: string, args: readonly string[], at: number, scope: Scope): void {
  const own = args.slice(0, at)
  const given = args.slice(at + 1)
  judgeTrustedWords(name, args.slice(0, at + 1), scope, 'reads')
  if (own.at(-1) === '-m') judgePlaces(LOOKS.has(args[at] ?? '') ? 'cat' : (args[at] ?? ''), given, scope)
  else if (!own.some((arg) => CODE.test(arg))) judgeTrustedWords(name, given, scope, 'any')
}

/** Modules of Python that print what they are given. */
const LOOKS = wordSet('json.tool ast dis tokenize py_compile tabnanny')
/** Programs that run a package. */
const RUNNERS = wordSet('npx bunx pnpx uvx yarn-dlx pipx-run')
const CODE = /^-[a-zA-Z]*[ceprE]$|^--(eval|print|run|test|require|import)\b/

function namesOf(...tables: readonly Programs[]): readonly string[] {
  return tables.flatMap((table) => table.map(([name]) => name))
}

const INTERPRETED = new Set(namesOf(INTERPRETERS))
/** Rows of these say what becomes of their operands, and of the options that most use. */
const FOLLOWED = new Set([
  ...namesOf(FILE_PROGRAMS, ARCHIVE_PROGRAMS, GIT_PROGRAMS, REMOTE_PROGRAMS),
  ...words('curl curl.exe wget ssh-keygen ssh-add ssh-copy-id'),
])
/** Among those, what may write where a word says, and is not followed there. */
const MAY_WRITE = wordSet(
  'history script mktemp csplit sftp tmux screen byobu rename mmv unzip unrar unar 7z 7za 7zz 7zr cpio ar pax',
)
/** All of their words are judged by their rows, or as those of the program that they run. */
const RUNS_OTHERS = new Set([
  ...namesOf(CMDLETS, WINDOWS_PROGRAMS, SPREADERS, WRAPPER_PROGRAMS, BUILTINS, OWN_PROGRAM),
  ...words('tee sponge sed gsed awk gawk mawk nawk'),
])
/** Programs that check what they are given, or run the scripts of a project with it; a switch that changes it is known. */
const CHECKS =
  wordSet(`eslint prettier stylelint biome oxlint shellcheck yamllint hadolint actionlint markdownlint markdownlint-cli2
  pre-commit pytest jest vitest npm pnpm yarn shfmt dprint taplo`)
