import test, { type ExecutionContext } from 'ava';
import { museumPairs, samplePairs } from './catalogues.ts';
import {
  madeUpPairs,
  measure,
  precision,
  recall,
  schemaPairs,
  together,
  type Counts,
  type Measured,
} from './measure.ts';

/** What the design promises: a wrong proposal costs more than none. */
const least = { precision: 0.95, recall: 0.8 };

const assertGood = (
  t: ExecutionContext,
  counts: Counts,
  { precision: exact, recall: whole } = least,
): void => {
  const found = JSON.stringify(counts, null, 2);
  t.true(precision(counts) >= exact, found);
  t.true(recall(counts) >= whole, found);
};

const parts = (measured: readonly Measured[]) => ({
  fields: together(measured.map(({ fields }) => fields)),
  values: together(measured.map(({ values }) => values)),
});

test('ten pairs of catalogues that nothing is tuned by: fields and values', (t) => {
  const pairs = madeUpPairs();
  t.is(pairs.length, 10);
  const { fields, values } = parts(pairs.map(measure));
  assertGood(t, fields);
  assertGood(t, values);
});

test('each of these pairs has no more than one wrong proposal', (t) => {
  for (const pair of madeUpPairs()) {
    const { fields, values } = measure(pair);
    t.true(
      fields.wrong.length + values.wrong.length <= 1,
      `${pair.name}: ${[...fields.wrong, ...values.wrong].join('; ')}`,
    );
  }
});

test('public schemas, each beside an export such as institutions have', (t) => {
  const { fields, values } = parts(schemaPairs().map(measure));
  assertGood(t, fields, { precision: 0.98, recall: 0.75 });
  assertGood(t, values);
});

test('the institutions of the sample, against nodes.json', (t) => {
  const { fields, values } = parts(samplePairs().map(measure));
  assertGood(t, fields);
  assertGood(t, values);
});

test('the museums, against docs/museums/nodes.json, by their names alone', (t) => {
  assertGood(t, parts(museumPairs(null).map(measure)).fields);
});
