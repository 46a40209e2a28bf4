import { sampleHash } from '../engines/semantics/theta-sample.ts';
import { jsonScalar } from '../graphql/scalars.ts';
import { mergedSample } from './distinct/key-union.ts';
import { maxShownAs, shownAsOf } from './distinct/shown-as.ts';
import { printSample, readSample } from './distinct/wire-sample.ts';
import { answerOf } from './row/answers-of.ts';
import type { FacetField, MeasureRow } from './row/measure-row.ts';

const description =
  'What the number of distinct values of several nodes is made of: `{v, hash, N, n, levels}`. n keys, 64-bit hashes of those values whose hash falls into part 0 of N, grouped by its trailing zero bits; of 1 part, all values. null for dates, fractions and other values that nodes cannot hash alike.';

const field: FacetField = {
  type: jsonScalar,
  description,
  args: {
    values: {
      type: jsonScalar,
      description: 'Values to sample as others, as a network shows them: {"M": "Male"}.',
    },
  },
};

/** A sample of a field's distinct values: the same value has the same key at every node. */
export const distinctSample: MeasureRow<'distinct_sample'> = {
  fields: { values: { distinct_sample: field }, numbers: { distinct_sample: field } },
  select:
    (_selected, { ask }) =>
    ({ args }) => {
      const request = ask({ kind: 'distinct_sample', ...shownAsOf(args['values']) });
      return (answers) => printSample(answerOf(answers, request, 'distinct_sample').sample);
    },
  toEngine: ({ values }) => ({ kind: 'distinct_sample', ...(values && { values }) }),
  fitsTypes: () => true,
  isAsked: ({ optional }, { gives, field: own, values }) =>
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
      // most requests for samples merge them otherwise
      get sample() {
        return mergedSample(samples.map(({ sample }) => sample));
      },
    };
  },
};
