import test from 'ava';
import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import { withHierarchies } from '../../../src/introspection/fields/field.ts';
import { column } from '../../../src/local/download/column.ts';
import { documentRows, rowLevels } from '../../../src/local/download/document-rows.ts';
import type { ColumnRequest } from '../../../src/local/download/parse-download.ts';
import { extendedConfig, tableConfig } from '../../../src/introspection/fields/field-config.ts';
import { bookConfig, bookFields, books } from '../catalogue-fixture.ts';

const fields = bookFields();
const config = bookConfig({
  extended: [
    { fieldName: 'genres', isArray: true, displayName: 'Genres!' },
    { fieldName: 'lendable', displayValues: { true: 'yes', false: 'no' } },
    { fieldName: 'printed', displayType: 'keyword' },
  ],
});
const extended = new Map(
  extendedConfig(fields, config, [...fields.keys()]).map((entry) => [entry.fieldName, entry]),
);

const columnOf = (request: ColumnRequest, uniqueBy: string | null = null, on = fields) => {
  const levels = rowLevels(uniqueBy, on);
  const made = column(request, { fields: on, extended, levels, valueWhenEmpty: '--', escapesFormulas: true });
  const rowsOf = (id: string) => documentRows(books[id]!, levels);
  return {
    ...made,
    texts: (id: string) => rowsOf(id).map(made.text),
    jsons: (id: string) => rowsOf(id).map(made.json),
  };
};

test('the header is displayName, Header, what extended says, or the name itself', (t) => {
  const header = (request: ColumnRequest) => columnOf(request).header;
  t.is(header({ fieldName: 'genres', displayName: 'A', Header: 'B' }), 'A');
  t.is(header({ fieldName: 'genres', Header: 'B' }), 'B');
  t.is(header({ fieldName: 'genres', displayName: null, Header: { type: 'span' } }), 'Genres!');
  t.is(header({ fieldName: 'publisher.seat.City' }), 'Publisher Seat City');
  t.is(header({ fieldName: 'gone.away' }), 'gone.away');
});

test('jsonPath goes before accessor and fieldName unless it leads nowhere', (t) => {
  t.deepEqual(columnOf({ fieldName: 'title', jsonPath: '$.pages' }).texts('b1'), ['120']);
  t.deepEqual(columnOf({ fieldName: 'title', accessor: 'pages' }).texts('b1'), ['120']);
  t.deepEqual(columnOf({ fieldName: 'title', jsonPath: '$.gone' }).texts('b1'), ['Atlas']);
  t.deepEqual(columnOf({ fieldName: 'gone' }).texts('b1'), ['--']);
});

test('nested values, lists and counts', (t) => {
  t.deepEqual(columnOf({ fieldName: 'copies.state' }).texts('b1'), ['good, worn']);
  t.deepEqual(columnOf({ fieldName: 'copies.state' }).texts('b2'), ['good']);
  t.deepEqual(columnOf({ fieldName: 'copies.state' }).jsons('b2'), [['good']]);
  t.deepEqual(columnOf({ fieldName: 'genres' }).texts('b1'), ['maps, travel']);
  t.deepEqual(columnOf({ fieldName: 'genres', jsonPath: '$.genres[*]' }).texts('b1'), ['maps, travel']);
  t.deepEqual(columnOf({ fieldName: 'copies.hits.total' }).texts('b1'), ['2']);
  t.deepEqual(columnOf({ fieldName: 'copies.hits.total' }).jsons('b3'), [0]);
  t.deepEqual(columnOf({ jsonPath: '$.copies.hits.edges[1].node.state' }).texts('b1'), ['worn']);
});

test('a day is shown only where the column says that it is a date', (t) => {
  const dates = new Map([...extended, ['printed', { ...extended.get('printed')!, displayType: 'date' }]]);
  const context = { fields, extended: dates, levels: [], valueWhenEmpty: '--', escapesFormulas: true };
  const shown = (request: ColumnRequest) => {
    const { text } = column({ fieldName: 'printed', ...request }, context);
    return documentRows({ printed: '2020-10-25T01:30:00+02:00' }, []).map(text);
  };
  t.deepEqual(shown({}), ['2020-10-25T01:30:00+02:00']);
  t.deepEqual(shown({ type: 'date' }), ['2020-10-24']);
  t.deepEqual(shown({ displayFormat: 'HH:mm' }), ['23:30']);
});

test('dates are formatted where the column says so, else shown as stored', (t) => {
  t.deepEqual(columnOf({ fieldName: 'printed' }).texts('b1'), ['2001-05-01']);
  const dated = { fieldName: 'printed', type: 'date', displayFormat: 'MM/yyyy' };
  t.deepEqual(columnOf(dated).texts('b1'), ['05/2001']);
  t.deepEqual(columnOf({ ...dated, displayType: 'text' }).texts('b1'), ['2001-05-01']);
  t.deepEqual(columnOf(dated).jsons('b1'), ['2001-05-01']);
});

test('display values by the request alone, never in JSON', (t) => {
  t.deepEqual(columnOf({ fieldName: 'lendable' }).texts('b2'), ['false']);
  t.deepEqual(columnOf({ fieldName: 'lendable', displayValues: null }).texts('b2'), ['false']);
  const own = { fieldName: 'lendable', displayValues: { false: 'out' } };
  t.deepEqual(columnOf(own).texts('b2'), ['out']);
  t.deepEqual(columnOf({ ...own, extendedDisplayValues: { false: 'away' } }).texts('b2'), ['away']);
  t.deepEqual(columnOf(own).jsons('b2'), [false]);
});

test('columns as the server gives them out show lists and objects as values side by side', (t) => {
  const supplied = (fieldName: string): ColumnRequest => ({
    ...tableConfig(fields, { ...config, table: { ...config.table, columns: [{ fieldName }] } }).columns[0]!,
  });
  t.true(supplied('genres').isArray);
  t.deepEqual(columnOf(supplied('genres')).texts('b1'), ['maps, travel']);
  t.deepEqual(columnOf(supplied('languages')).texts('b1'), ['en, fr']);
  t.deepEqual(columnOf(supplied('copies.state')).texts('b1'), ['good, worn']);
  t.deepEqual(columnOf(supplied('publisher')).texts('b1'), ['North, Oslo']);
  t.deepEqual(columnOf(supplied('extra')).texts('b1'), ['1, 2']);
  t.deepEqual(columnOf(supplied('copies')).texts('b1'), ['good, 2010, ann, 3, worn, 2005']);
  t.deepEqual(columnOf(supplied('publisher')).texts('b2'), ['--']);
  t.deepEqual(columnOf(supplied('publisher')).jsons('b1'), [{ name: 'North', seat: { City: 'Oslo' } }]);
});

test('columns of the same nested objects correspond, also where one has no value', (t) => {
  t.deepEqual(columnOf({ fieldName: 'copies.loans.reader' }).jsons('b1'), [['ann', null]]);
  t.deepEqual(columnOf({ fieldName: 'copies.loans.reader' }).texts('b1'), ['ann, --']);
});

test('all lists of a file are joined alike, unless a column without a jsonPath says isArray', (t) => {
  const tags = { accessor: 'languages', fieldName: 'languages' };
  t.deepEqual(columnOf({ ...tags, isArray: true }).texts('b1'), ['en;fr']);
  t.deepEqual(columnOf(tags).texts('b1'), ['en, fr']);
  t.deepEqual(columnOf({ fieldName: 'genres' }).texts('b1'), ['maps, travel']);
  t.deepEqual(columnOf({ fieldName: 'genres', isArray: true }).texts('b1'), ['maps;travel']);
  t.deepEqual(columnOf({ fieldName: 'publisher' }).texts('b1'), ['North, Oslo']);
});

test('in a row of its own, an object shows its own values', (t) => {
  const texts = (fieldName: string) => columnOf({ fieldName }, 'copies.loans').texts('b1');
  t.deepEqual(texts('title'), ['Atlas']);
  t.deepEqual(texts('copies.state'), ['good']);
  t.deepEqual(texts('copies.loans.days'), ['3']);
  t.deepEqual(columnOf({ fieldName: 'copies.state' }, 'copies').texts('b1'), ['good', 'worn']);
  t.deepEqual(columnOf({ fieldName: 'copies.state' }, 'copies').jsons('b1'), ['good', 'worn']);
  t.deepEqual(columnOf({ fieldName: 'copies.loans.reader' }, 'copies').jsons('b1'), [['ann'], null]);
  t.deepEqual(columnOf({ fieldName: 'copies.hits.total' }, 'copies').texts('b1'), ['2', '2']);
});

test('labels of a hierarchy that displayValues do not list are in tables with displayValues, never in JSON', (t) => {
  const terms = Array.from({ length: 2_001 }, (_, at) => ({
    ...{ id: at === 0 ? 'maps' : `t${at}`, label: at === 0 ? '=Maps, all' : '', synonyms: [], parents: [] },
    ...{ obsolete: false, replacedBy: null },
  }));
  const having = (count: number) =>
    withHierarchies(fields, new Map([['genres', buildHierarchy('h', terms.slice(0, count), 'h.csv')]]))
      .fields;
  const texts = (request: ColumnRequest, count = 2_001) =>
    columnOf({ fieldName: 'genres', isArray: true, ...request }, null, having(count)).texts('b1');
  t.deepEqual(texts({ displayValues: {} }), ["'=Maps, all;travel"]);
  t.deepEqual(texts({ displayValues: { maps: 'Own', travel: 'Voyages' } }), ['Own;Voyages']);
  t.deepEqual(texts({}), ['maps;travel']);
  t.deepEqual(texts({ displayValues: {} }, 2_000), ['maps;travel']);
  const { jsons } = columnOf({ fieldName: 'genres', displayValues: {} }, null, having(2_001));
  t.deepEqual(jsons('b1'), [['maps', 'travel']]);
});
