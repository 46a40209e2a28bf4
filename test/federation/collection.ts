import type { CursorValue } from '../../src/engines/engine.ts';
import type { FacetResult } from '../../src/engines/measure.ts';
import { histogramTooFine, maxHistogramBuckets } from '../../src/engines/semantics/bucket-key.ts';
import type { Field, Fields } from '../../src/introspection/fields/field.ts';
import { kindOf } from '../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { CatalogueHit, FacetMeasure, SearchFn, SortRequest } from '../../src/search/query.ts';
import { keyContains, utf8Order } from '../../src/lib/text/text-comparison.ts';
import { logCounts } from '../engines/naive/log-counts.ts';
import type { Sqon, SqonLeaf } from '../../src/sqon/ast.ts';
import { MISSING } from '../../src/sqon/ast.ts';

/** A flat record: its id and one value, or none, for each field. */
export type Row = JsonObject & { readonly id: string };

/** Fields from path -> type; `nested` paths enclose what is below them. */
export const fieldsOf = (types: Readonly<Record<string, string>>): Fields => {
  const nestedPaths = Object.keys(types).filter((path) => types[path] === 'nested');
  return new Map(
    Object.entries(types).map(([path, type]): [string, Field] => {
      const nestedIn = nestedPaths.filter((outer) => path.startsWith(`${outer}.`));
      return [
        path,
        { path, type, kind: kindOf(type), nestedIn, isArray: false, indexField: { path, type, nestedIn } },
      ];
    }),
  );
};

/** A naive SearchFn over flat records, the measure of what merging must give. */
export const searchOf =
  (rows: readonly Row[], seen: (query: Parameters<SearchFn>[0]) => void = () => undefined): SearchFn =>
  async (query) => {
    seen(query);
    const found = rows.filter((row) => query.filters === null || matches(row, query.filters));
    const { hits } = query;
    const sorted = [...found].sort((a, b) =>
      compareCursors(cursorOf(a, hits?.sort ?? []), cursorOf(b, hits?.sort ?? []), hits?.sort ?? []),
    );
    const after = hits?.searchAfter ?? null;
    const rest = after
      ? sorted.filter((row) => compareCursors(cursorOf(row, hits!.sort), after, hits!.sort) > 0)
      : sorted;
    return {
      total: hits?.trackTotal ? found.length : null,
      hits: hits ? rest.slice(hits.offset, hits.offset + hits.first).map((row) => hitOf(row, hits.sort)) : [],
      facets: query.facets.map(({ field, measure }) => facetOf(found, field, measure, query.includeMissing)),
      warnings: [],
    };
  };

const matches = (row: Row, sqon: Sqon): boolean => {
  if (sqon.kind === 'leaf') return matchesLeaf(row, sqon);
  if (sqon.kind === 'multi') throw new Error('not needed here');
  if (sqon.kind === 'constant') return sqon.value;
  const content = sqon.content.map((one) => matches(row, one));
  if (sqon.op === 'and') return content.every(Boolean);
  return sqon.op === 'or' ? content.some(Boolean) : !content.some(Boolean);
};

const matchesLeaf = (row: Row, { op, fieldName, values }: SqonLeaf): boolean => {
  const value = fieldName === '_id' ? row.id : row[fieldName];
  const isOne = values.some((one) => (one === MISSING ? value == null : one === value));
  if (op === 'in') return isOne;
  if (op === 'not-in') return !isOne;
  throw new Error('not needed here');
};

const facetOf = (
  rows: readonly Row[],
  field: string,
  measure: FacetMeasure,
  includeMissing: boolean,
): FacetResult => {
  const values = rows.flatMap((row) => row[field] ?? []);
  const numbers = values as number[];
  switch (measure.kind) {
    case 'terms': {
      const counts = new Map<string, number>();
      for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
      const contains = keyContains(measure.matching ?? '');
      const buckets = [...counts].flatMap(([key, count]) => (contains(key) ? [{ key, count }] : []));
      buckets.sort((a, b) => b.count - a.count || utf8Order(a.key, b.key));
      const missing = includeMissing ? rows.length - values.length : 0;
      return {
        kind: 'terms',
        buckets: buckets.slice(0, measure.max ?? Infinity),
        distinct: buckets.length,
        missing: measure.matching === undefined ? missing : 0,
      };
    }
    case 'stats': {
      if (numbers.length === 0)
        return { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null };
      const sum = numbers.reduce((total, one) => total + one, 0);
      const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
      return { kind: 'stats', count: numbers.length, min, max, sum, avg: sum / numbers.length };
    }
    case 'percentiles':
      return logCounts(numbers.map((one) => [one]));
    case 'histogram': {
      const positions = numbers.map((one) => Math.floor(one / measure.interval));
      const first = Math.min(...positions);
      const length = positions.length === 0 ? 0 : Math.max(...positions) - first + 1;
      if (length > maxHistogramBuckets)
        throw histogramTooFine(field, 'long', Math.max(...numbers) - Math.min(...numbers));
      const counts = Map.groupBy(positions, (one) => one);
      const buckets = Array.from({ length }, (_, index) => first + index);
      return {
        kind: 'histogram',
        buckets: buckets.map((one) => ({
          key: String(one * measure.interval),
          count: counts.get(one)?.length ?? 0,
        })),
      };
    }
    case 'survival':
    case 'date_histogram':
      throw new Error('not needed here');
    case 'range':
      return {
        kind: 'range',
        buckets: measure.ranges.map(({ key, from = -Infinity, to = Infinity }) => ({
          key,
          count: numbers.filter((one) => one >= Number(from) && one < Number(to)).length,
        })),
      };
    case 'cardinality':
      return { kind: 'cardinality', value: new Set(values).size, exact: true };
    case 'groups':
      return {
        kind: 'groups',
        buckets: measure.sets.map(({ key, values: members = [] }) => ({
          key,
          count: values.filter((one) => members.includes(String(one))).length,
        })),
      };
  }
};

const hitOf = (row: Row, sort: readonly SortRequest[]): CatalogueHit => ({
  id: row.id,
  source: row,
  cursor: cursorOf(row, sort),
});

const cursorOf = (row: Row, sort: readonly SortRequest[]): readonly CursorValue[] => [
  ...sort.map(({ fieldName }) => (fieldName === '_id' ? row.id : ((row[fieldName] ?? null) as CursorValue))),
  row.id,
];

const compareCursors = (
  a: readonly CursorValue[],
  b: readonly CursorValue[],
  sort: readonly SortRequest[],
): number => {
  for (const [index, key] of sort.entries()) {
    const missing = key.missing ?? (key.order === 'asc' ? 'first' : 'last');
    const [x, y] = [a[index] ?? null, b[index] ?? null];
    if (x === y) continue;
    if (x === null || y === null) return (x === null) === (missing === 'first') ? -1 : 1;
    const order = typeof x === 'string' ? utf8Order(x, y as string) : Number(x) - Number(y);
    if (order !== 0) return key.order === 'asc' ? order : -order;
  }
  return utf8Order(String(a.at(-1)), String(b.at(-1)));
};
