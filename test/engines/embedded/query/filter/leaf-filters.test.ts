import test from 'ava';
import { listBits } from '../../../../../src/engines/embedded/columns/bitset.ts';
import { Columns } from '../../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../../src/engines/embedded/columns/row.ts';
import { neverStopped } from '../../../../../src/engines/embedded/columns/search-run.ts';
import { rangeBits } from '../../../../../src/engines/embedded/query/filter/leaf-filters.ts';

test('ranges of keywords include or exclude their bounds, which need not occur', (t) => {
  const columns = new Columns({ properties: { k: { type: 'keyword' } } });
  ['a', 'b', 'é', '', undefined].forEach((k, at) =>
    columns.append(at + 1, `d${at}`, readRow(columns.tree, k === undefined ? {} : { k }, true)),
  );
  columns.seal();
  const found = (bounds: object) => [...listBits(rangeBits(columns.column('k')!, bounds, neverStopped))];
  t.deepEqual(
    [found({ lte: 'b' }), found({ lt: 'b' })],
    [
      [0, 1, 3],
      [0, 3],
    ],
  );
  t.deepEqual([found({ gte: 'b' }), found({ gt: 'b' })], [[1, 2], [2]]);
  t.deepEqual([found({ gt: 'aa', lt: 'z' }), found({ gt: 'b', lt: 'b' })], [[1], []]);
  t.deepEqual(found({}), [0, 1, 2, 3]);
});
