import test from 'ava';
import { execute, parse } from 'graphql';
import { setImmediate } from 'node:timers/promises';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { bookConfig, bookProperties, contextWith } from '../catalogue-fixture.ts';
import { scriptedEngine } from '../scripted-engine.ts';

const stored = Array.from({ length: 1_201 }, (_, i) => ({
  id: `b${i}`,
  source: { id: `b${i}`, title: `Book ${i}`, pages: i, copies: [{ state: 'new' }, { state: 'worn' }] },
  cursor: [i, `b${i}`],
}));

/** The connection `hits` of a catalogue of 1 201 books, as JSON. */
const openBooks = async () => {
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: ({ hits }) => ({
      hits: { total: stored.length, hits: stored.slice(hits!.offset, hits!.offset + hits!.size) },
    }),
  });
  const state = await openCatalogue(bookConfig(), engine, {});
  if (state.status === 'failed') throw state.error;
  const schema = buildCatalogueSchema(state.catalogue);
  const document = parse(`query($first: Int, $offset: Int, $no: Boolean = false) {
    book { hits(first: $first, offset: $offset) {
      total nodes { nodeId hits } edges { node { id title ...more } } again: edges { searchAfter node { pages } }
      who: nodes { nodeId } __typename edges { nodeId @skip(if: $no) searchAfter @include(if: $no) }
    } }
  }
  fragment more on bookNode { copies { hits { edges { node { state } } } } }`);
  return async (offset: number, first: number) => {
    const variableValues = { first, offset };
    const result = await execute({ schema, document, variableValues, contextValue: contextWith() });
    return JSON.parse(JSON.stringify(result)) as { data: { book: { hits: Record<string, unknown[]> } } };
  };
};

test('a long page holds the rows of short pages, and everything else once', async (t) => {
  const pageOf = await openBooks();
  const whole = await pageOf(0, 5_000);
  const { hits } = whole.data.book;
  const parts = await Promise.all(Array.from({ length: 13 }, (_, at) => pageOf(at * 100, 100)));
  const rows = (name: string) => parts.flatMap(({ data }) => data.book.hits[name]!);
  t.deepEqual(whole, {
    data: { book: { hits: { ...parts[0]!.data.book.hits, edges: rows('edges'), again: rows('again') } } },
  });
  t.is(hits['edges']!.length, 1_201);
  t.deepEqual(hits['nodes'], [{ nodeId: 'library', hits: 1_201 }]);
});

test('a long page lets other work run between its rows', async (t) => {
  const pageOf = await openBooks();
  await pageOf(0, 5_000);
  let isDone = false;
  let turns = 0;
  const others = async () => {
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
  };
  const page = pageOf(0, 5_000).finally(() => (isDone = true));
  await Promise.all([page, others()]);
  t.true(turns >= 12, `${turns} iterations of the event loop`);
});
