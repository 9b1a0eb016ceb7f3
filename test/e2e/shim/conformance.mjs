import { register } from 'node:module'

/** The official suite imports `globSync`, which Node has from version 22 on; it is not used by what we run. */
register(new URL('./conformance-hook.mjs', import.meta.url))
