import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { Engine, WriteOperation } from '../../../src/engines/engine.ts';
import { openCluster } from '../../../src/engines/cluster/cluster-engine.ts';
import { openRepository } from '../../../src/indexing/repositories/open-repository.ts';
import { writeBatch } from '../../../src/indexing/write-batch.ts';
import { field } from '../../engines/cases/case.ts';
import { openTrees } from '../../federation/trees.ts';
import { studyConfig } from '../../indexing/repositories/fetching.ts';
import { listening } from '../../listening.ts';

/** A server that is busy whatever the request, and counts them. */
const busyServer = async (t: ExecutionContext): Promise<{ url: string; requests: () => number }> => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(503, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
    response.end('{"error":{"type":"unavailable","reason":"why"},"status":503}');
  });
  const { url } = await listening(t, server);
  return { url, requests: () => requests };
};

const kinds = ['detect', 'opensearch'] as const;
const engineAt = (t: ExecutionContext, kind: (typeof kinds)[number], url: string): Engine => {
  const nobody = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };
  const engine = openCluster({ kind, url, ...nobody }, { tries: 4, backoffMs: 1, timeoutMs: 60_000 });
  t.teardown(() => engine.close());
  return engine;
};
const noWait = (): Promise<void> => Promise.resolve();
const stats = {
  facets: [{ field: field('n', 'long'), filter: { kind: 'all' }, objects: {}, measure: { kind: 'stats' } }],
} as const;
const operations: readonly WriteOperation[] = [{ kind: 'upsert', id: 'a', document: {} }];

for (const kind of kinds) {
  test(`a busy search server (${kind}) is searched four times, and once for who tries again`, async (t) => {
    const server = await busyServer(t);
    const engine = engineAt(t, kind, server.url);
    await t.throwsAsync(engine.search('i', stats), { code: 'ENGINE_UNAVAILABLE' });
    t.is(server.requests(), 4);
    await t.throwsAsync(engine.search('i', stats, { once: true }), { code: 'ENGINE_UNAVAILABLE' });
    t.is(server.requests(), 5);
  });

  test(`a busy search server (${kind}) gets a bulk of writes six times`, async (t) => {
    const server = await busyServer(t);
    const engine = engineAt(t, kind, server.url);
    await t.throwsAsync(writeBatch(engine, 'i', operations, noWait), { code: 'ENGINE_UNAVAILABLE' });
    t.is(server.requests(), 6);
  });
}

test('a search that starts beside the first write of one who tries again keeps its own attempts', async (t) => {
  const server = await busyServer(t);
  const engine = engineAt(t, 'detect', server.url);
  const write = engine.write('i', operations, { once: true });
  const search = engine.search('i', stats);
  await t.throwsAsync(write, { code: 'ENGINE_UNAVAILABLE' });
  await t.throwsAsync(search, { code: 'ENGINE_UNAVAILABLE' });
  t.is(server.requests(), 1 + 4);
});

test('a busy repository is tried five times', async (t) => {
  const server = await busyServer(t);
  const repository = openRepository(studyConfig(server.url), noWait);
  const { signal } = new AbortController();
  await t.throwsAsync(repository.fetchOne('S1', 'A1', signal), { code: 'UPSTREAM_FAILED' });
  t.is(server.requests(), 5);
});

test('a busy node is tried once, or four times when it names a wait that fits', async (t) => {
  const { send, remote } = await openTrees(t, { timeoutMs: 60_000 });
  for (const [status, headers, times] of [
    [429, { 'retry-after': '0' }, 4],
    [503, {}, 1],
    [503, { 'retry-after': '0' }, 4],
  ] as const) {
    const before = remote.queries.length;
    remote.fault = (_request, response) => {
      response.writeHead(status, headers).end();
      return true;
    };
    await send('{ network { total } }');
    t.is(remote.queries.length - before, times);
  }
});

test('a target that stays busy gets a tenth of its requests as retries', async (t) => {
  const server = await busyServer(t);
  const engine = engineAt(t, 'opensearch', server.url);
  for (let request = 0; request < 40; request += 1)
    await t.throwsAsync(engine.search('i', stats), { code: 'ENGINE_UNAVAILABLE' });
  // far from the 160 that each search would get of its own; time gives back one a second
  t.true(server.requests() < 120, String(server.requests()));
});
