import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { starterFiles, writeStarterFolder } from '../../../src/cli/load/starter-folder.ts';
import type { StarterCatalogue } from '../../../src/cli/load/starter-folder.ts';
import { temporaryFolder } from '../temporary-configs.ts';

const catalogue: StarterCatalogue = {
  id: 'tall-ships',
  esIndex: 'tall-ships',
  folder: 'unused',
  idField: 'id',
  mapping: {
    dynamic: true,
    properties: {
      id: { type: 'keyword' },
      rig: { type: 'keyword' },
      log: { type: 'text' },
      ports: { type: 'keyword' },
      crew: { type: 'nested', properties: { firstName: { type: 'keyword' } } },
    },
  },
  sample: [
    { id: 'a', rig: 'brig', log: 'x', ports: ['Brest'], crew: [{ firstName: 'Ann' }, { firstName: 'Bo' }] },
    { id: 'b', rig: 'bark', log: 'y', ports: 'Cadiz' },
  ],
};

test('the starter folder names the documents, their fields, columns and facets', (t) => {
  const files = starterFiles(catalogue);
  t.deepEqual(files['base.json'], { documentType: 'tall_ships', esIndex: 'tall-ships', maxDepth: 9 });
  t.deepEqual(files['extended.json'], {
    extended: [
      { fieldName: 'id', displayName: 'Id', primaryKey: true },
      { fieldName: 'rig', displayName: 'Rig' },
      { fieldName: 'log', displayName: 'Log' },
      { fieldName: 'ports', displayName: 'Ports', isArray: true },
      { fieldName: 'crew.firstName', displayName: 'Crew First Name' },
    ],
  });
  t.deepEqual(files['table.json'], {
    table: {
      rowIdFieldName: 'id',
      columns: [
        { fieldName: 'id', show: true, sortable: true },
        { fieldName: 'rig', show: true, sortable: true },
        { fieldName: 'log', show: true, sortable: false },
        { fieldName: 'ports', show: true, sortable: true },
      ],
    },
  });
  t.deepEqual(
    (files['facets.json'] as { facets: { aggregations: { fieldName: string }[] } }).facets.aggregations.map(
      (facet) => facet.fieldName,
    ),
    ['rig', 'ports', 'crew.firstName'],
  );
  t.deepEqual(files['mapping.json'], { mappings: catalogue.mapping });
});

test('keys and fields with many values are no facets', (t) => {
  const sample = Array.from({ length: 60 }, (_, id) => ({ id: String(id), rig: `rig ${String(id)}` }));
  const files = starterFiles({ ...catalogue, sample });
  t.deepEqual(files['facets.json'], { facets: { aggregations: [] } });
});

test('files that are there are kept as they are', async (t) => {
  const folder = temporaryFolder({ 'base.json': 'mine' });
  const files = await writeStarterFolder({ ...catalogue, folder });
  t.deepEqual(files.kept, [join(folder, 'base.json')]);
  t.is(await readFile(join(folder, 'base.json'), 'utf8'), 'mine');
  t.is(files.written.length, 4);
  t.true(files.written.every((file) => existsSync(file)));
});
