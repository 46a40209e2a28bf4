import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import test from 'ava';
import { engineOfCatalogue } from '../../../src/server/config/catalogue/catalogue-engine.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import { openEngines } from '../../../src/server/node/catalogue-engines.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';

/** A search server without any index, which notes the requests it receives and their credentials. */
const emptyCluster = async (): Promise<{ server: Server; url: string; requests: string[] }> => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization ?? 'nobody'}`);
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-elastic-product', 'Elasticsearch');
    if (request.url === '/')
      return void response.end(
        JSON.stringify({
          version: { number: '8.19.0', build_flavor: 'default' },
          tagline: 'You Know, for Search',
        }),
      );
    response.statusCode = 404;
    response.end(JSON.stringify({ error: { type: 'index_not_found_exception' }, status: 404 }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};

test('a catalogue with search servers of its own is looked for there, with the credentials of its variables', async (t) => {
  const { server, url, requests } = await emptyCluster();
  const secrets: Record<string, string> = { A_KEY: 'first' };
  const dataPath = temporaryFolder(t, {});
  const engines = await openEngines({ kind: 'embedded', dataPath }, (name) => secrets[name]);
  t.teardown(async () => {
    await engines.close();
    server.close();
  });
  const config = bookConfig({ engine: { url, apiKeyVariable: 'A_KEY' } });
  const open = async (one = config) => {
    const state = await openCatalogue(one, engines.engine, { engineOf: engines.engineOf });
    return state.status === 'failed' ? [state.error.code, state.error.message] : state.status;
  };
  t.deepEqual(await open(), ['index_not_found', 'the search server has no index for the mapping of books']);
  t.true(requests.length > 1);
  t.true(
    requests.every((request) => request.endsWith(' ApiKey first')),
    requests.join(),
  );
  secrets['A_KEY'] = 'second';
  await open();
  t.true(requests.at(-1)!.endsWith(' ApiKey second'), requests.join());
  t.is(await engines.engineOf(config), await engines.engineOf(bookConfig({ engine: config.engine! })));
  t.is(await engines.engineOf(bookConfig()), engines.engine);
  delete secrets['A_KEY'];
  t.deepEqual(await open(), ['unknown_error', 'esCredentials names the variable A_KEY, which is not set']);
});

test('search servers whose certificates cannot be read yet are opened once they can', async (t) => {
  const dataPath = temporaryFolder(t, {});
  const engines = await openEngines({ kind: 'embedded', dataPath }, () => undefined);
  const caFile = join(dataPath, 'ca.pem');
  const config = bookConfig({ engine: { url: 'https://127.0.0.1:1', caFile } });
  await t.throwsAsync(engines.engineOf(config), { message: /ca\.pem", which cannot be read/ });
  await t.notThrowsAsync(async () => {
    await writeFile(caFile, rootCertificates[0]!);
    t.is(await engines.engineOf(config), await engines.engineOf(config));
  });
  const missing = bookConfig({ engine: { url: 'https://127.0.0.1:1', caFile: `${caFile}.none` } });
  const [failure] = await Promise.all([t.throwsAsync(engines.engineOf(missing)), engines.close()]);
  t.like(failure, { code: 'CONFIG_INVALID' });
  await t.throwsAsync(engines.engine.describe('any'));
});

test('a catalogue without search servers of its own has the engine of the server', (t) => {
  const ofServer = { kind: 'embedded', dataPath: 'data' } as const;
  t.is(
    engineOfCatalogue({}, ofServer, () => undefined),
    ofServer,
  );
});
