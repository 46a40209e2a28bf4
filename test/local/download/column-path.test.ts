import test from 'ava';
import { columnPath, valuesAt } from '../../../src/local/download/column-path.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
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

test('the path of a field is taken as it is, whatever characters it has', (t) => {
  const paths = ['height [cm]', 'dose.total [mg]', '?', '$cost', "author's"];
  const odd = readFields({
    ...Object.fromEntries(paths.map((path) => [path, { type: 'integer' }])),
    dose: { properties: { 'total [mg]': { type: 'integer' } } },
  }).fields;
  for (const path of paths) {
    const { field, mapped, steps } = columnPath(path, odd);
    t.deepEqual([field?.path, mapped, steps], [path, path, keys(path)]);
  }
});

test('a key of a flattened field is one key of its documents, or objects in each other', (t) => {
  const named = readFields({ labels: { type: 'flattened' } }, { named: ['labels.made.in'] }).fields;
  const documents = [{ labels: { 'made.in': 'Ulm' } }, { labels: [{ made: { in: 'Ulm' } }] }];
  for (const path of ['labels.made.in', "$.labels['made.in']", "$.labels['made']['in'][*]"]) {
    const { field, mapped, steps } = columnPath(path, named);
    t.deepEqual([field?.path, mapped], ['labels.made.in', 'labels.made.in']);
    for (const document of documents) t.deepEqual(valuesAt(document, steps), ['Ulm'], path);
  }
  t.like(columnPath('labels.color', named), { field: undefined, mapped: 'labels' });
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

const keys = (path: string) => path.split('.').map((key) => ({ key }));

test('lists on the way are opened, one at the end stays', (t) => {
  const document = { copies: [{ loans: [{ days: [1, 2] }, { days: 3 }] }, { loans: { days: 0 } }, {}] };
  t.deepEqual(valuesAt(document, keys('copies.loans.days')), [[1, 2], 3, 0, null]);
});

test('null and absent keep the positions of objects, false and the empty text are something', (t) => {
  t.deepEqual(valuesAt({ a: [{ b: null }, {}, { b: false }, { b: '' }] }, keys('a.b')), [
    null,
    null,
    false,
    '',
  ]);
  t.deepEqual(valuesAt({ a: [{ b: null }, {}] }, keys('a.b')), []);
  t.deepEqual(valuesAt(undefined, keys('a')), []);
});

test('a position takes one item, also of a single object', (t) => {
  const steps = [{ key: 'a' }, { at: 1 }, { key: 'b' }];
  t.deepEqual(valuesAt({ a: [{ b: 1 }, { b: 2 }] }, steps), [2]);
  t.deepEqual(valuesAt({ a: { b: 1 } }, [{ key: 'a' }, { at: 0 }, { key: 'b' }]), [1]);
  t.deepEqual(valuesAt({ a: { b: 1 } }, steps), []);
});

test('what every object inherits is not in the document', (t) => {
  t.deepEqual(valuesAt({}, keys('constructor')), []);
  t.deepEqual(valuesAt({}, keys('__proto__.toString')), []);
});
