import test from 'ava';
import { extendedConfig, facetsConfig, tableConfig } from '../../../src/introspection/fields/field-config.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { configOf } from '../fixture.ts';

const keyword = { type: 'keyword' };
const { fields } = readFields({
  title: keyword,
  id: keyword,
  press_id: keyword,
  blurb: { type: 'text' },
  copies: { type: 'nested', properties: { shelf: keyword } },
  press: { properties: { since: { type: 'date' } } },
});

test('extended lists every mapped path alphabetically, defaults filled in', (t) => {
  const config = configOf({
    extended: [{ fieldName: 'gone' }, { fieldName: 'title', isArray: true, unit: 'words' }],
  });
  const entries = extendedConfig(fields, config);
  t.deepEqual(
    entries.map(({ fieldName }) => fieldName),
    ['blurb', 'copies', 'copies.shelf', 'press', 'press.since', 'press_id', 'title'],
  );
  t.deepEqual(entries.at(-1), {
    displayName: 'Title',
    displayType: 'keyword',
    displayValues: {},
    fieldName: 'title',
    isActive: false,
    isArray: true,
    primaryKey: false,
    quickSearchEnabled: false,
    rangeStep: 0,
    type: 'keyword',
    unit: 'words',
  });
});

test('extended has the key of a record where it is configured', (t) => {
  const entries = extendedConfig(fields, configOf({ extended: [{ fieldName: 'id', displayName: 'Key' }] }));
  t.is(entries.find(({ fieldName }) => fieldName === 'id')?.displayName, 'Key');
});

test('extended has the labels and descriptions in other languages, where there are some', (t) => {
  const displayNames = { en: 'Title', de: 'Titel' };
  const descriptions = { fr: 'Comme imprimé' };
  const config = configOf({ extended: [{ fieldName: 'title', displayNames, descriptions }] });
  const [shelf, title] = extendedConfig(fields, config, ['title', 'copies.shelf']);
  t.like(title, { displayNames, descriptions });
  t.false('displayNames' in shelf! || 'descriptions' in shelf!);
});

test('extended can be queried for some fields, id among them', (t) => {
  const names = extendedConfig(fields, configOf(), ['id', 'title', 'gone']).map(({ fieldName }) => fieldName);
  t.deepEqual(names, ['id', 'title']);
});

test('facets are found by either spelling, unknown ones keep their place', (t) => {
  const facets = ['copies__shelf', 'press.since', 'no__where'].map((fieldName) => ({
    fieldName,
    isActive: false,
    show: true,
  }));
  t.deepEqual(facetsConfig(fields, configOf({ facets })).aggregations, [
    {
      fieldName: 'copies__shelf',
      displayName: 'Copies Shelf',
      displayType: 'keyword',
      isActive: false,
      show: true,
    },
    {
      fieldName: 'press.since',
      displayName: 'Press Since',
      displayType: 'date',
      isActive: false,
      show: true,
    },
    { fieldName: 'no__where', displayName: null, displayType: null, isActive: false, show: true },
  ]);
});

test('without configuration the first fields with values are shown', (t) => {
  const shown = facetsConfig(fields, configOf()).aggregations;
  t.deepEqual(
    shown.map(({ fieldName, show, isActive }) => [fieldName, show, isActive]),
    [
      ['copies__shelf', true, true],
      ['press__since', true, true],
      ['title', true, true],
    ],
  );
  const { columns } = tableConfig(fields, configOf());
  t.deepEqual(
    columns.map(({ fieldName, show, sortable }) => [fieldName, show, sortable]),
    ['blurb', 'copies.shelf', 'press.since', 'title'].map((fieldName) => [fieldName, true, false]),
  );
});

test('at most ten are shown by default', (t) => {
  const many = readFields(
    Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`f${n}`, keyword])),
  ).fields;
  t.is(tableConfig(many, configOf()).columns.length, 10);
  t.is(facetsConfig(many, configOf()).aggregations.length, 10);
});

test('columns are completed from extended, their own words win', (t) => {
  const table = {
    ...configOf().table,
    columns: [{ fieldName: 'gone' }, { fieldName: 'title', displayName: 'Name', show: true, query: 'title' }],
  };
  const extended = [{ fieldName: 'title', displayName: 'Title!', displayType: 'words', isArray: true }];
  t.deepEqual(tableConfig(fields, configOf({ table, extended })).columns, [
    {
      accessor: 'gone',
      canChangeShow: true,
      displayFormat: null,
      displayName: '* gone',
      displayType: null,
      displayValues: {},
      fieldName: 'gone',
      id: null,
      isArray: false,
      jsonPath: '$.gone',
      query: 'gone',
      show: false,
      sortable: null,
      type: null,
    },
    {
      accessor: 'title',
      canChangeShow: true,
      displayFormat: null,
      displayName: 'Name',
      displayType: 'words',
      displayValues: {},
      fieldName: 'title',
      id: null,
      isArray: true,
      jsonPath: '$.title',
      query: 'title',
      show: true,
      sortable: null,
      type: null,
    },
  ]);
});
