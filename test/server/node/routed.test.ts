import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { createRouter, type RouterOptions } from '../../../src/library.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { startScripted, type Script } from '../../engines/cluster/scripted-server.ts';
import { listening } from '../../listening.ts';

const properties = { id: { type: 'keyword' }, shelf: { type: 'keyword' } };
const shards = { total: 1, successful: 1, failed: 0 };

/** A search server with three books. */
const script: Script = ({ line, body }) => {
  if (line.startsWith('GET /books/_count')) return { body: { count: 3, _shards: shards } };
  if (line.startsWith('GET /books'))
    return {
      body: { books: { mappings: { properties }, settings: { index: { uuid: 'first' } }, aliases: {} } },
    };
  const searches = body.trim().split('\n').length / 2;
  const hits = ['a', 'b', 'c'].map((id) => ({ _id: id, _source: { id }, sort: [id] }));
  const answer = {
    hits: { total: { value: 3, relation: 'eq' }, hits },
    aggregations: {},
    _shards: shards,
    status: 200,
  };
  return { body: { responses: Array.from({ length: searches }, () => answer) } };
};

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly {
      readonly message: string;
      readonly extensions: { readonly code: string; readonly details?: object };
    }[];
  };
}

interface Routed {
  readonly get: (path: string) => Promise<Answer>;
  readonly query: (path: string, query: string, variables?: object) => Promise<Answer>;
}

/** One catalogue of books, alone and as the only node of a network. */
const route = async (t: ExecutionContext, options: RouterOptions): Promise<Routed> => {
  const router = await createRouter({
    configs: { books: { documentType: 'book', esIndex: 'books' } },
    nodes: {
      network: { documentType: 'book' },
      defaults: { timeoutMs: 60_000 },
      nodes: [{ nodeId: 'here', catalogue: 'books' }],
    },
    logger: pino({ level: 'silent' }),
    ...options,
  });
  t.teardown(router.close);
  const app = new Koa().use(router.routes() as unknown as Koa.Middleware);
  const { url } = await listening(t, createServer(app.callback()));
  const answer = async (response: Response): Promise<Answer> => ({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Answer['body'],
  });
  return {
    get: async (path) => answer(await fetch(url + path)),
    query: async (path, query, variables = {}) =>
      answer(
        await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables }),
        }),
      ),
  };
};

const onCluster = async (t: ExecutionContext, options: RouterOptions = {}) => {
  const { port, requested, stop } = await startScripted(t, 'opensearch', script);
  const env = { ES_HOST: `http://127.0.0.1:${port}`, DATA_PATH: temporaryFolder(t, {}) };
  return { port, requested, stop, routed: await route(t, { env, ...options }) };
};

const embedded = async (t: ExecutionContext, options: RouterOptions) => {
  const dataPath = temporaryFolder(t, {});
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index: 'books', mapping: { properties } });
  const books = ['a', 'b', 'c'].map((id) => ({
    kind: 'upsert' as const,
    id,
    document: { id, shelf: 'low' },
  }));
  await engine.write('books', books);
  await engine.close();
  return { routed: await route(t, { env: { DATA_PATH: dataPath }, ...options }) };
};

const page = `query ($after: JSON) { book { hits(first: 1, searchAfter: $after) { edges { searchAfter node { id } } } } }`;
const networkPage = `query ($after: JSON) { network { hits(first: 1, searchAfter: $after) { edges { searchAfter node { id } } } } }`;

/** The cursor of the first edge. */
const endOf = ({ body }: Answer, root: 'book' | 'network'): unknown => {
  const { hits } = (body.data?.[root] ?? {}) as { hits?: { edges: readonly { searchAfter: unknown }[] } };
  if (hits?.edges[0] === undefined) throw new Error(JSON.stringify(body));
  return hits.edges[0].searchAfter;
};

/** The cursor of a network with another tie-break for its node. */
const withTieBreak = (cursor: unknown, tieBreak: unknown): string => {
  const [scope, nodes] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as [
    string,
    [nodeId: string, sortedBy: string, row: unknown[]][],
  ];
  const moved = nodes.map(([nodeId, sortedBy, row]) => [nodeId, sortedBy, [...row.slice(0, -1), tieBreak]]);
  return Buffer.from(JSON.stringify([scope, moved])).toString('base64url');
};

const restricted: RouterOptions = {
  getServerSideFilter: () => ({ op: 'in', content: { fieldName: 'shelf', value: ['low'] } }),
};

for (const [name, open] of [
  ['embedded', embedded],
  ['cluster', onCluster],
] as const)
  test(`where an access filter applies a position that the caller made up is refused: ${name}`, async (t) => {
    const { routed } = await open(t, restricted);
    const own = endOf(await routed.query('/graphql', page), 'book');
    t.is((await routed.query('/graphql', page, { after: own })).body.errors, undefined);
    const ofNetwork = endOf(await routed.query('/network/graphql', networkPage), 'network');
    t.is((await routed.query('/network/graphql', networkPage, { after: ofNetwork })).body.errors, undefined);
    for (const tieBreak of [1, '1', 'b', '1@aaaaaaaa', 'tie:AAAA', 'values:;1']) {
      const refused = await routed.query('/graphql', page, { after: [tieBreak] });
      t.like(refused.body.errors?.[0]?.extensions, { code: 'BAD_USER_INPUT', details: { startAgain: true } });
      const after = withTieBreak(ofNetwork, tieBreak);
      const { body } = await routed.query('/network/graphql', networkPage, { after });
      t.is(body.errors?.[0]?.extensions.code, 'BAD_USER_INPUT', JSON.stringify(body));
    }
  });

const networkNow =
  '{ network { total nodes { nodeId state code } hits(first: 3) { edges { node { id shelf } } } } }';

test('an engine that is away is 503, then its catalogue fails; its network keeps the fields and counts the failures', async (t) => {
  t.timeout(240_000);
  const { port, stop, routed } = await onCluster(t);
  const nodeNow = async () => {
    const { status, body } = await routed.query('/network/graphql', networkNow);
    t.is(status, 200, JSON.stringify(body));
    t.is(body.errors, undefined);
    return (body.data!['network'] as { nodes: readonly object[] }).nodes[0];
  };
  const reported = async () =>
    ((await routed.get('/network')).body as { nodes: { failures: number }[] }).nodes[0]!;
  t.is((await routed.query('/graphql', page)).status, 200);
  t.like(await nodeNow(), { state: 'ok' });
  const { failures } = await reported();
  await stop();
  const away = await routed.query('/graphql', page);
  t.is(away.status, 503);
  t.is(away.body.errors?.[0]?.extensions.code, 'ENGINE_UNAVAILABLE');
  t.true(Number(away.retryAfter) >= 1 && Number(away.retryAfter) <= 30);
  t.like(await nodeNow(), { state: 'unreachable', code: 'ENGINE_UNAVAILABLE' });
  t.is((await routed.get('/ready')).status, 503);
  const failed = await routed.query('/graphql', page);
  t.is(failed.status, 404);
  t.true(Number(failed.retryAfter) >= 1 && Number(failed.retryAfter) <= 30);
  t.like(await nodeNow(), { state: 'unreachable', code: 'ENGINE_UNAVAILABLE' });
  t.is((await reported()).failures, failures + 2);
  await startScripted(t, 'opensearch', script, port);
  while ((await routed.get('/ready')).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 200));
  t.is((await routed.query('/graphql', page)).status, 200);
  t.like(await nodeNow(), { state: 'ok' });
});
