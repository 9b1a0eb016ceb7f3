import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { World } from '../world.ts'

type Place = Pick<World, 'cwd' | 'home'>

/** What the scripts that a line names hold, and the scripts of a package.json that it runs by their names. */
export async function scriptsOf(command: string, place: Place): Promise<readonly string[]> {
  const named = RUNS_SCRIPTS.test(command) ? await packageScripts(command, place) : []
  const paths = [command, ...named].flatMap((line) => filesIn(line, place))
  return [...named, ...(await Promise.all([...new Set(paths)].slice(0, MOST_FILES).map(readScript)))]
}

/** Every word may be a file: of the folder that the client starts the line in, or of one that the line goes to. */
function filesIn(line: string, place: Place): readonly string[] {
  const words = wordsOf(line)
  const folders = [place.cwd, ...words.filter((_, at) => GOES_TO.test(words[at - 1] ?? '')).map((to) => at(to, place))]
  const files = words.filter((word) => !word.startsWith('-')).slice(0, MOST_WORDS)
  return folders.slice(0, MOST_FOLDERS).flatMap((cwd) => files.map((word) => at(word, { ...place, cwd })))
}

/** Quotation marks inside a word belong to the shell: `"$CLAUDE_PROJECT_DIR"/x.sh` is one word. */
function wordsOf(line: string): readonly string[] {
  return line
    .replace(/["']/g, '')
    .split(/[\s;|&()<>]+/)
    .filter((word) => word !== '')
}

function at(word: string, { cwd, home }: Place): string {
  const path = word
    .replace(/^\$(?:CLAUDE_PROJECT_DIR|PWD|\{(?:CLAUDE_PROJECT_DIR|PWD)[^}]*\})/, cwd)
    .replace(/^(?:~(?=\/)|\$HOME|\$\{HOME\})/, home)
  return resolve(cwd, path)
}

/** A script may run another one. */
async function packageScripts(command: string, place: Place): Promise<readonly string[]> {
  const { scripts } = parsed(await readScript(join(place.cwd, 'package.json')))
  const known = new Map(Object.entries(Object(scripts)).filter((entry): entry is [string, string] => isText(entry[1])))
  const found = new Map<string, string>()
  for (const lines = [command]; lines.length > 0 && found.size < MOST_FILES; ) {
    for (const name of wordsOf(lines.shift() ?? '')) {
      const script = known.get(name)
      if (script === undefined || found.has(name)) continue
      found.set(name, script)
      lines.push(script)
    }
  }
  return [...found.values()]
}

function parsed(text: string): { readonly scripts?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const RUNS_SCRIPTS = /\b(?:npm|yarn|pnpm|bun)\b/
const GOES_TO = /^(?:cd|pushd|-C|--prefix)$/
const MOST_WORDS = 60
const MOST_FOLDERS = 4
const MOST_FILES = 120
const LONGEST_SCRIPT = 262_144

async function readScript(path: string): Promise<string> {
  try {
    const found = await stat(path)
    return found.isFile() && found.size <= LONGEST_SCRIPT ? await readFile(path, 'latin1') : ''
  } catch {
    return ''
  }
}
