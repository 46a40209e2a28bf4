import test from 'ava';
import { columnPath } from '../../../src/local/download/column-path.ts';
import { bookFields } from '../catalogue-fixture.ts';

const fields = bookFields();

/** The keys and positions of a path, as text. */
const stepsOf = (text: string): string =>
  columnPath(text, fields)
    .steps.map((step) => ('key' in step ? step.key : `#${step.at}`))
    .join('/');

const spellings: readonly [string, string][] = [
  ['title', 'title'],
  ['$.title', 'title'],
  ["$['title']", 'title'],
  ['publisher.seat.City', 'publisher/seat/City'],
  ['copies.loans.reader', 'copies/loans/reader'],
  ['$.copies.hits.edges[*].node.loans.hits.edges[*].node.reader', 'copies/loans/reader'],
  ['copies.hits.edges[].node.', 'copies'],
  ['$.copies.hits.edges[1].node.state', 'copies/#1/state'],
  ['$.copies.hits.edges', 'copies'],
  ['isbn_10', 'isbn-10'],
  ['$._2nd_title', '2nd_title'],
  ['extra.any.thing', 'extra/any/thing'],
  ['gone.for.good', 'gone/for/good'],
];

for (const [text, steps] of spellings)
  test(`${text} leads to ${steps}`, (t) => {
    t.is(stepsOf(text), steps);
  });

test('says how much of the path is mapped', (t) => {
  t.like(columnPath('isbn_10', fields), { field: { path: 'isbn-10' }, mapped: 'isbn-10' });
  t.like(columnPath('extra.any.thing', fields), { field: undefined, mapped: 'extra' });
  t.like(columnPath('gone.for.good', fields), { field: undefined, mapped: null });
});

test('the total of a connection is a count', (t) => {
  t.like(columnPath('copies.hits.total', fields), { isCount: true, mapped: 'copies' });
  t.like(columnPath('copies', fields), { isCount: false });
});

test('a wildcard at the end opens the list there', (t) => {
  t.true(columnPath('$.genres[*]', fields).isOpened);
  t.false(columnPath('$.genres', fields).isOpened);
});

for (const text of ['$..title', '$.copies[?(@.state)]', '$.*', '$.copies.hits.nodes', 'a[', '$.a[x]'])
  test(`${text} is refused`, (t) => {
    t.like(
      t.throws(() => columnPath(text, fields)),
      { code: 'BAD_USER_INPUT' },
    );
  });
