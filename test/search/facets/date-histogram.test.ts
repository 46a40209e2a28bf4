import test from 'ava';
import { countBetween, lowerOf } from '../../../src/search/count.ts';
import type { Measure } from '../../../src/engines/measure.ts';
import type { TributaryError } from '../../../src/lib/errors/errors.ts';
import { dateHistogram } from '../../../src/search/facets/date-histogram.ts';
import type { Counts } from '../../../src/search/facets/row/counted-buckets.ts';

const days = { kind: 'date_histogram', interval: 'day', timeZone: 'Europe/Paris' } as const;
const field = { path: 'made', type: 'date' };

const at = (iso: string, count: number) => ({ key: String(Date.parse(iso)), count });

const merged = async (
  parts: readonly Counts[],
  measure: Measure<'date_histogram'> = days,
): Promise<Counts> => {
  const { buckets } = await dateHistogram.merge(
    parts.map((buckets, index) => ({
      nodeId: `n${index}`,
      values: null,
      matches: 0,
      documentOf: (document) => document,
      requested: null,
      result: { kind: 'date_histogram', buckets },
    })),
    { measure, field, isWhole: () => true, list: () => null },
  );
  return buckets.map(({ key, keyAsString, count }) => ({ key, keyAsString, count }));
};

test('days of nodes add up, and those that no node has are filled', async (t) => {
  const one = [at('2024-03-30T00:00+01:00', 2)];
  const other = [at('2024-03-30T00:00+01:00', 1), at('2024-04-01T00:00+02:00', 4)];
  t.deepEqual(await merged([one, [], other]), [
    { key: '1711753200000', keyAsString: '2024-03-30T00:00:00.000+01:00', count: 3 },
    { key: '1711839600000', keyAsString: '2024-03-31T00:00:00.000+01:00', count: 0 },
    { key: '1711922400000', keyAsString: '2024-04-01T00:00:00.000+02:00', count: 4 },
  ]);
  t.deepEqual(await merged([[], []]), []);
});

test('counts of many nodes add up beyond 32 bits', async (t) => {
  const most = [at('2024-03-30T00:00+01:00', 2 ** 31 - 1)];
  t.deepEqual(
    (await merged([most, most, most])).map(({ count }) => count),
    [3 * (2 ** 31 - 1)],
  );
});

test('days that a node may have are shown with those that nodes surely have', async (t) => {
  const bounded = (iso: string, lower: number, upper: number | null) => ({
    ...at(iso, lower),
    count: countBetween(lower, upper),
  });
  const withheld = [
    bounded('2024-03-29T00:00+01:00', 0, 9),
    bounded('2024-03-30T00:00+01:00', 10, 19),
    bounded('2024-04-01T00:00+02:00', 0, null),
    bounded('2024-04-02T00:00+02:00', 0, 0),
  ];
  const counts = async (...parts: readonly Counts[]) =>
    (await merged(parts)).map(({ count }) => lowerOf(count));
  t.deepEqual(await counts(withheld), [0, 10, 0, 0]);
  t.deepEqual(await counts(withheld, [at('2024-03-30T00:00+01:00', 5)]), [0, 15, 0, 0]);
  t.deepEqual(await counts(withheld.slice(0, 1)), [0]);
  t.deepEqual(await counts(withheld.slice(3)), []);
});

test('nodes whose dates are too far from each other are refused as a catalogue refuses them', async (t) => {
  const error = await t.throwsAsync(
    () => merged([[at('1700-01-01T00:00Z', 1)], [at('2024-01-01T00:00Z', 1)]]),
    {
      code: 'BAD_USER_INPUT',
      message: 'date_histogram of made has more than 65536 buckets, its interval must be at least week',
    },
  );
  t.deepEqual((error as TributaryError).details, { field: 'made', smallestInterval: 'week' });
});

const read = (buckets: unknown): unknown =>
  dateHistogram.read(
    { buckets },
    {
      ...{ measure: days, field: 'made', includeMissing: true, list: () => null, facet: {} },
    },
  );
const answered = (iso: string, count: number) => ({ key: String(Date.parse(iso)), doc_count: count });

test('a node is queried with the zone, and its days are read', (t) => {
  t.is(
    dateHistogram.print(days, 'doc_count', () => t.fail() as never),
    'date_histogram(interval: "day", timeZone: "Europe/Paris") { buckets { key doc_count } }',
  );
  t.deepEqual(read([answered('2024-03-30T00:00+01:00', 2)]), {
    kind: 'date_histogram',
    buckets: [{ key: '1711753200000', count: 2 }],
  });
  t.deepEqual(read([]), { kind: 'date_histogram', buckets: [] });
});

test('a node with other rules of the zone begins its days an hour off', (t) => {
  const buckets = [answered('2024-03-29T23:00+01:00', 2), answered('2024-03-31T01:00+01:00', 1)];
  t.deepEqual(read(buckets), {
    kind: 'date_histogram',
    buckets: [
      { key: '1711753200000', count: 2 },
      { key: '1711839600000', count: 1 },
    ],
  });
});

for (const [what, buckets] of Object.entries({
  'no list': null,
  'a key that is not a number': [{ key: 'x', doc_count: 1 }],
  'a key past all dates': [{ key: '1e300', doc_count: 1 }],
  'a count that is none': [{ key: '1711753200000', doc_count: -1 }],
  'keys of another interval': [answered('2024-03-30T00:00+01:00', 2), answered('2024-03-30T06:00+01:00', 1)],
  'days too far from each other': [answered('1700-01-01T00:00Z', 2), answered('2024-03-30T00:00Z', 1)],
}))
  test(`an answer is malformed: ${what}`, (t) => {
    t.throws(() => read(buckets), { code: 'NODE_BAD_RESPONSE', message: /^the answer is malformed at made/ });
  });
