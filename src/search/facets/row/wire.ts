import { z } from 'zod';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { countBetween, type Count } from '../../count.ts';
import type { BucketAnswer, TermsAnswer } from '../../nodes-answer.ts';
import type { FacetMeasure } from '../../query.ts';
import { MISSING } from '../../../sqon/ast.ts';
import { printSqon } from '../../../sqon/parse.ts';
import type { PassValue } from './measure-row.ts';

/** NODE_BAD_RESPONSE for an answer that does not match its request. @param at path of names and indexes to the fault */
export const malformedAnswer = (at: readonly PropertyKey[], cause?: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `the answer is malformed at ${at.map(String).join('.')}`, {
    cause,
  });

/** An answer that lists more than was requested. @param what in the plural */
export const tooMany = (count: number, what: string, requested: number): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `returned ${count} ${what} where ${requested} were requested`);

/** The most bytes of a string that a search server indexes: no key or id is longer. */
const maxKeyLength = 32_766;

/** Whether a value may be the key of a bucket or the id of a document, which are UTF-8. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxKeyLength && value.isWellFormed();

/** Such a key. */
export const key = z.custom<string>(isKey);

/** Whether a value is a count: GraphQL's Int, like every count. */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647;

/** The fields requested of a remote node's buckets besides keys. */
export const countFields = {
  exact: 'doc_count',
  bounded: 'doc_count upper_bound',
  estimated: 'doc_count upper_bound estimate',
} as const;

/**
 * A remote node's bucket or total with what it says of its bounds: without any it is exact, unless it is marked as inexact.
 * @param lower the number itself
 * @returns null: malformed
 */
export const boundedCount = (
  lower: number,
  { upper_bound: upper, exact, estimate }: Readonly<Record<string, unknown>>,
): Count | null => {
  if (upper === lower || (upper === undefined && exact !== false)) return lower;
  const most = upper ?? null;
  const isUpper = most === null || (isCount(most) && most > lower);
  const isEstimate =
    estimate == null ||
    (isCount(estimate) && estimate >= lower && (most === null || estimate <= Number(most)));
  return isUpper && isEstimate ? countBetween(lower, most, estimate) : null;
};

/** A count, as GraphQL's Int represents it. */
export const count = z.custom<number>(isCount);

/**
 * Validates a part of a remote node's answer against a schema.
 * @param field the place of the part
 * @throws TributaryError NODE_BAD_RESPONSE
 */
export const checked = <T>(schema: z.ZodType<T>, value: unknown, field: string): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedAnswer([field, ...(parsed.error.issues[0]?.path ?? [])], parsed.error);
};

/** The limit on buckets of a remote node in one list: more are not readable, and cost memory; `max` requests fewer. */
export const maxListed = 500_000;

/** The limit on different values in the merged lists of all nodes: ordering as many takes more than a second. */
export const maxMerged = 1_000_000;

/**
 * A reader of `{ buckets { key doc_count } }` in a remote node's answer.
 * @param max the maximum number of buckets
 */
export const countsReader = (keys: z.ZodType<string>, max: number) => {
  const bucket = z.object({
    key: keys,
    doc_count: count,
    upper_bound: z.unknown(),
    exact: z.unknown(),
    estimate: z.unknown(),
  });
  const schema = z.object({
    buckets: z.array(bucket.partial({ upper_bound: true, exact: true, estimate: true })).max(max),
  });
  return (value: unknown, field: string): readonly BucketAnswer[] =>
    checked(schema, value, field).buckets.map((answered, index) => {
      const count = boundedCount(answered.doc_count, answered);
      if (count === null) throw malformedAnswer([field, 'buckets', index, 'upper_bound']);
      return { key: answered.key, count };
    });
};

const maxNumeralLength = 400;

/** A number as text. */
export const numeral = z
  .string()
  .max(maxNumeralLength)
  .regex(/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/)
  .refine((text) => Number.isFinite(Number(text)));

/**
 * Reads and checks a remote's list of buckets in one pass, since it may be long; `__missing__` is kept separate.
 * @param includeMissing whether missing values were requested: otherwise a bucket of that name is a stored value
 * @throws TributaryError NODE_BAD_RESPONSE naming the place below `field`
 */
export const readTerms = (
  listed: unknown,
  field: string,
  includeMissing = true,
  { max = null, topHits, filters = [] }: Partial<FacetMeasure<'terms'>> = {},
): TermsAnswer => {
  const isDetailed = topHits !== undefined || filters.length > 0;
  if (!Array.isArray(listed) || listed.length > maxListed) throw malformedAnswer([field]);
  // the bucket of missing values comes on top
  if (max !== null && listed.length > max + 1) throw tooMany(listed.length, 'values', max);
  let missingAt = -1;
  const buckets = listed.map((bucket: unknown, index): BucketAnswer => {
    if (!isJsonObject(bucket)) throw malformedAnswer([field, index]);
    const { key, key_as_string: keyAsString, doc_count: lower } = bucket;
    if (!isKey(key)) throw malformedAnswer([field, index, 'key']);
    if (!isCount(lower)) throw malformedAnswer([field, index, 'doc_count']);
    if (key === MISSING) missingAt = index;
    if (keyAsString != null && typeof keyAsString !== 'string')
      throw malformedAnswer([field, index, 'key_as_string']);
    const count = boundedCount(lower, bucket);
    if (count === null) throw malformedAnswer([field, index, 'upper_bound']);
    if (keyAsString == null && !isDetailed) return { key, count };
    return {
      key,
      count,
      ...(keyAsString != null && { keyAsString }),
      ...(isDetailed && additions(bucket, topHits !== undefined, filters.length, [field, index])),
    };
  });
  // missing comes last: an earlier bucket of that name is a value
  const missing = includeMissing && missingAt >= 0 ? buckets.splice(missingAt, 1)[0]! : null;
  return { kind: 'terms', buckets, missing: missing?.count ?? 0, distinct: buckets.length };
};

const additions = (
  bucket: JsonObject,
  hasTopHit: boolean,
  filters: number,
  at: readonly PropertyKey[],
): Pick<BucketAnswer, 'topHit' | 'filtered'> => {
  const filtered = Array.from({ length: filters }, (_, position) => {
    const counted = bucket[filteredAs(position)];
    // some servers answer null in the bucket of missing values
    if (counted == null) return 0;
    const count = isJsonObject(counted) ? counted['doc_count'] : undefined;
    if (!isCount(count)) throw malformedAnswer([...at, filteredAs(position)]);
    return count;
  });
  return {
    ...(hasTopHit && { topHit: bucket['top_hits'] ?? null }),
    ...(filters > 0 && { filtered }),
  };
};

/** The alias of a filter's count in a printed query: the first has none, as nodes limit their number. */
const filteredAs = (position: number): string =>
  position === 0 ? 'filter_by_term' : `filter_by_term_${position}`;

/**
 * A list of values as GraphQL, for a remote node.
 * @param fields the fields requested of each besides its key
 * @param pass sends the filters of buckets
 */
export const printTerms = (
  { max, matching, topHits, filters = [] }: FacetMeasure<'terms'>,
  fields: string,
  pass: PassValue,
): string => {
  const selected = [
    `key ${fields}`,
    ...(topHits === undefined ? [] : [printTopHits(topHits.source)]),
    ...filters.map((filter, position) => {
      const alias = position === 0 ? '' : `${filteredAs(position)}: `;
      return `${alias}filter_by_term(filter: ${pass(printSqon(filter))})`;
    }),
  ];
  const args = [
    ...(max === null ? [] : [`max: ${max}`]),
    ...(matching === undefined ? [] : [`matching: ${JSON.stringify(matching)}`]),
  ];
  return `buckets${parenthesised(args)} { ${selected.join(' ')} }`;
};

const printTopHits = (source: readonly string[] | null): string =>
  `top_hits${parenthesised([...(source === null ? [] : [`_source: ${JSON.stringify(source)}`]), 'size: 1'])}`;

const parenthesised = (args: readonly string[]): string => (args.length === 0 ? '' : `(${args.join(', ')})`);
