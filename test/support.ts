/** What the tests of whole requests use of the product, in one place. */

export { checkVersion } from '../src/core/query/if-match.ts'
export { mergeInput } from '../src/core/query/merge.ts'
export type { AdapterDefinition } from '../src/core/registry/adapter.ts'
export { defineAdapter } from '../src/core/registry/adapter.ts'
export type { OperationDefinition } from '../src/core/registry/operation.ts'
export { defineOperation } from '../src/core/registry/operation.ts'
export { defineType } from '../src/core/registry/type.ts'
export { type Call, createRuntime, type Runtime, type RuntimeOptions } from '../src/core/runtime.ts'
export type { Session } from '../src/core/session.ts'
export { fail, failWith } from '../src/protocol/errors.ts'
export { warn } from '../src/protocol/warnings.ts'
export { createMemoryStore } from '../src/store/memory.ts'
