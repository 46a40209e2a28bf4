import type { TermsBucket, TermsResult } from '../../measure.ts';
import { booleanLabel, isWhole, numberKey } from '../../semantics/bucket-key.ts';
import { keyContains, utf8Order } from '../../../lib/text/text-comparison.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import { chunkBits, chunkMask } from '../columns/chunked.ts';
import { countCodes, countOwners } from './count-codes.ts';
import type { FacetScope } from './facet-scope.ts';
import type { KeywordColumn } from '../columns/keyword-column.ts';
import { numbersOf, type NumberColumn } from '../columns/number-column.ts';
import type { Column } from '../columns/nested-level.ts';
import { topK } from './top-ranks.ts';

/** Counts of a column's values over a scope; buckets are identified by codes whose meaning is up to the column. */
export interface TermCounts {
  /** The codes that occur, unordered. */
  readonly codes: readonly number[];
  readonly missing: number;
  count(code: number): number;
  key(code: number): string;
  /** Compares two codes by their keys. */
  compare(left: number, right: number): number;
  /** The codes of one object. */
  codesOf(ordinal: number): readonly number[];
}

/** Counts documents for each value of the column. */
export const countTerms = (column: Column, scope: FacetScope, checkpoint: Checkpoint): TermCounts => {
  if (column.data.kind === 'keyword') return countKeywords(column, column.data, scope, checkpoint);
  return countNumbers(column.data, isWhole(column.type), scope, checkpoint);
};

/** The counted values whose key contains a folded text; missing values never match. */
export const matchingTerms = (counts: TermCounts, matching: string, checkpoint: Checkpoint): TermCounts => {
  const contains = keyContains(matching);
  const codes = counts.codes.filter((code, index) => {
    if ((index & pieceMask) === 0) checkpoint();
    return contains(counts.key(code));
  });
  return { ...counts, codes, missing: 0 };
};

/** The codes of the buckets in order, at most `size`. */
export const orderedCodes = (
  counts: TermCounts,
  size: number | null,
  checkpoint: Checkpoint,
): readonly number[] => {
  const compare = (left: number, right: number): number =>
    counts.count(right) - counts.count(left) || counts.compare(left, right);
  return topK(counts.codes, size ?? counts.codes.length, compare, checkpoint);
};

/** A terms result from counts; `extras` adds the parts of a bucket besides its count. */
export const termsResult = (
  column: Column,
  counts: TermCounts,
  ordered: readonly number[],
  checkpoint: Checkpoint,
  extras: (code: number) => Partial<TermsBucket>,
): TermsResult => ({
  kind: 'terms',
  buckets: ordered.map((code, index) => {
    if ((index & pieceMask) === 0) checkpoint();
    const key = counts.key(code);
    const keyAsString = column.fieldKind === 'boolean' ? { keyAsString: booleanLabel(key) } : {};
    return { key, ...keyAsString, count: counts.count(code), ...extras(code) };
  }),
  distinct: counts.codes.length,
  missing: counts.missing,
});

const countKeywords = (
  { form }: Column,
  data: KeywordColumn,
  scope: FacetScope,
  checkpoint: Checkpoint,
): TermCounts => {
  const { ids, owners } = scope;
  const { table } = data;
  const key = (code: number): string => form?.shown(table.value(code)) ?? table.value(code);
  const counts =
    owners === null ? countCodes(data, ids, checkpoint) : countOwners(data, ids, owners, checkpoint);
  const codes: number[] = [];
  for (let code = 1; code < counts.length; code++) if (counts[code] !== 0) codes.push(code);
  return {
    codes,
    missing: counts[0]!,
    count: (code) => counts[code]!,
    key,
    // ties stand in the order of the keys as shown, on every engine
    compare: (left, right) =>
      form?.isKeyed === true ? utf8Order(key(left), key(right)) : table.compare(left, right),
    codesOf: (ordinal) => data.codesOf(ordinal),
  };
};

/** Numbers have no dictionary: codes are assigned in order of first occurrence. */
const countNumbers = (
  data: NumberColumn,
  whole: boolean,
  scope: FacetScope,
  checkpoint: Checkpoint,
): TermCounts => {
  const codes = new Map<number | bigint, number>();
  const numbers: (number | bigint)[] = [];
  const counts: number[] = [];
  const last: number[] = [];
  let missing = 0;
  let lastMissing = -1;
  const codeOf = (number: number | bigint): number => {
    // where a chunk has exact values, all of its values are bigints
    const value = Number.isSafeInteger(Number(number)) ? Number(number) : number;
    const known = codes.get(value);
    if (known !== undefined) return known;
    codes.set(value, counts.push(0) - 1);
    last.push(-1);
    return numbers.push(value) - 1;
  };
  const add = (value: number | bigint, owner: number): void => {
    const code = codeOf(value);
    if (last[code] !== owner) counts[code]!++;
    last[code] = owner;
  };
  const { ids, owners } = scope;
  for (let i = 0; i < ids.length; i++) {
    if ((i & pieceMask) === 0) checkpoint();
    const owner = owners === null ? ids[i]! : owners[i]!;
    if (addNumbers(data, ids[i]!, owner, add) || lastMissing === owner) continue;
    missing++;
    lastMissing = owner;
  }
  const keys: (string | undefined)[] = [];
  const key = (code: number): string => (keys[code] ??= numberKey(numbers[code]!, whole));
  return {
    codes: counts.map((_, code) => code),
    missing,
    count: (code) => counts[code]!,
    key,
    compare: (left, right) => (key(left) < key(right) ? -1 : 1),
    codesOf: (ordinal) => countedNumbers(data, ordinal).map(codeOf),
  };
};

/** Calls `add` with each of an object's numbers; returns whether there are any. */
const addNumbers = (
  data: NumberColumn,
  id: number,
  owner: number,
  add: (value: number | bigint, owner: number) => void,
): boolean => {
  const chunk = data.chunks[id >>> chunkBits]!;
  if (chunk.offsets === null && (data.isNanos || !data.exact[id >>> chunkBits])) {
    const value = chunk.values[id & chunkMask]!;
    if (Number.isNaN(value)) return false;
    add(value, owner);
    return true;
  }
  const values = countedNumbers(data, id);
  for (const value of values) add(value, owner);
  return values.length > 0;
};

/** An object's numbers as bucket keys: nanoseconds as milliseconds. */
const countedNumbers = (data: NumberColumn, id: number): readonly (number | bigint)[] => {
  const exact = numbersOf(data, id);
  return data.isNanos ? exact.map((value) => data.asNumber(value)) : exact;
};
