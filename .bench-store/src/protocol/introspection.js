export const TYPE_KINDS = ['enum', 'object', 'union', 'scalar'];
/** What `introspect` can be asked for (INT-02, X-38). */
export const QUERY_KINDS = ['operations', 'types', 'search', 'danger', 'adapter_info', 'quota_status', 'rest'];
