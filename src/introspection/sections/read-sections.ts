import type {
  CatalogueConfig,
  DownloadsConfig,
  ExtendedEntry,
  FacetEntry,
  PortalConfigs,
  TableConfig,
} from '../fields/catalogue-config.ts';
import type { PortalSections } from './sections.ts';

/** What the sections do not say. */
export interface SectionDefaults {
  readonly maxResultsWindow: number;
  readonly rowIdFieldName: string;
  readonly downloads: DownloadsConfig;
}

/** Sections as the rest of the program reads them, with defaults filled in. */
export const readSections = (
  { extended, table, facets, matchbox, charts, downloads }: Partial<PortalSections>,
  defaults: SectionDefaults,
): PortalConfigs => ({
  extended: (extended ?? []).map(inEnglish),
  table: tableOf(table, defaults),
  facets: facetsOf(facets),
  matchbox: matchboxOf(matchbox),
  charts: charts ?? { query: '' },
  downloads: downloadsOf(downloads, defaults.downloads),
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

/** A maxRows of 0 means no limit, as in existing configurations. */
const downloadsOf = (
  downloads: PortalSections['downloads'],
  byDefault: DownloadsConfig,
): DownloadsConfig => ({
  allowCustomMaxRows: downloads?.allowCustomMaxRows ?? byDefault.allowCustomMaxRows,
  maxRows: (downloads?.maxRows ?? byDefault.maxRows) || null,
});
