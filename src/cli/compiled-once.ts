import { createHash, randomUUID } from 'node:crypto'
import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../store/make-folder.ts'
import { thisAccount } from './os-separation.ts'

/**
 * What `compile` gives, or what it gave when it last was asked for that key. The folder saves time and is never needed:
 * whatever is wrong with it, the work is done again. What lies in it is run, so nobody else may be able to write there.
 */
export async function compiledOnce(folder: string, key: string, compile: () => Promise<string>): Promise<string> {
  const file = join(folder, `${key}.js`)
  const kept = await read(folder, file).catch(() => undefined)
  if (kept !== undefined) return kept
  const code = await compile()
  await keep(folder, file, code).catch(() => {})
  return code
}

/** The same for the same compiler and the same source, wherever it stands. */
export function compiledKey(compiler: string, source: string): string {
  return digest(`${compiler}\0${source}`)
}

const MOST_FILES = 200

/** A file begins with the digest of the rest: one that was cut short is none. */
async function read(folder: string, file: string): Promise<string | undefined> {
  if (!(await isOurs(folder))) return undefined
  const text = await readFile(file, 'utf8')
  const end = text.indexOf('\n')
  const code = text.slice(end + 1)
  return text.slice(0, end) === `//${digest(code)}` ? code : undefined
}

async function keep(folder: string, file: string, code: string): Promise<void> {
  makeFolder(folder)
  if (!(await isOurs(folder))) return
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `//${digest(code)}\n${code}`, { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
  const files = await readdir(folder)
  if (files.length > MOST_FILES) await removeOldest(files.map((name) => join(folder, name)))
}

async function isOurs(folder: string): Promise<boolean> {
  const { uid } = thisAccount()
  const stat = await lstat(folder)
  // Windows has no such numbers; there the folder is below the user's own.
  return stat.isDirectory() && (uid < 0 || (stat.uid === uid && (stat.mode & 0o077) === 0))
}

/** Half of them. */
async function removeOldest(files: readonly string[]): Promise<void> {
  const aged = await Promise.all(files.map(async (file) => ({ file, at: (await lstat(file)).mtimeMs })))
  aged.sort((a, b) => a.at - b.at)
  for (const { file } of aged.slice(0, files.length / 2)) await rm(file, { force: true })
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
