import type { ExecutionContext } from 'ava';
import test from 'ava';
import { networkLines } from '../../../src/cli/check/check-lines.ts';
import { checkNetwork } from '../../../src/cli/check/check-network.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import { openNaiveEngine } from '../../engines/naive.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf, serveSchema } from '../../federation/remote-server.ts';
import { testNetwork } from '../../builders.ts';

/** A network of catalogues of one server, as others ask it. */
const serveNetwork = async (t: ExecutionContext, serverKey: string, catalogueIds: readonly string[]) => {
  const nodes = catalogueIds.map((nodeId) => ({
    nodeId,
    catalogue: catalogueOf(nodeId, fieldsOf({ id: 'keyword' }), searchOf([{ id: `${nodeId}1` }])),
  }));
  const network = await testNetwork(t, nodes, {
    network: { documentType: 'tree' },
    key: serverKey.padEnd(43, '-'),
  });
  const { url, close } = await serveSchema(network.ownSchema());
  t.teardown(close);
  return url;
};

const check = async (t: ExecutionContext, urls: Readonly<Record<string, string>>) => {
  const nodes = Object.entries(urls).map(([nodeId, graphqlUrl]) => ({
    nodeId,
    graphqlUrl,
    documentType: 'tree',
    timeoutMs: 60_000,
    discoveryTimeoutMs: 60_000,
  }));
  const registry = await openRegistry([], openNaiveEngine(), {});
  t.teardown(registry.close);
  return checkNetwork(readNodes({ nodes }, 'nodes.json'), registry, { env: {}, maxDepth: 7 });
};

test('a node that leads to a catalogue a second time fails, with both ways, and so does a network named twice', async (t) => {
  const eu = await serveNetwork(t, 'one', ['lyon', 'oslo']);
  const fr = await serveNetwork(t, 'one', ['lyon', 'nice']);
  const twice = (name: string, nodeId: string): string =>
    `"${name}" would be reached twice, through node "eu" and through node "${nodeId}": remove one of them`;
  const checked = await check(t, { eu, fr });
  t.false(checked.fine);
  t.like(checked.nodes, [
    { state: 'ok', reason: null, institutions: 2 },
    { state: 'discoveryFailed', code: 'NODE_DISCOVERY_FAILED', reason: twice('lyon', 'fr') },
  ]);
  const lines = networkLines(checked, 120).map((line) => line.trim());
  t.true(lines.includes('node eu: ok, a network of 2 institutions'));
  t.true(lines.includes(`node fr: discoveryFailed, a network of 2 institutions, ${twice('lyon', 'fr')}`));
  t.like((await check(t, { eu, same: eu })).nodes, [{ state: 'ok' }, { reason: twice('lyon', 'same') }]);
});

test('catalogues of the same name at different servers are not reported as one', async (t) => {
  const eu = await serveNetwork(t, 'one', ['lyon']);
  const us = await serveNetwork(t, 'other', ['lyon']);
  t.true((await check(t, { eu, us })).fine);
});
