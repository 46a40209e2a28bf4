import test from 'ava';
import type { CatalogueConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { unmappedNames } from '../../../src/introspection/fields/unknown-fields.ts';

const { fields } = readFields({
  title: { type: 'keyword' },
  maker: { type: 'nested', properties: { name: { type: 'keyword' } } },
});

const config = (changes: object): CatalogueConfig =>
  ({
    extended: [],
    facets: null,
    table: { columns: null, defaultSorting: [], maxResultsWindow: 1, rowIdFieldName: 'id' },
    matchbox: [],
    ...changes,
  }) as unknown as CatalogueConfig;

test('names that the mapping has, dotted or in the old form, are fine', (t) => {
  const facets = [{ fieldName: 'maker.name' }, { fieldName: 'maker__name' }, { fieldName: 'title' }];
  t.deepEqual(
    unmappedNames(fields, config({ facets, matchbox: [{ fieldName: '' }, { fieldName: null }] })),
    [],
  );
});

test('what the mapping lacks is reported with file, key and the nearest name', (t) => {
  const table = { columns: [{ fieldName: 'title' }, { fieldName: 'maker.nmae' }], defaultSorting: [] };
  t.deepEqual(
    unmappedNames(
      fields,
      config({ extended: [{ fieldName: 'Title2' }], facets: [{ fieldName: 'colour' }], table }),
    ),
    [
      'extended.json, [0].fieldName: the mapping has no field "Title2": did you mean "title"?',
      'facets.json, aggregations[0].fieldName: the mapping has no field "colour"',
      'table.json, columns[1].fieldName: the mapping has no field "maker.nmae": did you mean "maker.name"?',
    ],
  );
});

test('what every document has needs no mapping', (t) => {
  const columns = ['_id', 'id', '_score', 'maker.hits.total'].map((fieldName) => ({ fieldName }));
  t.deepEqual(unmappedNames(fields, config({ table: { columns, defaultSorting: [] } })), []);
});

test("the fields that a matchbox searches are found from the root or from the entry's own object", (t) => {
  const matchbox = [
    { fieldName: '', keyFieldName: 'title', searchFieldNames: ['maker.name', 'titel'] },
    { fieldName: 'maker', keyFieldName: 'name', searchFieldNames: ['maker.name', 'age'] },
  ];
  t.deepEqual(unmappedNames(fields, config({ matchbox })), [
    'matchbox.json, [0].searchFieldNames[1]: the mapping has no field "titel": did you mean "title"?',
    'matchbox.json, [1].searchFieldNames[1]: the mapping has no field "age"',
  ]);
});

test('a survival that no curve can be drawn from is reported with what would be right', (t) => {
  const survival = (time: string, event: string) =>
    unmappedNames(fields, config({ survival: { time, event, dead: ['x'] } }));
  t.deepEqual(survival('dyas', 'titel'), [
    'survival.json, time: the mapping has no field "dyas"',
    'survival.json, event: the mapping has no field "titel": did you mean "title"?',
  ]);
  t.deepEqual(survival('title', 'maker.name'), [
    'survival.json, time: "title" is of type keyword: a number expected, such as days since diagnosis',
    'survival.json, event: "maker.name" is of the nested objects maker: a field that each document has once expected',
  ]);
});
