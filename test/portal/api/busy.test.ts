import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type ServerResponse } from 'node:http';
import test from 'ava';
import { isBusy } from '../../../portal/src/api/busy.ts';
import { planDownload } from '../../../portal/src/api/download.ts';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import { ApiError, getJson, query, request, setBase } from '../../../portal/src/api/server.ts';
import { listen } from '../../listening.ts';

type Answer = (response: ServerResponse) => void;

const refuse =
  (status: number, headers: Record<string, string> = {}, body = '{}'): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);
const found: Answer = (response) => response.end('{"data":{"a":1}}');

/** What each path answers to its requests, in order, the last one for good. */
const answers: Readonly<Record<string, readonly Answer[]>> = {
  '/twice/graphql': [refuse(503, { 'retry-after': '1' }), refuse(503, { 'retry-after': '1' }), found],
  '/soon': [refuse(429, { 'retry-after': '0' }), found],
  '/dated': [
    (response) =>
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }).end(),
    found,
  ],
  '/silent': [refuse(429), found],
  '/always': [
    refuse(503, { 'retry-after': '0' }, '{"error":{"code":"NOT_READY","message":"the queue is full"}}'),
  ],
  '/tomorrow': [refuse(503, { 'retry-after': '86400' }), found],
  '/wrong': [refuse(400, { 'retry-after': '0' }), found],
  '/gateway': [refuse(502, { 'retry-after': '0' }), found],
  '/left': [refuse(503, { 'retry-after': '20' })],
  '/network/download': [refuse(503, { 'retry-after': '0' }), (response) => response.end('{"nodes":[]}')],
  '/dear/graphql': [
    refuse(
      200,
      {},
      '{"data":null,"errors":[{"message":"about 5 would fit","extensions":{"code":"BAD_USER_INPUT","details":{"cost":8000,"maxCost":2000}}}]}',
    ),
  ],
  '/dear-file': [
    refuse(
      400,
      {},
      '{"error":{"code":"BAD_USER_INPUT","message":"too dear","details":{"cost":3,"maxCost":2}}}',
    ),
  ],
};

const requests = new Map<string, number>();
const asked = (path: string): number => requests.get(path) ?? 0;

const server = createServer((message, response) => {
  message.resume();
  const { pathname } = new URL(message.url ?? '', 'http://x');
  const before = asked(pathname);
  requests.set(pathname, before + 1);
  const own = answers[pathname]!;
  own[Math.min(before, own.length - 1)]!(response);
});
let stop = (): Promise<void> => Promise.resolve();

test.before(async () => {
  const listener = await listen(server);
  ({ stop } = listener);
  setBase(new URL(`${listener.url}/`));
});
test.after.always(() => stop());

const timed = async (work: Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work;
  return performance.now() - startedMs;
};

test.serial('a query that meets a busy server twice is sent again after each wait', async (t) => {
  const answer = query('twice', '{ a }', {});
  const took = timed(answer);
  await sleep(1_000);
  t.false(isBusy());
  t.deepEqual(await answer, { a: 1 });
  t.true((await took) >= 2_000);
  t.is(asked('/twice/graphql'), 3);
  t.false(isBusy());
});

test.serial(
  'who waits for longer than two seconds is told, until the request ends or is given up',
  async (t) => {
    const leaving = new AbortController();
    const answer = request('left', { signal: leaving.signal });
    await sleep(2_300);
    t.true(isBusy());
    leaving.abort();
    await t.throwsAsync(answer, { name: 'AbortError' });
    t.false(isBusy());
    t.is(asked('/left'), 1);
  },
);

test('waits are read as seconds or as a date, and are a second where none is named', async (t) => {
  t.true((await timed(getJson('soon'))) < 1_000);
  t.true((await timed(getJson('dated'))) >= 900);
  t.true((await timed(getJson('silent'))) >= 990);
  t.deepEqual(['/soon', '/dated', '/silent'].map(asked), [2, 2, 2]);
});

test('a server that stays busy is asked four times, and its reason is kept', async (t) => {
  await t.throwsAsync(getJson('always'), { instanceOf: ApiError, message: 'the queue is full' });
  t.is(asked('/always'), 4);
});

test('nothing waits for longer than a page is looked at, nor after other failures', async (t) => {
  for (const path of ['tomorrow', 'wrong', 'gateway']) {
    await t.throwsAsync(getJson(path), { instanceOf: ApiError });
    t.is(asked(`/${path}`), 1);
  }
});

test('what a file will lack is asked again too', async (t) => {
  const catalogue = { source: { kind: 'network', path: 'network', id: 'network' }, fields: new Map() };
  const table = { columns: [], sort: [] };
  const { signal } = new AbortController();
  const question = { filter: null, nodes: null };
  const plan = await planDownload(catalogue as unknown as Catalogue, question, table, signal);
  t.deepEqual(plan, { nodes: [] } as never);
  t.is(asked('/network/download'), 2);
});

test('a refusal for cost is one, with how much it is beyond the limit', async (t) => {
  const dear = await t.throwsAsync<ApiError>(query('dear', '{ a }', {}));
  t.like(dear, { kind: 'tooCostly', excess: 4, message: 'about 5 would fit' });
  t.like(await t.throwsAsync<ApiError>(getJson('dear-file')), { kind: 'tooCostly', excess: 1.5 });
  t.deepEqual([asked('/dear/graphql'), asked('/dear-file')], [1, 1]);
});
