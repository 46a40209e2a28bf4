import type {
  CatalogueConfig,
  DownloadDefaults,
  DownloadsConfig,
  ExtendedEntry,
  FacetEntry,
  PortalConfigs,
  TableConfig,
} from '../fields/catalogue-config.ts';
import type { PortalSections } from '../fields/portal-sections.ts';
import { limited } from '../limit.ts';

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
