import test from 'ava';
import {
  chooseIdRule,
  documentId,
  keyCandidates,
  withoutKeyField,
} from '../../../src/indexing/file-import/document-id.ts';
import type { DocumentRecord } from '../../../src/indexing/file-import/records/source-record.ts';
import type { JsonObject } from '../../../src/json/json.ts';

const record = (document: JsonObject, line = 1, id: string | null = null): DocumentRecord => ({
  kind: 'document',
  line,
  id,
  document,
  rounded: null,
  bytes: 10,
});

test('id is the key when every sampled document has one, else _id, else keys are made', (t) => {
  t.deepEqual(chooseIdRule([record({ id: 1 }), record({ id: 'b' })], undefined), {
    kind: 'field',
    path: 'id',
  });
  t.deepEqual(chooseIdRule([record({ id: 1, _id: 'x' }), record({ _id: 'y' })], undefined), {
    kind: 'field',
    path: '_id',
  });
  t.deepEqual(chooseIdRule([record({ id: ['a'] })], undefined), { kind: 'generated' });
  t.deepEqual(chooseIdRule([record({ id: '' })], undefined), { kind: 'generated' });
});

test('a few documents without an id are not a reason to make keys for all', (t) => {
  const rule = chooseIdRule([record({ id: 1 }), record({ name: 'x' }), record({ id: 3 })], undefined);
  t.deepEqual(rule, { kind: 'field', path: 'id' });
  t.is(documentId(record({ name: 'x' }), rule), null);
  t.deepEqual(chooseIdRule([record({ id: 1 }), record({})], undefined), { kind: 'field', path: 'id' });
  t.deepEqual(chooseIdRule([record({ id: 1 }), record({}), record({})], undefined), { kind: 'generated' });
});

test('an inherited property is not an id', (t) => {
  t.is(documentId(record({}), { kind: 'field', path: 'constructor.name' }), null);
});

test('the requested field may lie inside an object, and some document must have it', (t) => {
  const rule = chooseIdRule([record({ a: { key: 7 } }), record({})], 'a.key');
  t.is(documentId(record({ a: { key: 7 } }), rule), '7');
  t.is(documentId(record({}), rule), null);
  t.throws(() => chooseIdRule([record({ a: 1 })], 'b'), { code: 'INPUT_INVALID', message: /value in b/ });
});

test('the key of a bulk action counts before the rule', (t) => {
  t.is(documentId(record({ id: 'inside' }, 1, 'outside'), { kind: 'field', path: 'id' }), 'outside');
});

test('a made key is the same on every load and differs by line and by content', (t) => {
  const rule = { kind: 'generated' } as const;
  const key = documentId(record({ a: 1 }), rule);
  t.regex(key ?? '', /^[0-9a-f]{32}$/);
  t.is(documentId(record({ a: 1 }), rule), key);
  t.not(documentId(record({ a: 2 }), rule), key);
  t.not(documentId(record({ a: 1 }, 2), rule), key);
});

test('the _id field is the key, not a part of the document', (t) => {
  t.deepEqual(withoutKeyField({ _id: 'x', a: 1 }), { a: 1 });
  t.deepEqual(withoutKeyField({ a: 1 }), { a: 1 });
});

test('dates are not proposed as keys, and numbers named like keys are', (t) => {
  const rows = (name: string, values: readonly (string | number)[]) =>
    values.map((value) => record({ [name]: value, day: `2020-01-0${String(value).slice(-1)}` }));
  for (const name of ['N°', 'Nº', '№', 'Inv_Nr', 'patientId'])
    t.deepEqual(keyCandidates(rows(name, [1, 2, 3])), [name]);
  t.deepEqual(keyCandidates(rows('column_1', [1, 2, 3])), []);
  t.deepEqual(keyCandidates(rows('label', ['A.1', 'A.2', 'B.3'])), ['label']);
});
