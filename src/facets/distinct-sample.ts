import { sampleHash, maxParts, keysIn } from '../engines/semantics/sample-levels.ts';
import { jsonScalar, described } from '../graphql/scalars.ts';
import { mergedSample } from './distinct/estimate.ts';
import { answerOf } from './row/answer-shape.ts';
import type { FacetField, MeasureRow } from './row/measure-row.ts';
import type { DistinctSampleRequest, DistinctSample } from '../engines/measure.ts';
import { badUserInput } from '../errors/errors.ts';
import { isJsonObject } from '../json/json.ts';
import { z } from 'zod';
import { malformedAnswer, checked, count } from './row/wire.ts';

const description =
  'What the number of distinct values of several nodes is made of: `{v, hash, N, n, levels}`. n keys, 64-bit hashes of those values whose hash falls into part 0 of N, grouped by its trailing zero bits; of 1 part, all values. null for dates, fractions and other values that nodes cannot hash alike.';

const field: FacetField = {
  type: jsonScalar,
  description,
  args: {
    values: described(jsonScalar, 'Values to sample as others, as a network shows them: {"M": "Male"}.'),
  },
};

/** A sample of a field's distinct values: the same value has the same key at every node. */
export const distinctSample: MeasureRow<'distinct_sample'> = {
  fields: { values: { distinct_sample: field }, numbers: { distinct_sample: field } },
  select:
    (_selected, { addRequest }) =>
    ({ args }) => {
      const request = addRequest({ kind: 'distinct_sample', ...shownValuesOf(args['values']) });
      return (answers) => printSample(answerOf(answers, request, 'distinct_sample').sample);
    },
  toEngine: ({ values }) => ({ kind: 'distinct_sample', ...(values && { values }) }),
  fitsTypes: () => true,
  isRequested: ({ optional }, { gives, field: own, values }) =>
    optional !== true ||
    (gives('distinct_sample') &&
      sampleHash(own.indexField) !== null &&
      (values?.listed.size ?? 0) <= maxShownAs),
  toNode: (_measure, { values }) => ({
    kind: 'distinct_sample',
    ...(values !== null && { values: [...values.listed] }),
  }),
  isOfCells: () => false,
  remoteField: 'distinct_sample',
  print: ({ values }) =>
    values === undefined ? 'distinct_sample' : `distinct_sample(values: ${JSON.stringify(values)})`,
  read: (value, { field: name }) => ({ kind: 'distinct_sample', sample: readSample(value, name) }),
  merge: (parts) => {
    const samples = parts.map(({ nodeId, result }) => ({ nodeId, sample: result?.sample ?? null }));
    return {
      kind: 'distinct_sample',
      samples,
      // computed when read: most requests for samples merge them elsewhere
      get sample() {
        return mergedSample(samples.map(({ sample }) => sample));
      },
    };
  },
};

/** More values are not worth naming one by one. */
const maxShownAs = 10_000;

/**
 * The argument `values` of a sample: each value with the text that it is shown as, as an object or, since names in
 * GraphQL literals cannot be any text, as a list of pairs.
 * @throws TributaryError BAD_USER_INPUT
 */
export const shownValuesOf = (values: unknown): DistinctSampleRequest => {
  if (values == null) return {};
  const pairs: unknown = isJsonObject(values) ? Object.entries(values) : values;
  if (!Array.isArray(pairs) || pairs.length > maxShownAs || !pairs.every(isPair))
    throw badUserInput(
      `values of distinct_sample must be at most ${maxShownAs} texts by value, such as {"M": "Male"} or [["M", "Male"]]`,
    );
  return pairs.length === 0 ? {} : { values: pairs };
};

const isPair = (pair: unknown): pair is readonly [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string');

/** The version of the format that is written; no other is read. */
const version = 1;

/** A sample as nodes send it. */
export const printSample = (sample: DistinctSample | null) =>
  sample && { v: version, hash: sample.hash, N: sample.parts, n: sample.keys, levels: sample.levels };

const wireSample = z.object({
  v: z.literal(version),
  hash: z.enum(['murmur3', 'mix64']),
  N: z
    .int()
    .min(1)
    .max(maxParts)
    .refine((parts) => Number.isInteger(Math.log2(parts))),
  n: count,
  levels: z.array(z.string()).max(64),
});

const otherForm = z.object({ v: z.int() }).refine(({ v }) => v !== version);

/**
 * Reads a sample that a node sent; null when it has none, or sends another format.
 * @throws TributaryError NODE_BAD_RESPONSE naming the place below `field`
 */
export const readSample = (value: unknown, field: string): DistinctSample | null => {
  if (value === null || otherForm.safeParse(value).success) return null;
  const { hash, N: parts, n: keys, levels } = checked(wireSample, value, field);
  if (keysIn(levels, parts) !== keys) throw malformedAnswer([field, 'levels']);
  return { hash, parts, keys, levels };
};
