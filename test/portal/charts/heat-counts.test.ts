import test from 'ava';
import type { ValuesFacet } from '../../../portal/src/api/answer.ts';
import { heatCounts } from '../../../portal/src/charts/heat-counts.ts';
import { valuesFacet } from '../values-facet.ts';

/** Each count with its upper bound. */
const pairs = (facets: readonly (ValuesFacet | null)[], max = 8) => {
  const { columns, rows } = heatCounts(facets, max);
  return { columns, rows: rows.map((row) => row.map((each) => each && [each.count, each.upper])) };
};

test('the most frequent values are the columns', (t) => {
  t.deepEqual(pairs([valuesFacet({ skin: 3, lung: 2 }), valuesFacet({ lung: 2, eye: 1 })], 2), {
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

test('a value that was not sent may still occur, and the counts of nodes without an answer are unknown', (t) => {
  t.deepEqual(
    pairs([valuesFacet({ lung: 9 }), valuesFacet({}, 'answered', 4), valuesFacet({}, 'failed'), null]),
    {
      columns: ['lung'],
      rows: [[[9, 9]], [[0, 4]], [null], [null]],
    },
  );
});
