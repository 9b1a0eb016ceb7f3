import { register } from 'node:module'

/** Lets a child process of a test run TypeScript on Node 20: `node --import ./typescript.mjs file.ts`. */
register(new URL('./typescript-hook.mjs', import.meta.url))
