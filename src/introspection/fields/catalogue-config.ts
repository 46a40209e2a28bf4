import type { DisclosureConfig } from './disclosure-config.ts';

/** What a GraphQL document may have unless configured otherwise, here and on nodes that do not say. */
export const defaultDocumentLimits = { maxDepth: 7, maxAliases: 15 } as const;

/**
 * The configuration of one catalogue, read from all files of its folder, including all defaults that do not depend on
 * the mapping. Built by config/, read by the other modules.
 */
export interface CatalogueConfig {
  readonly catalogueId: string;
  readonly description?: string;
  /** The name of the root query field; "" when base.json has none (the catalogue fails). */
  readonly documentType: string;
  /** The search index or alias; null when base.json has none (the catalogue fails). */
  readonly esIndex: string | null;
  /** The part of each stored document under this dotted path is the document. */
  readonly nestingPrefix: string | null;
  readonly maxAliases: number;
  readonly maxDepth: number;
  readonly disableGraphQLIntrospection: boolean;
  readonly enableAdmin: boolean;
  readonly switches: CatalogueSwitches;
  /** The index that holds its saved sets. */
  readonly setsIndex: string;
  readonly extended: readonly ExtendedEntry[];
  readonly table: TableConfig;
  /** null: none are configured, so the first ten suitable fields are shown. */
  readonly facets: readonly FacetEntry[] | null;
  readonly matchbox: readonly MatchboxEntry[];
  readonly charts: Readonly<Record<string, unknown>>;
  readonly downloads: DownloadsConfig;
  /** How many documents of a download are held in memory at a time. */
  readonly downloadBufferRows: number;
  /** Its own network, as in the established network.json, `{network}`, unvalidated; absent without one. */
  readonly network?: unknown;
  /** What callers who may not see records learn of them; absent: everyone with access sees records. */
  readonly disclosure?: DisclosureConfig;
  /** Where the lists naming fields are, for messages: `facets.json, aggregations`. Absent: in separate files. */
  readonly places?: ConfigPlaces;
  /** The location of the catalogue's files, only for messages on the terminal. */
  readonly folder: string;
  /** Why the catalogue cannot be loaded, as found while reading its files; safe to show. */
  readonly problems: readonly string[];
}

/** The configuration for portals: the names of fields and how they are shown. */
export type PortalConfigs = Pick<
  CatalogueConfig,
  'extended' | 'table' | 'facets' | 'matchbox' | 'charts' | 'downloads'
>;

/** What a catalogue offers besides searching. */
export interface CatalogueSwitches {
  readonly disableDownloads: boolean;
  readonly disableFilters: boolean;
  readonly disablePlayground: boolean;
  readonly enableGraphQLBatching: boolean;
  readonly enableSets: boolean;
}

/** What applies where nothing is switched. */
export const noSwitches: CatalogueSwitches = {
  disableDownloads: false,
  disableFilters: false,
  disablePlayground: false,
  enableGraphQLBatching: false,
  enableSets: false,
};

/** The file and key of each list. */
export interface ConfigPlaces {
  readonly extended: string;
  readonly facets: string;
  readonly columns: string;
  readonly defaultSorting: string;
  readonly matchbox: string;
  readonly network: string;
}

export interface ExtendedEntry {
  readonly fieldName: string;
  readonly displayName?: string;
  readonly displayNames?: Translations;
  readonly displayType?: string;
  readonly displayValues?: Readonly<Record<string, unknown>>;
  readonly description?: string;
  readonly descriptions?: Translations;
  readonly unit?: string | null;
  readonly isActive?: boolean;
  readonly isArray?: boolean;
  readonly primaryKey?: boolean;
  readonly quickSearchEnabled?: boolean;
  readonly rangeStep?: number;
}

/** A text in the languages of portals. */
export interface Translations {
  readonly en?: string;
  readonly fr?: string;
  readonly de?: string;
}

export interface TableConfig {
  /** null: no columns are configured, so the first ten suitable fields are shown. */
  readonly columns: readonly ColumnEntry[] | null;
  readonly defaultSorting: readonly { readonly fieldName: string; readonly desc: boolean }[];
  readonly maxResultsWindow: number;
  readonly rowIdFieldName: string;
}

export interface ColumnEntry {
  readonly fieldName: string;
  readonly accessor?: string;
  readonly canChangeShow?: boolean;
  readonly displayFormat?: string | null;
  readonly displayName?: string;
  readonly displayType?: string;
  readonly displayValues?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly isArray?: boolean;
  readonly jsonPath?: string;
  readonly query?: string;
  readonly show?: boolean;
  readonly sortable?: boolean;
  /** Deprecated spelling of displayType; passed on unchanged. */
  readonly type?: string;
}

export interface FacetEntry {
  /** As configured: dotted, or with `__` in the deprecated form. */
  readonly fieldName: string;
  readonly displayName?: string;
  readonly displayType?: string;
  readonly isActive: boolean;
  readonly show: boolean;
}

export interface MatchboxEntry {
  readonly displayName: string | null;
  readonly fieldName: string | null;
  readonly isActive: boolean | null;
  readonly keyFieldName: string | null;
  readonly searchFieldNames: readonly string[] | null;
}

export interface DownloadsConfig {
  readonly allowCustomMaxRows: boolean;
  /** null: no cap. */
  readonly maxRows: number | null;
}
