import type { Hierarchy } from '../hierarchies/hierarchy.ts';
import type { About } from './about.ts';
import type { ColumnEntry, ExtendedKeys, SurvivalConfig } from './portal-sections.ts';
import type { Problem } from '../../lib/text/problem.ts';

/** The default limits of a GraphQL document, here and for nodes that do not state theirs. */
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
  /** The search servers that hold its index, if not the server's own. */
  readonly engine?: CatalogueEngine;
  /** The part of each stored document under this dotted path is the document. */
  readonly nestingPrefix: string | null;
  readonly maxAliases: number;
  readonly maxDepth: number;
  readonly disableGraphQLIntrospection: boolean;
  readonly switches: CatalogueSwitches;
  /** The index that holds its saved sets. */
  readonly setsIndex: string;
  readonly extended: readonly ExtendedEntry[];
  readonly table: TableConfig;
  /** null: none are configured, so the first ten suitable fields are shown. */
  readonly facets: readonly FacetEntry[] | null;
  readonly matchbox: readonly MatchboxEntry[];
  readonly survival?: SurvivalConfig;
  readonly charts: Readonly<Record<string, unknown>>;
  readonly downloads: DownloadsConfig;
  /** Facts about it that no index holds; absent: nothing is configured. */
  readonly about?: About;
  /** How many documents of a download are held in memory at a time. */
  readonly downloadBufferRows: number;
  /** Its own network, as in the established network.json, `{network}`, unvalidated; absent without one. */
  readonly network?: unknown;
  /** What callers who may not see records learn of them; absent: all callers with access see records. */
  readonly disclosure?: DisclosureConfig;
  /** Whether its disclosure.json is `{"default": "records"}`: what was withheld before may be shown. */
  readonly showsRecords?: boolean;
  /** The files of its hierarchies, by name. */
  readonly hierarchies?: HierarchyFiles;
  /** The hierarchies of its fields, by path, as read from those files. */
  readonly fieldHierarchies?: ReadonlyMap<string, Hierarchy>;
  /** Where the lists naming fields are, for messages: `facets.json, aggregations`. Absent: in separate files. */
  readonly places?: ConfigPlaces;
  /** The location of the catalogue's files, only for messages on the terminal. */
  readonly folder: string;
  /** The names of its files there; none for an object from an application. */
  readonly files: readonly string[];
  /** Why the catalogue cannot be loaded, as found while reading its files; safe to show. */
  readonly problems: readonly Problem[];
}

/** By name: the path of the file, as messages show it, and relations besides `is_a`. */
export type HierarchyFiles = Readonly<
  Record<string, { readonly path: string; readonly file: string; readonly relations: readonly string[] }>
>;

/** Search servers of one catalogue; credentials by the names of the variables that hold them. */
export interface CatalogueEngine {
  /** One URL, or several of the same cluster separated by commas. */
  readonly url: string;
  readonly userVariable?: string | undefined;
  readonly passwordVariable?: string | undefined;
  readonly apiKeyVariable?: string | undefined;
  /** A file with certificates to trust. */
  readonly caFile?: string;
}

/** The configuration for portals: the names of fields and how they are shown. */
export type PortalConfigs = Pick<
  CatalogueConfig,
  'extended' | 'table' | 'facets' | 'matchbox' | 'survival' | 'charts' | 'downloads' | 'about'
>;

/** What a catalogue offers besides searching. */
export interface CatalogueSwitches {
  readonly disableDownloads: boolean;
  readonly disableFilters: boolean;
  readonly disablePlayground: boolean;
  readonly enableGraphQLBatching: boolean;
  readonly enableSets: boolean;
}

/** The switches where none are configured. */
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
  readonly survival: string;
  readonly facets: string;
  readonly columns: string;
  readonly defaultSorting: string;
  readonly matchbox: string;
  readonly network: string;
  readonly disclosure?: string;
}

export interface ExtendedEntry extends ExtendedKeys {
  /** Rows cannot be sorted by it: some node of the network writes it in values of its own. Unset: none does. */
  readonly sortable?: false;
}

export interface TableConfig {
  /** null: no columns are configured, so the first ten suitable fields are shown. */
  readonly columns: readonly ColumnEntry[] | null;
  readonly defaultSorting: readonly { readonly fieldName: string; readonly desc: boolean }[];
  readonly maxResultsWindow: number;
  readonly rowIdFieldName: string;
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
  /** Whether a request may name another number of rows than `maxRows`. */
  readonly allowCustomMaxRows: boolean;
  /** The rows of a file for which the request names no number of its own; null: all. */
  readonly maxRows: number | null;
  /** The operator's limit, which no request lifts; null: none. */
  readonly rowCap: number | null;
}

/** The operator's own, of which a file may state the rest. */
export type DownloadDefaults = Pick<DownloadsConfig, 'allowCustomMaxRows' | 'rowCap'>;

/** What a caller may learn of a catalogue; each tier includes the ones before it. */
export const tiers = ['none', 'boolean', 'counts', 'records'] as const;
export type Tier = (typeof tiers)[number];

/** The tiers whose callers are answered from the release. */
export const guardedTiers = ['boolean', 'counts'] as const satisfies readonly Tier[];
export type GuardedTier = (typeof guardedTiers)[number];

/** Describes the answers of a catalogue that withholds its records from the caller. */
export interface WithheldStatement {
  readonly tier: GuardedTier;
  /** Counts below it are hidden. */
  readonly threshold: number;
  /** What is counted: a field whose distinct values are persons, or `record`. */
  readonly counted: string;
  /** The day of the oldest table that answers the caller; null if there is none. */
  readonly date: string | null;
  /** How many changes those tables hold back, in steps of the threshold; unset if none. */
  readonly waits?: number | undefined;
  /** The slot whose release was withheld, so that the one before stays; unset if none. */
  readonly refused?: string | undefined;
}

/** What is released of a catalogue to callers who do not see its records: its disclosure.json. */
export interface DisclosureConfig {
  /** The tier of callers for whom no access rule names one. */
  readonly default: Tier;
  /** Counts below it are hidden, the others rounded down to its multiples. */
  readonly threshold: number;
  /** The most characteristics that are counted together. */
  readonly order: number;
  /** The field whose distinct values are counted, or `record`. */
  readonly unit: string;
  /** Whether an identifier means the same unit in every release; null: not declared. */
  readonly stableIds: boolean | null;
  /** The field that divides the records into parts released separately; null for none. */
  readonly strata: string | null;
  readonly dimensions: readonly DimensionConfig[];
  /** The distance between two releases, in days. */
  readonly releaseEveryDays: number;
  /** Whether the server makes the releases by itself. */
  readonly automatic: boolean;
  /** Whether clients that do not select upper bounds get lower bounds, which they show as counts. */
  readonly lowerBoundsToOldClients: boolean;
}

/** A characteristic by which units are counted. */
export interface DimensionConfig {
  readonly fieldName: string;
  /** Ascending numbers between which a number is counted. */
  readonly edges?: readonly number[];
  readonly calendar?: CalendarUnit;
  /** The first and last interval of the calendar, as dates. */
  readonly from?: string;
  readonly to?: string;
  /** The values counted, some of them patterns with `*`. */
  readonly values?: readonly (string | number | boolean)[];
  /** Whether unlisted values are counted together; if not, there must be none. */
  readonly other?: boolean;
  /** How many of the most frequent values are counted. */
  readonly most?: number;
  /** Whether it is public knowledge that each unit has a value. */
  readonly mandatory?: boolean;
  /** A dimension of which each of these values has only one value. */
  readonly within?: { readonly fieldName: string; readonly values: Readonly<Record<string, string>> };
}

/** The intervals of dates that a release can count by. */
export const calendarUnits = ['year', 'quarter', 'month'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

/** A characteristic that a release counts by, as it is published. */
export interface ReleasedDimension {
  readonly fieldName: string;
  /** Ascending, with both ends open; dates in epoch ms. Unset: its values are counted. */
  readonly edges?: readonly number[];
}
