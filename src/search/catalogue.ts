import { TributaryError } from '../lib/errors/errors.ts';
import type {
  CatalogueConfig,
  GuardedTier,
  ReleasedDimension,
  Tier,
  WithheldStatement,
} from '../introspection/fields/catalogue-config.ts';
import type { Fields } from '../introspection/fields/field.ts';
import type { JsonObject } from '../lib/json/json.ts';
import type { Sqon } from '../sqon/ast.ts';
import type { NetworkQuery, SearchFn } from './query.ts';
import type { CallerAccess } from './request-context.ts';
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
  /** What callers who may not see its records are served instead; its `search` knows the release only. */
  readonly substitute?: Substitute;
  /**
   * Describes the answers of a substitute.
   * @param access the caller's access filter; null: without one
   * @param tier the caller's; default: that of callers for whom no access rule names one
   */
  readonly disclosure?: (access: Sqon | null, tier?: GuardedTier) => WithheldStatement;
  /** Names the release that the substitute answers from, and the slot refused since; null if there is neither. */
  readonly releaseId?: string | null;
  /** The dimensions that a substitute is released by; none before the first release. */
  readonly released?: readonly ReleasedDimension[];
}

/** What stands for a catalogue whose records are withheld. */
export type Substitute = Catalogue & Required<Pick<Catalogue, 'disclosure'>>;

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
   * The catalogue with a search that answers each caller by tier, and with the substitute that callers who may not see
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
  caller: Pick<CallerAccess, 'tierOf'>,
): Promise<Tier> => {
  const named = await caller.tierOf(id);
  if (config.disclosure !== undefined) return named ?? config.disclosure.default;
  if (named === null || named === 'records') return 'records';
  // its disclosure.json was removed since the access rules were read: that must not open it
  throw new TributaryError('FORBIDDEN', `nothing of catalogue ${id} is released to this caller`);
};

/** What a caller is served for a catalogue: the catalogue itself, or its substitute. @throws TributaryError FORBIDDEN */
export const servedTo = async (
  catalogue: Catalogue,
  caller: Pick<CallerAccess, 'tierOf'>,
): Promise<Catalogue> => servedAt(catalogue, await tierOf(catalogue, caller));

const servedAt = (catalogue: Catalogue, tier: Tier): Catalogue => {
  if (tier === 'records') return catalogue;
  // in networks it may stand for itself already
  const substitute = catalogue.disclosure === undefined ? catalogue.substitute : catalogue;
  if (tier === 'none' || substitute === undefined)
    throw new TributaryError('FORBIDDEN', `nothing of catalogue ${catalogue.id} is open to this caller`);
  return substitute;
};

/** Refuses a caller who may not see the records of a catalogue. @throws TributaryError FORBIDDEN, NOT_DISCLOSED */
export const assertRecords = async (
  catalogue: Catalogue,
  caller: Pick<CallerAccess, 'tierOf'>,
): Promise<void> => {
  const tier = await tierOf(catalogue, caller);
  servedAt(catalogue, tier);
  if (tier !== 'records') throw notDisclosed('records are');
};

/** Describes the answers of what a caller is served; null if they are records. */
export const statementFor = async (
  served: Catalogue,
  caller: CallerAccess,
): Promise<WithheldStatement | null> => {
  const { id, disclosure } = served;
  if (disclosure === undefined) return null;
  const tier = await tierOf(served, caller);
  return tier === 'records' || tier === 'none' ? null : disclosure(await caller.accessFilter(id), tier);
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
