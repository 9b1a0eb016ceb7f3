import { PassThrough, Readable } from 'node:stream'
import type { World } from '../src/cli/world.ts'

export interface FakeWorld extends World {
  /** What was written so far. */
  readonly said: { out: string; err: string }
}

/** A world in memory; nothing in it reaches the machine. */
export function fakeWorld(given: Partial<World> & { readonly input?: string } = {}): FakeWorld {
  const said = { out: '', err: '' }
  const { input = '', ...rest } = given
  return {
    said,
    out: (text) => {
      said.out += `${text}\n`
    },
    err: (text) => {
      said.err += `${text}\n`
    },
    progress: () => {},
    env: {},
    cwd: '/nowhere',
    home: '/home/somebody',
    platform: 'linux',
    columns: undefined,
    colours: false,
    now: () => 1_000,
    interrupted: new AbortController().signal,
    stdin: Readable.from([input]),
    stdout: new PassThrough(),
    self: ['node', 'mcpaql.js'],
    program: 'mcpaql',
    readsTypeScript: false,
    ...rest,
  }
}
