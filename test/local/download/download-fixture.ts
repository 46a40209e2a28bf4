import type { Catalogue } from '../../../src/search/catalogue.ts';
import type { CatalogueQuery, SearchFn } from '../../../src/search/query.ts';
import type { CatalogueConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import { bookConfig, bookFields, bookProperties, books } from '../catalogue-fixture.ts';

export interface LibraryCatalogue extends Catalogue {
  /** Every query it received, in order. */
  readonly requested: CatalogueQuery[];
}

/** The books of the fixture in the order of their keys, paged by cursor, whatever the filter says. */
export const library = (
  changes: Partial<CatalogueConfig> = {},
  documents: Readonly<Record<string, (typeof books)[string]>> = books,
): LibraryCatalogue => {
  const requested: CatalogueQuery[] = [];
  const entries = Object.entries(documents);
  const search: SearchFn = async (query) => {
    requested.push(query);
    const { first, searchAfter, trackTotal } = query.hits!;
    const from = searchAfter === null ? 0 : Number(searchAfter[0]);
    const hits = entries
      .slice(from, from + first)
      .map(([id, source], position) => ({ id, source, cursor: [from + position + 1] }));
    return { total: trackTotal ? entries.length : null, hits, facets: [], warnings: [] };
  };
  return {
    id: 'library',
    config: bookConfig(changes),
    fields: bookFields(),
    mapping: bookProperties,
    aliases: [],
    warnings: [],
    generatedAt: '2024-01-01T00:00:00.000Z',
    search,
    requested,
  };
};
