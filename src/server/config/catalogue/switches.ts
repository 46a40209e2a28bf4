import type { CatalogueSwitches, CatalogueConfig } from '../../../introspection/fields/catalogue-config.ts';
import { noticeAt, type Problem } from '../../../lib/text/problem.ts';
import type { CatalogueContent } from './catalogue-files.ts';
import type { Variables } from '../variables.ts';

/**
 * The switches of one catalogue. Either side can switch off; the catalogue decides about switching on, unless the
 * variable is false.
 */
export const switchesOf = (
  content: Partial<CatalogueContent>,
  environment: Variables,
): CatalogueSwitches => ({
  disableDownloads: isOff(content.disableDownloads, environment.DISABLE_DOWNLOADS),
  disableFilters: isOff(content.disableFilters, environment.DISABLE_FILTERS),
  disablePlayground: isOff(
    content.disablePlayground,
    content.disableGraphQLPlayground,
    environment.DISABLE_GRAPHQL_PLAYGROUND,
  ),
  enableGraphQLBatching: isOn(content.enableGraphQLBatching, environment.ENABLE_GRAPHQL_BATCHING),
  enableSets: isOn(content.enableSets, environment.ENABLE_SETS) && !isOff(content.disableSets),
});

const isOff = (...switches: readonly (boolean | undefined)[]): boolean => switches.includes(true);

/** @param variable undefined when it is not set */
const isOn = (own: boolean | undefined, variable: boolean | undefined): boolean =>
  variable !== false && (own ?? variable ?? false);

/**
 * Whether GraphQL introspection is off: a switch-off by the catalogue's file or the variable holds; if neither is set,
 * it is off in production only.
 */
export const introspectionDisabled = (own: boolean | undefined, environment: Variables): boolean => {
  const switches = [own, environment.DISABLE_GRAPHQL_INTROSPECTION].filter((value) => value !== undefined);
  return switches.length > 0 ? switches.includes(true) : environment.NODE_ENV === 'production';
};

/** Warnings for network admins: catalogues that other nodes cannot discover, because GraphQL introspection is off. */
export const introspectionOff = (
  catalogues: readonly CatalogueConfig[],
  environment: Variables,
): readonly Problem[] => {
  const off = catalogues.filter(({ disableGraphQLIntrospection }) => disableGraphQLIntrospection);
  if (off.length === 0) return [];
  const names = off.map(({ catalogueId }) => catalogueId).join(', ');
  const [it, files] = off.length === 1 ? ['it', 'its files'] : ['them', 'their files'];
  const { why, cure } = reasonFor(environment, files);
  const reason = `is off for ${names} (${why}): other nodes of a network cannot discover ${it}; ${cure}`;
  return [noticeAt(null, 'GraphQL introspection', reason)];
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
