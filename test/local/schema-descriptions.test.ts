import test from 'ava';
import type { GraphQLObjectType } from 'graphql';
import { openCatalogue } from '../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { undescribed } from '../undescribed.ts';
import { bookConfig, bookProperties } from './catalogue-fixture.ts';
import { scriptedEngine } from './scripted-engine.ts';

const extended = [
  { fieldName: 'genres', isArray: true, displayName: 'Genres' },
  { fieldName: 'pages', displayName: 'Length', unit: 'pages', description: 'Without the cover.' },
];

const schema = await (async () => {
  const engine = scriptedEngine({ describe: () => ({ properties: bookProperties }) });
  const state = await openCatalogue(bookConfig({ extended }), engine, {});
  if (state.status === 'failed') throw state.error;
  return buildCatalogueSchema(state.catalogue);
})();

const described = (type: string, field: string) =>
  (schema.getType(type) as GraphQLObjectType).getFields()[field]?.description;

test('everything in the schema of a catalogue and its sets says what it is', (t) => {
  t.deepEqual(undescribed(schema), []);
});

test('a field says its display name, unit, type, and the filters that fit it', (t) => {
  const pages =
    'Length, in pages. Without the cover. `pages`: integer. Filters: in, not-in, gt, gte, lt, lte, between.';
  t.is(described('bookNode', 'pages'), pages);
  t.is(described('bookAggregations', 'pages'), pages);
  t.is(
    described('bookNode', 'genres'),
    'Genres. `genres`: list of keyword. Filters: in, not-in, some-not-in, all, filter.',
  );
  t.is(
    described('bookNode', 'isbn_10'),
    'Isbn 10. `isbn-10`: keyword. Filters: in, not-in, some-not-in, all, filter.',
  );
  t.is(described('bookNode', 'blurb'), 'Blurb. `blurb`: text. Filters: in, not-in, filter.');
  t.is(described('bookNode', 'extra'), 'Extra. `extra`: object. Not searchable: it is shown as stored.');
  t.is(
    described('bookCopiesNode', 'bought'),
    'Copies Bought. `copies.bought`: integer, in the nested objects `copies`. Filters: in, not-in, gt, gte, lt, lte, between.',
  );
  t.is(
    described('bookNode', 'copies'),
    'Copies. `copies`: nested. Filters: in and not-in with "__missing__".',
  );
});
