import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { graphql } from 'graphql';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { openReloaded } from './reloaded-network.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { listening } from '../listening.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { contextOf } from './node-fixtures.ts';
import { catalogueOf } from './remote-server.ts';

/** The most nodes that are discovered at the same time. */
const most = 64;
const count = 100;

/**
 * One server that is as many nodes as there are paths.
 * @param isGathered answers are held back until as many nodes ask as may be queried at once, or all that are left
 */
const serveNodes = async (t: ExecutionContext, isGathered = false) => {
  const fields = fieldsOf({ id: 'keyword' });
  const schema = buildCatalogueSchema(catalogueOf('tree', fields, searchOf([{ id: 'a' }])));
  // all nodes return the same: executing one introspection for each would be most of the test
  const results = new Map<string, Promise<string>>();
  const resultOf = async (source: string): Promise<string> =>
    JSON.stringify(await graphql({ schema, source, contextValue: contextOf() }));
  const open = new Map<string, number>();
  const counted = { maxAtOnce: 0, discoveries: 0 };
  let held: (() => void)[] = [];
  const hold = (answer: () => void): void => {
    held.push(answer);
    const round = held;
    const left = count - ((counted.discoveries - held.length) % count);
    // one more than may be queried would come meanwhile
    if (held.length === Math.min(most, left))
      setTimeout(() => {
        held = [];
        round.forEach((go) => go());
      }, 200);
  };
  const server = createServer((message, response) => {
    const path = message.url!;
    open.set(path, (open.get(path) ?? 0) + 1);
    counted.maxAtOnce = Math.max(counted.maxAtOnce, open.size);
    const answered = (): void => {
      const left = open.get(path)! - 1;
      if (left === 0) open.delete(path);
      else open.set(path, left);
    };
    void text(message).then(async (body) => {
      const { query: source } = JSON.parse(body) as { query: string };
      const isFirst = source.includes('queryType');
      if (isFirst) counted.discoveries += 1;
      if (!results.has(source)) results.set(source, resultOf(source));
      const result = await results.get(source)!;
      const answer = (): void => {
        answered();
        response.setHeader('content-type', 'application/json').end(result);
      };
      if (isFirst && isGathered) hold(answer);
      else answer();
    });
  });
  // on a busy machine a question would otherwise meet the end of an idle connection, and come a second time
  server.keepAliveTimeout = 0;
  const { url } = await listening(t, server);
  return { url, counted };
};

const entries = (url: string, length: number, path: string) =>
  Array.from({ length }, (_, at) => ({
    nodeId: `n${at}`,
    displayName: `Node ${at}`,
    documentType: 'tree',
    graphqlUrl: `${url}/${path}/${at}`,
  }));

const configOf = (nodes: readonly object[]) =>
  readNodes({ defaults: { discoveryTimeoutMs: 600_000 }, nodes }, 'nodes.json');

test('at most 64 nodes are discovered at once, at the start and after a reload', async (t) => {
  const { url, counted } = await serveNodes(t, true);
  const network = openReloaded(configOf(entries(url, count, 'first')), () => undefined, {
    readyWaitMs: 600_000,
  });
  t.teardown(() => network.close());
  await network.ready;
  t.is(network.state().nodes.filter(({ state }) => state === 'ok').length, count);
  t.deepEqual(counted, { maxAtOnce: most, discoveries: count });
  counted.maxAtOnce = 0;
  await network.reload(configOf(entries(url, count, 'second')));
  t.is(network.state().nodes.filter(({ state }) => state === 'ok').length, count);
  t.deepEqual(counted, { maxAtOnce: most, discoveries: 2 * count });
});

test('at most 64 nodes at once are checked for anything new', async (t) => {
  const { url, counted } = await serveNodes(t, true);
  const network = openReloaded(configOf(entries(url, count, 'node')), () => undefined, { recheckMs: 20 });
  t.teardown(() => network.close());
  await network.ready;
  while (counted.discoveries < 3 * count) await sleep(50);
  t.is(counted.maxAtOnce, most);
});

test('a node that waited for its turn has all of its time, and nodes that hang hold back nobody for longer than theirs', async (t) => {
  const { url } = await serveNodes(t);
  const hanging = createServer(() => undefined);
  const hung = await listening(t, hanging);
  const nodes = [
    ...entries(hung.url, most, 'hung').map((node) => ({
      ...node,
      nodeId: `hung-${node.nodeId}`,
      discoveryTimeoutMs: 300,
    })),
    ...entries(url, 10, 'well'),
  ];
  const network = openReloaded(configOf(nodes), () => undefined);
  t.teardown(() => network.close());
  await network.ready;
  t.deepEqual(
    network.state().nodes.map(({ state }) => state),
    [...Array.from({ length: most }, () => 'discoveryFailed'), ...Array.from({ length: 10 }, () => 'ok')],
  );
});
