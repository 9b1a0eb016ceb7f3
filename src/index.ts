/**
 * mcpaql, an MCP-AQL runtime.
 *
 * What is named here is the public API; what is not, may change in any release.
 * Sub-entries: mcpaql/store, mcpaql/serve.
 */
// biome-ignore-all assist/source/organizeImports: grouped for the reader

// Define operations (spec §8).
export { defineAdapter } from './core/registry/adapter.ts'
export { defineOperation } from './core/registry/operation.ts'
export { defineType } from './core/registry/type.ts'
export { defineRelationships } from './core/query/relations.ts'
export type { AdapterDefinition } from './core/registry/adapter.ts'
export type { ApiUsage, Context, OperationDefinition, Run, Work } from './core/registry/operation.ts'
export type { Deprecation, Param, Params, Values } from './core/registry/param.ts'
export type { ComputedField, Field, ObjectType, TypeDefinition } from './core/registry/type.ts'

// Write handlers (spec §4.5, §9.3): merge an update, check a version, do part of a query in the back-end.
export { checkVersion } from './core/query/if-match.ts'
export { mergeInput } from './core/query/merge.ts'
export { pushed } from './core/query/collection.ts'
export type { CollectionDefinition, CollectionQuery } from './core/query/collection.ts'

// Answer requests (spec §3.2).
export { createRuntime } from './core/runtime.ts'
export type { Runtime, RuntimeOptions } from './core/runtime.ts'
export type { Call } from './core/pipeline/answer.ts'
export type { Answer } from './core/pipeline/render.ts'
export type { Tool } from './core/introspection/tools.ts'
export type { Session } from './core/session.ts'

// Stay in control: what the operator decides about the gate, and a human about one call (gatekeeper, SELF-02).
export { humanDecision } from './core/ports/human.ts'
export type { Approver, DecisionParts, HumanDecision } from './core/ports/human.ts'
export type { Decided } from './core/gatekeeper/approvals.ts'
export type { ApprovalRequest } from './core/gatekeeper/request.ts'
export type { PolicyRecord } from './core/gatekeeper/policies.ts'
export type { Explanation } from './core/runtime.ts'
export type { DangerLevel } from './protocol/danger.ts'
export type { TrustLevel, TrustPolicy } from './protocol/trust.ts'

// Use a server: whose tools are whose (MCP integration §6.5).
export { groupTools } from './core/registry/group-tools.ts'
export type { ToolGroup } from './core/registry/group-tools.ts'

// Results and errors (spec §5, error codes).
export { ERRORS, fail, failWith } from './protocol/errors.ts'
export { isFailure } from './protocol/result.ts'
export { warn } from './protocol/warnings.ts'
export type { ErrorCode } from './protocol/errors.ts'
export type { BatchSuccess, OperationFailure, OperationResult, OperationSuccess, Warning } from './protocol/result.ts'
export type { SemanticCategory } from './protocol/categories.ts'
export type { EndpointMode, EndpointProfile } from './protocol/endpoints.ts'

// Extend: the interface is a promise, an implementation is not.
export type { Clock } from './core/ports/clock.ts'
export type { Log, LogEntry } from './core/ports/log.ts'
export type { Change, Store } from './core/ports/store.ts'
