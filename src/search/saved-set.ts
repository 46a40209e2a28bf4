import type { JsonObject } from '../json.ts';
import type { Sqon } from '../sqon/ast.ts';
import type { Caller, SearchFn } from './query.ts';

/** The most values one set may hold: as many as the search engines accept in one condition by default. */
export const maxSetSize = 65_536;

/** A saved set: the distinct values of one path over all documents that a filter matched. */
export interface SavedSet {
  readonly setId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly ids: readonly string[];
  /** The document type of the catalogue that the values come from. */
  readonly type: string;
  /** The path as the client wrote it. */
  readonly path: string;
  readonly sqon: JsonObject | null;
  readonly userId: string | null;
  readonly size: number;
}

/** The catalogue that sets are saved in and read through. */
export interface SetScope {
  readonly catalogueId: string;
  readonly documentType: string;
}

/**
 * The saved sets of this server. A set is there for callers with the very access filter under which it was saved, and
 * for those without one: its values tell of documents that others may not see.
 */
export interface SetStore {
  /**
   * @param access what the saver may see of the catalogue; null is everything
   * @throws TributaryError CONFLICT there are as many sets as are kept
   */
  readonly save: (set: SavedSet, scope: SetScope, access: Sqon | null, caller: Caller) => Promise<void>;
  /**
   * The values of each of some sets, whichever catalogue they were saved in.
   * @param catalogueId the catalogue to search, which sets count to that do not say theirs
   * @throws TributaryError BAD_USER_INPUT naming a set that is not there for this caller
   */
  readonly valuesOf: (
    setIds: readonly string[],
    catalogueId: string,
    caller: Caller,
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Searches the sets of one catalogue that are there for the caller. */
  readonly search: (scope: SetScope) => SearchFn;
}
