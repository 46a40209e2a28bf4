import { contextFor } from '../search/request-context.ts';
import { configOf } from '../introspection/fixture.ts';
import type { CatalogueConfig } from '../../src/introspection/fields/catalogue-config.ts';
import type { Fields } from '../../src/introspection/fields/field.ts';
import { readFields } from '../../src/introspection/mapping/mapping.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { RequestContext } from '../../src/search/request-context.ts';
import type { Sqon } from '../../src/sqon/ast.ts';

/** A small library: books with nested copies, each with nested loans. */
export const bookProperties: JsonObject = {
  id: { type: 'keyword' },
  title: { type: 'keyword' },
  blurb: { type: 'text' },
  pages: { type: 'integer' },
  shelf: { type: 'byte' },
  price: { type: 'double' },
  printed: { type: 'date' },
  lendable: { type: 'boolean' },
  genres: { type: 'keyword' },
  languages: { type: 'keyword' },
  'isbn-10': { type: 'keyword' },
  '2nd_title': { type: 'keyword' },
  extra: { type: 'object' },
  publisher: {
    properties: { name: { type: 'keyword' }, seat: { properties: { City: { type: 'keyword' } } } },
  },
  copies: {
    type: 'nested',
    properties: {
      state: { type: 'keyword' },
      bought: { type: 'integer' },
      loans: { type: 'nested', properties: { reader: { type: 'keyword' }, days: { type: 'integer' } } },
    },
  },
};

/** By document key; stored as a feeder would write them, odd forms included. */
export const books: Readonly<Record<string, JsonObject>> = {
  b1: {
    id: 'atlas',
    title: 'Atlas',
    blurb: 'Maps of rivers',
    pages: 120,
    shelf: 1,
    price: 12.5,
    printed: '2001-05-01',
    lendable: true,
    genres: ['maps', 'travel'],
    languages: ['en', 'fr'],
    'isbn-10': '3-16',
    '2nd_title': 'Rivers',
    extra: { any: { thing: [1, 2] } },
    publisher: { name: 'North', seat: { City: 'Oslo' } },
    copies: [
      { state: 'good', bought: 2010, loans: [{ reader: 'ann', days: 3 }] },
      { state: 'worn', bought: 2005, loans: [] },
    ],
  },
  b2: {
    id: 'bees',
    title: 'Bees',
    pages: '80',
    price: 0,
    printed: '2010-01-01',
    lendable: false,
    genres: 'nature',
    copies: { state: 'good', bought: 2012 },
  },
  b3: { title: 'Clouds', pages: 80, genres: [], copies: [], extra: [{ a: 1 }, { b: 2 }] },
  b4: { title: 'Dunes', pages: 300, price: 'unknown', genres: ['travel'], copies: [{ bought: 2012 }] },
};

export const bookConfig = (changes: Partial<CatalogueConfig> = {}): CatalogueConfig =>
  configOf({
    extended: [{ fieldName: 'genres', isArray: true, displayName: 'Genres' }],
    charts: { query: '' },
    downloadBufferRows: 2,
    folder: 'library',
    ...changes,
  });

export const bookFields = (nestingPrefix: string | null = null): Fields => {
  const properties =
    nestingPrefix === null ? bookProperties : { [nestingPrefix]: { properties: bookProperties } };
  return readFields(properties, { nestingPrefix, arrays: new Set(['genres']) }).fields;
};

/** @param access what the caller may see; null: everything */
export const contextWith = (access: Sqon | null = null): RequestContext =>
  contextFor({ accessFilter: () => access });
