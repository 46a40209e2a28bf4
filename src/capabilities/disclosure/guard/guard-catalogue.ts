import { randomBytes } from 'node:crypto';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { CatalogueConfig } from '../../../introspection/fields/catalogue-config.ts';
import { notDisclosed, tierOf, type Catalogue, type CatalogueGuard } from '../../../search/catalogue.ts';
import type { SearchFn } from '../../../search/query.ts';
import type { ReleaseStore } from '../release/release-store.ts';
import type { Release } from '../release/release.ts';
import { noHistory, type ReleasedIndexes } from '../release/released-indexes.ts';
import { guardedView } from './guarded-view.ts';
import { guardedSearch, type GuardedSearch } from './guarded-search.ts';

export interface GuardParts {
  /** The releases of a catalogue. */
  readonly storeOf: (catalogueId: string) => ReleaseStore;
  /** Called with the reason why a release cannot be read. */
  readonly warn?: (catalogueId: string, error: unknown) => void;
  /** The secret from which data names shown to callers are derived; default: a secret of this process. */
  readonly nameKey?: Uint8Array;
  /** Which indexes were released before; default: none. */
  readonly history?: ReleasedIndexes;
}

/** Makes the release of each guarded catalogue answer instead of its records. */
export const catalogueGuard = ({
  storeOf,
  warn = () => undefined,
  nameKey = randomBytes(32),
  history = noHistory,
}: GuardParts): CatalogueGuard => {
  const readers = openReaders();
  /** Changes whenever the answers to callers change, or when a slot ends without a release. */
  const currentId = ({ id }: Catalogue): string | null => {
    try {
      const store = storeOf(id);
      const current = store.withdrawnId() === null ? store.currentId() : withdrawn;
      const refused = refusedSlot(store);
      return refused === null ? current : `${current ?? 'none'} ${refused}`;
    } catch {
      // reading the release reports the problem
      return unreadable;
    }
  };
  const assertNeverReleased = (catalogue: Catalogue): void => {
    const { id, config } = catalogue;
    if (config.showsRecords === true) return;
    const released = hasRelease(storeOf(id)) ? id : history.catalogueOf(namesOf(catalogue));
    if (released !== null) throw openedAgain(id, released);
  };
  return {
    guard: (catalogue) => {
      const { disclosure } = catalogue.config;
      readers.assertApart(catalogue);
      const assertApart = (): void => readers.assertInUseApart(catalogue.id);
      if (disclosure === undefined) {
        assertNeverReleased(catalogue);
        return { ...catalogue, search: recordsOnly(catalogue, assertApart) };
      }
      const releaseId = currentId(catalogue);
      if (hasRelease(storeOf(catalogue.id))) history.add(catalogue.id, namesOf(catalogue));
      const release = readCurrent(storeOf(catalogue.id), catalogue.id, warn);
      const search = byTier(catalogue, answering(release, catalogue.config, nameKey), assertApart);
      const found = release instanceof TributaryError ? null : release;
      return {
        ...catalogue,
        search,
        releaseId,
        substitute: guardedView(catalogue, found, search, refusedSlot(storeOf(catalogue.id))),
      };
    },
    addReader: readers.add,
    use: readers.use,
    watch: ({ catalogueId, disclosure, showsRecords = false }) => {
      // for a guarded catalogue, only indexes that others withhold are refused
      const own = disclosure === undefined ? null : catalogueId;
      if (!readers.withholds(own) && (own !== null || history.isEmpty())) return null;
      return (indices) => {
        const guarded =
          indices === undefined ||
          readers.isWithheld(indices, own) ||
          (own === null && !showsRecords && history.catalogueOf(indices) !== null);
        if (guarded)
          throw new TributaryError(
            'NOT_READY',
            `the index of catalogue ${catalogueId} has changed to a guarded one: its records are not shown`,
          );
      };
    },
    isCurrent: (catalogue) =>
      readers.isApart(catalogue.id) &&
      (catalogue.config.disclosure === undefined || catalogue.releaseId === currentId(catalogue)),
  };
};

/** The indexes of a catalogue, and the name by which it reads them, which stays when they are reloaded. */
const namesOf = ({ config: { esIndex }, indices = [] }: Catalogue): readonly string[] =>
  esIndex === null ? indices : [...new Set([...indices, esIndex])];

/** The id in place of a release that cannot be read. */
const unreadable = '';

/** The id in place of a withdrawn release. */
const withdrawn = 'withdrawn';

/** The slot whose release was withheld; null if none was, or if the ledger cannot be read. */
const refusedSlot = (store: ReleaseStore): string | null => {
  try {
    const attempt = store.lastAttempt();
    return attempt !== null && attempt.reasons.length > 0 ? attempt.date : null;
  } catch {
    return null;
  }
};

/** A release that cannot be read, or was withdrawn, counts. */
const hasRelease = (store: ReleaseStore): boolean => {
  try {
    return store.currentId() !== null || store.withdrawnId() !== null;
  } catch {
    return true;
  }
};

const openedAgain = (catalogueId: string, released: string): TributaryError =>
  new TributaryError(
    'unknown_error',
    `catalogue ${catalogueId} has no disclosure.json, but its records were released as catalogue ${released}: restore it, or, if everyone with access may see the records, write {"default": "records"} into it`,
  );

/** The current release, null before the first release, or why guarded callers get no answer. */
const readCurrent = (
  store: ReleaseStore,
  catalogueId: string,
  warn: (catalogueId: string, error: unknown) => void,
): Release | null | TributaryError => {
  try {
    if (store.withdrawnId() !== null) return releaseWithdrawn(catalogueId);
    const id = store.currentId();
    return id === null ? null : store.read(id);
  } catch (error) {
    warn(catalogueId, error);
    return new TributaryError('NOT_READY', `the release of catalogue ${catalogueId} cannot be read`, {
      cause: error,
    });
  }
};

/** The same error as if the callers' tier were `none`. */
const releaseWithdrawn = (catalogueId: string): TributaryError =>
  new TributaryError(
    'FORBIDDEN',
    `the release of catalogue ${catalogueId} was withdrawn: nothing is disclosed until the next one`,
  );

const answering = (
  release: Release | null | TributaryError,
  config: CatalogueConfig,
  nameKey: Uint8Array,
): GuardedSearch => {
  if (release instanceof TributaryError) return async () => Promise.reject(release);
  if (release === null)
    return async () => Promise.reject(notDisclosed('nothing has been released yet: records are'));
  const { lowerBoundsToOldClients } = config.disclosure!;
  const { catalogueId, fieldHierarchies } = config;
  return guardedSearch(release, { catalogueId, lowerBoundsToOldClients, nameKey, fieldHierarchies });
};

/** The search for every door: callers who may not see records are answered by the release alone. */
const byTier =
  (catalogue: Catalogue, guarded: GuardedSearch, assertApart: () => void): SearchFn =>
  async (query, context) => {
    assertApart();
    const tier = await tierOf(catalogue, context.caller);
    switch (tier) {
      case 'records':
        return catalogue.search(query, context);
      case 'counts':
      case 'boolean':
        return guarded(query, context, tier);
      case 'none':
        throw new TributaryError('FORBIDDEN', `nothing of catalogue ${catalogue.id} is open to this caller`);
    }
  };

/** The search of a catalogue that releases nothing. */
const recordsOnly =
  (catalogue: Catalogue, assertApart: () => void): SearchFn =>
  async (query, context) => {
    assertApart();
    await tierOf(catalogue, context.caller);
    return catalogue.search(query, context);
  };

/**
 * Which catalogues of a server read which indexes. The configuration contains only names, and an alias can refer to an
 * index that another catalogue withholds.
 */
interface IndexReaders {
  /** Adds a catalogue in use as currently described, replacing the one with its id. */
  readonly add: (catalogue: Catalogue) => void;
  /** Forgets all catalogues in use but these; what was withheld stays so. */
  readonly use: (catalogues: readonly Catalogue[]) => void;
  /** Whether no other catalogue in use reads an index of this one while either withholds its records. */
  readonly isApart: (catalogueId: string) => boolean;
  /** @throws TributaryError unknown_error naming both catalogues */
  readonly assertInUseApart: (catalogueId: string) => void;
  /** The check of `assertInUseApart` for a catalogue that is not in use yet. */
  readonly assertApart: (catalogue: Catalogue) => void;
  /** Whether there are indexes whose records some catalogue withholds, or withheld; other than this one, unless it is null. */
  readonly withholds: (but: string | null) => boolean;
  readonly isWithheld: (indices: readonly string[], but: string | null) => boolean;
}

/** The catalogues of one server, initially none. */
const openReaders = (): IndexReaders => {
  const inUse = new Map<string, Catalogue>();
  // which catalogue withheld an index: even if it now reads another index, opening that one takes a restart
  const withheld = new Map<string, string>();
  const sharing = (catalogue: Catalogue | undefined): string | undefined =>
    catalogue &&
    ([...inUse.values()].find((other) => other.id !== catalogue.id && isShared(catalogue, other))?.id ??
      formerReader(catalogue));
  const formerReader = ({ config, indices = [] }: Catalogue): string | undefined =>
    config.disclosure === undefined
      ? indices.map((index) => withheld.get(index)).find((id) => id !== undefined)
      : undefined;
  const assertApart = (catalogue: Catalogue | undefined): void => {
    const other = sharing(catalogue);
    if (other !== undefined)
      throw new TributaryError(
        'unknown_error',
        `disclosure.json: ${catalogue!.id} and ${other} serve the same index, perhaps under different names, which can have only one release; give each its own index`,
      );
  };
  const add = (catalogue: Catalogue): void => {
    inUse.set(catalogue.id, catalogue);
    if (catalogue.config.disclosure !== undefined)
      catalogue.indices?.forEach((index) => withheld.set(index, catalogue.id));
  };
  return {
    add,
    use: (catalogues) => {
      inUse.clear();
      catalogues.forEach(add);
    },
    isApart: (catalogueId) => sharing(inUse.get(catalogueId)) === undefined,
    assertInUseApart: (catalogueId) => assertApart(inUse.get(catalogueId)),
    assertApart,
    withholds: (but) => [...withheld.values()].some((id) => id !== but),
    isWithheld: (indices, but) => indices.some((index) => (withheld.get(index) ?? but) !== but),
  };
};

const isShared = (left: Catalogue, right: Catalogue): boolean =>
  [left, right].some(({ config }) => config.disclosure !== undefined) &&
  (left.indices ?? []).some((index) => right.indices?.includes(index));
