/** The specification that is implemented, as `_protocol.version` reports it (introspection 4.1.1). */
export const SPEC_VERSION = '1.0.0-draft';
