import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { readJson } from '../../../../src/indexing/file-import/records/read-json.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { chunksOf, collect } from '../collect.ts';

const read = async (text: string, records?: string, size = 7) => {
  const notices: string[] = [];
  const reading = { ...plainReading, records, onNotice: (notice: string) => void notices.push(notice) };
  const found = await collect(readJson(chunksOf(text, size), 100_000, null, reading));
  const documents = found.map((one) => (one.kind === 'document' ? one.document : one.kind));
  return { documents, notices, found };
};

const ab = [{ a: 1 }, { a: 2 }];

for (const [what, value, path] of [
  ['results', { next: null, count: 2, results: ab }, 'results'],
  ['data', { data: ab, links: [{ self: 'x' }] }, 'data'],
  ['records below data', { data: { total: 2, hits: ab } }, 'data.hits'],
  ['a FHIR bundle', { resourceType: 'Bundle', id: 'x', entry: ab.map((resource) => ({ resource })) }, 'entry.resource'], // prettier-ignore
  ['GeoJSON', { type: 'FeatureCollection', name: 'x', features: ab }, 'features'],
  ['a search server', { took: 1, hits: { total: 2, hits: ab.map((_source) => ({ _id: '1', _source })) } }, 'hits.hits._source'], // prettier-ignore
  ['embedded resources', { _embedded: { samples: ab }, _links: {} }, '_embedded.samples'],
  ['the only list of objects', { version: '2', patients: ab }, 'patients'],
] as const)
  for (const indent of [0, 2])
    test(`the records in an envelope are found and named: ${what}, indented by ${String(indent)}`, async (t) => {
      const { documents, notices } = await read(JSON.stringify(value, null, indent));
      t.deepEqual(documents as unknown, ab);
      t.deepEqual(notices, [`the records are those in ${path} (--records names another path)`]);
    });

test('an object with a key of its own is one record, and the records inside are named', async (t) => {
  const phenopacket = { id: 'P1', phenotypicFeatures: [{ type: { id: 'HP:1' } }, { type: { id: 'HP:2' } }] };
  const text = JSON.stringify(phenopacket, null, 2);
  const { documents, notices } = await read(text);
  t.deepEqual(documents as unknown, [phenopacket]);
  t.deepEqual(notices, ['the file is one JSON object and loaded as one record (--records phenotypicFeatures loads the records inside)']); // prettier-ignore
  t.deepEqual((await read(text, 'phenotypicFeatures.type')).documents as unknown, [{ id: 'HP:1' }, { id: 'HP:2' }]); // prettier-ignore
  await t.throwsAsync(read(text, 'features'), { message: '--records features: there are no objects; there are some in phenotypicFeatures' }); // prettier-ignore
});

test('objects one after another on several lines are a record each', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), { minLength: 2 }),
      fc.integer({ min: 1, max: 20 }),
      async (documents, size) => {
        const text = documents.map((document) => JSON.stringify(document, null, 1)).join('\n');
        const { found } = await read(text, undefined, size);
        const values = found.map((one) => (one.kind === 'document' ? (one.rounded ?? one.document) : one));
        t.deepEqual(values, documents.map((document) => JSON.parse(JSON.stringify(document)) as unknown)); // prettier-ignore
      },
    ),
    { numRuns: runs(60) },
  );
});

test('digits past 2^53 inside an envelope are kept', async (t) => {
  const { found } = await read('{"results":[{"n":9007199254740993},{"n":1}]}');
  t.like(found[0], { document: { n: '9007199254740993' }, rounded: { n: 9007199254740992 } });
});

test('what is not JSON is an error in plain words', async (t) => {
  await t.throwsAsync(read('{"a":1}\n{"a":}'), { message: 'value 2 of the file is not JSON: a comma, quote or bracket is missing or too much' }); // prettier-ignore
  await t.throwsAsync(read('{"a":{'), { message: 'the text ends inside an object' });
});
