/** The libraries that the product is defined by: those of the server. */
export const serverLibraries = [
  '@graphql-tools/stitch',
  '@graphql-tools/wrap',
  '@graphql-tools/executor-http',
  'graphql',
  'koa',
  '@koa/router',
  '@koa/cors',
  '@elastic/elasticsearch',
  'lru-cache',
  'undici',
] as const;

/** Those of its tests. */
export const testLibraries = ['ava', 'nock'] as const;

/** Whether some source imports values of a library, not types only. */
export const isImported = (library: string, sources: readonly string[]): boolean => {
  // the last line of an import
  const ofValues = new RegExp(`^(import (?!type)[^;]*? from |.*\\bimport\\()'${library}'`, 'm');
  return sources.some((source) => ofValues.test(source));
};
