import test from 'ava';
import { jsonCell } from '../../../src/local/download/cell-text.ts';
import { bookFields } from '../catalogue-fixture.ts';

const fields = bookFields();

test('values have the type of the schema, what does not fit stays as stored', (t) => {
  t.is(jsonCell(['80'], fields.get('pages'), false), 80);
  t.is(jsonCell([0], fields.get('price'), false), 0);
  t.is(jsonCell(['unknown'], fields.get('price'), false), 'unknown');
  t.is(jsonCell(['false'], fields.get('lendable'), false), false);
  t.is(jsonCell([7], fields.get('title'), false), '7');
  t.deepEqual(jsonCell([{ a: 1 }], fields.get('extra'), false), { a: 1 });
});

test('nothing is null, an empty list of a list column is one', (t) => {
  t.is(jsonCell([], fields.get('title'), false), null);
  t.is(jsonCell([], fields.get('genres'), true), null);
  t.deepEqual(jsonCell([[]], fields.get('genres'), true), []);
});

test('a list where there may be several values or are', (t) => {
  t.deepEqual(jsonCell(['nature'], fields.get('genres'), true), ['nature']);
  t.deepEqual(jsonCell(['a', ['b', null]], fields.get('title'), false), ['a', 'b']);
  t.deepEqual(jsonCell([['en', 'fr']], fields.get('languages'), false), ['en', 'fr']);
});
