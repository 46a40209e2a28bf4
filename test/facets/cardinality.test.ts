import test from 'ava';
import type { ValueMap } from '../../src/facets/row/measure-row.ts';
import { fieldMappingOf } from '../../src/federation/nodes/node-view.ts';
import { mergeTerms, unavailableKey } from '../../src/facets/terms/merge-terms.ts';
import { mergeCardinality } from '../../src/facets/distinct/merge-cardinality.ts';

const about = (value: number, exact: boolean, values: ValueMap | null = null) => ({
  result: { kind: 'cardinality', value, exact } as const,
  values,
});

test('numbers alone give bounds: all values shared, or none', (t) => {
  t.deepEqual(mergeCardinality([about(7, true), about(5, true)], null), {
    lower: 7,
    upper: 12,
    exact: false,
  });
  t.deepEqual(mergeCardinality([about(7, true)], null), { lower: 7, upper: 7, exact: true });
});

test("the number of the only node with values is the network's, as sure as the node is of it", (t) => {
  const sevenAbout = { lower: 7, upper: 7, exact: false, estimate: 7 };
  t.deepEqual(mergeCardinality([about(7, false)], null), sevenAbout);
  t.deepEqual(mergeCardinality([about(0, true), about(7, false)], null), sevenAbout);
  const open = { result: { kind: 'cardinality', value: 7, exact: false, open: true }, values: null } as const;
  t.deepEqual(mergeCardinality([open], null), { lower: 7, upper: null, exact: false });
  t.deepEqual(mergeCardinality([about(7, false)], null, false), { lower: 7, upper: null, exact: false });
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
  t.deepEqual(mergeCardinality([about(2, false), about(2, false)], terms), {
    lower: 3,
    upper: 3,
    exact: true,
  });
});

test('a bucket list that was cut shows that there are at least so many', async (t) => {
  const buckets = ['x', 'y', 'z'].map((key) => ({ key, count: 1 }));
  const result = { kind: 'terms', buckets, missing: 0, distinct: 3 } as const;
  const terms = await mergeTerms([{ nodeId: 'a', requested: 3, values: null, result }]);
  t.deepEqual(mergeCardinality([about(2, false), about(2, false)], terms), {
    lower: 3,
    upper: 4,
    exact: false,
  });
});

test('several values of a node may show as one of the network', (t) => {
  const listed = new Map([
    ['M', 'Male'],
    ['m', 'Male'],
    ['F', 'Female'],
  ]);
  const values = fieldMappingOf({ fields: new Map(), values: new Map([['sex', listed]]) }).valuesOf('sex');
  // Male is M, m and Male; Female is F and Female: of five, three may fold
  t.deepEqual(mergeCardinality([about(5, true, values)], null), { lower: 2, upper: 5, exact: false });
  t.deepEqual(mergeCardinality([about(1, true, values)], null), { lower: 1, upper: 1, exact: true });
});

test('a node with values that it cannot count has no upper bound', (t) => {
  t.deepEqual(mergeCardinality([about(7, true)], null, false), { lower: 7, upper: null, exact: false });
});

test('the bucket of a node that lacks the field is not a value', async (t) => {
  const part = (nodeId: string, key: string) => {
    const result = { kind: 'terms', buckets: [{ key, count: 1 }], missing: 0, distinct: 1 } as const;
    return { nodeId, requested: null, values: null, result };
  };
  const terms = await mergeTerms([part('a', 'x'), part('b', unavailableKey)]);
  t.deepEqual(mergeCardinality([about(1, true)], terms), { lower: 1, upper: 1, exact: true });
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
  t.deepEqual(mergeCardinality([about(0, true, values)], null), { lower: 0, upper: 0, exact: true });
  t.deepEqual(mergeCardinality([about(0, true), about(0, true)], null), { lower: 0, upper: 0, exact: true });
  t.deepEqual(mergeCardinality([about(1, true, values)], null), { lower: 1, upper: 1, exact: true });
  t.deepEqual(mergeCardinality([about(3, true, values)], null), { lower: 1, upper: 3, exact: false });
});
