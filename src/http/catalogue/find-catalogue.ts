import { TributaryError } from '../../errors/errors.ts';
import type { CatalogueState } from '../../search/catalogue.ts';

export type FoundCatalogue =
  | { readonly kind: 'found'; readonly state: CatalogueState }
  | { readonly kind: 'ambiguous'; readonly documentType: string; readonly catalogueIds: readonly string[] }
  | { readonly kind: 'unknown' };

/** The catalogue that a path segment names: by its id, else by its document type, ignoring case. */
export const findCatalogue = (states: readonly CatalogueState[], name: string): FoundCatalogue => {
  const wanted = name.toLowerCase();
  const byId = states.find(({ config }) => config.catalogueId.toLowerCase() === wanted);
  if (byId !== undefined) return { kind: 'found', state: byId };
  const byType = states.filter(({ config }) => config.documentType.toLowerCase() === wanted);
  if (byType.length === 1 && wanted !== '') return { kind: 'found', state: byType[0]! };
  if (byType.length === 0 || wanted === '') return { kind: 'unknown' };
  return {
    kind: 'ambiguous',
    documentType: byType[0]!.config.documentType,
    catalogueIds: byType.map(({ config }) => config.catalogueId).sort(),
  };
};

/** The only catalogue, whose routes have no prefix; null when there are several. */
export const onlyCatalogue = (states: readonly CatalogueState[]): CatalogueState | null =>
  states.length === 1 ? states[0]! : null;

/** The error for every path without a route. */
export const nothingAt = (path: string): TributaryError =>
  new TributaryError('NOT_FOUND', `there is nothing at ${path}: GET /introspection lists what is here`);
