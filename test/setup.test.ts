import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-setup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Locked {
  readonly integrity?: string
  readonly resolved?: string
  readonly optional?: boolean
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly hasInstallScript?: boolean
}

describe('M11 the lock file', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const entries = Object.entries(packages).filter(([path]) => path !== '')

  test('has a hash for every package that is installed on this machine and every one that is shipped', () => {
    const without = entries.filter(([, { integrity }]) => integrity === undefined)
    const isForElsewhere = ({ optional, dev, cpu }: Locked) => optional === true && dev === true && cpu !== undefined
    expect(without.filter(([, locked]) => !isForElsewhere(locked)).map(([path]) => path)).toEqual([])
  })

  test('names no host and runs no script', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/https?:\/\/[^"]*\.tgz/)
  })
})

test.skipIf(process.platform === 'win32')('M11 setup installs what the lock file names, or nothing', () => {
  const bin = join(folder, 'bin')
  const calls = join(folder, 'calls.txt')
  mkdirSync(bin)
  mkdirSync(join(folder, 'scripts'))
  cpSync(join(ROOT, 'scripts/setup.mjs'), join(folder, 'scripts/setup.mjs'))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$1" >> ${calls}\nexit 1\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/setup.mjs')], {
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(readFileSync(calls, 'utf8')).toBe('ci\n')
  expect(stderr).toContain('npm ci could not install the packages')
})
