import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import {
  facetChoices,
  unknownFieldsIn,
  starterFiles,
  unchangedFiles,
  writeStarterFolder,
  type StarterCatalogue,
  fieldSamples,
} from '../../../src/cli/load/starter-folder.ts';
import { temporaryFolder } from '../temporary-configs.ts';

const catalogue: StarterCatalogue = {
  id: 'tall-ships',
  esIndex: 'tall-ships',
  folder: 'unused',
  idField: 'id',
  header: [],
  lists: new Set(['ports']),
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
    ['rig', 'ports', 'crew__firstName'],
  );
  t.deepEqual(files['mapping.json'], { mappings: catalogue.mapping });
});

test('columns named by numbers stand where the header has them', (t) => {
  const names = ['name', '2020', 'site.a', '1990', 'site.b'];
  const number = { type: 'long' };
  const files = starterFiles({
    ...catalogue,
    idField: undefined,
    header: names.map((field, position) => ({ field, label: field, position, isNamed: true })),
    mapping: {
      properties: {
        1990: number,
        2020: number,
        name: number,
        site: { properties: { a: number, b: number } },
      },
    },
    sample: [1, 2].map((n) => ({ 1990: n, 2020: n, name: n, site: { a: n, b: n } })),
  });
  const { table } = files['table.json'] as { table: { columns: { fieldName: string }[] } };
  const { extended } = files['extended.json'] as { extended: { fieldName: string }[] };
  const { facets } = files['facets.json'] as { facets: { aggregations: { fieldName: string }[] } };
  t.deepEqual(
    table.columns.map((one) => one.fieldName),
    names,
  );
  t.deepEqual(
    extended.map((one) => one.fieldName),
    names,
  );
  t.deepEqual(
    facets.aggregations.map((one) => one.fieldName),
    ['name', '_2020', 'site__a', '_1990', 'site__b'],
  );
});

test('a table shows its first ten columns', (t) => {
  const names = Array.from({ length: 12 }, (_, at) => `f${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'keyword' }]));
  const { table } = starterFiles({ ...catalogue, mapping: { properties } })['table.json'] as {
    readonly table: { readonly columns: readonly { readonly show: boolean }[] };
  };
  t.deepEqual(
    table.columns.map(({ show }) => show),
    names.map((_, at) => at < 10),
  );
});

test('keys and fields with many values are not facets', (t) => {
  const sample = Array.from({ length: 60 }, (_, id) => ({ id: String(id), rig: `rig ${String(id)}` }));
  const files = starterFiles({ ...catalogue, sample });
  const rig = { fieldName: 'rig', isActive: false, show: false };
  t.like(files['facets.json'], { facets: { aggregations: { length: 3, 0: rig } } });
  t.deepEqual(
    facetChoices({ ...catalogue, sample }).map(({ path, why }) => [path, why]),
    [
      ['rig', 'too many values'],
      ['ports', 'empty'],
      ['crew.firstName', 'empty'],
    ],
  );
});

test('the 15 facets of most use are active, the others follow with the reason', (t) => {
  const names = Array.from({ length: 16 }, (_, at) => `f${String(at)}`);
  const sample = Array.from({ length: 40 }, (_, at) => ({
    id: String(at),
    rare: at < 2 ? ['x', 'y'][at] : undefined,
    one: 'x',
    label: `label ${String(at)}`,
    donor_id: String(at % 5),
    extension: { word: String(at % 2) },
    nested: { sex: String(at % 2) },
    ...Object.fromEntries(names.map((name) => [name, String(at % 3)])),
  })) as unknown as StarterCatalogue['sample'];
  const keyword = { type: 'keyword' };
  const properties = {
    id: keyword,
    rare: keyword,
    one: keyword,
    label: keyword,
    donor_id: keyword,
    extension: { properties: { word: keyword } },
    nested: { properties: { sex: keyword } },
    ...Object.fromEntries(names.map((name) => [name, keyword])),
  };
  const choices = facetChoices({ ...catalogue, sample, mapping: { properties } });
  t.deepEqual(
    choices.filter(({ why }) => why === null).map(({ path }) => path),
    ['nested.sex', ...names.slice(0, 14)],
  );
  t.deepEqual(
    Object.fromEntries(choices.filter(({ why }) => why !== null).map(({ path, why }) => [path, why])),
    {
      rare: 'in 5 % of the records only',
      one: 'one value only',
      label: 'a different value in each record',
      donor_id: 'named like an identifier',
      'extension.word': 'less used than the first 15',
      f14: 'less used than the first 15',
      f15: 'less used than the first 15',
    },
  );
});

test('files that nobody changed are made anew, changed ones are kept', async (t) => {
  const folder = temporaryFolder({});
  await writeStarterFolder({ ...catalogue, folder });
  const facets = join(folder, 'facets.json');
  await writeFile(facets, (await readFile(facets, 'utf8')).replace('"rig"', '"rigging"'));
  const base = join(folder, 'base.json');
  await writeFile(base, (await readFile(base, 'utf8')).replace('{', '{"description": "mine",'));
  const mapping = { properties: { id: { type: 'keyword' }, guns: { type: 'long' } } };
  const again = await writeStarterFolder({ ...catalogue, folder, mapping });
  t.deepEqual(again.kept, [facets]);
  t.regex(await readFile(join(folder, 'extended.json'), 'utf8'), /guns/);
  t.like(JSON.parse(await readFile(base, 'utf8')), { description: 'mine', documentType: 'tall_ships' });
  t.deepEqual([...(await unchangedFiles(folder))].sort(), ['extended.json', 'mapping.json', 'table.json']);
  t.deepEqual(
    [...(await unknownFieldsIn({ ...catalogue, folder, mapping }, ['facets.json']))],
    [['facets.json', ['rigging', 'ports', 'crew__firstName']]],
  );
});

test('files that are there are kept as they are', async (t) => {
  const folder = temporaryFolder({ 'base.json': 'mine' });
  const files = await writeStarterFolder({ ...catalogue, folder });
  t.deepEqual(files.kept, [join(folder, 'base.json')]);
  t.is(await readFile(join(folder, 'base.json'), 'utf8'), 'mine');
  t.is(files.written.length, 4);
  t.true(files.written.every((file) => existsSync(file)));
});

test('labels are the header as it was written, only snake_case and camelCase are made readable', (t) => {
  const labels = {
    pH: 'pH',
    mRNA: 'mRNA',
    miRNA: 'miRNA',
    HbA1c: 'HbA1c',
    'IL-6': 'IL-6',
    'CA 19-9': 'CA 19-9',
    'BMI (kg/m²)': 'BMI (kg/m²)',
    'Alter bei Diagnose': 'Alter bei Diagnose',
    Größe: 'Größe',
    sampleID: 'Sample ID',
    TNM_stage: 'TNM Stage',
    'H&E': 'H&E',
    '+/- pain': '+/- pain',
    '0mour': '0mour',
    age_at_diagnosis: 'Age At Diagnosis',
    firstName: 'First Name',
    'age-at-x': 'age-at-x',
  };
  const properties = Object.fromEntries(Object.keys(labels).map((name) => [name, { type: 'keyword' }]));
  const below = { type: 'nested', properties: { 'IL-6': { type: 'long' }, ageAtDraw: { type: 'long' } } };
  const files = starterFiles({
    ...catalogue,
    mapping: { properties: { ...properties, blood_draws: below } },
  });
  const { extended } = files['extended.json'] as {
    extended: readonly { fieldName: string; displayName: string }[];
  };
  t.deepEqual(Object.fromEntries(extended.map(({ fieldName, displayName }) => [fieldName, displayName])), {
    ...labels,
    'blood_draws.IL-6': 'Blood Draws IL-6',
    'blood_draws.ageAtDraw': 'Blood Draws Age At Draw',
  });
});

test('values are counted by path through objects and lists', (t) => {
  const samples = fieldSamples([
    { a: 1, tags: ['x', 'y'], people: [{ name: 'Ann' }, { name: 'Bo', pets: ['cat'] }] },
    { a: 1, tags: 'x', people: { name: 'Cy' }, none: null, empty: [] },
  ]);
  t.deepEqual(Object.fromEntries(samples), {
    a: { distinct: 1, documents: 2 },
    tags: { distinct: 2, documents: 2 },
    'people.name': { distinct: 3, documents: 2 },
    'people.pets': { distinct: 1, documents: 1 },
  });
});
