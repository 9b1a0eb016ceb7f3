/** What the tests of whole requests use of the product, in one place. */
export type { AdapterDefinition } from '../src/core/registry/adapter.ts'
export { defineAdapter } from '../src/core/registry/adapter.ts'
export { defineOperation } from '../src/core/registry/operation.ts'
export { defineType } from '../src/core/registry/type.ts'
export { mergeInput } from '../src/core/query/merge.ts'
export { createRuntime, type Runtime, type RuntimeOptions } from '../src/core/runtime.ts'
export { fail } from '../src/protocol/errors.ts'
export { createMemoryStore } from '../src/store/memory.ts'
