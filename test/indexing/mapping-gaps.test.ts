import test, { type ExecutionContext } from 'ava';
import { openEmbeddedEngine } from '../../src/engines/embedded/embedded-engine.ts';
import { mappingGaps } from '../../src/indexing/mapping-gaps.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { temporaryFolder } from './jobs/queue-fixture.ts';

const keyword = { type: 'keyword' };
const donors = {
  id: keyword,
  specimen: { type: 'nested', properties: { id: keyword, tissue: keyword } },
  diagnosis: { properties: { code: keyword, age: { type: 'integer' } } },
};

const gapsOf = async (t: ExecutionContext, properties: JsonObject, documents: readonly JsonObject[]) => {
  const engine = openEmbeddedEngine(await temporaryFolder(t), 0);
  t.teardown(() => engine.close());
  await engine.manage({ kind: 'create', index: 'donors', mapping: { dynamic: false, properties } });
  await engine.write(
    'donors',
    documents.map((document, at) => ({ kind: 'upsert', id: String(at), document })),
  );
  return mappingGaps(engine, 'donors');
};

test('objects that the documents have elsewhere are named once, with the path there', async (t) => {
  const diagnosis = { code: 'C50', age: 4, specimens: [{ id: 's1', tissue: 'skin' }] };
  t.deepEqual(await gapsOf(t, donors, [{ id: 'd1', diagnosis }, { id: 'd2' }]), [
    'no record has a value in specimen: is it diagnosis.specimens in the records?',
    'records have diagnosis.specimens, which the mapping lacks: it cannot be searched',
  ]);
});

test('a misspelt object is named, in the mapping or in the documents', async (t) => {
  const documents = [
    { id: 'd1', diagnosiss: { code: 'C50', age: 4 }, specimen: [{ id: 's1', tissue: 'x' }] },
  ];
  t.deepEqual(await gapsOf(t, donors, documents), [
    'no record has a value in diagnosis: is it diagnosiss in the records?',
    'records have diagnosiss, which the mapping lacks: it cannot be searched',
  ]);
});

test('values and paths in a late document, in a nested object and in dotted keys count', async (t) => {
  const many: JsonObject[] = Array.from({ length: 500 }, (_, at) => ({ id: String(at) }));
  many.push({
    id: 'late',
    extra: { of: 1 },
    'diagnosis.code': 'C50',
    'diagnosis.age': 1,
    specimen: { id: 's', tissue: 't' },
  });
  t.deepEqual(await gapsOf(t, donors, many), [
    'records have extra, which the mapping lacks: it cannot be searched',
  ]);
});

test('one empty field of an object is named alone, and null and empty lists are no values', async (t) => {
  const documents = [
    { id: 'd1', diagnosis: { code: 'C50', age: null }, specimen: [{ id: 's1', tissue: [] }] },
  ];
  t.deepEqual(await gapsOf(t, donors, documents), [
    'no record has a value in specimen.tissue',
    'no record has a value in diagnosis.age',
  ]);
});

test('an index without documents has no gaps', async (t) => {
  t.deepEqual(await gapsOf(t, donors, []), []);
});
