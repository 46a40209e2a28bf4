import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { execute, parse } from 'graphql';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { openReloaded } from './reloaded-network.ts';
import type { NodeChange } from '../../src/federation/nodes/node-view.ts';
import { runs } from '../fast-check.ts';
import { listening } from '../listening.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { contextOf } from './node-fixtures.ts';
import type { RemoteServer } from './remote-server.ts';
import { deadUrl, serveCatalogue } from './remote-server.ts';

const serveTrees = async (t: ExecutionContext, count: number): Promise<RemoteServer> => {
  const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
  const rows = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, genus: 'Acer' }));
  const remote = await serveCatalogue('tree', fields, searchOf(rows));
  t.teardown(remote.close);
  return remote;
};

const entry = (nodeId: string, graphqlUrl: string, more: object = {}) => ({
  nodeId,
  displayName: nodeId,
  documentType: 'tree',
  graphqlUrl,
  ...more,
});
const configOf = (...nodes: readonly object[]) =>
  readNodes({ defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 }, nodes }, 'nodes.json');

/** The address of a server that is reached only once `answers` has resolved. */
const delayed = async (
  t: ExecutionContext,
  remote: RemoteServer,
  answers: Promise<void>,
): Promise<string> => {
  const proxy = createServer((socket) => {
    socket.on('error', () => undefined);
    void answers.then(() => {
      const to = connect(Number(new URL(remote.url).port), '127.0.0.1');
      to.on('error', () => socket.destroy());
      socket.pipe(to).pipe(socket);
    });
  });
  return `${(await listening(t, proxy)).url}/graphql`;
};

const open = (t: ExecutionContext, config: ReturnType<typeof configOf>, settings: object = {}) => {
  const changes: NodeChange[] = [];
  const observer = { changed: (change: NodeChange) => void changes.push(change), called: () => undefined };
  const network = openReloaded(config, () => undefined, {
    observer,
    secret: () => undefined,
    readyWaitMs: 60_000,
    ...settings,
  });
  t.teardown(() => network.close());
  const runQuery = async () => {
    const document = parse('{ network { total partial nodes { nodeId state status hits } } }');
    const result = await execute({ schema: network.ownSchema(), document, contextValue: contextOf() });
    if (result.errors) throw result.errors[0]!;
    return JSON.parse(JSON.stringify(result.data?.['network'])) as unknown;
  };
  return { network, runQuery, changes };
};

const ok = (nodeId: string, hits: number) => ({ nodeId, state: 'ok', status: 'OK', hits });

test('nodes join and leave, and those with an equal entry keep what is known of them', async (t) => {
  const [one, two] = [await serveTrees(t, 1), await serveTrees(t, 2)];
  const gone = entry('gone', await deadUrl(), { discoveryTimeoutMs: 200 });
  const { network, runQuery, changes } = open(t, configOf(entry('one', one.url), gone));
  await network.ready;
  t.is(changes.length, 2);
  const lines = await network.reload(configOf(gone, entry('two', two.url)));
  t.deepEqual(lines, ['node "two" joined', 'node "one" left']);
  t.deepEqual(await runQuery(), {
    total: 2,
    partial: true,
    nodes: [{ nodeId: 'gone', state: 'discoveryFailed', status: 'ERROR', hits: 0 }, ok('two', 2)],
  });
  // the failed node was not discovered again
  t.deepEqual(
    changes.slice(2).map(({ nodeId, state }) => [nodeId, state]),
    [['two', 'ok']],
  );
  t.deepEqual(await network.reload(configOf(gone, entry('two', two.url))), []);
});

test('a node whose entry changed is discovered again, and so comes back', async (t) => {
  const remote = await serveTrees(t, 3);
  const { network, runQuery } = open(
    t,
    configOf(entry('tree', await deadUrl(), { discoveryTimeoutMs: 200 })),
  );
  await network.ready;
  t.deepEqual(await network.reload(configOf(entry('tree', remote.url))), ['node "tree" has a changed entry']);
  t.deepEqual(await runQuery(), { total: 3, partial: false, nodes: [ok('tree', 3)] });
});

test('a node that did not answer its discovery in time is not discovered again by itself', async (t) => {
  const remote = await serveTrees(t, 3);
  remote.fault = () => true;
  const { network, changes } = open(t, configOf(entry('tree', remote.url, { discoveryTimeoutMs: 500 })));
  await network.ready;
  remote.fault = () => false;
  // longer than a node that dials in would wait
  await sleep(1_000);
  t.deepEqual(
    changes.map(({ state }) => state),
    ['discoveryFailed'],
  );
});

test('a node that was down at the start is let in when it is discovered once more', async (t) => {
  const remote = await serveTrees(t, 3);
  let isDown = true;
  remote.fault = (_, response) => {
    if (isDown) response.writeHead(403).end();
    return isDown;
  };
  const config = configOf(entry('tree', remote.url));
  const { network, runQuery } = open(t, config);
  await network.ready;
  const failed = { nodeId: 'tree', state: 'discoveryFailed', status: 'ERROR', hits: 0 };
  t.like(await runQuery(), { nodes: [failed] });
  isDown = false;
  t.deepEqual(await network.reload(config), []);
  t.like(await runQuery(), { nodes: [failed] });
  t.deepEqual(await network.reload(config, new Set(['tree'])), ['node "tree" was discovered again: ok']);
  t.deepEqual(await runQuery(), { total: 3, partial: false, nodes: [ok('tree', 3)] });
});

test('changes are logged under the name that the network has', async (t) => {
  const tree = await serveTrees(t, 1);
  const lines: string[] = [];
  const write = ({ network, node }: Readonly<Record<string, unknown>>) =>
    void lines.push(`${String(network)} ${String(node)}`);
  const config = configOf(entry('one', tree.url));
  const { network } = open(t, config, { log: { info: write, warn: write } });
  await network.ready;
  const { nodes } = configOf(entry('one', tree.url), entry('two', tree.url));
  await network.reload({ ...config, displayName: 'Trees', nodes });
  t.deepEqual(lines, ['Network one', 'Trees two']);
});

test('a query under way ends on the nodes it began with', async (t) => {
  const [one, two] = [await serveTrees(t, 1), await serveTrees(t, 2)];
  const { network, runQuery } = open(t, configOf(entry('one', one.url)));
  await network.ready;
  let goOn = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    one.fault = (request, response) => {
      if (!request.query.startsWith('query nodeQuery')) return false;
      goOn = () =>
        void response
          .setHeader('content-type', 'application/json')
          .end('{"data":{"tree":{"hits":{"total":7}}}}');
      resolve();
      return true;
    };
  });
  const before = runQuery();
  await requested;
  await network.reload(configOf(entry('two', two.url)));
  t.deepEqual(await runQuery(), { total: 2, partial: false, nodes: [ok('two', 2)] });
  goOn();
  t.deepEqual(await before, { total: 7, partial: false, nodes: [ok('one', 7)] });
});

test('a credential that is not set changes nothing', async (t) => {
  const remote = await serveTrees(t, 1);
  const { network, runQuery } = open(t, configOf(entry('one', remote.url)));
  await network.ready;
  const closed = entry('two', remote.url, { credential: { header: 'authorization', env: 'NOT_SET' } });
  await t.throwsAsync(network.reload(configOf(closed)), {
    message: /credential.env names NOT_SET, which is not set/,
  });
  t.deepEqual(await runQuery(), { total: 1, partial: false, nodes: [ok('one', 1)] });
});

test('a credential that was exchanged is sent from the reload on', async (t) => {
  const remote = await serveTrees(t, 1);
  let token = 'first';
  const config = configOf(entry('one', remote.url, { credential: { header: 'authorization', env: 'ONE' } }));
  const { network, runQuery } = open(t, config, { secret: () => token });
  await network.ready;
  await runQuery();
  token = 'second';
  await network.reload(config);
  await runQuery();
  const sent = remote.queries.map(({ headers }) => headers.authorization);
  t.deepEqual([sent[0], sent.at(-1)], ['first', 'second']);
});

test('a node that is slow to be discovered delays nobody, and joins when it has answered', async (t) => {
  const [fast, slow] = [await serveTrees(t, 1), await serveTrees(t, 2)];
  let goOn = (): void => undefined;
  const answers = new Promise<void>((resolve) => (goOn = resolve));
  const config = configOf(entry('fast', fast.url), entry('slow', await delayed(t, slow, answers)));
  const { network, runQuery } = open(t, config, { readyWaitMs: 1 });
  while (network.state().nodes[0]!.state !== 'ok') await new Promise((resolve) => setTimeout(resolve, 5));
  t.deepEqual(await runQuery(), {
    total: 1,
    partial: true,
    nodes: [ok('fast', 1), { nodeId: 'slow', state: 'discovering', status: 'ERROR', hits: 0 }],
  });
  goOn();
  await network.ready;
  t.deepEqual(await runQuery(), { total: 3, partial: false, nodes: [ok('fast', 1), ok('slow', 2)] });
});

test('queries during many reloads are answered whole, by one configuration or the next', async (t) => {
  const [one, two] = [await serveTrees(t, 1), await serveTrees(t, 2)];
  const both = configOf(entry('one', one.url), entry('two', two.url));
  const only = configOf(entry('one', one.url));
  const { network, runQuery } = open(t, both);
  await network.ready;
  let reloading = true;
  const requested = (async () => {
    const totals = new Set<unknown>();
    while (reloading) totals.add(JSON.stringify(await runQuery()));
    return totals;
  })();
  for (let at = 0; at < runs(200); at += 1) await network.reload(at % 2 === 0 ? only : both);
  reloading = false;
  t.deepEqual([...(await requested)].toSorted(), [
    JSON.stringify({ total: 1, partial: false, nodes: [ok('one', 1)] }),
    JSON.stringify({ total: 3, partial: false, nodes: [ok('one', 1), ok('two', 2)] }),
  ]);
});

test('new fields of a healthy node appear, and an unreachable node keeps its own', async (t) => {
  const shrub = await serveTrees(t, 1);
  const grown = await serveCatalogue(
    'tree',
    fieldsOf({ id: 'keyword', genus: 'keyword', height: 'long' }),
    searchOf([{ id: 't1', height: 7 }]),
  );
  t.teardown(grown.close);
  let port = new URL(shrub.url).port;
  let refused = 0;
  const sockets = new Set<Socket>();
  const relay = createServer((socket) => {
    if (port === '') {
      refused += 1;
      return void socket.destroy();
    }
    const to = connect(Number(port), '127.0.0.1');
    for (const end of [socket, to]) end.on('error', () => undefined);
    sockets.add(socket);
    socket.pipe(to).pipe(socket);
  });
  const moveTo = (next: string): void => {
    port = next;
    for (const socket of sockets) socket.destroy();
  };
  const url = `${(await listening(t, relay)).url}/graphql`;
  const config = configOf(entry('tree', url));
  const { network, changes } = open(t, config, { recheckMs: 20 });
  await network.ready;
  const paths = (): readonly string[] => network.state().fields.map(({ path }) => path);
  const first = network.ownSchema();
  t.deepEqual(paths(), ['genus', 'id']);
  moveTo('');
  while (refused < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is(network.ownSchema(), first);
  moveTo(new URL(grown.url).port);
  while (!paths().includes('height')) await new Promise((resolve) => setTimeout(resolve, 10));
  t.deepEqual(paths(), ['genus', 'height', 'id']);
  t.deepEqual(
    changes.map(({ state }) => state),
    ['ok'],
  );
});
