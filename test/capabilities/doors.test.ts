import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { pino } from 'pino';
import { doorsOf } from '../../src/server/http/capability.ts';
import { standard } from '../../src/standard.ts';
import { readNetworkJson } from '../../src/federation/config/network-json.ts';
import { openNetwork } from '../../src/federation/network.ts';
import { catalogueOf } from '../federation/remote-server.ts';
import { fieldsOf, searchOf } from '../federation/collection.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';
import { runApp } from '../server/http/running-app.ts';
import { servePatients } from './served-patients.ts';
import { available, testNetwork } from '../builders.ts';

/** What a file imports when it is loaded, and not when it first needs it; types are erased. */
const importsOf = (source: string): readonly string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';|^import '([^']+)';/gms)].map(
    ([, from, alone]) => from ?? alone!,
  );

/** Everything that is loaded with a file: files of the source by their addresses, packages by their names. */
const loadedWith = (start: URL): ReadonlySet<string> => {
  const found = new Set<string>();
  const next = [start.href];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    if (!at.startsWith('file:')) continue;
    for (const name of importsOf(readFileSync(new URL(at), 'utf8')))
      next.push(name.startsWith('.') ? new URL(name, at).href : name);
  }
  return found;
};

test('nothing of a door is loaded before its first request', (t) => {
  const source = new URL('../../src/', import.meta.url);
  const loaded = ['cli/start/start.ts', 'standard.ts'].flatMap((program) =>
    [...loadedWith(new URL(program, source))].map((one) => one.replace(source.href, '')),
  );
  const needed = ['capabilities/beacon/capability.ts', 'server/http/doors/serve-door.ts'];
  t.deepEqual(
    needed.filter((one) => !loaded.includes(one)),
    [],
  );
  t.deepEqual(
    loaded.filter((one) =>
      /^capabilities\/(beacon|agents|fair)\/(?!capability\.ts)|^server\/http\/ops\/metrics\.ts$|^n3$|^@modelcontextprotocol/.test(
        one,
      ),
    ),
    [],
  );
  t.true(
    [...loadedWith(new URL('capabilities/agents/mcp.ts', source))].includes('@modelcontextprotocol/server'),
  );
});

test('other methods are refused with those that a door has, and are no failure of the server', async (t) => {
  let failures = 0;
  const log = pino({ level: 'error' }, { write: () => void (failures += 1) });
  const { url } = await servePatients(t, {}, { log });
  const refused = [
    ['TRACE', '/mcp', 'POST'],
    ['GET', '/mcp', 'POST'],
    ['POST', '/fdp', 'GET'],
    ['POST', '/oslo/beacon/info', 'GET'],
    ['TRACE', '/oslo/beacon/individuals', 'GET or POST'],
  ] as const;
  for (const [method, path, expected] of refused) {
    const sent = request(url + path, { method }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    t.is(answer.statusCode, 405, path);
    t.is(answer.headers['allow'], `${expected.replace(' or', ',')}, OPTIONS`);
    t.true((await answer.toArray()).join('').includes(`${method} is not allowed here: ${expected} expected`));
  }
  t.is(failures, 0);
});

test('a host that cannot be read is refused by every door, as JSON, and is no failure of the server', async (t) => {
  let failures = 0;
  const log = pino({ level: 'error' }, { write: () => void (failures += 1) });
  const { url } = await servePatients(t, {}, { log });
  const { hostname, port } = new URL(url);
  for (const path of ['/oslo/beacon/individuals', '/network/beacon/individuals', '/mcp', '/fdp']) {
    // the second can be parsed, but is no identifier for a FAIR Data Point to give
    for (const host of ['a b', 'a"b{`}']) {
      const headers = { host, 'content-type': 'application/json' };
      const sent = request({ hostname, port, path, method: 'POST', headers }).end('{}');
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      t.is(answer.statusCode, 400, path);
      t.like(JSON.parse((await answer.toArray()).join('')), { error: { code: 'BAD_USER_INPUT' } });
    }
  }
  for (const path of ['/oslo/beacon', '/network/beacon/info', '/fdp']) {
    const socket = connect({ port: Number(port), host: hostname });
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    t.regex(
      (await socket.toArray()).join(''),
      /^HTTP\/1\.1 400 .*the host of the request cannot be read/s,
      path,
    );
  }
  t.is(failures, 0);
});

/** The ids that the doors of a server list: tools for agents, then the FAIR Data Point. */
const listedAt = async (url: string): Promise<readonly unknown[]> => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { name: 'describe', arguments: {} };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const tools = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) });
  const ids = [...(await tools.text()).matchAll(/\{"id":"([^"]+)","title"/g)].map(([, id]) => id);
  const point = await (await fetch(`${url}/fdp/catalog/all`, { headers: { accept: 'text/turtle' } })).text();
  const datasets = [...new Set([...point.matchAll(/\/dataset\/([^>]+)>/g)].map(([, id]) => id!))];
  return [ids, datasets.map(decodeURIComponent)];
};

const twoCatalogues = [bookConfig(), bookConfig({ catalogueId: 'maps', documentType: 'map' })];

test('a network without a common document type is not listed, as nothing of it is served', async (t) => {
  const nodes = ['tree', 'bush'].map((nodeId) => ({
    nodeId,
    catalogue: catalogueOf(nodeId, fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }])),
  }));
  const network = await testNetwork(t, nodes);
  t.is(network.catalogue(), null);
  const { url } = await runApp(t, { network, catalogues: twoCatalogues, doors: doorsOf(standard) });
  const ids = ['library', 'maps'];
  t.deepEqual(await listedAt(url), [ids, ids]);
  t.is((await fetch(`${url}/fdp/dataset/network`)).status, 404);
});

test("the network of the only catalogue is listed once, and each of several catalogues' own", async (t) => {
  const catalogue = catalogueOf('book', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }]));
  const config = readNetworkJson({ network: { localNode: { nodeId: 'here' } } }, 'network.json', 'library');
  const network = openNetwork(config, () => available(catalogue));
  await network.ready;
  t.teardown(network.close);
  const catalogueNetworks = new Map([['library', network]]);
  const doors = doorsOf(standard);
  const only = await runApp(t, { catalogues: [bookConfig()], catalogueNetworks, doors });
  t.deepEqual(await listedAt(only.url), [
    ['library/network', 'library'],
    ['library/network', 'library'],
  ]);
  const two = await runApp(t, { catalogues: twoCatalogues, catalogueNetworks, doors });
  const all = ['library/network', 'library', 'maps'];
  t.deepEqual(await listedAt(two.url), [all, all]);
});
