import test from 'ava';
import { sampleOfValues } from '../../../src/engines/semantics/sample-keys.ts';
import type { CardinalityPart } from '../../../src/facets/distinct/merge-cardinality.ts';
import { mergeCardinality } from '../../../src/facets/distinct/merge-cardinality.ts';
import { fieldMappingOf } from '../../../src/federation/nodes/node-view.ts';

const part = (
  nodeId: string,
  from: number,
  to: number,
  { sampled = true, exact = true, hash = 'murmur3' as 'murmur3' | 'mix64' } = {},
): CardinalityPart => {
  const values = Array.from({ length: to - from }, (_, at) => String(from + at));
  return {
    nodeId,
    result: { kind: 'cardinality', value: values.length, exact },
    values: null,
    sample: sampled ? sampleOfValues(values, hash, new Map()) : null,
  };
};

test('samples of all values give the number itself', (t) => {
  t.deepEqual(mergeCardinality([part('a', 0, 4_000), part('b', 3_000, 8_000)], null), {
    lower: 8_000,
    upper: 8_000,
    exact: true,
    estimate: 8_000,
  });
});

test('samples of parts give an estimate, between the largest node and the sum', (t) => {
  const disjoint = mergeCardinality([part('a', 0, 9_000), part('b', 9_000, 18_000)], null);
  t.is(disjoint.upper, 18_000);
  t.true(disjoint.lower > 16_000 && disjoint.lower < 18_000);
  t.true(disjoint.lower <= disjoint.estimate! && disjoint.estimate! <= 18_000);
  const equal = mergeCardinality([part('a', 0, 9_000), part('b', 0, 9_000)], null);
  t.is(equal.lower, 9_000);
  t.true(equal.upper! < 11_000);
});

test('one node alone is as exact as its own number', (t) => {
  t.deepEqual(mergeCardinality([part('a', 0, 9_000)], null), {
    lower: 9_000,
    upper: 9_000,
    exact: true,
    estimate: 9_000,
  });
  t.false(mergeCardinality([part('a', 0, 9_000, { exact: false })], null).exact);
});

test('a node without a sample leaves bounds, and is named; the others count as one', (t) => {
  const without = part('c', 0, 100, { sampled: false });
  t.deepEqual(mergeCardinality([part('a', 0, 50), part('b', 40, 90), without], null), {
    lower: 100,
    upper: 190,
    exact: false,
    unsampled: ['c'],
  });
});

test('texts and integers may be the same values, or not', (t) => {
  t.deepEqual(mergeCardinality([part('a', 0, 50), part('b', 40, 90, { hash: 'mix64' })], null), {
    lower: 50,
    upper: 100,
    exact: false,
  });
});

test('where a node has values that it cannot count, samples give a lower bound only', (t) => {
  t.deepEqual(mergeCardinality([part('a', 0, 50), part('b', 40, 90)], null, false), {
    lower: 90,
    upper: null,
    exact: false,
  });
});

test('values that a node shows as others are counted as they are shown', (t) => {
  const { valuesOf } = fieldMappingOf({
    fields: new Map(),
    values: new Map([
      [
        'sex',
        new Map([
          ['M', 'Male'],
          ['m', 'Male'],
        ]),
      ],
    ]),
  });
  const values = valuesOf('sex');
  const own = (nodeId: string, keys: readonly string[]): CardinalityPart => ({
    nodeId,
    result: { kind: 'cardinality', value: keys.length, exact: true },
    values,
    sample: sampleOfValues(keys, 'murmur3', values!.listed),
  });
  t.deepEqual(mergeCardinality([own('a', ['M', 'm', 'F']), own('b', ['M', 'Male'])], null), {
    lower: 2,
    upper: 2,
    exact: true,
    estimate: 2,
  });
});

test('values that the network shows as one may be one value', (t) => {
  const toNode = (shown: string): readonly string[] => (shown === 'male' ? ['m', 'M'] : [shown]);
  const values = {
    listed: new Map([
      ['m', 'male'],
      ['M', 'male'],
    ]),
    toNode,
  } as unknown as CardinalityPart['values'];
  const [all, one] = [3, 1].map((value) =>
    mergeCardinality(
      [{ nodeId: 'a', result: { kind: 'cardinality', value, exact: true }, values, sample: null }],
      null,
    ),
  );
  t.is(all!.lower, 2);
  t.is(one!.lower, 1);
});
