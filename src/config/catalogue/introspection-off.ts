import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { Variables } from '../variables.ts';

/** Warnings for network admins: catalogues that other nodes cannot discover, because GraphQL introspection is off. */
export const introspectionOff = (
  catalogues: readonly CatalogueConfig[],
  environment: Variables,
): readonly string[] => {
  const off = catalogues.filter(({ disableGraphQLIntrospection }) => disableGraphQLIntrospection);
  if (off.length === 0) return [];
  const names = off.map(({ catalogueId }) => catalogueId).join(', ');
  const [it, files] = off.length === 1 ? ['it', 'its files'] : ['them', 'their files'];
  const { why, cure } = reasonFor(environment, files);
  return [
    `GraphQL introspection is off for ${names} (${why}): other nodes of a network cannot discover ${it}; ${cure}`,
  ];
};

const reasonFor = (
  environment: Variables,
  files: string,
): { readonly why: string; readonly cure: string } => {
  const variable = environment.DISABLE_GRAPHQL_INTROSPECTION;
  const turnsOn = `DISABLE_GRAPHQL_INTROSPECTION=false turns it on where disableGraphQLIntrospection in ${files} does not hold`;
  if (variable === true) return { why: 'DISABLE_GRAPHQL_INTROSPECTION=true', cure: turnsOn };
  if (variable === undefined && environment.NODE_ENV === 'production')
    return { why: 'the default in production', cure: turnsOn };
  return {
    why: `disableGraphQLIntrospection in ${files}`,
    cure: 'take it out there to let them do so',
  };
};
