/** Root fields of every schema: no document type can have one of these names. */
export const fixedRootFields: ReadonlySet<string> = new Set([
  'network',
  'sets',
  'node',
  'viewer',
  'query',
  'hasValidConfig',
]);
