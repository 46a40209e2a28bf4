import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runHere } from '../../cli/run-here.ts';
import { loadedBooks } from './books.ts';
import { postQuery, startNode, type RunningNode } from './processes.ts';

const count = 300;
const books = Array.from({ length: count }, (_, at) => `{"id":"b${at}","shelf":"s${at % 3}"}`);

interface Replica {
  readonly node: RunningNode;
  readonly replace: (lines: readonly string[]) => Promise<void>;
}

/** What all replicas are: one server. */
const serverKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

/** A server with a folder of its own. */
const startReplica = async (t: ExecutionContext, lines: readonly string[]): Promise<Replica> => {
  const { folder, settings } = await loadedBooks(t, lines.join('\n'), { 'server.pem': String(serverKey) });
  const node = await startNode({ ...settings, SERVER_KEY_PATH: join(folder, 'server.pem') });
  t.teardown(() => node.kill());
  return {
    node,
    replace: async (changed) => {
      const file = join(folder, 'changed.ndjson');
      writeFileSync(file, changed.join('\n'));
      const { code, output } = await runHere(['load', file, '--index', 'books', '--replace'], settings);
      t.is(code, 0, output);
    },
  };
};

interface Page {
  readonly ids: readonly string[];
  readonly end: unknown;
  /** Whether it was refused with the advice to start again. */
  readonly isRefused: boolean;
}

const query = `query ($after: JSON, $sort: [Sort]) {
  book { hits(first: 40, searchAfter: $after, sort: $sort) { edges { searchAfter node { id } } } }
}`;

const page = async ({ node }: Replica, after: unknown, sort: readonly object[]): Promise<Page> => {
  const { data, errors = [] } = await postQuery(`${node.url}/graphql`, query, { after, sort });
  const isRefused = errors.some(({ message, extensions }) => {
    const { startAgain } = (extensions?.['details'] ?? {}) as { startAgain?: boolean };
    return startAgain === true && message.endsWith('start again from the first page');
  });
  if (isRefused) return { ids: [], end: null, isRefused };
  if (data === undefined) throw new Error(errors.map(({ message }) => message).join());
  const { edges } = (data['book'] as { hits: { edges: { searchAfter: unknown; node: { id: string } }[] } })
    .hits;
  return { ids: edges.map(({ node: { id } }) => id), end: edges.at(-1)?.searchAfter ?? null, isRefused };
};

/** The ids of all pages, requested from each server in turn until one refuses. */
const pagesOver = async (replicas: readonly Replica[], sort: readonly object[]) => {
  const ids: string[] = [];
  let after: unknown = null;
  for (let turn = 0; ; turn++) {
    const found = await page(replicas[turn % replicas.length]!, after, sort);
    if (found.isRefused) return { ids, isRefused: true };
    ids.push(...found.ids);
    after = found.end;
    if (after === null || found.ids.length < 40) return { ids, isRefused: false };
  }
};

const sorts: readonly (readonly object[])[] = [[], [{ fieldName: 'shelf', order: 'asc' }]];

test('pages of replicas with folders of their own are never mixed: whoever alternates must start again', async (t) => {
  t.timeout(600_000);
  const replicas = await Promise.all([startReplica(t, books), startReplica(t, books.toReversed())]);
  for (const sort of sorts) {
    for (const replica of replicas) {
      const { ids, isRefused } = await pagesOver([replica], sort);
      t.false(isRefused);
      t.is(new Set(ids).size, count);
      t.is(ids.length, count);
    }
    const { ids, isRefused } = await pagesOver(replicas, sort);
    t.true(isRefused);
    t.is(ids.length, 40);
  }
});

test('a page behind one from before a replacement is refused, and the first one is of the new records', async (t) => {
  t.timeout(600_000);
  const replica = await startReplica(t, books);
  for (const sort of sorts) {
    const first = await page(replica, null, sort);
    t.is(first.ids.length, 40);
    await replica.replace(books.toReversed());
    t.true((await page(replica, first.end, sort)).isRefused);
    const { ids, isRefused } = await pagesOver([replica], sort);
    t.false(isRefused);
    t.is(new Set(ids).size, count);
  }
});
