import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../src/engines/embedded/columns/row.ts';
import { UnmappedKeys } from '../../../../src/engines/embedded/columns/mapping-tree.ts';
import { differences } from '../../../../src/engines/embedded/index/differences.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';

const keyword = { type: 'keyword' };
const before = {
  properties: { title: keyword, shape: { properties: { colour: keyword } }, notes: { enabled: false } },
};

/** Columns of the documents, extended; and how many documents were read again for that. */
const extended = (documents: readonly JsonObject[], added: JsonObject) => {
  const columns = new Columns(before as JsonObject);
  documents.forEach((document, i) => columns.append(i + 1, `d${i}`, readRow(columns.tree, document, false)));
  columns.seal();
  let read = 0;
  const stored = function* (): Generator<readonly [number, JsonObject]> {
    for (const [i, document] of documents.entries()) {
      read++;
      yield [i + 1, document];
    }
  };
  const properties = { ...before.properties, ...added };
  columns.extend({ properties } as JsonObject, stored());
  const rows = documents.map((document, i) => ({ docId: i + 1, id: `d${i}`, src: JSON.stringify(document) }));
  assertNone(differences(columns, rows));
  return read;
};

const assertNone = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new Error(problems.join('; '));
};

const plain = { title: 'Harbour', shape: { colour: 'red' } };

test('a field that no document held is added without reading the documents', (t) => {
  t.is(extended([plain, plain], { pages: { type: 'long' } }), 0);
  t.is(extended([plain], { shape: { properties: { colour: keyword, size: keyword } } }), 0);
  t.is(extended([plain], { parts: { type: 'nested', properties: { name: keyword } } }), 0);
  t.is(extended([{ ...plain, pages: null, other: [] }], { pages: { type: 'long' } }), 0);
});

test('a nested field inside nested objects that are there has no objects', (t) => {
  const parts = (more: JsonObject) => ({
    parts: { type: 'nested', properties: { name: keyword, ...more } },
  });
  const columns = new Columns({ properties: parts({}) } as JsonObject);
  const document = { parts: [{ name: 'a' }, { name: 'b' }] };
  columns.append(1, 'd', readRow(columns.tree, document, false));
  columns.seal();
  const screws = { type: 'nested', properties: { size: keyword } };
  columns.extend({ properties: parts({ screws }) } as JsonObject, []);
  const newer = { parts: [{ name: 'c', screws: [{ size: 'L' }] }] };
  columns.append(2, 'e', readRow(columns.tree, newer, false));
  columns.seal();
  t.deepEqual(
    differences(columns, [
      { docId: 1, id: 'd', src: JSON.stringify(document) },
      { docId: 2, id: 'e', src: JSON.stringify(newer) },
    ]),
    [],
  );
});

test('a field that a document held is filled from the documents', (t) => {
  t.is(extended([plain, { pages: 3 }], { pages: { type: 'long' } }), 2);
  t.is(
    extended([{ shape: { size: 'L' } }], { shape: { properties: { colour: keyword, size: keyword } } }),
    1,
  );
  t.is(
    extended([{ parts: [{ name: 'a' }, {}] }], { parts: { type: 'nested', properties: { name: keyword } } }),
    1,
  );
});

test('keys with dots and objects count for what they stand for', (t) => {
  t.is(extended([{ 'shape.size': 'L' }], { shape: { properties: { colour: keyword, size: keyword } } }), 1);
  t.is(extended([{ 'a.b': 'x' }], { a: { properties: { b: keyword } } }), 1);
  const deep = { shape: { properties: { colour: keyword, edge: { properties: { width: keyword } } } } };
  t.is(extended([{ 'shape.edge': { width: '1' } }], deep), 1);
  t.is(extended([{ 'shape.edge.width': '1' }], deep), 1);
});

test('what takes values of mapped fields, or of nothing, is filled from the documents', (t) => {
  t.is(extended([plain], { title: { ...keyword, fields: { words: { type: 'text' } } } }), 1);
  t.is(extended([plain], { pages: { type: 'long', null_value: 1 } }), 1);
  t.is(extended([plain], { title: { ...keyword, copy_to: 'all' }, all: keyword }), 1);
  t.is(extended([{ notes: { a: 1 } }], { notes: { properties: { a: { type: 'long' } } } }), 1);
});

test('too many keys mean that any field may have been held, in a snapshot too', (t) => {
  const keys = new UnmappedKeys();
  keys.add('one');
  t.false(keys.mayHold('two'));
  t.deepEqual(keys.list(), ['one']);
  for (let i = 0; i < 1_000; i++) keys.add(`key${i}`);
  t.true(keys.mayHold('two'));
  t.is(keys.list(), null);
  const restored = new UnmappedKeys();
  restored.restore(null);
  t.true(restored.mayHold('two'));
  restored.restore(['one']);
  t.false(restored.mayHold('two'));
  t.true(restored.mayHold('one'));
});
