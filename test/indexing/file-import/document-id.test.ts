import test from 'ava';
import {
  chooseIdRule,
  documentId,
  keyCandidates,
  keyProblemText,
  newKeySurvey,
  withoutKeyField,
} from '../../../src/indexing/file-import/document-id.ts';
import { newKeySet } from '../../../src/indexing/file-import/key-set.ts';
import type { DocumentRecord } from '../../../src/indexing/file-import/records/source-record.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';

const record = (document: JsonObject, line = 1, id: string | null = null): DocumentRecord => ({
  kind: 'document',
  line,
  id,
  document,
  rounded: null,
  bytes: 10,
});

/** The key that nobody asked for, and why the others are not. */
const guessed = (documents: readonly (JsonObject | DocumentRecord)[]) => {
  const survey = newKeySurvey();
  const records = documents.map((one, at) => (isRecord(one) ? one : record(one, at + 1)));
  records.forEach(survey.add);
  return [chooseIdRule(records, undefined, survey), survey.problems().map(keyProblemText)] as const;
};

const isRecord = (one: JsonObject | DocumentRecord): one is DocumentRecord => one['kind'] === 'document';

test('id is the key if each record has another one, else _id, else keys are made', (t) => {
  t.deepEqual(guessed([{ id: 1 }, { id: 'b' }]), [{ kind: 'field', path: 'id' }, []]);
  t.deepEqual(guessed([{ id: 1, _id: 'x' }, { _id: 'y' }]), [{ kind: 'field', path: '_id' }, []]);
  t.deepEqual(guessed([{ _id: { $oid: 'x' } }, { _id: { $oid: 'y' } }]), [
    { kind: 'field', path: '_id.$oid' },
    [],
  ]);
  t.deepEqual(guessed([{ id: ['a'] }]), [{ kind: 'generated' }, []]);
  t.deepEqual(guessed([{ id: '' }]), [{ kind: 'generated' }, []]);
  t.deepEqual(guessed([]), [{ kind: 'generated' }, []]);
});

test('an id that nobody asked for is not the key if a record would be lost by it', (t) => {
  const made = { kind: 'generated' } as const;
  t.deepEqual(guessed([{ id: 1 }, { id: 2 }, { id: '1' }]), [
    made,
    [
      'id is not taken for the key of the records, since it repeats (line 3: 1); with --id-field id, only the last record of each would remain',
    ],
  ]);
  t.deepEqual(guessed([{ id: 1 }, {}, { id: 3 }]), [
    made,
    ['id is not taken for the key of the records, since some have none (line 2)'],
  ]);
  t.deepEqual(guessed([{ id: 1 }, { id: 'é'.repeat(257) }]), [
    made,
    ['id is not taken for the key of the records, since it is longer than 512 bytes (line 2)'],
  ]);
  t.deepEqual(guessed([{ id: 1 }, {}, {}, {}]), [made, []], 'few records have it');
  t.deepEqual(guessed([record({}, 1, 'a'), { id: 'a' }])[0], made, 'the key of an action counts');
});

test('a million keys are told apart', (t) => {
  const keys = newKeySet();
  const all = Array.from({ length: 1_000_000 }, (_, at) => `P-${at.toString(36)}`);
  t.true(all.every(keys.add));
  t.false(all.some(keys.add));
});

test('an inherited property is not an id', (t) => {
  t.is(documentId(record({}), { kind: 'field', path: 'constructor.name' }), null);
});

test('the requested field may lie inside an object, and some document must have it', (t) => {
  const rule = chooseIdRule([record({ a: { key: 7 } }), record({})], 'a.key', newKeySurvey());
  t.is(documentId(record({ a: { key: 7 } }), rule), '7');
  t.is(documentId(record({}), rule), null);
  t.throws(() => chooseIdRule([record({ a: 1 })], 'b', newKeySurvey()), {
    code: 'INPUT_INVALID',
    message: /value in b/,
  });
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
