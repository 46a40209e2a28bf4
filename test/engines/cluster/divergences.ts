/** Where a real server answers otherwise than the other engines, and why that stays so. */
interface Divergence {
  /** The beginning of the servers' names. */
  readonly servers: string;
  readonly collection: string;
  readonly check: string;
  /** Only where the index has at least so many shards. */
  readonly shards?: number;
  readonly reason: string;
}

const known: readonly Divergence[] = [
  {
    servers: '',
    collection: 'flat fields',
    check: 'a pattern on the key',
    reason: 'these servers find documents by their whole key only',
  },
  {
    servers: '',
    collection: 'writing',
    check: 'types without values',
    reason: 'these servers index geo points, which catalogues leave out',
  },
  {
    servers: '',
    collection: 'sorting and pages',
    check: 'sources by path, through lists',
    reason: 'these servers leave objects out of a list when they have none of the paths asked',
  },
  {
    servers: '',
    collection: 'facets',
    check: 'top hits and filters of buckets',
    shards: 2,
    reason: 'which of its documents a bucket shows is open; over several shards these servers take any',
  },
  {
    servers: 'elasticsearch',
    collection: 'sorting and pages',
    check: 'after a missing date, within the ties',
    reason: 'its tie-break counts writes from 0: a cursor of another engine does not fit',
  },
];

/** Why a check is left out for a server, undefined when it is not. */
export const divergences = (
  server: string,
  collection: string,
  check: string,
  shards: number,
): string | undefined =>
  known.find(
    (one) =>
      server.startsWith(one.servers) &&
      one.collection === collection &&
      one.check === check &&
      shards >= (one.shards ?? 1),
  )?.reason;
