import test from 'ava';
import { submittedDocument } from '../../../src/indexing/repositories/record-repository.ts';
import { recordConfig } from './fetching.ts';

const record = { systemId: 'R1', entityName: 'play', organization: 'O1', isValid: true, data: {} };
const config = recordConfig('http://127.0.0.1');

for (const [what, row, recordId, reason] of [
  ['a text', 'x', '(row 3 of O1)', 'it is not an object'],
  ['a list', [record], '(row 3 of O1)', 'it is not an object'],
  ['an empty id', { ...record, systemId: '' }, '(row 3 of O1)', 'its systemId is not a non-empty string'],
  [
    'another organization',
    { ...record, organization: 'O2' },
    'R1',
    'it belongs to another organization than O1',
  ],
  [
    'no organization',
    { ...record, organization: undefined },
    'R1',
    'its organization is not a non-empty string',
  ],
] as const)
  test(`${what} fails`, (t) => {
    t.deepEqual(submittedDocument(config, 'O1', row, 3), { kind: 'failed', recordId, reason });
  });

test('only what is called valid is, unless all are wanted', (t) => {
  for (const isValid of [false, undefined, 'true', 1]) {
    const row = { ...record, isValid };
    t.is(submittedDocument(config, 'O1', row, 1).kind, 'skipped');
    t.is(submittedDocument({ ...config, validOnly: false }, 'O1', row, 1).kind, 'record');
  }
});

test('the document is the record with its envelope', (t) => {
  t.deepEqual(submittedDocument(config, null, record, 1), {
    kind: 'record',
    record: { documentId: 'R1', recordId: 'R1', organization: 'O1', document: record },
  });
});
