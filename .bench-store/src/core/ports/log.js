export const SILENT = { write: () => { } };
