import test from 'ava';
import { bulkAction } from '../../../../src/indexing/file-import/records/read-ndjson.ts';

test('an action is one known verb with metadata only', (t) => {
  t.deepEqual(bulkAction({ index: { _id: 5, routing: 'r' } }), { verb: 'index', id: '5' });
  t.deepEqual(bulkAction({ create: {} }), { verb: 'index', id: null });
  t.is(bulkAction({ index: { title: 'x' } }), null);
  t.is(bulkAction({ index: {}, delete: {} }), null);
  t.is(bulkAction({ upsert: {} }), null);
  t.is(bulkAction({ index: 'x' }), null);
  t.is(bulkAction({}), null);
});
