import test from 'ava';
import { documentRows, rowLevels } from '../../../src/local/download/document-rows.ts';
import { bookFields, books } from '../catalogue-fixture.ts';

const fields = bookFields();

test('without uniqueBy a document is one row', (t) => {
  t.deepEqual(documentRows(books['b3']!, rowLevels(null, fields)), [[books['b3']!]]);
});

test('one row for each object, a single one stored without a list included, none without objects', (t) => {
  const levels = rowLevels('copies.hits.edges[].node.', fields);
  const rowsOf = (id: string) => documentRows(books[id]!, levels).map(([, copy]) => copy!['bought']);
  t.deepEqual(rowsOf('b1'), [2010, 2005]);
  t.deepEqual(rowsOf('b2'), [2012]);
  t.deepEqual(rowsOf('b3'), []);
});

test('two levels down, a row has the object above it too', (t) => {
  const levels = rowLevels('copies.hits.edges[].node.loans.hits.edges[].node.reader', fields);
  const rows = documentRows(books['b1']!, levels);
  t.is(rows.length, 1);
  t.like(rows[0]![1], { state: 'good' });
  t.deepEqual(rows[0]![2], { reader: 'ann', days: 3 });
});

for (const uniqueBy of ['title', 'gone', 'publisher.name'])
  test(`uniqueBy ${uniqueBy} is refused`, (t) => {
    t.like(
      t.throws(() => rowLevels(uniqueBy, fields)),
      {
        code: 'BAD_USER_INPUT',
        details: { nestedFields: ['copies', 'copies.loans'] },
      },
    );
  });
