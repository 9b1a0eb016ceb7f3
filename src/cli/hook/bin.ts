#!/usr/bin/env node
// A debugger could turn its no into a yes. Before anything is loaded: see `src/cli/bin.ts`.
process.on('SIGUSR1', () => {})
const { runAsProcess } = await import('./edge.ts')
const { readOrder } = await import('./run-hook.ts')

/** What the installer writes into a client's settings: nothing of the rest of the program is loaded. */
await runAsProcess(readOrder(process.argv.slice(2)))

export {}
