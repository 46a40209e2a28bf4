import test from 'ava';
import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { limitRules } from '../../../src/http/graphql/document-limits.ts';
import { checkedDocuments, validateInSlices } from '../../../src/http/graphql/checked-documents.ts';

const schema = buildSchema(`
  directive @once on FIELD
  input Range { from: Float to: Float tags: [String!] }
  enum Colour { RED BLUE }
  interface Named { name: String! }
  type Book implements Named { name: String! pages(ranges: [Range!]!, colour: Colour = RED): Int shelf: Shelf }
  type Shelf implements Named { name: String! books(first: Int!): [Book!]! }
  union Thing = Book | Shelf
  type Query { book(id: ID!): Book thing: Thing named: Named }
`);
const rules = [...specifiedRules, ...limitRules({ maxAliases: 3, maxDepth: 5, introspectionDisabled: true })];

const documents = {
  valid:
    'query q($id: ID!) { book(id: $id) { ...parts pages(ranges: [{from: 1, to: 2}, {tags: ["a"]}]) } } fragment parts on Book { name shelf { name } }',
  'unknown field, argument, type': '{ book(id: 1, size: 2) { title } } fragment x on Books { name }',
  'unused and unknown variables': 'query q($a: Int, $b: Strange) { book(id: $c) { name } }',
  'values of other types':
    '{ book(id: {a: 1}) { pages(ranges: [{from: "x", from: 2, other: 3}, null, 7], colour: GREEN) } }',
  'a directive elsewhere, and twice': 'query @once { book(id: 1) @once @once { name @skip(if: "no") } }',
  'fields that cannot be merged':
    '{ thing { ... on Book { name: pages(ranges: []) } ... on Shelf { name } } }',
  'fragments in a circle': '{ book(id: 1) { ...a } } fragment a on Book { ...b } fragment b on Book { ...a }',
  'a missing argument and selection': '{ book { shelf } thing named { name { first } } }',
  'no operation': 'type A { "what it is" b: Int } extend type Book { c: Int } scalar D @once',
  'too deep, too many aliases':
    '{ book(id: 1) { shelf { books(first: 1) { shelf { books(first: 1) { a: name b: name c: name d: name } } } } } }',
  introspection: '{ __schema { types { name } } }',
  'very many errors': `{ ${Array.from({ length: 300 }, (_, i) => `f${i}`).join(' ')} }`,
  'many fields of one name': `{ ${Array.from({ length: 60 }, (_, i) => `book(id: ${i}) { name }`).join(' ')} }`,
  'variables in lists and objects':
    'query q($f: Float = 1.5, $t: [String!]) { book(id: 1) { pages(ranges: [{from: $f, tags: $t}]) } }',
  'subscriptions and several operations':
    'query a { thing { __typename } } query a { thing { __typename } } subscription { x }',
};

for (const [name, text] of Object.entries(documents))
  test(`reports what graphql's own validation reports: ${name}`, async (t) => {
    const document = parse(text);
    const asJson = (errors: readonly { toJSON(): unknown }[]) => errors.map((error) => error.toJSON());
    const expected = asJson(validate(schema, document, rules));
    t.deepEqual(asJson(await validateInSlices(schema, document, rules)), expected);
    t.is(expected.length === 0, /^(valid|variables)/.test(name));
  });

const limits = { maxAliases: 3, maxDepth: 5, introspectionDisabled: true };
for (const [name, text] of Object.entries({ ...documents, 'a syntax error': '{ book(id: 1) { name ) }' }))
  test(`errors of a long document are those of a short one, and at the same places: ${name}`, async (t) => {
    const documentOf = checkedDocuments(() => schema, limits);
    const [short, long] = [await documentOf(text), await documentOf(text.padEnd(20_000))];
    const errorsOf = (one: typeof short) =>
      one.kind === 'refused' ? one.errors.map((error) => error.toJSON()) : [];
    t.deepEqual(errorsOf(long), errorsOf(short));
    t.true(errorsOf(long).every(({ locations = [] }) => locations.every(({ column }) => column > 0)));
  });

test('other requests run while a long document is validated', async (t) => {
  const ranges = Array.from({ length: 20_000 }, (_, from) => `{from: ${from}}`).join();
  const document = parse(`{ book(id: 1) { pages(ranges: [${ranges}]) } }`);
  let ticks = 0;
  let isDone = false;
  const count = (): void => {
    ticks++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  t.deepEqual(await validateInSlices(schema, document, rules), []);
  isDone = true;
  t.true(ticks > 3, `${ticks} ticks`);
});
