import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    // Long enough for tests that start several processes while both cores are busy otherwise.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One module graph for each worker: loading it anew for every file takes a fifth of the time. No test replaces modules.
    isolate: false,
    // Many tests wait for processes and browsers, so three workers keep two cores busy.
    maxWorkers: 3,
  },
})
