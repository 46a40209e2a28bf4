import test from 'ava';
import { upperOf } from '../../../../src/search/count.ts';
import type { BucketAnswer } from '../../../../src/search/nodes-answer.ts';
import { withNodeCounts } from '../../../../src/search/facets/row/counted-buckets.ts';
import type { MergePart } from '../../../../src/search/facets/row/measure-row.ts';

const part = (
  nodeId: string,
  buckets: readonly BucketAnswer[],
  more: { readonly unlistedUpperBound?: null } = {},
): MergePart<'histogram'> => ({
  ...{ nodeId, values: null, documentOf: (document) => document, requested: null, matches: 0 },
  result: { kind: 'histogram', buckets, ...more },
});

/** What of an exact node 'a' and another one is known of the buckets 10 and 20. */
const boundsOf = (other: MergePart<'histogram'>) =>
  withNodeCounts(
    [
      { key: '10', count: 6 },
      { key: '20', count: 2 },
    ],
    [
      part('a', [
        { key: '10', count: 3 },
        { key: '20', count: 2 },
      ]),
      other,
    ],
    Number,
  ).map(({ count, nodes }) => [upperOf(count), nodes]);

const both = [
  { nodeId: 'a', count: 3 },
  { nodeId: 'b', count: 3 },
];

test('a node with bounds has nothing in a bucket that it does not list', (t) => {
  t.deepEqual(boundsOf(part('b', [{ key: '10.0', count: { lower: 3, upper: 5 } }])), [
    [8, both],
    [2, [{ nodeId: 'a', count: 2 }]],
  ]);
});

test('a node may have any number in a bucket that it does not list, if it says so', (t) => {
  const listed = [{ key: '10.0', count: { lower: 3, upper: 5 } }];
  t.deepEqual(boundsOf(part('b', listed, { unlistedUpperBound: null })), [
    [8, both],
    [null, [{ nodeId: 'a', count: 2 }]],
  ]);
});

test('without bounds anywhere the counts are exact', (t) => {
  t.deepEqual(boundsOf(part('b', [{ key: '10.0', count: 3 }])), [
    [6, both],
    [2, [{ nodeId: 'a', count: 2 }]],
  ]);
});
