import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { engineOver } from '../../../src/engines/embedded/embedded-engine.ts';
import { SearchThreads } from '../../../src/engines/embedded/threads/search-threads.ts';
import type { RunningApp } from '../../server/http/running-app.ts';
import { read, runApp } from '../../server/http/running-app.ts';
import { bookConfig, bookProperties } from '../../local/catalogue-fixture.ts';
import { until } from './victim.ts';

const books = 80_000;

interface Library {
  readonly app: RunningApp;
  readonly threads: SearchThreads;
}

/** A server whose only thread for searches is watched. */
const startLibrary = async (t: ExecutionContext, searchTimeoutMs: number): Promise<Library> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const threads = new SearchThreads(dataPath, 0);
  const engine = engineOver(threads);
  t.teardown(async () => {
    await engine.close();
    await rm(dataPath, { recursive: true });
  });
  const index = 'books';
  await engine.manage({ kind: 'create', index, mapping: { properties: bookProperties } });
  const operations = Array.from({ length: books }, (_, pages) => ({
    kind: 'upsert' as const,
    id: `${pages}`,
    document: { pages },
  }));
  await engine.write(index, operations);
  const app = await runApp(t, {
    catalogues: [bookConfig({ maxAliases: 1_000 })],
    engine: { ...engine, searches: [] },
    settings: { searchTimeoutMs, bodyLimitBytes: 1 << 23 },
  });
  return { app, threads };
};

const numbers = Array.from({ length: 49 }, (_, number) => number);
const facet = (_: unknown, at: number): string =>
  `f${at}: range(ranges: $r${at % 49}) { buckets { doc_count } }`;
/** Takes some minutes of a processor. */
const dear = {
  query: `query (${numbers.map((number) => `$r${number}: [RangesArg!]!`).join()}) {
    book { aggregations { pages { ${Array.from({ length: 900 }, facet).join(' ')} } } }
  }`,
  variables: Object.fromEntries(
    numbers.map((number) => [
      `r${number}`,
      Array.from({ length: 1_000 }, (_, at) => ({ from: number + at })),
    ]),
  ),
};

/** The thread answers one after the other: what it still worked on would be before this. */
const isFree = async ({ app, threads }: Library): Promise<boolean> => {
  const { body } = await read(app.query('/graphql', '{ book { hits(first: 0) { total } } }'));
  const { data } = body as { data?: { book: { hits: { total: number } } } };
  return data?.book.hits.total === books && threads.pending === 0;
};

test('a request whose client disconnects is not worked on any more', async (t) => {
  const library = await startLibrary(t, 600_000);
  const { app, threads } = library;
  const client = new AbortController();
  const answer = fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(dear),
    signal: client.signal,
  });
  await Promise.race([until(() => threads.pending > 0), answer.then(() => t.fail('it was too cheap'))]);
  client.abort();
  await t.throwsAsync(answer, { name: 'AbortError' });
  t.true(await isFree(library));
  t.notRegex(app.log(), /"level":50/);
});

test('a request past its deadline times out, and its work stops', async (t) => {
  const library = await startLibrary(t, 1_000);
  const { app, threads } = library;
  let hasBegun = false;
  const begun = until(() => threads.pending > 0).then(() => (hasBegun = true));
  // on a busy machine the time may be over before the search begins, or before the query runs at all: 504
  while (!hasBegun) {
    const { status, body } = await read(app.query('/graphql', dear.query, dear.variables));
    const { data, errors } = body as { data?: unknown; errors?: readonly { extensions: { code: string } }[] };
    t.is(errors?.[0]?.extensions.code, 'ENGINE_TIMEOUT', JSON.stringify(body).slice(0, 500));
    t.is(status, data === undefined ? 504 : 200);
  }
  await begun;
  t.true(await isFree(library));
});
