import { openTracker } from './adapter.ts'

/** For `mcpaql serve ./index.js`: the tracker in the file of that name, or in memory. */
export function createAdapter({ path = ':memory:' }: { readonly path?: string } = {}) {
  return openTracker(path).adapter
}

export { openTracker } from './adapter.ts'
