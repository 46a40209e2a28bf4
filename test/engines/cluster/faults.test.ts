import { createServer } from 'node:https';
import test, { type ExecutionContext } from 'ava';
import nock from 'nock';
import type { ClusterSettings } from '../../../src/engines/cluster/cluster-settings.ts';
import { openCluster } from '../../../src/engines/cluster/cluster-engine.ts';
import type { Engine, SearchQuery } from '../../../src/engines/engine.ts';
import { field } from '../cases/case.ts';
import { ownCertificate } from './own-certificate.ts';
import { listening } from '../../listening.ts';

nock.disableNetConnect();
nock.enableNetConnect('127.0.0.1');

const stats: SearchQuery = {
  facets: [{ field: field('n', 'long'), filter: { kind: 'all' }, objects: {}, measure: { kind: 'stats' } }],
};
const answered = {
  responses: [
    {
      status: 200,
      _shards: { total: 1, failed: 0 },
      aggregations: { f0_stats: { count: 1, min: 2, max: 2, avg: 2, sum: 2 } },
    },
  ],
};
const two = [{ kind: 'stats', count: 1, min: 2, max: 2, avg: 2, sum: 2 }];
const refusal = (type: string, status: number) => ({ error: { type, reason: 'why' }, status });

const products = {
  opensearch: { version: { distribution: 'opensearch', number: '2.19.6' } },
  elasticsearch: { version: { number: '8.19.0' }, tagline: 'You Know, for Search' },
} as const;
type Product = keyof typeof products;

/** Each test has a host of its own, so that they can run side by side. */
let hosts = 0;
const mocked = (product: Product): { readonly url: string; readonly scope: nock.Scope } => {
  hosts += 1;
  const url = `http://${product}-${hosts}.test:9200`;
  const headers: Record<string, string> =
    product === 'elasticsearch' ? { 'x-elastic-product': 'Elasticsearch' } : {};
  const scope = nock(url).defaultReplyHeaders({ 'content-type': 'application/json', ...headers });
  scope.get('/').optionally().times(3).reply(200, products[product]);
  return { url, scope };
};

const engineAt = (
  t: ExecutionContext,
  url: string,
  more: Partial<ClusterSettings> = {},
  tries = 4,
): Engine => {
  const settings = { kind: 'detect', url, user: undefined, password: undefined } as const;
  const engine = openCluster(
    { ...settings, apiKey: undefined, caFile: undefined, ...more },
    { tries, backoffMs: 1, timeoutMs: 60_000 },
  );
  t.teardown(() => engine.close());
  return engine;
};

for (const product of ['opensearch', 'elasticsearch'] as const) {
  test(`${product}: too many requests, then an answer`, async (t) => {
    const { url, scope } = mocked(product);
    scope.post('/files/_msearch').twice().reply(429, refusal('rejected_execution_exception', 429));
    scope.post('/files/_msearch').reply(200, answered);
    t.deepEqual((await engineAt(t, url).search('files', stats)).facets, two as never);
    t.true(scope.isDone());
  });

  test(`${product}: a connection lost before and within an answer`, async (t) => {
    const { url, scope } = mocked(product);
    scope.post('/files/_msearch').replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    scope.post('/files/_msearch').reply(200, '{"responses":[{"aggreg');
    scope.post('/files/_msearch').reply(200, answered);
    t.deepEqual((await engineAt(t, url).search('files', stats)).facets, two as never);
    t.true(scope.isDone());
  });

  test(`${product}: an answer that stays no JSON`, async (t) => {
    const { url, scope } = mocked(product);
    scope.post('/files/_msearch').times(4).reply(200, '{"responses":[{"aggreg');
    await t.throwsAsync(engineAt(t, url).search('files', stats), {
      code: 'ENGINE_ERROR',
      message: "the search server's answer to the search of files cannot be read",
    });
    t.true(scope.isDone());
  });

  test(`${product}: unavailable until the tries are over, or until the deadline is`, async (t) => {
    const { url, scope } = mocked(product);
    scope.post('/files/_msearch').times(4).reply(503, refusal('unavailable', 503));
    await t.throwsAsync(engineAt(t, url).search('files', stats), { code: 'ENGINE_UNAVAILABLE' });
    t.true(scope.isDone());
    const busy = mocked(product);
    let requested = 0;
    busy.scope
      .persist()
      .post('/files/_msearch', () => {
        requested += 1;
        return true;
      })
      .reply(503, refusal('unavailable', 503));
    const patient = engineAt(t, busy.url, {}, 1_000);
    await t.throwsAsync(patient.search('files', stats, { timeoutMs: 3_000 }), { code: 'ENGINE_UNAVAILABLE' });
    t.true(requested > 1 && requested < 1_000);
  });

  test(`${product}: a bulk request refused for a while says for how long`, async (t) => {
    const { url, scope } = mocked(product);
    const written = [{ kind: 'upsert', id: 'a', document: {} }] as const;
    scope
      .post('/files/_bulk?refresh=true')
      .reply(503, refusal('unavailable', 503), { 'retry-after': '7', 'content-type': 'application/json' });
    const error = await t.throwsAsync(engineAt(t, url).write('files', written, { once: true }));
    t.like(error, { code: 'ENGINE_UNAVAILABLE', details: { retryAfterSeconds: 7 } });
    t.true(scope.isDone());
  });

  test(`${product}: an answer that does not cover every operation is a failure`, async (t) => {
    const { url, scope } = mocked(product);
    const items = [{ index: { _id: 'a', status: 201, result: 'created' } }];
    scope.post('/files/_bulk?refresh=true').reply(200, { errors: false, items });
    const written = ['a', 'b'].map((id) => ({ kind: 'upsert', id, document: {} }) as const);
    const error = await t.throwsAsync(engineAt(t, url).write('files', written));
    t.like(error, { code: 'ENGINE_ERROR', message: 'the search server answered 1 of 2 operations on files' });
  });

  test(`${product}: what may not be done twice is not tried again`, async (t) => {
    const { url, scope } = mocked(product);
    scope.put('/files').reply(503, refusal('unavailable', 503));
    const create = { kind: 'create', index: 'files', mapping: {} } as const;
    await t.throwsAsync(engineAt(t, url).manage(create), { code: 'ENGINE_UNAVAILABLE' });
    t.true(scope.isDone());
  });

  test(`${product}: a shard that failed is reported beside what there is`, async (t) => {
    const { url, scope } = mocked(product);
    const [response] = answered.responses;
    const shards = { total: 3, failed: 1, failures: [{ reason: { type: 'node_not_connected_exception' } }] };
    scope
      .post('/files/_msearch')
      .reply(200, { responses: [{ ...response, _shards: shards, timed_out: true }] });
    const { facets, warnings } = await engineAt(t, url).search('files', stats);
    t.deepEqual(facets, two as never);
    t.deepEqual(warnings, [
      '1 of 3 shards of files failed (node_not_connected_exception): their documents are missing here',
      'the search of files timed out: partial results are shown',
    ]);
  });

  test(`${product}: an API key, a user, or nobody`, async (t) => {
    const sent = async (more: Partial<ClusterSettings>) => {
      const { url, scope } = mocked(product);
      let header: string | null = '';
      scope
        .post('/files/_msearch')
        .matchHeader('authorization', (value: unknown) => {
          header = value as string | null;
          return true;
        })
        .reply(200, answered);
      await engineAt(t, url, more).search('files', stats);
      return header;
    };
    t.is(await sent({ apiKey: 'a2V5' }), 'ApiKey a2V5');
    t.is(await sent({ user: 'me', password: 'x:y' }), `Basic ${Buffer.from('me:x:y').toString('base64')}`);
    t.falsy(await sent({}));
    let password = 'first';
    const authorizations: unknown[] = [];
    const { url, scope } = mocked(product);
    scope
      .post('/files/_msearch')
      .times(2)
      .matchHeader('authorization', (value: unknown) => authorizations.push(String(value)) > 0)
      .reply(200, answered);
    const rotated: ClusterSettings = {
      ...{ kind: 'detect', url, user: 'me', apiKey: undefined, caFile: undefined },
      get password() {
        return password;
      },
    };
    const engine = openCluster(rotated);
    t.teardown(() => engine.close());
    await engine.search('files', stats);
    password = 'second';
    await engine.search('files', stats);
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    t.deepEqual([...new Set(authorizations)], [basic('me:first'), basic('me:second')]);
  });

  test.serial(
    `${product}: a certificate of its own is trusted when ES_CA names it, and only then`,
    async (t) => {
      const { key, cert, file } = await ownCertificate(t);
      const server = createServer({ key, cert }, (request, response) => {
        response.setHeader('content-type', 'application/json');
        if (product === 'elasticsearch') response.setHeader('x-elastic-product', 'Elasticsearch');
        request.resume();
        response.end(JSON.stringify(request.url === '/' ? products[product] : answered));
      });
      const { url } = await listening(t, server);
      t.deepEqual((await engineAt(t, url, { caFile: file }).search('files', stats)).facets, two as never);
      const untrusting = engineAt(t, url);
      const message = /certificate of the search server is not trusted.*ES_CA/;
      await t.throwsAsync(untrusting.search('files', stats), { code: 'ENGINE_UNAVAILABLE', message });
      await t.throwsAsync(untrusting.describe('files'), { code: 'connection_error', message });
    },
  );
}
