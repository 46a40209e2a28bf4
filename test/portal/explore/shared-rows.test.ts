import test from 'ava';
import type { CoverageState } from '../../../src/search/node-states.ts';
import type { ValuesFacet } from '../../../portal/src/api/answer.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import { sharedRows, shareOf } from '../../../portal/src/explore/compare/shared-rows.ts';
import { en } from '../../../portal/src/i18n/en.ts';
import { formatsOf } from '../../../portal/src/i18n/formats.ts';
import { valuesFacet } from '../values-facet.ts';

const field = { path: 'alive', name: 'Alive', type: 'boolean', kind: 'values' } as Field;
const words = { t: en, ...formatsOf('en') };

const facet = (
  counts: Readonly<Record<string, number>>,
  state?: CoverageState,
  unlistedUpper?: number,
): ValuesFacet => valuesFacet(counts, state, unlistedUpper, 200);

test('a value that a cohort did not list has none there, or as many as its list leaves open', (t) => {
  const rows = sharedRows([facet({ true: 50 }), facet({}), facet({}, 'answered', 9)], field, words);
  t.deepEqual(
    rows.map(({ label, counts }) => [label, ...counts.map((each) => [each?.count, each?.upper])]),
    [['Yes', [50, 50], [0, 0], [0, 9]]],
  );
});

test('a cohort for which no node answered has no numbers, not zeros', (t) => {
  const [row] = sharedRows([facet({ true: 50 }), facet({}, 'failed'), undefined], field, words);
  t.deepEqual(row?.counts.slice(1), [null, null]);
});

test('a share is as sure as its count', (t) => {
  t.deepEqual(shareOf({ count: 50, upper: 50 }, 200), { low: 0.25, high: 0.25 });
  t.deepEqual(shareOf({ count: 50, upper: 100 }, 200), { low: 0.25, high: 0.5 });
  t.deepEqual(shareOf({ count: 50, upper: Infinity }, 200), { low: 0.25, high: 1 });
  t.is(shareOf(null, 200), null);
  t.is(shareOf({ count: 50, upper: 50 }, null), null);
});
