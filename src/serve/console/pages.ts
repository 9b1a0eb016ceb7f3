import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

export interface Page {
  readonly type: string
  readonly bytes: Buffer
}

/** The static files, read once: what is not in this table does not exist, and no path is ever made of a request. */
export function loadPages(): ReadonlyMap<string, Page> {
  const folder = new URL('./web/', import.meta.url)
  const pages = new Map<string, Page>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const path = name.replaceAll('\\', '/')
    pages.set(`/${path}`, { type, bytes: readFileSync(new URL(path, folder)) })
  }
  const index = pages.get('/index.html')
  if (!index) throw new Error('The pages of the console are missing: the package is not complete.')
  return pages.set('/', index)
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
