import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../src/engines/embedded/columns/row.ts';
import { differences } from '../../../../src/engines/embedded/index/differences.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { mixedMapping, randomDocument, seeded } from '../../random-documents.ts';

const documents = ((random) => Array.from({ length: 60 }, () => randomDocument(random)))(seeded(3));
const stored = (list: readonly JsonObject[]) =>
  list.map((document, i) => ({ docId: i + 1, id: `d${i}`, src: JSON.stringify(document) }));

const columnsOf = (list: readonly JsonObject[]): Columns => {
  const columns = new Columns(mixedMapping);
  list.forEach((document, i) => columns.append(i + 1, `d${i}`, readRow(columns.tree, document, false)));
  columns.seal();
  return columns;
};

test('columns that hold their documents differ in nothing', (t) => {
  t.deepEqual(differences(columnsOf(documents), stored(documents)), []);
  const surrogates = [{ tag: ['\uD800', '\uDFFF', 'x'] }];
  t.deepEqual(differences(columnsOf(surrogates), stored(surrogates)), []);
});

for (const [name, document, changed, field] of [
  ['a keyword', { tag: ['a', 'b'] }, { tag: ['a', 'c'] }, 'tag'],
  ['a value more', { n: [1] }, { n: [1, 2] }, 'n'],
  ['a long past 2^53', { big: '9007199254740993' }, { big: '9007199254740992' }, 'big'],
  ['a nested object more', { items: [{}] }, { items: [{}, {}] }, 'items'],
  [
    'a value three levels down',
    { items: { labels: { marks: { ok: true } } } },
    { items: { labels: { marks: {} } } },
    'items.labels.marks.ok',
  ],
] as const) {
  test(`${name} is seen`, (t) => {
    t.deepEqual(differences(columnsOf([{}, document, {}]), stored([{}, changed, {}])), [
      `document d1 has other values in ${field}`,
    ]);
  });
}

test('documents that are missing or too many are seen', (t) => {
  const columns = columnsOf(documents);
  columns.remove(7);
  t.deepEqual(differences(columns, stored(documents)), [
    'document d6 is not in the columns',
    'the columns count 59 documents, 60 are stored',
  ]);
  t.deepEqual(differences(columnsOf(documents), stored(documents).slice(1)), [
    'the columns count 60 documents, 59 are stored',
  ]);
});
