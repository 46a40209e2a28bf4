import { noSwitches, type CatalogueConfig } from '../../src/introspection/fields/catalogue-config.ts';

/** A catalogue's configuration with nothing configured, but for what is given. */
export const configOf = (supplied: Partial<CatalogueConfig> = {}): CatalogueConfig => ({
  catalogueId: 'library',
  documentType: 'book',
  esIndex: 'books',
  nestingPrefix: null,
  maxAliases: 15,
  maxDepth: 7,
  disableGraphQLIntrospection: false,
  extended: [],
  table: { columns: null, defaultSorting: [], maxResultsWindow: 10_000, rowIdFieldName: 'id' },
  facets: null,
  matchbox: [],
  charts: {},
  downloads: { allowCustomMaxRows: false, maxRows: null, rowCap: null },
  downloadBufferRows: 200,
  switches: noSwitches,
  setsIndex: 'arranger-sets',
  folder: 'configs/library',
  files: [],
  problems: [],
  ...supplied,
});
