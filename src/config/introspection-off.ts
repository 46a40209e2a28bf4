import type { CatalogueConfig } from '../introspection/catalogue-config.ts';

/**
 * What an admin of a network should know: catalogues that other nodes cannot discover, because they answer no GraphQL
 * introspection.
 */
export const introspectionOff = (catalogues: readonly CatalogueConfig[]): readonly string[] => {
  const off = catalogues.filter(({ disableGraphQLIntrospection }) => disableGraphQLIntrospection);
  if (off.length === 0) return [];
  const names = off.map(({ catalogueId }) => catalogueId).join(', ');
  return [
    `GraphQL introspection is off for ${names} (the default in production): other nodes of a network cannot discover ${off.length === 1 ? 'it' : 'them'}; DISABLE_GRAPHQL_INTROSPECTION=false turns it on`,
  ];
};
