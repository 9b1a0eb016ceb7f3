import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One module graph for each worker: loading it anew for every file takes a fifth of the time. No test replaces modules.
    isolate: false,
    // Many tests wait for processes and browsers, so three workers keep two cores busy.
    maxWorkers: 3,
  },
})
