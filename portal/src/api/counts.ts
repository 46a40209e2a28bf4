import { queryOptions } from '@tanstack/react-query';
import type { Catalogue } from './catalogue.ts';
import type { Filter } from './filter.ts';
import { querySoon } from './soon.ts';
import { into } from './queries.ts';
import { upperOf } from './read-answer.ts';
import { query } from './server.ts';

/** Bounds of the number of matching records; Infinity: not known, for example if an institution is missing. */
export interface Counted {
  readonly count: number;
  readonly upper: number;
}

/** The number of aliases that every server accepts in a document. */
const atOnce = 12;

/**
 * How many records match each of many filters, in as few requests as the alias limit allows.
 * @param nodes the institutions to query; null: all
 */
export const countsQuery = (
  catalogue: Catalogue,
  filters: readonly Filter[],
  nodes: readonly string[] | null = null,
) =>
  queryOptions({
    queryKey: ['counts', catalogue.source.id, filters, nodes],
    queryFn: (context) => askCounts(catalogue, filters, nodes, context.signal, into(context)),
    enabled: filters.length > 0,
  });

/** In the order of the filters; null: no institution answered, or the count is not disclosed. */
type Counts = readonly (Counted | null)[];

/** @param soon called with the counts known so far @throws ApiError */
const askCounts = async (
  catalogue: Catalogue,
  filters: readonly Filter[],
  nodes: readonly string[] | null,
  signal: AbortSignal,
  soon: (counts: Counts) => void,
): Promise<Counts> => {
  const groups = Array.from({ length: Math.ceil(filters.length / atOnce) }, (_, at) =>
    filters.slice(at * atOnce, (at + 1) * atOnce),
  );
  const parts = groups.map((group): Counts => group.map(() => null));
  const keep = (at: number, now: Counts): void => {
    parts[at] = now;
    soon(parts.flat());
  };
  const ask = async (group: readonly Filter[], at: number): Promise<void> =>
    keep(at, await askGroup(catalogue, group, nodes, signal, (now) => keep(at, now)));
  await Promise.all(groups.map(ask));
  return parts.flat();
};

interface Total {
  readonly total: number | null;
  readonly upper_bound: number | null;
  readonly partial?: boolean | null;
}

type Answer = Readonly<Record<string, (Total & { readonly hits?: Total }) | null>>;

const askGroup = async (
  { source }: Catalogue,
  filters: readonly Filter[],
  nodes: readonly string[] | null,
  signal: AbortSignal,
  soon: (counts: Counts) => void,
): Promise<Counts> => {
  const isNetwork = source.kind === 'network';
  const rootOf = (at: number, waitFor: string | null): string =>
    isNetwork
      ? `a${at}: network(nodesFilter: $nodes, filters: $f${at}${waitFor === null ? '' : `, waitFor: ${waitFor}`}) { total upper_bound partial }`
      : `a${at}: ${source.documentType} { hits(first: 0, filters: $f${at}) { total upper_bound } }`;
  const names = filters.map((_, at) => `$f${at}: JSON`).join(' ');
  const variables = Object.fromEntries(filters.map((filter, at) => [`f${at}`, filter]));
  const documentOf = (waitFor: string | null): string =>
    `query Portal(${isNetwork ? '$nodes: [String] ' : ''}${names}) { ${filters.map((_, at) => rootOf(at, waitFor)).join(' ')} }`;
  const read = (data: Answer): Counts =>
    filters.map((_, at) => {
      const root = data[`a${at}`];
      const { total = null, upper_bound: upper = null, partial } = root?.hits ?? root ?? {};
      if (total === null) return null;
      return { count: total, upper: partial === true ? Infinity : upperOf(upper, total) };
    });
  const grown = (now: Answer): void => soon(read(now));
  return read(
    isNetwork
      ? await querySoon<Answer>(source.path, documentOf, { nodes, ...variables }, grown, signal)
      : await query<Answer>(source.path, documentOf(null), variables, signal),
  );
};
