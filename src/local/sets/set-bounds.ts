import { TributaryError } from '../../errors/errors.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { MISSING, leaf } from '../../sqon/ast.ts';
import type { SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';

/** The limits of one index of sets. */
export interface SetBounds {
  /** Per userId; sets without one count together as one user's. */
  readonly perUser: SetAmount;
  readonly all: SetAmount;
}

export interface SetAmount {
  readonly sets: number;
  /** Size of the sets as JSON. */
  readonly bytes: number;
}

/** The variables that configure the bounds, used in messages. */
const names = {
  perUser: { sets: 'MAX_SETS_PER_USER', bytes: 'MAX_SET_BYTES_PER_USER' },
  all: { sets: 'MAX_SETS', bytes: 'MAX_SET_BYTES' },
} as const;

/**
 * Checks that one more set fits.
 * @param search searches all sets of the index
 * @throws TributaryError CONFLICT naming the bound it would exceed; whatever the search throws
 */
export const rejectBeyond = async (
  bounds: SetBounds,
  set: { readonly userId: string | null; readonly bytes: number },
  search: SearchFn,
  context: RequestContext,
): Promise<void> => {
  const whose = set.userId === null ? 'without a userId' : `of userId ${JSON.stringify(set.userId)}`;
  const own = leaf('in', 'userId', [set.userId ?? MISSING]);
  const exact = set.userId === null ? own : { ...own, exactFrom: 0 };
  rejectOver('perUser', bounds.perUser, set.bytes, await amountOf(exact, search, context), `sets ${whose}`);
  rejectOver(
    'all',
    bounds.all,
    set.bytes,
    await amountOf(null, search, context),
    'saved sets of this server',
  );
};

const amountOf = async (
  filters: Sqon | null,
  search: SearchFn,
  context: RequestContext,
): Promise<SetAmount> => {
  const { total, facets } = await search(
    {
      filters,
      filterThemselves: true,
      includeMissing: false,
      facets: [{ field: 'bytes', measure: { kind: 'stats' } }],
      hits: { first: 0, offset: 0, sort: [], searchAfter: null, trackTotal: true, fields: [] },
    },
    // counts all sets, without the caller's access filter and allowance
    context.unrestricted(),
  );
  const [stats] = facets;
  return { sets: total ?? 0, bytes: stats?.kind === 'stats' ? (stats.sum ?? 0) : 0 };
};

const rejectOver = (
  whose: keyof typeof names,
  most: SetAmount,
  addedBytes: number,
  held: SetAmount,
  which: string,
): void => {
  const refused = (unit: keyof SetAmount, wanted: string): TributaryError =>
    new TributaryError(
      'CONFLICT',
      `the ${which} would be ${wanted}; the maximum is ${most[unit]} (${names[whose][unit]}): delete older ones first`,
      { details: { bound: names[whose][unit], accepted: most[unit], held: held[unit] } },
    );
  if (held.sets + 1 > most.sets) throw refused('sets', `${held.sets + 1}`);
  if (held.bytes + addedBytes > most.bytes) throw refused('bytes', `${held.bytes + addedBytes} bytes`);
};
