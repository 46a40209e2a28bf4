import { z } from 'zod';
import { about } from './about.ts';
import { optionalKey, key, shownCount } from './key.ts';
import type {
  CatalogueConfig,
  DownloadDefaults,
  DownloadsConfig,
  ExtendedEntry,
  FacetEntry,
  PortalConfigs,
  TableConfig,
} from '../fields/catalogue-config.ts';
import { limited } from '../limit.ts';

const fieldName = (meaning: string) => key(z.string().min(1, 'a field name expected'), meaning);

const text = z.string();

const flag = z.boolean();

const record = z.record(z.string(), z.unknown());

const inLanguages = (meaning: string) =>
  optionalKey(
    z.object({
      en: optionalKey(text, 'In English.'),
      fr: optionalKey(text, 'In French.'),
      de: optionalKey(text, 'In German.'),
    }),
    meaning,
  );

/** `hierarchies`: files of terms that stand under others. */
export const hierarchyFiles = z.record(
  z.string().min(1),
  z.object({
    file: key(
      z.string().min(1),
      'The file, from the folder of this one: OBO 1.4, a FHIR CodeSystem in JSON, or a table; plain or gzip.',
    ),
    relations: optionalKey(
      z.array(text),
      'Relations besides `is_a` under which terms stand: `["part_of"]`.',
      {
        byDefault: '`[]`',
      },
    ),
  }),
);

/** The value comes after the host, whose name it must not change. */
export const linkForm = /^https?:\/\/[^\s/?#{}]+[/?#][^\s{}]*\{value\}[^\s{}]*$/;

/** `extended`: information about fields beyond their mapping. */
const extended = z.array(
  z.object({
    fieldName: fieldName('The field, by its dotted path in the documents.'),
    displayName: optionalKey(text, 'The label that people see.', {
      byDefault: '`displayNames.en`, otherwise derived from the path',
    }),
    displayNames: inLanguages('The label in other languages, for portals that speak them.'),
    displayType: optionalKey(text, 'How a portal shows the field.', { byDefault: 'the mapped type' }),
    displayValues: optionalKey(record, 'What a portal shows instead of a value: `{"true": "yes"}`.', {
      byDefault: '`{}`',
    }),
    description: optionalKey(text, 'What the field holds, for `/introspection/{id}`.', {
      byDefault: '`descriptions.en`, otherwise `meta.description` of the mapping',
    }),
    descriptions: inLanguages('The description in other languages.'),
    unit: key(text.nullish(), 'The unit of its values; `null` for none.', {
      byDefault: '`meta.unit` of the mapping',
    }),
    hierarchy: optionalKey(text, 'The hierarchy that its values are terms of, by its name in `hierarchies`.'),
    isActive: optionalKey(flag, 'Passed on to portals.', { byDefault: '`false`' }),
    isArray: optionalKey(flag, 'The field holds lists: its type in the schema is `[T]`.', {
      byDefault: '`false`',
    }),
    primaryKey: optionalKey(flag, 'The field identifies a document; for portals.', { byDefault: '`false`' }),
    quickSearchEnabled: optionalKey(flag, "A portal's quick search searches this field.", {
      byDefault: '`false`',
    }),
    rangeStep: optionalKey(z.number(), "The step of a portal's range slider.", { byDefault: '`0`' }),
    image: optionalKey(
      flag,
      'Its values are web addresses of pictures: the pages show those on `IMAGE_HOSTS` as [portal.md](portal.md#pictures-and-links) says.',
      { byDefault: '`false`' },
    ),
    link: optionalKey(
      z.union([flag, z.string().regex(linkForm, 'true, or an http or https address with {value} expected')]),
      'Its values are web addresses that a portal shows as links; or the address in which the value stands for `{value}`: `"https://example.org/item/{value}"`.',
      { byDefault: '`false`', form: '`true` or an address with `{value}`' },
    ),
  }),
);

const columns = z.array(
  z.object({
    fieldName: fieldName('The field the column shows, by its dotted path.'),
    accessor: optionalKey(text, 'Where a portal finds the value in a row.', { byDefault: 'the field name' }),
    canChangeShow: optionalKey(flag, 'Users may show and hide the column.', { byDefault: '`true`' }),
    displayFormat: key(text.nullish(), 'The date format, in date-fns notation: `yyyy-MM-dd`.'),
    displayName: optionalKey(text, "The column's heading.", {
      byDefault: 'that of `extended`, otherwise `* ` and the field name',
    }),
    displayType: optionalKey(text, 'How a portal shows the cells.', { byDefault: 'that of `extended`' }),
    displayValues: optionalKey(record, 'What is shown instead of a value.', {
      byDefault: 'those of `extended`',
    }),
    id: optionalKey(text, 'An identifier of the column, passed on to portals.'),
    isArray: optionalKey(flag, 'The cells hold lists.', { byDefault: 'that of `extended`' }),
    jsonPath: optionalKey(text, 'Where the value is in the GraphQL response.', {
      byDefault: 'derived from the schema',
    }),
    query: optionalKey(text, 'The GraphQL selection for the value.', {
      byDefault: 'derived from the schema',
    }),
    show: optionalKey(flag, 'The column is shown initially.', { byDefault: '`false`' }),
    sortable: optionalKey(flag, 'The rows can be sorted by the column.'),
    type: optionalKey(text, 'Deprecated: use `displayType`.'),
  }),
);

/** `table`: the columns of a portal and how rows are sorted and identified. */
const table = z.object({
  columns: optionalKey(columns, 'The columns; an empty list is treated as absent.', {
    byDefault: 'the first 10 fields with values',
  }),
  defaultSorting: optionalKey(
    z.array(
      z.object({
        fieldName: fieldName('The field to sort by.'),
        desc: optionalKey(flag, 'Sort in descending order.', { byDefault: '`false`' }),
      }),
    ),
    'How a portal sorts the rows initially.',
    { byDefault: '`[]`' },
  ),
  maxResultsWindow: optionalKey(shownCount(1), 'The most rows that `first` and `offset` can reach.', {
    byDefault: '`MAX_RESULTS_WINDOW`',
  }),
  rowIdFieldName: optionalKey(text, 'The field that identifies a row.', { byDefault: '`ROW_ID_FIELD_NAME`' }),
});

/** `facets`: the facets of a portal, in order. */
const facets = z.object({
  aggregations: optionalKey(
    z.array(
      z.object({
        fieldName: fieldName(
          'The field, by its dotted path, or with `__` in place of dots, as the React components need it.',
        ),
        displayName: optionalKey(text, "The facet's heading.", { byDefault: 'that of `extended`' }),
        displayType: optionalKey(text, 'How a portal shows the facet.', { byDefault: 'that of `extended`' }),
        isActive: optionalKey(flag, 'A portal requests the facet.', { byDefault: '`false`' }),
        show: optionalKey(flag, 'A portal shows the facet.', { byDefault: '`false`' }),
      }),
    ),
    'The facets, in the order a portal shows them; an empty list is treated as absent.',
    { byDefault: 'the first 10 fields that have facets' },
  ),
});

/** `matchbox`: searches for lists of identifiers. */
const matchbox = z.array(
  z.object({
    displayName: optionalKey(text, 'The label that people see.'),
    fieldName: optionalKey(text, 'The field, or the object that contains the others.'),
    isActive: optionalKey(flag, 'A portal offers the entry.'),
    keyFieldName: optionalKey(text, 'The field that identifies a match.'),
    searchFieldNames: optionalKey(z.array(text), 'The fields that are searched.'),
  }),
);

/** `survival`: what survival curves are drawn from. */
const survival = z.object({
  time: fieldName(
    'The field with the time under observation: a number that each document has once at most, not of nested objects.',
  ),
  event: fieldName('The field that says how the observation ended; documents without a value are left out.'),
  dead: key(
    z.array(z.union([text, z.number(), flag])).min(1, 'at least one value expected'),
    'Its values that are the event: `["Deceased"]`. Any other means that it had not happened by that time.',
  ),
});

const charts = z.record(z.string(), z.unknown());

const downloads = z.object({
  allowCustomMaxRows: optionalKey(
    z.boolean(),
    'Whether a request may name its own `maxRows`, up to `DOWNLOAD_MAX_ROWS`.',
    {
      byDefault: '`ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS`',
    },
  ),
  maxRows: optionalKey(
    shownCount(0),
    'The most rows in a file, unless a request may name its own; at most `DOWNLOAD_MAX_ROWS`, which 0 stands for.',
    { byDefault: '`DOWNLOAD_MAX_ROWS`' },
  ),
  chunkSize: optionalKey(z.int().min(1), 'How many documents are held in memory at a time.', {
    byDefault: '`DOWNLOAD_STREAM_BUFFER_SIZE`',
  }),
});

/** What a portal shows of a catalogue or of a network: the same keys in the files of both. */
export const portalSections = {
  extended: optionalKey(extended, 'Descriptions of fields, in addition to the mapping.'),
  table: optionalKey(table, 'The table of a portal.'),
  facets: optionalKey(facets, 'The facets of a portal; a bare list is that of `aggregations`.'),
  matchbox: optionalKey(matchbox, "The entries of a portal's matchbox."),
  survival: optionalKey(
    survival,
    'What a portal draws survival curves from, to compare cohorts; often beside `extended` in its file.',
  ),
  charts: optionalKey(charts, 'For portals that draw charts; passed on unchanged.'),
  downloads: optionalKey(downloads, 'Limits of downloads.'),
  catalogue: optionalKey(about, 'What no index knows of the catalogue, for the doors that describe it.'),
};

/** The sections as written; an omitted one is undefined. */
export type PortalSections = {
  readonly [Name in keyof typeof portalSections]: z.output<(typeof portalSections)[Name]>;
};

/** A bare list of facets is read as `aggregations`. */
export const withNamedFacets = <Keys extends Readonly<Record<string, unknown>>>(keys: Keys): Keys =>
  Array.isArray(keys['facets']) ? { ...keys, facets: { aggregations: keys['facets'] as unknown } } : keys;

/** Values that the sections do not state. */
export interface SectionDefaults {
  readonly maxResultsWindow: number;
  readonly rowIdFieldName: string;
  readonly downloads: DownloadDefaults;
}

/** Sections as the rest of the program reads them, with defaults filled in. */
export const readSections = (
  { extended, table, facets, matchbox, survival, charts, downloads, catalogue }: Partial<PortalSections>,
  defaults: SectionDefaults,
): PortalConfigs => ({
  extended: (extended ?? []).map(inEnglish),
  table: tableOf(table, defaults),
  facets: facetsOf(facets),
  matchbox: matchboxOf(matchbox),
  ...(survival && { survival }),
  charts: charts ?? { query: '' },
  downloads: downloadsOf(downloads, defaults.downloads),
  ...(catalogue && { about: catalogue }),
});

/** A field with a label in English only among its translations has that label. */
const inEnglish = (entry: ExtendedEntry): ExtendedEntry => {
  const displayName = entry.displayName ?? entry.displayNames?.en;
  const description = entry.description ?? entry.descriptions?.en;
  return {
    ...entry,
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
  };
};

const tableOf = (
  table: PortalSections['table'],
  { maxResultsWindow, rowIdFieldName }: SectionDefaults,
): TableConfig => ({
  columns: unlessEmpty(table?.columns),
  defaultSorting: (table?.defaultSorting ?? []).map(({ fieldName, desc }) => ({
    fieldName,
    desc: desc ?? false,
  })),
  maxResultsWindow: table?.maxResultsWindow ?? maxResultsWindow,
  rowIdFieldName: table?.rowIdFieldName || rowIdFieldName,
});

const facetsOf = (facets: PortalSections['facets']): readonly FacetEntry[] | null =>
  unlessEmpty(facets?.aggregations)?.map(({ fieldName, displayName, displayType, isActive, show }) => ({
    fieldName,
    ...(displayName === undefined ? {} : { displayName }),
    ...(displayType === undefined ? {} : { displayType }),
    isActive: isActive ?? false,
    show: show ?? false,
  })) ?? null;

/** An empty list counts as unset, as in existing configurations. */
const unlessEmpty = <Entry>(list: readonly Entry[] | undefined): readonly Entry[] | null =>
  list === undefined || list.length === 0 ? null : list;

const matchboxOf = (matchbox: PortalSections['matchbox']): CatalogueConfig['matchbox'] =>
  (matchbox ?? []).map((entry) => ({
    displayName: entry.displayName ?? null,
    fieldName: entry.fieldName ?? null,
    isActive: entry.isActive ?? null,
    keyFieldName: entry.keyFieldName ?? null,
    searchFieldNames: entry.searchFieldNames ?? null,
  }));

/** A maxRows of 0 means no limit of its own, as in existing configurations. */
const downloadsOf = (
  downloads: PortalSections['downloads'],
  { allowCustomMaxRows, rowCap }: DownloadDefaults,
): DownloadsConfig => ({
  allowCustomMaxRows: downloads?.allowCustomMaxRows ?? allowCustomMaxRows,
  maxRows: limited(downloads?.maxRows || null, rowCap),
  rowCap,
});
