import { readFileSync } from 'node:fs'

/** From package.json, which stands two folders above `src/cli` and three above `dist/src/cli`. */
export function version(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as Record<
        string,
        unknown
      >
      if (name === 'mcpaql' && typeof version === 'string') return version
    } catch {
      // Not at this height.
    }
  }
  return 'unknown'
}
