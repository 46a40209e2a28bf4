import type { GraphQLResolveInfo } from 'graphql';
import { Kind } from 'graphql';
import { graphqlSegment } from '../../../src/introspection/fields/field.ts';
import type { FacetMeasure, SearchFn } from '../../../src/search/query.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { contextOf } from '../node-fixtures.ts';
import { asItSends, engineError, itsError } from './filter-quirks.ts';
import { nestedAbove } from './type-definitions.ts';

export interface FacetArguments {
  readonly filters?: unknown;
  readonly include_missing?: boolean | null;
  readonly aggregations_filter_themselves?: boolean | null;
}

/** What its `aggregations` answer: null altogether when one facet cannot be. */
export const aggregationsOf = (
  args: FacetArguments,
  info: GraphQLResolveInfo,
  types: ReadonlyMap<string, string>,
  search: SearchFn,
) => {
  const { filters } = args;
  if (
    filters &&
    !Array.isArray((filters as { content?: unknown }).content) &&
    Object.keys(filters).length > 0
  )
    throw itsError('((intermediate value) || []).filter is not a function');
  const sqon = parseSqon(asItSends(filters, types));
  const requested = namesBelow(info);
  const facets = [...types.keys()].map(
    (path) => [path, path.split('.').map(graphqlSegment).join('__')] as const,
  );
  for (const [path, name] of facets)
    if (types.get(path) === 'text' && requested.includes(name)) throw textRefused(path);
  const measured = async (field: string, measure: FacetMeasure) => {
    const query = {
      filters: sqon,
      filterThemselves: args.aggregations_filter_themselves ?? false,
      includeMissing: args.include_missing ?? true,
      facets: [{ field, measure }],
      hits: null,
    };
    return (await search(query, contextOf())).facets[0]!;
  };
  return Object.fromEntries(
    facets.map(([path, name]) => [
      name,
      (_args: unknown, _context: unknown, below: GraphQLResolveInfo) =>
        facetOf(path, namesBelow(below), nestedAbove(path, types).length > 0, measured),
    ]),
  );
};

const textRefused = (path: string): Error =>
  engineError(
    'illegal_argument_exception',
    `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
  );

const facetOf = (
  path: string,
  beside: readonly string[],
  isNested: boolean,
  measured: (path: string, measure: FacetMeasure) => Promise<unknown>,
) => {
  const buckets = async (max: number | null) => {
    const terms = (await measured(path, { kind: 'terms', max })) as {
      readonly buckets: readonly {
        readonly key: string;
        readonly keyAsString?: string;
        readonly count: number;
      }[];
      readonly missing: number;
    };
    const listed = terms.buckets.map(({ key, keyAsString = null, count }) => ({
      key,
      key_as_string: keyAsString,
      doc_count: count,
    }));
    return terms.missing === 0
      ? listed
      : [...listed, { key: '__missing__', key_as_string: null, doc_count: terms.missing }];
  };
  const counted = async (measure: FacetMeasure) => {
    const { buckets: list } = (await measured(path, measure)) as {
      readonly buckets: readonly { readonly key: string; readonly count: number }[];
    };
    return { bucket_count: null, buckets: list.map(({ key, count }) => ({ key, doc_count: count })) };
  };
  return {
    bucket_count: async () => (await buckets(null)).length,
    buckets: ({ max = null }: { max?: number | null }) => buckets(max),
    // the counting of a nested field's values is lost when their list is queried too
    cardinality: async () =>
      isNested && beside.includes('buckets')
        ? null
        : ((await measured(path, { kind: 'cardinality' })) as { value: number }).value,
    stats: () => measured(path, { kind: 'stats' }),
    histogram: ({ interval }: { interval?: number | null }) =>
      counted({ kind: 'histogram', interval: interval || 1_000 }),
    range: ({ ranges }: { ranges: readonly { key: string; from?: number; to?: number }[] }) =>
      counted({ kind: 'range', ranges }),
  };
};

const namesBelow = ({ fieldNodes }: GraphQLResolveInfo): readonly string[] =>
  fieldNodes.flatMap(({ selectionSet }) =>
    (selectionSet?.selections ?? []).flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : [])),
  );
