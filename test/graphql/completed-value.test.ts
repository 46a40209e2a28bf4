import test from 'ava';
import fc from '../fast-check.ts';
import type { ExecutionResult } from 'graphql';
import { GraphQLError, buildSchema, execute, parse, validate } from 'graphql';
import type { JsonObject } from '../../src/json/json.ts';
import { completed } from '../../src/graphql/completed-value.ts';
import { DeferredValues } from '../../src/graphql/deferred-values.ts';
import { openCatalogue } from '../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { bookConfig, bookProperties, books, contextWith } from '../local/catalogue-fixture.ts';
import { above, leaf, selection } from '../local/random-selection.ts';
import { scriptedEngine } from '../local/scripted-engine.ts';

interface Run {
  readonly result: ExecutionResult;
  readonly warnings: readonly string[];
}

interface Page {
  readonly total: number;
  readonly documents: Readonly<Record<string, JsonObject>>;
}

/** Runs an operation over a page; `left` gets the finished values or, when it is null, the executor walks. */
const run = async (source: string, { total, documents }: Page, left: DeferredValues | null): Promise<Run> => {
  const hits = Object.entries(documents).map(([id, document]) => ({ id, source: document, cursor: [1, id] }));
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: () => ({ hits: { total, hits } }),
  });
  const state = await openCatalogue(bookConfig(), engine, {});
  if (state.status === 'failed') throw state.error;
  const schema = buildCatalogueSchema(state.catalogue);
  const document = parse(source);
  const [invalid] = validate(schema, document);
  if (invalid) throw invalid;
  const context = contextWith();
  const variableValues = { paths: ['title', 'copies.state'] };
  const result = await execute({ schema, document, rootValue: left, contextValue: context, variableValues });
  return { result, warnings: [...context.trace.warnings] };
};

const operation = (hits: string): string => `
  query($paths: [String], $yes: Boolean = true, $no: Boolean = false) {
    book { hits ${hits} __proto__: hits(first: 0) { total @include(if: $yes) @skip(if: $no) } ...more }
  }
  fragment more on book { other: hits(first: 2) { edges { node { _source(paths: $paths) ...anyNode } } } }
  fragment anyNode on Node { __typename id }`;

const loan = selection(leaf('id', 'reader', 'days', 'score'));
const connection = (node: fc.Arbitrary<string>) =>
  selection(
    leaf('total', 'n: total'),
    above(selection(leaf('searchAfter'), above(node, 'node')), 'edges', 'e: edges'),
  );
const copy = selection(
  leaf('id', 'state', 'bought', 'score'),
  above(selection(above(connection(loan), 'hits')), 'loans', 'l: loans'),
);
const book = selection(
  leaf(
    'id',
    'key: id',
    '...anyNode',
    'title',
    '__proto__: pages',
    'shelf',
    'price',
    'printed',
    'lendable',
    'extra',
  ),
  leaf(
    'genres',
    'languages',
    'blurb',
    'isbn_10',
    '_source',
    'part: _source(paths: ["copies.loans"])',
    'score',
  ),
  above(selection(leaf('name'), above(selection(leaf('City')), 'seat')), 'publisher', 'p: publisher'),
  above(
    selection(above(connection(copy), 'hits', 'h: hits(first: 1)'), leaf('mapping')),
    'copies',
    'c: copies',
  ),
);

const odd = fc.oneof(
  fc.constantFrom<JsonObject[string]>(null, '', ' 7', 'x', 0, -0, 2 ** 31, 2.5, true, {}, { name: 'n' }, []),
  fc.constantFrom<JsonObject[string]>(
    [1, null, 'two'],
    [[1], []],
    [{ name: 'a' }, { state: 's', loans: {} }],
    'false',
  ),
);
const oddBook = fc.dictionary(fc.constantFrom(...Object.keys(bookProperties)), odd);
const page = fc.record({
  total: fc.constantFrom(0, 3, 2 ** 31 - 1, 2 ** 31),
  documents: fc.dictionary(fc.constantFrom('x1', 'x2'), oddBook).map((some) => ({ ...some, ...books })),
});

test('whatever is selected of whatever is stored, the answer is the one an executor gives that walks', async (t) => {
  await fc.assert(
    fc.asyncProperty(connection(book), page, async (hits, given) => {
      const source = operation(hits);
      const left = new DeferredValues();
      const completed = await run(source, given, left);
      left.insertInto(completed.result.data);
      t.is(JSON.stringify(completed), JSON.stringify(await run(source, given, null)));
    }),
    { numRuns: 150 },
  );
});

test('an executor is given nothing to walk, unless a value does not fit its type', async (t) => {
  const walked = async (total: number) => {
    const { result } = await run(
      '{ book { hits { total } } }',
      { total, documents: {} },
      new DeferredValues(),
    );
    return {
      data: JSON.parse(JSON.stringify(result.data)) as unknown,
      paths: result.errors?.map(({ path }) => path),
    };
  };
  t.deepEqual(await walked(3), { data: { book: { hits: null } }, paths: undefined });
  t.deepEqual(await walked(2 ** 31), {
    data: { book: { hits: { total: null } } },
    paths: [['book', 'hits', 'total']],
  });
});

test('completing a page in pieces equals what the executor returns', async (t) => {
  const documents = Object.fromEntries(
    Array.from({ length: 1_201 }, (_, i) => [`b${i}`, { id: `b${i}`, title: `Book ${i}`, pages: i }]),
  );
  const source = `{ book { hits(first: 5000) {
    total nodes { nodeId hits } edges { node { id title } } again: edges { searchAfter node { pages } } who: nodes { nodeId } __typename } } }`;
  const page = { total: 1_201, documents };
  const left = new DeferredValues();
  const { result } = await run(source, page, left);
  left.insertInto(result.data);
  const walked = await run(source, page, null);
  t.is(JSON.stringify(result), JSON.stringify(walked.result));
  t.is(JSON.stringify(result).match(/"hits":1201/g)?.length, 1);
  t.regex(JSON.stringify(result), /"id":"b1200","title":"Book 1200"/);
});

for (const [what, mistake, path] of [
  ['a mistake of ours is told, and no executor asked instead', new TypeError('no such thing'), ['book']],
  ['what is refused the executor refuses, and says where', new GraphQLError('no title'), ['book', 'title']],
] as const)
  test(what, async (t) => {
    const book = {
      get title(): string {
        throw mistake;
      },
    };
    const schema = buildSchema('type Query { book: Book } type Book { title: String }');
    schema.getQueryType()!.getFields()['book']!.resolve = (_source, _args, caller, info) =>
      completed(book, caller, info);
    const document = parse('{ book { title } }');
    const { errors } = await execute({ schema, document, rootValue: new DeferredValues() });
    t.deepEqual(errors?.map((error) => [error.message, error.path]), [[mistake.message, path]]); // prettier-ignore
  });
