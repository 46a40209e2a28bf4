import fc from '../fast-check.ts';
import type { Fields } from '../../src/introspection/fields/field.ts';
import { readFields } from '../../src/introspection/mapping/mapping.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { Sqon } from '../../src/sqon/ast.ts';
import { group, leaf, multi, wildcard } from '../../src/sqon/ast.ts';
import { parseSqon } from '../../src/sqon/parse.ts';
import type { Plain } from './evaluate-filter.ts';

/** A small library: books with copies, copies with loans, and, beside the copies, reviews. */
export const libraryProperties: JsonObject = {
  title: { type: 'keyword' },
  pages: { type: 'integer' },
  isbn: { type: 'long' },
  printed: { type: 'date' },
  lent: { type: 'boolean' },
  blurb: { type: 'text' },
  press: { properties: { name: { type: 'keyword' }, town: { type: 'keyword' } } },
  extras: { type: 'object' },
  copies: {
    type: 'nested',
    properties: {
      shelf: { type: 'keyword' },
      worn: { type: 'integer' },
      loans: { type: 'nested', properties: { reader: { type: 'keyword' }, days: { type: 'integer' } } },
    },
  },
  reviews: { type: 'nested', properties: { stars: { type: 'integer' }, by: { type: 'keyword' } } },
};

export const library: Fields = readFields(libraryProperties).fields;

export const sqon = (input: unknown): Sqon => parseSqon(input)!;

const letters = fc.constantFrom('a', 'b', 'c');
const small = fc.integer({ min: 0, max: 3 });
const oneOrMany = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null | Value[]> =>
  fc.oneof(value, fc.constant(null), fc.array(value, { maxLength: 2 }));

const loan = fc.record({ reader: oneOrMany(letters), days: small }, { requiredKeys: [] });
const copy = fc.record(
  { shelf: oneOrMany(letters), worn: oneOrMany(small), loans: fc.array(loan, { maxLength: 2 }) },
  { requiredKeys: [] },
);
const review = fc.record({ stars: small, by: letters }, { requiredKeys: [] });

/** Documents of the library. */
export const books: fc.Arbitrary<Plain> = fc.record(
  {
    title: oneOrMany(letters),
    pages: small,
    copies: fc.oneof(copy, fc.array(copy, { maxLength: 3 })),
    reviews: fc.array(review, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const pivots = fc.constantFrom(null, null, 'copies', 'copies.loans', 'reviews');
const listOps = fc.constantFrom('in', 'not-in', 'some-not-in', 'all', 'is');
const rangeOps = fc.constantFrom('gt', 'gte', 'lt', 'lte', 'between');
const texts = fc.oneof(letters, fc.constant('*'), fc.constant('__missing__'), fc.constant('[ab]'));

/** Values that an operator takes: between has a lower and an upper one. */
export const boundsFor = (op: string, values: readonly number[]): readonly number[] =>
  op === 'between' ? values.slice(0, 2).toSorted((left, right) => left - right) : values;

/** Filters over the library, groups and pivots to a few levels. */
export const filters: fc.Arbitrary<Sqon> = fc.letrec<{ node: Sqon; leaf: Sqon; group: Sqon }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, depthIdentifier: 'sqon' }, tie('leaf'), tie('group')),
  group: fc
    .tuple(
      fc.constantFrom('and', 'or', 'not'),
      fc.array(tie('node'), { maxLength: 3, depthIdentifier: 'sqon' }),
      pivots,
    )
    .map(([op, content, pivot]) => group(op as 'and' | 'or' | 'not', content, pivot)),
  leaf: fc.oneof(
    fc
      .tuple(
        listOps,
        fc.constantFrom('title', 'copies.shelf', 'copies.loans.reader', 'reviews.by', 'unheard.of'),
        fc.array(texts, { maxLength: 3 }),
      )
      .map(([op, name, values]) => leaf(op as 'in', name, values)),
    fc
      .tuple(
        rangeOps,
        fc.constantFrom('pages', 'copies.worn', 'copies.loans.days', 'reviews.stars'),
        fc.array(small, { minLength: 1, maxLength: 3 }),
      )
      .map(([op, name, values]) => leaf(op as 'gt', name, boundsFor(op, values))),
    fc
      .tuple(fc.subarray(['title', 'copies.shelf', 'reviews.by']), fc.constantFrom('*', '?', 'A', 'x'))
      .map(([names, value]) => wildcard(names, value)),
    fc
      .tuple(
        fc.subarray(['title', 'copies.shelf', 'reviews.by', 'pages']),
        fc.constantFrom('A', 'a b', 'c a', ' ', ''),
      )
      .map(([names, value]) => multi('search', names, value)),
    fc
      .tuple(fc.constantFrom('title', 'copies.shelf'), fc.array(letters, { maxLength: 2 }))
      .map(([name, values]) => leaf('starts-with', name, values)),
  ),
})).node;
