import { queryOptions } from '@tanstack/react-query';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import type { NodeCount } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Field } from './fields.ts';
import type { Filter } from './filter.ts';
import { querySoon } from './soon.ts';
import { growing } from './queries.ts';
import type { Growing } from './questions.ts';
import { upperOf, type WireFacet } from './read-answer.ts';
import { query } from './server.ts';

/** Bounds of the number of matching records; Infinity: not known, for example if an institution is missing. */
export interface Counted {
  readonly count: number;
  readonly upper: number;
  /** The part of each institution, if it was requested. */
  readonly nodes?: readonly NodeCount[];
}

/** What is counted of the records that match, with the part of each institution. */
export interface CountedBy {
  /** A number or date whose values are counted; null: the records themselves. */
  readonly counter: Field | null;
}

/** The number of aliases that every server accepts in a document. */
const atOnce = 12;

/**
 * How many records match each of many filters, in as few requests as the alias limit allows.
 * @param nodes the institutions to query; null: all
 * @param by unset: only records are counted
 */
export const countsQuery = (
  catalogue: Catalogue,
  filters: readonly Filter[],
  nodes: readonly string[] | null = null,
  by?: CountedBy,
) =>
  queryOptions({
    queryKey: ['counts', catalogue.source.id, filters, nodes, by?.counter?.path],
    queryFn: (context) => askCounts(catalogue, filters, { nodes, by, ...growing(context) }),
    enabled: filters.length > 0,
  });

interface How extends Growing<Counts> {
  readonly nodes: readonly string[] | null;
  readonly by: CountedBy | undefined;
}

/** In the order of the filters; null: no institution answered, or the count is not disclosed. */
type Counts = readonly (Counted | null)[];

/** @throws ApiError */
const askCounts = async (catalogue: Catalogue, filters: readonly Filter[], how: How): Promise<Counts> => {
  const groups = Array.from({ length: Math.ceil(filters.length / atOnce) }, (_, at) =>
    filters.slice(at * atOnce, (at + 1) * atOnce),
  );
  const parts = groups.map((group): Counts => group.map(() => null));
  const keep = (at: number, now: Counts): void => {
    parts[at] = now;
    how.soon?.(parts.flat());
  };
  const ask = async (group: readonly Filter[], at: number): Promise<void> =>
    keep(at, await askGroup(catalogue, group, { ...how, soon: (now) => keep(at, now) }));
  await Promise.all(groups.map(ask));
  return parts.flat();
};

interface Total {
  readonly total: number | null;
  readonly upper_bound: number | null;
  readonly partial?: boolean | null;
  readonly nodes?: readonly { readonly nodeId: string; readonly hits: number | null }[] | null;
  readonly aggregations?: Readonly<Record<string, WireFacet | null>> | null;
}

type Root = Total & { readonly hits?: Total };
type Answer = Readonly<Record<string, Root | null>>;

const askGroup = async (
  { source }: Catalogue,
  filters: readonly Filter[],
  { nodes, by, signal, soon }: How,
): Promise<Counts> => {
  const isNetwork = source.kind === 'network';
  const { ofNetwork, ofCatalogue } = selectionOf(by);
  const itself = by?.counter ? ', aggregations_filter_themselves: true' : '';
  const rootOf = (at: number, waitFor: string | null): string =>
    isNetwork
      ? `a${at}: network(nodesFilter: $nodes, filters: $f${at}${itself}${waitFor === null ? '' : `, waitFor: ${waitFor}`}) { total upper_bound partial ${ofNetwork} }`
      : `a${at}: ${source.documentType} { hits(first: 0, filters: $f${at}) { total upper_bound } ${ofCatalogue(`filters: $f${at}${itself}`)} }`;
  const names = filters.map((_, at) => `$f${at}: JSON`).join(' ');
  const variables = Object.fromEntries(filters.map((filter, at) => [`f${at}`, filter]));
  const documentOf = (waitFor: string | null): string =>
    `query Portal(${isNetwork ? '$nodes: [String] ' : ''}${names}) { ${filters.map((_, at) => rootOf(at, waitFor)).join(' ')} }`;
  const read = (data: Answer): Counts => filters.map((_, at) => readCount(data[`a${at}`] ?? null, by));
  const grown = (now: Answer): void => soon?.(read(now));
  return read(
    isNetwork
      ? await querySoon<Answer>(source.path, documentOf, { nodes, ...variables }, grown, signal)
      : await query<Answer>(source.path, documentOf(null), variables, signal),
  );
};

/** One interval of this width contains all numbers; a document or object counts once in it, whatever values it has. */
const whole = 1e15;

const selectionOf = (by: CountedBy | undefined) => {
  if (by === undefined) return { ofNetwork: '', ofCatalogue: () => '' };
  if (by.counter === null) return { ofNetwork: 'nodes { nodeId hits state took }', ofCatalogue: () => '' };
  const histogram =
    by.counter.kind === 'dates' ? 'date_histogram(interval: "year")' : `histogram(interval: ${whole})`;
  const facet = (counts: string): string =>
    `${aggregationName(by.counter!.path)} { ${histogram} { buckets { key doc_count upper_bound ${counts} } } }`;
  return {
    ofNetwork: `aggregations { ${facet('nodes { nodeId doc_count }')} }`,
    ofCatalogue: (filtered: string) => `aggregations(${filtered}) { ${facet('')} }`,
  };
};

const readCount = (root: Root | null, by: CountedBy | undefined): Counted | null => {
  const { total = null, upper_bound: upper = null } = root?.hits ?? root ?? {};
  const mostOf = (most: number): number => (root?.partial === true ? Infinity : most);
  if (root === null || total === null) return null;
  if (!by?.counter) {
    const nodes = root.nodes?.map(({ nodeId, hits }) => ({ nodeId, count: hits ?? 0 }));
    return { count: total, upper: mostOf(upperOf(upper, total)), ...(nodes && { nodes }) };
  }
  const facet = root.aggregations?.[aggregationName(by.counter.path)];
  const buckets = (facet?.histogram ?? facet?.date_histogram)?.buckets;
  if (buckets === undefined) return null;
  const parts = new Map<string, number>();
  for (const { nodeId, doc_count: count } of buckets.flatMap(({ nodes = [] }) => nodes))
    parts.set(nodeId, (parts.get(nodeId) ?? 0) + count);
  const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
  return {
    count: sum(buckets.map(({ doc_count: count }) => count)),
    upper: mostOf(sum(buckets.map((bucket) => upperOf(bucket.upper_bound, bucket.doc_count)))),
    ...(parts.size > 0 && { nodes: [...parts].map(([nodeId, count]) => ({ nodeId, count })) }),
  };
};
