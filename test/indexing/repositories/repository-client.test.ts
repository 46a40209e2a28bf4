import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { TributaryError } from '../../../src/lib/errors/errors.ts';
import { openRepository } from '../../../src/indexing/repositories/open-repository.ts';
import { openRepositoryClient } from '../../../src/indexing/repositories/repository-client.ts';
import type { Fault } from '../../whole/repositories/faults.ts';
import type { StudyServer } from '../../whole/repositories/study-server.ts';
import { analysisOf } from '../../whole/repositories/study-server.ts';
import { idsOf, impatient, never, recordConfig, studies, studyConfig } from './fetching.ts';
import { collect } from '../file-import/collect.ts';
import { listening } from '../../listening.ts';

const three = ['A1', 'A2', 'A3'].map((id) => analysisOf('S1', id, {}));
const path = '/studies/S1/analysis/paginated?limit=2&offset=2&analysisStates=PUBLISHED';

/** The error of a fetch whose second page meets the fault. */
const failure = async (
  t: ExecutionContext,
  fault: Fault,
): Promise<{ message: string; server: StudyServer; waits: readonly number[] }> => {
  const server = await studies(t, three);
  Object.assign(server.switches, { fault, goodPages: 1 });
  // a large body takes its time on a busy machine
  const { repository, waits } = impatient(studyConfig(server.url, { timeoutMs: 60_000 }));
  const error = await t.throwsAsync<TributaryError>(() => idsOf(repository.fetchAll('S1', never())), {
    code: 'UPSTREAM_FAILED',
  });
  t.is(error?.details?.['repository'], 'ARCHIVE');
  return { message: error?.message ?? '', server, waits };
};

for (const [what, fault, reason] of [
  ['status 500', { kind: 'status', status: 500 }, 'answered HTTP 500 (tried 5 times)'],
  ['status 429', { kind: 'status', status: 429 }, 'answered HTTP 429 (tried 5 times)'],
  ['a connection that is cut', { kind: 'cut' }, 'cannot be fetched: connection closed (tried 5 times)'],
] as const)
  test(`${what} is tried again, and then an error`, async (t) => {
    const { message, server, waits } = await failure(t, fault);
    t.is(message, `repository ARCHIVE: GET ${path} ${reason}`);
    t.is(waits.length, 4);
    t.is(server.requests.filter(({ url }) => url === path).length, 5);
  });

for (const [what, fault, reason] of [
  [
    'status 401',
    { kind: 'status', status: 401 },
    'answered HTTP 401: the credential is not accepted; JSON with status 200 expected',
  ],
  ['status 418', { kind: 'status', status: 418 }, 'answered HTTP 418; JSON with status 200 expected'],
  ['a page for people', { kind: 'html' }, 'answered text/html; JSON with status 200 expected'],
  ['half a document', { kind: 'garbage' }, 'did not answer with JSON; JSON with status 200 expected'],
  [
    'another shape',
    { kind: 'shape' },
    'answered with JSON of another shape: {analyses, totalAnalyses} expected',
  ],
  [
    'another host',
    { kind: 'redirect', location: 'http://127.0.0.1:9/studies?token=x' },
    'redirects to http://127.0.0.1:9, and only its own host is followed; JSON with status 200 expected',
  ],
  [
    'a circle',
    { kind: 'redirect', location: '/studies/all' },
    'redirects more than 3 times; JSON with status 200 expected',
  ],
  [
    'a body that is too large',
    { kind: 'huge', bytes: 64 * 1024 * 1024 },
    'answered with more than 64 MiB: ask for smaller pages; JSON with status 200 expected',
  ],
] as const)
  test(`${what} is an error at once`, async (t) => {
    const { message, waits } = await failure(t, fault);
    t.is(message, `repository ARCHIVE: GET ${path} ${reason}`);
    t.deepEqual(waits, []);
  });

for (const [what, fault] of [
  ['silence', { kind: 'hang' }],
  ['a body that drips', { kind: 'drip', everyMs: 5 }],
] as const)
  test(`${what} lasts no longer than the time of a request`, async (t) => {
    const server = await studies(t, three);
    server.switches.fault = fault;
    const { repository, waits } = impatient(studyConfig(server.url, { timeoutMs: 50 }));
    await t.throwsAsync(() => repository.fetchOne('S1', 'A1', never()), {
      code: 'UPSTREAM_FAILED',
      message: 'repository ARCHIVE: GET /studies/S1/analysis/A1 did not answer within 50 ms (tried 5 times)',
    });
    t.is(waits.length, 4);
  });

for (const fault of [{ kind: 'status', status: 503 }, { kind: 'cut' }] as const)
  test(`a fault that passes costs nothing: ${fault.kind}`, async (t) => {
    const server = await studies(t, three);
    Object.assign(server.switches, { fault, goodPages: 1, faultTimes: 4 });
    const { repository, waits } = impatient(studyConfig(server.url));
    t.deepEqual(await idsOf(repository.fetchAll('S1', never())), [['A1', 'A2'], ['A3']]);
    t.is(waits.length, 4);
  });

test('retry-after is heeded', async (t) => {
  const server = await studies(t, three);
  const fault = { kind: 'status', status: 429, headers: { 'retry-after': '30' } } as const;
  Object.assign(server.switches, { fault, faultTimes: 1 });
  const { repository, waits } = impatient(studyConfig(server.url));
  await idsOf(repository.fetchAll('S1', never()));
  t.deepEqual(waits, [30_000]);
});

test('a redirect on the same host is followed', async (t) => {
  const server = await studies(t, three);
  const location = '/studies/S1/analysis/paginated?limit=2&offset=0&analysisStates=PUBLISHED&moved';
  Object.assign(server.switches, { fault: { kind: 'redirect', location }, faultTimes: 1 });
  const { repository } = impatient(studyConfig(server.url));
  t.deepEqual(await idsOf(repository.fetchAll('S1', never())), [['A1', 'A2'], ['A3']]);
});

test('no more than three redirects are followed', async (t) => {
  const { server } = await failure(t, { kind: 'redirect', location: '/studies/all' });
  t.is(server.requests.filter(({ url }) => url === '/studies/all').length, 3);
});

test('a repository that is away is an error, and its probe does not try twice', async (t) => {
  const server = await studies(t, []);
  await server.close();
  const { repository, waits } = impatient(studyConfig(server.url));
  await t.throwsAsync(() => repository.probe(never()), {
    code: 'UPSTREAM_FAILED',
    message: 'repository ARCHIVE: GET /studies/all cannot be fetched: connection refused',
  });
  t.deepEqual(waits, []);
});

test('an abort ends a request, and a wait, with its reason', async (t) => {
  const server = await studies(t, three);
  server.switches.fault = { kind: 'hang' };
  const controller = new AbortController();
  const request = openRepository(studyConfig(server.url)).fetchOne('S1', 'A1', controller.signal);
  setTimeout(() => controller.abort(new Error('cancelled')), 20);
  await t.throwsAsync(request, { message: 'cancelled' });

  const probing = new AbortController();
  const probe = openRepository(studyConfig(server.url)).probe(probing.signal);
  setTimeout(() => probing.abort(new Error('too late')), 20);
  await t.throwsAsync(probe, { message: 'too late' });

  const fault = { kind: 'status', status: 503, headers: { 'retry-after': '60' } } as const;
  server.switches.fault = fault;
  const second = new AbortController();
  const waiting = openRepository(studyConfig(server.url), (ms, signal) => {
    second.abort(new Error('stopped'));
    return delay(ms, undefined, { signal });
  }).fetchOne('S1', 'A1', second.signal);
  await t.throwsAsync(waiting, { message: 'stopped' });
  await t.throwsAsync(openRepository(studyConfig(server.url)).fetchOne('S1', 'A1', second.signal), {
    message: 'stopped',
  });
});

test('the credential is sent, and is in no error', async (t) => {
  const server = await studies(t, three);
  const credential = { header: 'Authorization', value: 'Bearer s3cret' };
  const { repository } = impatient(studyConfig(server.url, { credential }));
  await repository.probe(never());
  t.is(server.requests[0]?.headers.authorization, 'Bearer s3cret');
  t.is(server.requests[0]?.headers.accept, 'application/json');
  for (const fault of [{ kind: 'status', status: 403 }, { kind: 'cut' }, { kind: 'garbage' }] as const) {
    server.switches.fault = fault;
    const error = await t.throwsAsync<TributaryError>(() => repository.fetchOne('S1', 'A1', never()));
    const reported = [error?.message, error?.stack, JSON.stringify(error?.details), String(error?.cause)];
    t.false(reported.join().includes('s3cret'));
  }
});

test('a credential or a base URL that cannot be sent is refused without its value', (t) => {
  for (const changes of [
    { credential: { header: 'Authorization', value: 's3cret\r\nx: y' } },
    { credential: { header: 's3cret:', value: 'x' } },
    { baseUrl: 'http://user:s3cret@127.0.0.1/' },
    { baseUrl: 'http://127.0.0.1/?key=s3cret' },
    { baseUrl: 'file:///s3cret' },
  ]) {
    const error = t.throws<TributaryError>(() => openRepository(studyConfig('http://127.0.0.1/', changes)), {
      code: 'CONFIG_INVALID',
    });
    t.false(`${error?.message} ${error?.stack} ${String(error?.cause)}`.includes('s3cret'));
  }
});

test("the base URL's own path is kept, and segments are encoded", async (t) => {
  const strange = 'a/b?c#d%2F é';
  const server = await studies(t, [analysisOf(strange, 'x/../y', {})], { basePath: '/song/api' });
  const { repository } = impatient(studyConfig(`${server.url}/`));
  t.deepEqual(await idsOf(repository.fetchAll(strange, never())), [['x/../y']]);
  t.is((await repository.fetchOne(strange, 'x/../y', never()))?.records.length, 1);
  t.true(
    server.requests.every(({ url }) => url.startsWith('/song/api/studies/a%2Fb%3Fc%23d%252F%20%C3%A9/')),
  );
});

for (const name of ['..', '.', '', '\ud800'])
  test(`a name without an address is not requested: ${JSON.stringify(name)}`, async (t) => {
    const server = await studies(t, three);
    const { repository } = impatient(studyConfig(server.url));
    await t.throwsAsync(() => repository.fetchOne('S1', name, never()), {
      code: 'UPSTREAM_FAILED',
      message: /cannot be requested/,
    });
    t.deepEqual(server.requests, []);
  });

test('a packed body is measured unpacked', async (t) => {
  const packed = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '));
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
  );
  const { url } = await listening(t, server);
  // unpacking takes its time on a busy machine
  const client = openRepositoryClient(studyConfig(url, { timeoutMs: 60_000 }));
  await t.throwsAsync(() => client.get(['x'], {}, never()), { message: /answered with more than 64 MiB/ });
});

for (const [what, bytes, reason] of [
  ['text that is not UTF-8', Buffer.of(0x22, 0xff, 0x22), 'answered with text that is not UTF-8'],
  ['no text at all', Buffer.alloc(0), 'did not answer with JSON'],
] as const)
  test(`${what} is an error`, async (t) => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(bytes),
    );
    const client = openRepositoryClient(studyConfig((await listening(t, server)).url));
    await t.throwsAsync(() => client.get(['x'], {}, never()), { message: new RegExp(reason) });
  });

test('connections are kept', async (t) => {
  let connections = 0;
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/problem+json; charset=utf-8' }).end('[]'),
  );
  server.on('connection', () => (connections += 1));
  const { url } = await listening(t, server);
  const client = openRepositoryClient(studyConfig(url));
  for (let at = 0; at < 20; at++) t.deepEqual((await client.get(['x'], {}, never())).body, []);
  // a connection may still be closing its last answer when the next request goes out
  t.true(connections < 5, String(connections));
});

test('a record in which a name occurs twice fails alone; around the records it is an error', async (t) => {
  const record = (id: string, more = ''): string =>
    `{"systemId":"${id}","organization":"O","isValid":true,"data":{"a":1${more}}}`;
  const pagination = '"pagination":{"totalPages":1,"totalRecords":2}';
  let body = `{${pagination},"records":[${record('R1')},${record('R2', ',"a":2')}]}`;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  const { repository } = impatient(recordConfig((await listening(t, server)).url));
  const [page] = await collect(repository.fetchAll(null, never()));
  t.deepEqual(
    page?.records.map(({ recordId }) => recordId),
    ['R1'],
  );
  t.deepEqual(page?.failed, [{ recordId: 'R2', reason: 'the name "a" occurs more than once in an object' }]);
  body = `{${pagination},"records":[${record('R1')}],"records":[${record('R2')}]}`;
  await t.throwsAsync(collect(repository.fetchAll(null, never())), {
    code: 'UPSTREAM_FAILED',
    message: /answered with an object in which the name "records" occurs more than once/,
  });
});
