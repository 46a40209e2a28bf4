import test from 'ava';
import type { CoverageState } from '../../../src/search/node-states.ts';
import type { ValuesFacet } from '../../../portal/src/api/answer.ts';
import { heatCounts } from '../../../portal/src/charts/heat-counts.ts';

const facet = (
  counts: Readonly<Record<string, number>>,
  state: CoverageState = 'answered',
  unlistedUpper = 0,
): ValuesFacet => ({
  kind: 'values',
  path: 'site',
  coverage: [{ nodeId: 'lyon', state, docs: null }],
  buckets: Object.entries(counts).map(([key, count]) => ({
    key,
    label: null,
    count,
    upper: count,
    nodes: null,
  })),
  missing: null,
  bucketCount: 0,
  isCountExact: true,
  unlistedUpper,
});

/** Each count with its upper bound. */
const pairs = (facets: readonly (ValuesFacet | null)[], max = 8) => {
  const { columns, rows } = heatCounts(facets, max);
  return { columns, rows: rows.map((row) => row.map((each) => each && [each.count, each.upper])) };
};

test('the most frequent values are the columns', (t) => {
  t.deepEqual(pairs([facet({ skin: 3, lung: 2 }), facet({ lung: 2, eye: 1 })], 2), {
    columns: ['lung', 'skin'],
    rows: [
      [
        [2, 2],
        [3, 3],
      ],
      [
        [2, 2],
        [0, 0],
      ],
    ],
  });
});

test('a value that was not sent may still occur, and nothing is known of whom nobody answered for', (t) => {
  t.deepEqual(pairs([facet({ lung: 9 }), facet({}, 'answered', 4), facet({}, 'failed'), null]), {
    columns: ['lung'],
    rows: [[[9, 9]], [[0, 4]], [null], [null]],
  });
});
