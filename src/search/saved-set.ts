import type { JsonObject } from '../lib/json/json.ts';
import type { Sqon } from '../sqon/ast.ts';
import type { SearchFn } from './query.ts';
import type { RequestContext } from './request-context.ts';

/** The maximum number of values in one set: as many as search engines accept in one condition by default. */
export const maxSetSize = 65_536;

/** A saved set: the distinct values of one path over all documents that matched a filter. */
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

/** Who owns a set, and with whom it is shared: subjects as JSON of issuer and subject, or `*`. */
export interface SetOwnership {
  /** null: the caller was not verified. */
  readonly owner: string | null;
  readonly sharedWith: readonly string[];
}

/**
 * The saved sets of this server. Verified callers have their own sets and those shared with them, all others the sets
 * without an owner. Of these, a set is available to callers with exactly the access filter under which it was saved,
 * and to those without one: its values reveal documents that others may not see.
 */
export interface SetStore {
  /**
   * @param access the part of the catalogue visible to the saver; null is everything
   * @throws TributaryError CONFLICT when the maximum number of sets is reached
   */
  readonly save: (
    set: SavedSet,
    scope: SetScope,
    access: Sqon | null,
    ownership: SetOwnership,
    context: RequestContext,
  ) => Promise<void>;
  /**
   * The values of each of some sets, from any catalogue.
   * @param catalogueId the catalogue to search, to which sets that do not name a catalogue belong
   * @throws TributaryError BAD_USER_INPUT naming a set that is not available to this caller
   */
  readonly valuesOf: (
    setIds: readonly string[],
    catalogueId: string,
    context: RequestContext,
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Searches the sets of one catalogue that are available to the caller. */
  readonly search: (scope: SetScope) => SearchFn;
}
