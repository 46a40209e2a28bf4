import test from 'ava';
import { analysisDocuments } from '../../../src/indexing/repositories/study-repository.ts';
import { studyConfig } from './fetching.ts';

const analysis = { analysisId: 'A1', studyId: 'S1', analysisState: 'PUBLISHED' };
const config = studyConfig('http://127.0.0.1');

for (const [what, row, recordId, reason] of [
  ['a text', 'x', '(row 3 of S1)', 'it is not an object'],
  ['null', null, '(row 3 of S1)', 'it is not an object'],
  ['no id', {}, '(row 3 of S1)', 'its analysisId is not a non-empty string'],
  ['another study', { ...analysis, studyId: 'S2' }, 'A1', 'it belongs to another study than S1'],
] as const)
  test(`${what} fails`, (t) => {
    t.deepEqual(analysisDocuments(config, 'S1', row, 3), [{ kind: 'failed', recordId, reason }]);
  });

test('an analysis without samples, or with null, is a document as it is', (t) => {
  for (const document of [analysis, { ...analysis, samples: null }])
    t.deepEqual(analysisDocuments(config, 'S1', document, 1), [
      { kind: 'record', record: { documentId: 'A1', recordId: 'A1', organization: 'S1', document } },
    ]);
});

test('a state must be one of those indexed, in the same case', (t) => {
  for (const analysisState of ['published', 'UNPUBLISHED', null, ['PUBLISHED']])
    t.is(analysisDocuments(config, 'S1', { ...analysis, analysisState }, 1)[0]?.kind, 'skipped');
});

test('files that are not a list fail in file mode', (t) => {
  const fileMode = studyConfig('http://127.0.0.1', { documents: 'file' });
  t.deepEqual(analysisDocuments(fileMode, 'S1', { ...analysis, files: {} }, 1), [
    { kind: 'failed', recordId: 'A1', reason: 'its files are not a list' },
  ]);
});
