#!/usr/bin/env node
import { runAsProcess } from './edge.ts'
import { readOrder } from './run-hook.ts'

/** What the installer writes into a client's settings: nothing of the rest of the program is loaded. */
await runAsProcess(readOrder(process.argv.slice(2)))
