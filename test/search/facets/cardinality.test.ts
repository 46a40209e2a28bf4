import test from 'ava';
import type { CardinalityAnswer } from '../../../src/search/nodes-answer.ts';
import type { ValueMap } from '../../../src/search/facets/row/measure-row.ts';
import { fieldMappingOf } from '../../../src/federation/nodes/node-view.ts';
import { mergeTerms, unavailableKey } from '../../../src/search/facets/terms/merge-terms.ts';
import { mergeCardinality } from '../../../src/search/facets/cardinality.ts';

const exactly = (value: number) => ({ kind: 'cardinality', value, exact: true });

const between = (lower: number, upper: number | null, value: number | null = null) => ({
  ...{ kind: 'cardinality', value, exact: false },
  bounds: { lower, upper },
});

const about = (value: number, exact: boolean, values: ValueMap | null = null) => ({
  result: { kind: 'cardinality', value, exact } as const,
  values,
});

test('numbers alone give bounds: all values shared, or none', (t) => {
  t.deepEqual(mergeCardinality([about(7, true), about(5, true)], null), between(7, 12));
  t.deepEqual(mergeCardinality([about(7, true)], null), exactly(7));
});

test("the number of the only node with values is the network's, as sure as the node is of it", (t) => {
  const sevenAbout = between(6, 8, 7);
  t.deepEqual(mergeCardinality([about(7, false)], null), sevenAbout);
  t.deepEqual(mergeCardinality([about(0, true), about(7, false)], null), sevenAbout);
  const open = { result: between(7, null) as CardinalityAnswer, values: null };
  t.deepEqual(mergeCardinality([open], null), between(7, null));
  t.deepEqual(mergeCardinality([about(7, false)], null, false), between(6, null));
});

test('whole bucket lists give the number itself', async (t) => {
  const part = (nodeId: string, ...keys: string[]) => {
    const buckets = keys.map((key) => ({ key, count: 1 }));
    return {
      nodeId,
      requested: null,
      values: null,
      result: { kind: 'terms', buckets, missing: 1, distinct: 2 },
    } as const;
  };
  const terms = await mergeTerms([part('a', 'x', 'y'), part('b', 'y', 'z')]);
  t.deepEqual(mergeCardinality([about(2, false), about(2, false)], terms), exactly(3));
});

test('a bucket list that was cut shows that there are at least so many', async (t) => {
  const buckets = ['x', 'y', 'z'].map((key) => ({ key, count: 1 }));
  const result = { kind: 'terms', buckets, missing: 0, distinct: 3 } as const;
  const terms = await mergeTerms([{ nodeId: 'a', requested: 3, values: null, result }]);
  t.deepEqual(mergeCardinality([about(2, false), about(2, false)], terms), between(3, 6));
});

test('several values of a node may show as one of the network', (t) => {
  const listed = new Map([
    ['M', 'Male'],
    ['m', 'Male'],
    ['F', 'Female'],
  ]);
  const values = fieldMappingOf({ fields: new Map(), values: new Map([['sex', listed]]) }).valuesOf('sex');
  // Male is M, m and Male; Female is F and Female: of five, three may fold
  t.deepEqual(mergeCardinality([about(5, true, values)], null), between(2, 5));
  t.deepEqual(mergeCardinality([about(1, true, values)], null), exactly(1));
});

test('a node with values that it cannot count has no upper bound', (t) => {
  t.deepEqual(mergeCardinality([about(7, true)], null, false), between(7, null));
});

test('the bucket of a node that lacks the field is not a value', async (t) => {
  const part = (nodeId: string, key: string) => {
    const result = { kind: 'terms', buckets: [{ key, count: 1 }], missing: 0, distinct: 1 } as const;
    return { nodeId, requested: null, values: null, result };
  };
  const terms = await mergeTerms([part('a', 'x'), part('b', unavailableKey)]);
  t.deepEqual(mergeCardinality([about(1, true)], terms), exactly(1));
});

test('of no values there are none, also where values are translated', (t) => {
  const values = fieldMappingOf({
    fields: new Map(),
    values: new Map([
      [
        'sex',
        new Map([
          ['m', 'male'],
          ['M', 'male'],
          ['w', 'female'],
        ]),
      ],
    ]),
  }).valuesOf('sex');
  t.deepEqual(mergeCardinality([about(0, true, values)], null), exactly(0));
  t.deepEqual(mergeCardinality([about(0, true), about(0, true)], null), exactly(0));
  t.deepEqual(mergeCardinality([about(1, true, values)], null), exactly(1));
  t.deepEqual(mergeCardinality([about(3, true, values)], null), between(1, 3));
});
