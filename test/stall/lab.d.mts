import type { AdapterDefinition } from '../../src/core/registry/adapter.ts'

export declare const PARAMS: Readonly<Record<string, { readonly type: string }>>
export declare const createAdapter: () => AdapterDefinition
