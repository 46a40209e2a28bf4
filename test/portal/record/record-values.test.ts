import test from 'ava';
import type { Field, FieldKind } from '../../../portal/src/api/fields.ts';
import {
  isAddress,
  layoutOf,
  likeFilter,
  likeFilters,
  valuesOf,
} from '../../../portal/src/record/record-values.ts';

const field = (path: string, kind: FieldKind = 'values', nodes: readonly string[] | null = null): Field => ({
  ...{ path, name: path, type: 'keyword', kind, unit: null, description: null, displayValues: {}, nodes },
});

const fields = [
  field('id'),
  field('title'),
  field('date', 'other'),
  field('date.from', 'numbers'),
  field('date.text', 'text'),
  field('place.name'),
  field('parts', 'nested'),
  field('parts.name'),
  field('elsewhere', 'values', ['other']),
  field('empty'),
  field('blank'),
];
const source = {
  id: 'a',
  kind: 'network',
  path: 'a',
  name: 'A',
  description: null,
  documentType: null,
} as const;
const catalogue = {
  fields: new Map(fields.map((one) => [one.path, one])),
  source: { ...source, status: 'available', imageHosts: ['images.example.org'] } as const,
};
const record = {
  isNested: true,
  document: {
    id: 'a1',
    title: 'A title',
    date: { from: 1787, text: 'about 1787' },
    place: { name: 'Lyon' },
    parts: [{ name: 'one' }, { name: 'two' }],
    empty: '',
    blank: [null],
  },
};

test('fields of one object stand together, lists apart, what is empty or not recorded last, and no object twice', (t) => {
  const { own, groups, lists, empty, unrecorded } = layoutOf(catalogue, record, 'here');
  const paths = (some: readonly Field[]): readonly string[] => some.map(({ path }) => path);
  t.deepEqual(paths(own), ['id', 'title', 'place.name', 'empty']);
  t.deepEqual(
    groups.map((group) => [group.path, paths(group.fields)]),
    [['date', ['date.from', 'date.text']]],
  );
  t.deepEqual([paths(lists), paths(empty), paths(unrecorded)], [['parts'], ['blank'], ['elsewhere']]);
});

test('a value is also that of the fields that it is indexed as, and no record has what every object inherits', (t) => {
  const lists = {
    isNested: true,
    document: { name: 'Anna', tags: ['a', 'b'], parts: [{ name: 'one' }, 'two'] },
  };
  t.deepEqual(valuesOf(lists, 'name.raw'), ['Anna']);
  t.deepEqual(valuesOf(lists, 'tags.raw'), ['a', 'b']);
  t.deepEqual(valuesOf(lists, 'parts.name.raw'), ['one', 'two']);
  t.deepEqual(valuesOf(lists, 'constructor'), []);
  t.deepEqual(valuesOf(lists, 'constructor.name'), []);
});

test('a key of a record may have dots, and hold an object', (t) => {
  const document = { labels: { 'app.io/config': { tier: 1 }, 'made.in': 'Bern', a: { b: 2 }, 'a.c': 3 } };
  const values = ['app.io/config.tier', 'made.in', 'a.b', 'a.c', 'made'].map((key) =>
    valuesOf({ isNested: true, document }, `labels.${key}`),
  );
  t.deepEqual(values, [[1], ['Bern'], [2], [3], []]);
});

test('each value to look for has a filter once; ids, texts, links and long values have none', (t) => {
  t.deepEqual(
    likeFilters(catalogue, record).map(({ content }) => content),
    [
      { fieldName: 'title', value: ['A title'] },
      { fieldName: 'date.from', value: [1787] },
      { fieldName: 'place.name', value: ['Lyon'] },
      { fieldName: 'parts.name', value: ['one'] },
      { fieldName: 'parts.name', value: ['two'] },
      { fieldName: 'empty', value: [''] },
    ],
  );
  t.is(likeFilter(field('page'), 'https://example.org/a'), null);
  t.is(likeFilter(field('note'), 'long '.repeat(40)), null);
  t.is(likeFilter(field('whole', 'other'), { a: 1 }), null);
});

test('only http and https addresses are links', (t) => {
  t.true(isAddress('https://example.org/x'));
  for (const text of ['javascript:alert(1)', 'data:text/html,x', 'see https://example.org', 'http://', 5])
    t.false(isAddress(text), String(text));
});
