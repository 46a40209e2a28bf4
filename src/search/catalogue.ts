import { TributaryError } from '../lib/errors/errors.ts';
import type { CatalogueConfig, ReleasedDimension, Tier } from '../introspection/fields/catalogue-config.ts';
import type { Fields } from '../introspection/fields/field.ts';
import type { JsonObject } from '../lib/json/json.ts';
import type { Sqon } from '../sqon/ast.ts';
import type { NetworkQuery, SearchFn } from './query.ts';
import type { Caller } from './request-context.ts';
import type { SetStore } from './saved-set.ts';

/** A catalogue that can be searched. */
export interface Catalogue {
  readonly id: string;
  readonly config: CatalogueConfig;
  readonly fields: Fields;
  /** Whether it is a network: its hits come from many nodes, and have keys that are unique over all of them. */
  readonly isNetwork?: true;
  /** The index's `properties` unchanged, without the origin of documents; null for a network, which has none. */
  readonly mapping: JsonObject | null;
  /** Other names of the index. */
  readonly aliases: readonly string[];
  /** The indexes that its name resolves to; unset where it reads none itself. */
  readonly indices?: readonly string[];
  /** What was omitted from the mapping and why. */
  readonly warnings: readonly string[];
  /** ISO 8601, the time the mapping was read. */
  readonly generatedAt: string;
  /** Only a network reads which nodes a query selects. */
  readonly search: SearchFn<NetworkQuery>;
  /** The saved sets of this server; absent when it has none. */
  readonly sets?: SetStore;
  /** What callers of a guarded tier are served instead, whose `search` knows the release only. */
  readonly guarded?: Catalogue;
  /** Describes the answers of a guarded catalogue to a caller with this access filter; null: without one. */
  readonly disclosure?: (access: Sqon | null) => DisclosureStatement;
  /** Names the release that a guarded catalogue answers from, and the slot refused since; null if there is neither. */
  readonly releaseId?: string | null;
  /** The dimensions that a guarded catalogue is released by; none before the first release. */
  readonly released?: readonly ReleasedDimension[];
}

/** Describes the answers of a guarded catalogue. */
export interface DisclosureStatement {
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

/** A configured catalogue, whether it loaded or not. */
export type CatalogueState =
  | { readonly status: 'available'; readonly config: CatalogueConfig; readonly catalogue: Catalogue }
  | {
      readonly status: 'failed';
      readonly config: CatalogueConfig;
      readonly error: TributaryError;
      /** The catalogue as last served, while its engine is unreachable; unset: it never was served, or fails for another reason. */
      readonly last?: Catalogue;
      /** The longest wait until it is checked again; unset: it is not checked again. */
      readonly retryMs?: number;
    };

/** Restricts callers of catalogues to what may be disclosed of their records. */
export interface CatalogueGuard {
  /**
   * The catalogue with a search that answers each caller by tier, and with `guarded`, which callers who may not see
   * records are served. A catalogue without disclosure.json is closed to those callers.
   * @throws TributaryError unknown_error if another catalogue in use reads its index and either withholds its records
   */
  readonly guard: (catalogue: Catalogue) => Catalogue;
  /** Registers a catalogue as in use, so that its indexes are checked; replaces the one with the same id. */
  readonly addReader: (catalogue: Catalogue) => void;
  /** Registers these as the only catalogues in use. */
  readonly use: (catalogues: readonly Catalogue[]) => void;
  /**
   * Checks which indexes answered a search of records, since an alias may have moved to a guarded one; null: none is guarded.
   * The check throws TributaryError NOT_READY.
   */
  readonly watch: (config: CatalogueConfig) => ((indices: readonly string[] | undefined) => void) | null;
  /** Whether a catalogue's guard is still up to date. */
  readonly isCurrent: (catalogue: Catalogue) => boolean;
}

/** What a caller may learn about a catalogue. @throws TributaryError FORBIDDEN for a tier that it does not serve */
export const tierOf = async (
  { config, id }: Pick<Catalogue, 'config' | 'id'>,
  caller: Pick<Caller, 'tierOf'>,
): Promise<Tier> => {
  const named = await caller.tierOf(id);
  if (config.disclosure !== undefined) return named ?? config.disclosure.default;
  if (named === null || named === 'records') return 'records';
  // its disclosure.json was removed since the access rules were read: that must not open it
  throw new TributaryError('FORBIDDEN', `nothing of catalogue ${id} is released to this caller`);
};

/**
 * The refusal of everything that a guarded tier does not answer. The message is equal for unknown and unreleased fields,
 * and contains nothing of the query: an error discloses nothing that the release does not.
 */
export const notDisclosed = (what: string, details?: Readonly<Record<string, unknown>>): TributaryError =>
  new TributaryError(
    'NOT_DISCLOSED',
    `${what} not disclosed here: only counts of released fields are, as intervals`,
    details === undefined ? {} : { details },
  );

/** Identifies a catalogue across servers: its server's key and its id. */
export const catalogueKey = (serverKey: string, catalogueId: string): string =>
  `${serverKey}/${encodeURIComponent(catalogueId)}`;
