import test from 'ava';
import type { TermsPart } from '../../../../src/search/facets/terms/merge-terms.ts';
import {
  mergeTerms,
  unlistedUpperBound,
  termsOrder,
} from '../../../../src/search/facets/terms/merge-terms.ts';
import { uncertainKeys, withCounts } from '../../../../src/search/facets/terms/exact-terms.ts';
import { readTerms } from '../../../../src/search/facets/row/wire.ts';
import { lowerOf, upperOf } from '../../../../src/search/count.ts';
import { fieldMappingOf } from '../../../../src/federation/nodes/node-view.ts';
import fc from '../../../fast-check.ts';
import { ended } from './ended.ts';
import { utf8Order } from '../../../../src/lib/text/text-comparison.ts';

const part = (
  nodeId: string,
  counts: Record<string, number>,
  more: Partial<TermsPart> & { missing?: number; distinct?: number } = {},
): TermsPart => {
  const buckets = Object.entries(counts).map(([key, count]) => ({ key, count }));
  const { missing = 0, distinct = buckets.length, requested = null, values = null } = more;
  return { nodeId, requested, values, result: { kind: 'terms', buckets, missing, distinct } };
};

const bounds = async (parts: readonly TermsPart[]) =>
  (await mergeTerms(parts)).buckets.map(({ key, count }) => [key, lowerOf(count), upperOf(count)]);

test('whole lists add up exactly', async (t) => {
  const merged = await mergeTerms([part('a', { x: 3, y: 1 }), part('b', { y: 4 })]);
  t.deepEqual(
    merged.buckets.map(({ key, count, nodes }) => ({ key, count, nodes })),
    [
      {
        key: 'y',
        count: 5,
        nodes: [
          { nodeId: 'a', count: 1 },
          { nodeId: 'b', count: 4 },
        ],
      },
      { key: 'x', count: 3, nodes: [{ nodeId: 'a', count: 3 }] },
    ],
  );
  t.is(merged.distinct, 2);
  t.true(merged.complete);
  t.is(merged.unlistedUpperBound, 0);
});

test('bounds of thousands of nodes that withhold their records are exact', async (t) => {
  const bounded = (key: string, lower: number) => ({ key, count: { lower, upper: lower + 9 } });
  const parts = Array.from({ length: 3_000 }, (_, at): TermsPart => {
    const buckets = [bounded('x', 10 + (at % 3)), ...(at === 0 ? [bounded('y', 10)] : [])];
    return {
      ...part(`n${at}`, {}),
      result: { kind: 'terms', buckets, missing: 0, distinct: 2, unlistedUpperBound: null },
    };
  });
  t.deepEqual(await bounds(parts), [
    ['x', 33_000, 60_000],
    ['y', 10, null],
  ]);
});

test('a cut list may hold up to its smallest count of what it did not list', async (t) => {
  const parts = [part('a', { x: 9, y: 4 }, { requested: 2, distinct: 7 }), part('b', { x: 2, z: 1 })];
  t.deepEqual(await bounds(parts), [
    ['x', 11, 11],
    ['y', 4, 4],
    ['z', 1, 5],
  ]);
  const merged = await mergeTerms(parts);
  t.false(merged.complete);
  t.is(merged.unlistedUpperBound, 4);
  t.is(merged.distinct, 7);
});

test('equal counts stand in the order of UTF-8 bytes', async (t) => {
  const keys = (await bounds([part('a', { '\u{1f600}': 1, '\uffee': 1, b: 1 })])).map(([key]) => key);
  t.deepEqual(keys, ['b', '\uffee', '\u{1f600}']);
});

test('missing values sum, count as one bucket and never stand among the others', async (t) => {
  const merged = await mergeTerms([part('a', { x: 1 }, { missing: 5 }), part('b', {}, { missing: 2 })]);
  t.deepEqual(merged.missingNodes, [
    { nodeId: 'a', count: 5 },
    { nodeId: 'b', count: 2 },
  ]);
  t.is(merged.missing, 7);
  t.is(merged.distinct, 1);
  t.is(merged.buckets.length, 1);
});

test('several node values for one key: the largest is sure, their sum the most', async (t) => {
  const { valuesOf } = fieldMappingOf({
    fields: new Map(),
    values: new Map([
      [
        'f',
        new Map([
          ['M', 'Male'],
          ['m', 'Male'],
        ]),
      ],
    ]),
  });
  const values = valuesOf('f');
  t.deepEqual(await bounds([part('a', { M: 5, m: 3, F: 1 }, { values })]), [
    ['Male', 5, 8],
    ['F', 1, 1],
  ]);
  // cut at 2: of M, m and Male the list holds one, so two more may count 2 each; elsewhere none of the three is listed
  t.deepEqual(await bounds([part('a', { M: 5, F: 2 }, { values, requested: 2 }), part('b', { Male: 1 })]), [
    ['Male', 6, 10],
    ['F', 2, 2],
  ]);
  t.deepEqual(
    (await bounds([part('a', { G: 5, F: 2 }, { values, requested: 2 }), part('b', { Male: 1 })]))[2],
    ['Male', 1, 7],
  );
});

test('a key may be unlisted as often as a cut node has values for it, itself among them', async (t) => {
  const { valuesOf } = fieldMappingOf({
    fields: new Map(),
    values: new Map([
      [
        'f',
        new Map([
          ['m', 'male'],
          ['M', 'male'],
        ]),
      ],
    ]),
  });
  const parts = [part('a', { x: 9, y: 4 }, { requested: 2, values: valuesOf('f') }), part('b', { z: 1 })];
  t.is((await mergeTerms(parts)).unlistedUpperBound, 3 * 4);
});

test('bounds of keys that are not listed hold for those that were cut here too', async (t) => {
  const merged = await mergeTerms([
    part('a', { x: 9, y: 5 }, { requested: 2 }),
    part('b', { z: 3 }, { requested: 1 }),
  ]);
  t.deepEqual(
    [1, 2, 3, Infinity].map((shown) => unlistedUpperBound(merged, shown, null)),
    [8, 8, 8, 8],
  );
  const whole = await mergeTerms([part('a', { x: 9, y: 5, z: 1 })]);
  t.deepEqual(
    [1, 2, 3].map((shown) => unlistedUpperBound(whole, shown, null)),
    [5, 1, 0],
  );
});

test('what a catalogue has cut off counts at most its smallest, unless it says how many it may be', (t) => {
  const ofTwo = (more: object) => ({
    ...{ kind: 'terms' as const, distinct: 3, missing: 0 },
    buckets: [
      { key: 'a', count: 9 },
      { key: 'b', count: 4 },
    ],
    ...more,
  });
  const most = (more: object, requested: number | null) =>
    unlistedUpperBound(ofTwo(more), Infinity, requested);
  t.deepEqual(
    [null, 3, 2].map((requested) => most({}, requested)),
    [0, 0, 4],
  );
  t.deepEqual(
    [18, null].map((bound) => most({ unlistedUpperBound: bound }, 2)),
    [18, null],
  );
});

test('a cut list of a remote node bounds what it does not list by its smallest count', async (t) => {
  const remote = (nodeId: string, counts: Record<string, number>, requested: number): TermsPart => {
    const sent = Object.entries(counts).map(([key, count]) => ({
      key,
      key_as_string: null,
      doc_count: count,
    }));
    return { nodeId, requested: requested, values: null, result: readTerms(sent, 'genus') };
  };
  const cut = await mergeTerms([remote('a', { x: 9, y: 4 }, 2), remote('b', { x: 2, z: 1 }, 5)]);
  t.deepEqual(
    cut.buckets.map(({ key, count }) => [key, count]),
    [
      ['x', 11],
      ['y', 4],
      ['z', { lower: 1, upper: 5 }],
    ],
  );
  t.false(cut.complete);
  t.is(cut.unlistedUpperBound, 4);
  const whole = await mergeTerms([remote('a', { x: 9, y: 4 }, 3), remote('b', { x: 2, z: 1 }, 5)]);
  t.true(whole.complete);
  t.is(whole.unlistedUpperBound, 0);
});

test('the order is that of comparing every two keys by count and then by UTF-8 bytes', (t) => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '7', 'é', '\uffee', '\u{1f600}'), maxLength: 3 });
  const count = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 45 }));
  const terms = fc.uniqueArray(fc.tuple(text, count), { selector: ([key]) => key });
  const holds = fc.property(terms, (rows) => {
    const keys = rows.map(([key]) => key);
    const counts = Float64Array.from(rows, ([, one]) => one);
    const expected = rows.toSorted((a, b) => b[1] - a[1] || utf8Order(a[0], b[0])).map(([key]) => key);
    t.deepEqual(
      [...ended(termsOrder(keys, counts))].map((index) => keys[index]),
      expected,
    );
  });
  fc.assert(holds);
});

test('very many keys of equal count are in order too', (t) => {
  const keys = Array.from({ length: 10_001 }, (_, at) => `k${(at * 7_919) % 10_007}`);
  const counts = Float64Array.from(keys, (_, at) => (at % 1_000 === 0 ? 2 : 1));
  const order = [...ended(termsOrder(keys, counts))];
  const expected = [...keys.keys()].sort((a, b) => counts[b]! - counts[a]! || utf8Order(keys[a]!, keys[b]!));
  t.deepEqual(order, expected);
});

test('long lists let other requests run, and are not merged on when nobody waits', async (t) => {
  const gone = new AbortController();
  const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`key ${at}`, 1]));
  setImmediate(() => gone.abort(new Error('gone')));
  await t.throwsAsync(mergeTerms([part('a', many)], false, gone.signal), { message: 'gone' });
});

test('a node is asked again for what its list was cut before, and for values that show as one', async (t) => {
  t.deepEqual(uncertainKeys(part('a', { x: 3, y: 1 }), ['x', 'z']), []);
  t.deepEqual(uncertainKeys(part('a', { x: 3, y: 1 }, { requested: 2, distinct: 9 }), ['x', 'z']), ['z']);
  const listed = new Map([
    ['x1', 'x'],
    ['x2', 'x'],
  ]);
  const values = {
    toNetwork: (value: string) => listed.get(value) ?? value,
    toNode: (value: string) => (value === 'x' ? [...listed.keys()] : [value]),
    listed,
  };
  const folded = part('a', { x1: 3, x2: 2, y: 1 }, { values });
  t.deepEqual(uncertainKeys(folded, ['x', 'y']), ['x']);
  const counted = new Map([['a', new Map([['x', 4]])]]);
  const counting = { shown: 1, counted, isParted: false, signal: undefined };
  const { buckets } = await withCounts(await mergeTerms([folded]), [folded], counting);
  t.deepEqual(
    buckets.map(({ key, count }) => [key, count]),
    [
      ['x', 4],
      ['y', 1],
    ],
  );
});
