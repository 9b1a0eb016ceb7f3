/** REQ-01, REQ-05, OPN-03: operations and public parameters share one spelling. */
export const NAME_PATTERN = /^[a-z][a-z0-9_]*$/;
/** Spec §4.6.1, REQ-04: never parameters, at either level. Keys that begin with `_` are not either. */
export const PROTOCOL_FIELDS = new Set(['operation', 'params', 'operations']);
/** Keys that would reach an object's prototype; refused wherever a caller chooses keys (UPD-09). */
export const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
export const MAX_BATCH = { default: 50, least: 1, most: 1_000 };
