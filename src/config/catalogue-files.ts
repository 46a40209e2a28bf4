import { z } from 'zod';

/**
 * The shapes of a catalogue's files. Optional keys may also be null, as files written by tools have it. Keys that are
 * not listed are ignored, `index` of base.json (a feature of other servers) among them.
 */
const maybe = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined) as z.ZodType<z.output<T> | undefined>;

const path = z.string().min(1, 'a field name expected');
const count = z.int().min(1);
const record = z.record(z.string(), z.unknown());

export const baseFile = z.object({
  catalogId: maybe(z.string().regex(/^[^\s/\\?#%]*$/, 'an id without spaces, slashes, ?, # and % expected')),
  description: maybe(z.string()),
  documentType: maybe(
    z
      .string()
      .regex(
        /^([_A-Za-z]\w*)?$/,
        'a GraphQL name expected: letters, digits and _, not starting with a digit',
      ),
  ),
  esIndex: maybe(z.string()),
  nestingPrefix: maybe(z.string()),
  maxAliases: maybe(z.int().min(0)),
  maxDepth: maybe(count),
  disableGraphQLIntrospection: maybe(z.boolean()),
  enableAdmin: maybe(z.boolean()),
});

const extendedEntry = z.object({
  fieldName: path,
  displayName: maybe(z.string()),
  displayType: maybe(z.string()),
  displayValues: maybe(record),
  description: maybe(z.string()),
  unit: z.string().nullish(),
  isActive: maybe(z.boolean()),
  isArray: maybe(z.boolean()),
  primaryKey: maybe(z.boolean()),
  quickSearchEnabled: maybe(z.boolean()),
  rangeStep: maybe(z.number()),
});

export const extendedFile = z.array(extendedEntry);

const column = z.object({
  fieldName: path,
  accessor: maybe(z.string()),
  canChangeShow: maybe(z.boolean()),
  displayFormat: z.string().nullish(),
  displayName: maybe(z.string()),
  displayType: maybe(z.string()),
  displayValues: maybe(record),
  id: maybe(z.string()),
  isArray: maybe(z.boolean()),
  jsonPath: maybe(z.string()),
  query: maybe(z.string()),
  show: maybe(z.boolean()),
  sortable: maybe(z.boolean()),
  type: maybe(z.string()),
});

export const tableFile = z.object({
  columns: maybe(z.array(column)),
  defaultSorting: maybe(z.array(z.object({ fieldName: path, desc: z.boolean().nullish() }))),
  maxResultsWindow: maybe(count),
  rowIdFieldName: maybe(z.string()),
});

const facet = z.object({
  fieldName: path,
  isActive: z.boolean().nullish(),
  show: z.boolean().nullish(),
});

export const facetsFile = z.object({ aggregations: maybe(z.array(facet)) });

export const matchboxFile = z.array(
  z.object({
    displayName: z.string().nullish(),
    fieldName: z.string().nullish(),
    isActive: z.boolean().nullish(),
    keyFieldName: z.string().nullish(),
    searchFieldNames: z.array(z.string()).nullish(),
  }),
);

export const chartsFile = record;

export const downloadsFile = z.object({
  allowCustomMaxRows: maybe(z.boolean()),
  maxRows: maybe(z.int().min(0)),
});

/** Each file's name without `.json`, which is also the key its content may be wrapped in, and its shape. */
export const catalogueFiles = {
  base: baseFile,
  extended: extendedFile,
  table: tableFile,
  facets: facetsFile,
  matchbox: matchboxFile,
  charts: chartsFile,
  downloads: downloadsFile,
} as const;

/** The keys each file may have: of the file itself (`list` null), or of the entries of one of its lists ("": itself). */
export const knownKeys: {
  readonly [Name in CatalogueFileName]?: readonly {
    readonly list: string | null;
    readonly keys: readonly string[];
  }[];
} = {
  base: [{ list: null, keys: [...Object.keys(baseFile.shape), 'index'] }],
  extended: [{ list: '', keys: Object.keys(extendedEntry.shape) }],
  table: [
    { list: null, keys: Object.keys(tableFile.shape) },
    { list: 'columns', keys: Object.keys(column.shape) },
  ],
  facets: [
    { list: null, keys: Object.keys(facetsFile.shape) },
    { list: 'aggregations', keys: Object.keys(facet.shape) },
  ],
  downloads: [{ list: null, keys: Object.keys(downloadsFile.shape) }],
};

export type CatalogueFileName = keyof typeof catalogueFiles;
export type CatalogueFiles = { [Name in CatalogueFileName]?: z.output<(typeof catalogueFiles)[Name]> };
