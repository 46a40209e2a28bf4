import test from 'ava';
import type { Bin } from '../../../portal/src/api/answer.ts';
import { drawnBins } from '../../../portal/src/charts/drawn-bins.ts';
import { timelinePath } from '../../../portal/src/explore/timeline-path.ts';
import { en } from '../../../portal/src/i18n/en.ts';
import { formatsOf } from '../../../portal/src/i18n/formats.ts';
import { intervalText } from '../../../portal/src/look/show-value.ts';

/** Intervals of ten from a start, with these counts. */
const bins = (counts: readonly number[], start = 0): readonly Bin[] =>
  counts.map((count, at) => ({
    from: start + at * 10,
    to: start + at * 10 + 10,
    count,
    upper: count,
    nodes: [{ nodeId: 'lyon', count }],
  }));

const zeros = (length: number): readonly number[] => Array.from({ length }, () => 0);

test('a long tail of few values is left out, and counted', (t) => {
  const { bins: drawn, before, beyond } = drawnBins(bins([500, 400, 99, ...zeros(20), 1]), 40);
  t.deepEqual([drawn.length, drawn.at(-1)?.to], [3, 30]);
  t.deepEqual(beyond, { end: 30, count: 1, upper: 1 });
  t.is(before.end, null);
  const low = drawnBins(bins([1, ...zeros(20), 500, 400, 99], -210), 40);
  t.deepEqual([low.bins[0]?.from, low.before], [0, { end: 0, count: 1, upper: 1 }]);
});

test('a tail of just a hundredth is left out', (t) => {
  const { bins: drawn, beyond } = drawnBins(bins([500, 400, 90, ...zeros(20), 10]), 40);
  t.deepEqual([drawn.length, beyond.count], [3, 10]);
});

test('what is spread evenly, and nothing at all, is drawn whole', (t) => {
  const even = bins(Array.from({ length: 30 }, () => 7));
  t.deepEqual(drawnBins(even, 40).bins, even);
  t.deepEqual(drawnBins([], 40), {
    bins: [],
    before: { end: null, count: 0, upper: 0 },
    beyond: { end: null, count: 0, upper: 0 },
  });
});

test('neighbours are taken together from round places, with what each institution has', (t) => {
  const { bins: drawn } = drawnBins(
    bins(
      Array.from({ length: 30 }, () => 2),
      30,
    ),
    8,
  );
  t.deepEqual(
    drawn.map(({ from, to, count }) => [from, to, count]),
    [
      [30, 50, 4],
      [50, 100, 10],
      [100, 150, 10],
      [150, 200, 10],
      [200, 250, 10],
      [250, 300, 10],
      [300, 330, 6],
    ],
  );
  t.deepEqual(drawn[1]?.nodes, [{ nodeId: 'lyon', count: 10 }]);
});

test('an interval is named by its first and last value', (t) => {
  const words = { t: en, ...formatsOf('en') };
  const dates = { path: 'made', kind: 'dates', type: 'date', unit: null } as const;
  const ages = { path: 'age', kind: 'numbers', type: 'integer', unit: null } as const;
  const at = (date: string): number => Date.parse(date);
  const text = (field: typeof dates | typeof ages, from: number, to: number): string =>
    intervalText(field, { from, to }, words);
  t.is(text(dates, at('1900-01-01'), at('1910-01-01')), '1900 to 1909');
  t.is(text(dates, at('1900-01-01'), at('1901-01-01')), '1900');
  t.is(text(dates, at('2024-01-01'), at('2024-02-01')), '1 Jan 2024 to 31 Jan 2024');
  t.is(text(dates, at('2024-01-01'), at('2024-01-02')), '1 Jan 2024');
  t.is(text(dates, at('-000500-03-01'), at('-000500-04-01')), '-0500-03-01 to -0500-03-31');
  t.is(text(ages, 0, 10), '0 to 9');
  t.is(text(ages, 3, 4), '3');
  t.is(intervalText({ ...ages, type: 'float' }, { from: 0, to: 10 }, words), '0 to 10');
});

test('numbers on axes have prefixes of the SI', (t) => {
  const { short } = formatsOf('en');
  t.deepEqual([0, 950, 1000, 12_500, 3e6, -2000, 0.5].map(short), [
    '0',
    '950',
    '1 k',
    '12.5 k',
    '3 M',
    '-2 k',
    '0.5',
  ]);
});

test('the histogram above the table is of a time that at least half of the institutions have, else of a number', (t) => {
  const field = (kind: string, nodes: readonly string[]) => ({ kind, nodes });
  const fields = new Map([
    ['age', field('numbers', ['a', 'b'])],
    ['made', field('dates', ['a'])],
    ['year', field('numbers', ['a', 'b'])],
    ['parts', field('nested', ['a', 'b'])],
    ['parts.day', field('dates', ['a', 'b'])],
    ['sex', field('values', ['a', 'b'])],
  ]);
  const catalogue = {
    fields,
    facets: [...fields.keys()],
    nodes: ['a', 'b'],
    disclosure: null,
  } as unknown as Parameters<typeof timelinePath>[1];
  t.is(timelinePath({ look: {} }, catalogue, {}), 'year');
  t.is(timelinePath({ look: {} }, { ...catalogue, facets: ['age', 'made'] }, {}), 'made');
  const more = { ...catalogue, facets: ['age', 'made'], nodes: [...catalogue.nodes, ...catalogue.nodes] };
  t.is(timelinePath({ look: {} }, more, {}), 'age');
  t.is(timelinePath({ look: {} }, { ...more, facets: ['made', 'age'], shownFacets: 1 }, {}), 'made');
  t.is(timelinePath({ look: { timeline: 'made' } }, catalogue, {}), 'made');
  t.is(timelinePath({ look: { timeline: 'gone' } }, catalogue, { timeline: 'age' }), 'age');
});
