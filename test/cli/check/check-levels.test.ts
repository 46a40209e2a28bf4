import type { ExecutionContext } from 'ava';
import test from 'ava';
import { networkLines } from '../../../src/cli/check/check-lines.ts';
import { checkNetwork } from '../../../src/cli/check/check-network.ts';
import { openNetwork } from '../../../src/federation/network.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import type { CatalogueState } from '../../../src/search/catalogue.ts';
import { openNaiveEngine } from '../../engines/naive.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf, serveSchema } from '../../federation/remote-server.ts';

/** A network of catalogues of one server, as others ask it. */
const serveNetwork = async (t: ExecutionContext, serverKey: string, catalogueIds: readonly string[]) => {
  const states = new Map(
    catalogueIds.map((id): [string, CatalogueState] => {
      const catalogue = catalogueOf(id, fieldsOf({ id: 'keyword' }), searchOf([{ id: `${id}1` }]));
      return [id, { status: 'available', config: catalogue.config, catalogue }];
    }),
  );
  const nodes = catalogueIds.map((id) => ({ nodeId: id, catalogue: id }));
  const config = readNodes({ network: { documentType: 'tree' }, nodes }, 'nodes.json');
  const network = openNetwork(config, (id) => states.get(id), { key: serverKey.padEnd(43, '-') });
  t.teardown(network.close);
  await network.ready;
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

test('a catalogue that two networks lead to is reported, with the paths of both, and so is a network named twice', async (t) => {
  const eu = await serveNetwork(t, 'one', ['lyon', 'oslo']);
  const fr = await serveNetwork(t, 'one', ['lyon', 'nice']);
  const twice = ['"fr/lyon" is the same catalogue as "eu/lyon": it is left out of answers'];
  const checked = await check(t, { eu, fr });
  t.deepEqual(checked.warnings, twice);
  t.true(checked.fine, 'it is queried once, and answers are right');
  const lines = networkLines(checked, 120);
  t.is(lines.filter((line) => line.trim() === twice[0]).length, 1);
  const again = await check(t, { eu, same: eu });
  t.deepEqual(again.warnings, [
    '"same/lyon" is the same catalogue as "eu/lyon": it is left out of answers',
    '"same/oslo" is the same catalogue as "eu/oslo": it is left out of answers',
  ]);
});

test('catalogues of the same name at different servers are not reported as one', async (t) => {
  const eu = await serveNetwork(t, 'one', ['lyon']);
  const us = await serveNetwork(t, 'other', ['lyon']);
  t.deepEqual((await check(t, { eu, us })).warnings, []);
});
