import type { CursorValue, HitsQuery, HitsResult, SortKey } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { isIntegerType, kindOf } from '../../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { compareValues, satisfies, type Judged } from './judge.ts';
import { keepPaths } from './source.ts';
import { propertyAt, valuesIn, type Value } from './values.ts';

/** A document with its insertion number. */
export interface Numbered extends Judged {
  readonly number: number;
}

type SortValue = Value | null;

/** One page of hits. Every document's sort values are worked out, then all are sorted and cut. */
export const hitsOf = (
  properties: JsonObject,
  documents: readonly Numbered[],
  query: HitsQuery,
): HitsResult => {
  const matching = documents.filter((document) => satisfies(properties, query.filter, document));
  const rows = matching.map((document) => ({
    document,
    values: query.sort.map((key) => sortValue(properties, document, key)),
  }));
  const compare = (left: readonly SortValue[], right: readonly SortValue[]): number =>
    query.sort.map((key, i) => compareBy(key, left[i]!, right[i]!)).find((order) => order !== 0) ?? 0;
  rows.sort((a, b) => compare(a.values, b.values) || a.document.number - b.document.number);
  const after = query.searchAfter && query.searchAfter.length > 0 ? query.searchAfter : null;
  const keys = query.sort.length;
  const [, places = '', tie = after?.[keys]] = /^values:(.*);(.*)$/.exec(String(after?.[keys])) ?? [];
  if (after !== null && (after.length < keys || after.length > keys + 1)) {
    throw new TributaryError('BAD_USER_INPUT', 'cursor of the wrong length');
  }
  const reported = places.split(',');
  const start = after
    ?.slice(0, keys)
    .map((value, i) => fromCursor(properties, query.sort[i]!, value, reported.includes(String(i))));
  const remaining = rows.filter(({ values, document }) => {
    if (after === null || start === undefined) return true;
    const order = compare(values, start);
    if (order !== 0) return order > 0;
    return after.length > keys && document.number > Number(tie);
  });
  return {
    total: query.trackTotal ? matching.length : null,
    hits: remaining.slice(query.offset, query.offset + query.size).map(({ document, values }) => ({
      id: document.id,
      source: keepPaths(document.object, query.source),
      cursor: cursorOf(properties, query.sort, values, document.number),
    })),
  };
};

const typeOf = (properties: JsonObject, key: SortKey): string =>
  String((propertyAt(properties, key.field.path) ?? { type: key.field.type })['type']);

const isWhole = (properties: JsonObject, key: SortKey): boolean => {
  const type = typeOf(properties, key);
  return isIntegerType(type) || kindOf(type) === 'date';
};

/** Sums and means of floats are floats. */
const isSingle = (properties: JsonObject, key: SortKey): boolean =>
  ['float', 'half_float'].includes(typeOf(properties, key));

const sortValue = (properties: JsonObject, document: Judged, key: SortKey): SortValue => {
  const kind = kindOf(typeOf(properties, key));
  const { path } = key.field;
  if (kind === 'text') throw new TributaryError('BAD_USER_INPUT', 'text cannot be sorted by');
  const numeric = kind === 'number' || kind === 'date';
  if (!numeric && ['avg', 'sum', 'median'].includes(key.mode)) {
    throw new TributaryError('BAD_USER_INPUT', 'mode needs numbers');
  }
  const values = path === '_id' ? [document.id] : valuesIn(properties, document.object, '', path);
  if (values.length === 0) return null;
  const sorted = [...values].sort(compareValues);
  if (key.mode === 'min') return sorted[0]!;
  if (key.mode === 'max') return sorted.at(-1)!;
  const numbers = sorted.map(Number);
  const sum = values.map(Number).reduce((total, value) => total + value, 0);
  const rounded = isSingle(properties, key) ? Math.fround : (value: number): number => value;
  if (key.mode === 'sum') return rounded(sum);
  const half = numbers.length / 2;
  const middle =
    numbers.length % 2 === 1 ? numbers[Math.floor(half)]! : (numbers[half - 1]! + numbers[half]!) / 2;
  const mean = key.mode === 'avg' ? sum / numbers.length : middle;
  return isWhole(properties, key) ? Math.round(mean) : rounded(mean);
};

const compareBy = (key: SortKey, left: SortValue, right: SortValue): number => {
  if (left === null || right === null) {
    if (left === right) return 0;
    return (left === null) === (key.missing === 'first') ? -1 : 1;
  }
  return key.order === 'asc' ? compareValues(left, right) : compareValues(right, left);
};

/** Values that could be taken for missing are told to be values. */
const cursorOf = (
  properties: JsonObject,
  sort: readonly SortKey[],
  values: readonly SortValue[],
  number: number,
): readonly CursorValue[] => {
  const reported = values.flatMap((value, i) =>
    value !== null && marks(properties, sort[i]!).includes(toCursor(value) as string) ? [i] : [],
  );
  return [
    ...values.map((value, i) => (value === null ? markOf(properties, sort[i]!) : toCursor(value))),
    reported.length > 0 ? `values:${reported.join(',')};${number}` : number,
  ];
};

/** How a missing value prints: low, high, and one more that is read as missing. */
const marks = (properties: JsonObject, key: SortKey): readonly string[] => {
  const kind = kindOf(typeOf(properties, key));
  if (kind !== 'number' && kind !== 'date') return [];
  if (!isWhole(properties, key)) return ['-Infinity', 'Infinity'];
  const ends = [String(-(2n ** 63n)), String(2n ** 63n - 1n)];
  return typeOf(properties, key) === 'unsigned_long' ? [...ends, String(2n ** 64n - 1n)] : ends;
};

const markOf = (properties: JsonObject, key: SortKey): CursorValue =>
  marks(properties, key)[(key.missing === 'last') === (key.order === 'asc') ? 1 : 0] ?? null;

const toCursor = (value: SortValue): CursorValue =>
  typeof value === 'bigint' || Math.abs(Number(value)) === Infinity ? String(value) : value;

const fromCursor = (
  properties: JsonObject,
  key: SortKey,
  value: CursorValue,
  isValue: boolean,
): SortValue => {
  const kind = kindOf(typeOf(properties, key));
  if (kind !== 'number' && kind !== 'date') return value;
  if (value === null || (!isValue && marks(properties, key).includes(String(value)))) return null;
  if (Number.isNaN(Number(value))) throw new TributaryError('BAD_USER_INPUT', 'cursor is not a number');
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : Number(value);
};
