import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/** What the scripts that a line names hold. */
export function scriptsOf(command: string, cwd: string): Promise<readonly string[]> {
  return Promise.all(filesIn(command, cwd).map(readScript))
}

/** The scripts that a line names. */
function filesIn(command: string, cwd: string): readonly string[] {
  const words = command.split(/[\s"';|&()]+/).filter((word) => /[./]/.test(word) && !word.startsWith('-'))
  return words.slice(0, MOST_FILES).map((word) => resolve(cwd, word.replace(/^\$\{?CLAUDE_PROJECT_DIR\}?/, cwd)))
}

const MOST_FILES = 8
const LONGEST_SCRIPT = 262_144

async function readScript(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    return size > LONGEST_SCRIPT ? '' : await readFile(path, 'latin1')
  } catch {
    return ''
  }
}
