import { readFileSync } from 'node:fs';
import test from 'ava';
import { packagePath } from '../../../src/lib/runtime/server-version.ts';
import { ensureSample, sampleDocuments } from '../../../src/cli/sample/sample.ts';
import { mappingCovers } from '../../../src/indexing/mapping-body.ts';
import { openHierarchy } from '../../../src/introspection/hierarchies/open-hierarchies.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { readValueFile } from '../../../src/server/node/named-files.ts';
import { memoryEngine } from '../../indexing/memory-engine.ts';

const catalogues = ['lyon', 'singapore', 'toronto'].map((catalogueId) => ({
  catalogueId,
  esIndex: catalogueId,
  folder: packagePath(`configs/${catalogueId}`),
}));
const json = (path: string): unknown => JSON.parse(readFileSync(packagePath(path), 'utf8'));

for (const [id, count] of [
  ['toronto', 4_000],
  ['lyon', 2_500],
  ['singapore', 1_500],
] as const)
  test(`${id} has ${String(count)} documents with distinct keys, all fields mapped`, (t) => {
    const { mappings } = json(`configs/${id}/mapping.json`) as { mappings: { properties: JsonObject } };
    const keys = new Set<string>();
    for (const sample of sampleDocuments(id)) {
      keys.add(sample.id);
      if (!mappingCovers(mappings.properties, sample.document)) t.fail(JSON.stringify(sample.document));
    }
    t.is(keys.size, count);
  });

test('the documents are the same every time', (t) => {
  const [first] = sampleDocuments('lyon');
  t.deepEqual([...sampleDocuments('lyon')][0], first);
  t.is(first?.id, 'LYO00001');
});

test('every code of Lyon is translated to a term of the hierarchy', async (t) => {
  const file = 'configs/lyon/diagnosis-codes.sssom.tsv';
  const codes = readValueFile(readFileSync(packagePath(file)), file);
  const path = packagePath('configs/toronto/icd10.csv');
  const hierarchy = await openHierarchy({ name: 'icd10', path, file: path, relations: [] });
  for (const { document } of sampleDocuments('lyon')) {
    const code = String(document['diagnosis_code']);
    t.not(hierarchy.indexOf(codes.get(code) ?? ''), undefined, code);
  }
});

test('every field that a catalogue configures is mapped', (t) => {
  for (const { catalogueId } of catalogues) {
    const { mappings } = json(`configs/${catalogueId}/mapping.json`) as {
      mappings: { properties: JsonObject };
    };
    const configured = ['extended', 'facets', 'table'].flatMap((name) =>
      [...JSON.stringify(json(`configs/${catalogueId}/${name}.json`)).matchAll(/"fieldName":"([^"]+)"/g)].map(
        (match) => match[1]!,
      ),
    );
    t.true(configured.length > 40);
    for (const path of configured) {
      const document = path
        .split('.')
        .reduceRight<unknown>((value, name) => ({ [name]: value }), 1) as JsonObject;
      t.true(mappingCovers(mappings.properties, document), `${catalogueId} ${path}`);
    }
  }
});

test('each catalogue is loaded once, and its name appears when it is whole', async (t) => {
  const memory = memoryEngine();
  const stated: string[] = [];
  await ensureSample({ catalogues }, memory.engine, (line) => stated.push(line));
  t.deepEqual(
    [...memory.indices].map(([name, index]) => [name, index.documents.size]),
    [
      ['lyon_sample', 2_500],
      ['singapore_sample', 1_500],
      ['toronto_sample', 4_000],
    ],
  );
  t.deepEqual(Object.fromEntries(memory.aliases), {
    lyon: ['lyon_sample'],
    singapore: ['singapore_sample'],
    toronto: ['toronto_sample'],
  });
  t.is(stated.length, 3);
  const requested = memory.log.length;
  await ensureSample({ catalogues }, memory.engine);
  t.is(memory.log.length, requested);
});

test('an index of that name is left alone, a load that was cut off is begun again', async (t) => {
  const memory = memoryEngine();
  await memory.engine.manage({ kind: 'create', index: 'lyon', mapping: {} });
  await memory.engine.manage({ kind: 'create', index: 'singapore_sample', mapping: {} });
  await ensureSample({ catalogues: catalogues.slice(0, 2) }, memory.engine);
  t.is(memory.indices.get('lyon')?.documents.size, 0);
  t.is(memory.indices.get('singapore_sample')?.documents.size, 1_500);
});

test('other catalogues have no sample', async (t) => {
  const memory = memoryEngine();
  await ensureSample({ catalogues: [{ catalogueId: 'mine', esIndex: 'mine', folder: '' }] }, memory.engine);
  t.deepEqual(memory.log, []);
});
