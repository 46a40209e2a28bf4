import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { leaf } from '../../../../src/sqon/ast.ts';
import { runDownloadNode } from '../download-node.ts';
import { missing, runApp } from '../running-app.ts';

const columns = [{ fieldName: 'title', displayName: 'Name' }];
const params = { files: [{ fileName: 'books.tsv', columns }] };
const titles = 'Name\nAtlas\nBees\nClouds\nDunes\n';

test('a form, JSON and a GET download equal files', async (t) => {
  const node = await runDownloadNode(t);
  const answers = [
    await node.submit(params),
    await fetch(`${node.url}/download`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
    }),
    await fetch(`${node.url}/library/download?params=${encodeURIComponent(JSON.stringify(params))}`),
  ];
  for (const answer of answers) {
    t.is(answer.status, 200);
    t.is(await answer.text(), titles);
  }
  // which has no trailers
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
  socket.write(`GET /download?params=${encodeURIComponent(JSON.stringify(params))} HTTP/1.0\r\n\r\n`);
  t.true((await text(socket)).endsWith(`\r\n\r\n${titles}`));
});

test('the headers describe the content', async (t) => {
  const node = await runDownloadNode(t, {
    catalogues: [bookConfig({ downloads: { allowCustomMaxRows: false, maxRows: 3, rowCap: null } })],
  });
  const { headers } = await node.submit({ files: [{ fileName: 'livres/ש.tsv', columns }] });
  t.is(headers.get('content-type'), 'text/plain; charset=utf-8');
  t.is(
    headers.get('content-disposition'),
    `attachment; filename="livres_?.tsv"; filename*=UTF-8''livres_%D7%A9.tsv`,
  );
  t.is(headers.get('x-total-count'), '4');
  t.is(headers.get('x-truncated'), 'true');
  t.is(headers.get('x-content-type-options'), 'nosniff');
});

const trailersOf = async (url: string, sent: unknown): Promise<IncomingMessage> => {
  const request = get(`${url}?params=${encodeURIComponent(JSON.stringify(sent))}`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response;
};

test('trailers tell how many records there were in the end, and the log those that are lacking', async (t) => {
  const documents = [{ title: 'Atlas' }, { title: 'Bees' }, { title: 'Clouds' }];
  let isDeleting = false;
  const node = await runDownloadNode(t, {
    documents,
    // once they were counted
    onSearch: ({ hits }) => void (isDeleting && hits!.size > 0 && documents.splice(2)),
    catalogues: [bookConfig({ downloads: { allowCustomMaxRows: true, maxRows: null, rowCap: null } })],
  });
  const whole = await trailersOf(`${node.url}/download`, params);
  t.like(whole.trailers, { 'x-record-count': '3', 'x-complete': 'true' });
  const cut = await trailersOf(`${node.url}/download`, { files: [{ columns, maxRows: 2 }] });
  t.like(cut.trailers, { 'x-record-count': '2', 'x-complete': 'false' });
  t.false(node.log().includes('lacks announced records'));
  isDeleting = true;
  const lacking = await trailersOf(`${node.url}/download`, params);
  t.is(lacking.headers['x-total-count'], '3');
  t.like(lacking.trailers, { 'x-record-count': '2', 'x-complete': 'false' });
  t.regex(node.log(), /files\[0\]: .*gave 2 records although 3 matched at first.*lacks announced records/);
});

test('several files are an archive', async (t) => {
  const node = await runDownloadNode(t);
  const answer = await node.submit({ files: [{ columns }, { columns }] });
  t.is(answer.headers.get('content-type'), 'application/gzip');
  t.is(answer.headers.get('content-disposition'), 'attachment; filename="book.tar.gz"');
  t.deepEqual([...new Uint8Array(await answer.arrayBuffer())].slice(0, 2), [0x1f, 0x8b]);
});

const sqon = (fieldName: string, value: unknown) => ({ op: 'in', content: { fieldName, value: [value] } });

const refused: readonly [string, unknown][] = [
  ['no files', {}],
  ['no columns', { files: [{ fileName: 'a.tsv' }] }],
  ['an unknown file type', { files: [{ columns, fileType: 'xlsx' }] }],
  ['a malformed filter', { files: [{ columns, sqon: { op: 'like', content: {} } }] }],
  ['an unknown sort field', { files: [{ columns, sort: [{ fieldName: 'gone', order: 'asc' }] }] }],
  ['a filter that does not fit', { files: [{ columns, sqon: sqon('pages', 'many') }] }],
];

for (const [name, bad] of refused)
  test(`refused before the first byte: ${name}`, async (t) => {
    const node = await runDownloadNode(t);
    const answer = await node.submit(bad);
    t.is(answer.status, 400);
    t.is(answer.headers.get('content-disposition'), null);
    t.like(await answer.json(), { error: { code: 'BAD_USER_INPUT' } });
  });

test('the access filter of the caller holds for every page', async (t) => {
  const node = await runDownloadNode(t, { accessFilter: () => leaf('in', 'title', ['Bees']) });
  await (await node.submit(params)).text();
  t.is(node.engine.searches.length, 4);
  for (const { hits } of node.engine.searches)
    t.like(hits!.filter, { kind: 'terms', field: { path: 'title' }, values: ['Bees'] });
});

test('callers without access are refused', async (t) => {
  const node = await runDownloadNode(t, {
    accessFilter: () => {
      throw new TributaryError('FORBIDDEN', 'not for you');
    },
  });
  const answer = await node.submit(params);
  t.is(answer.status, 403);
  t.is(node.engine.searches.length, 0);
});

test('switched off, there is no such route', async (t) => {
  const node = await runDownloadNode(t, {
    catalogues: [bookConfig({ switches: { ...noSwitches, disableDownloads: true } })],
  });
  for (const path of ['/download', '/library/download']) t.is((await node.submit(params, path)).status, 404);
});

test('switched-off filters are refused here too', async (t) => {
  const node = await runDownloadNode(t, {
    catalogues: [bookConfig({ switches: { ...noSwitches, disableFilters: true } })],
  });
  const answer = await node.submit({ files: [{ columns, sqon: sqon('title', 'Bees') }] });
  t.is(answer.status, 400);
  t.is((await node.submit(params)).status, 200);
});

test('with several catalogues the path names one; a failed one reports why', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig(), missing()] });
  t.is((await app.get('/download')).status, 404);
  t.is((await app.get('/gone/download')).status, 404);
  t.is((await app.get('/LIBRARY/download')).status, 400);
  const failed = await app.get('/lost/download');
  t.is(failed.status, 404);
  t.like(await failed.json(), {
    status: 'failed',
    error: { code: 'index_not_found' },
    details: '/introspection/lost',
  });
});

test('a document type of two catalogues is ambiguous', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig(), bookConfig({ catalogueId: 'other' })] });
  t.is((await app.get('/book/download')).status, 409);
});

const many = Array.from({ length: 5_000 }, (_, at) => ({ title: `${at} ${'x'.repeat(2_000)}` }));

test('a failure in the middle cuts the connection, so that the file never looks whole', async (t) => {
  let pages = 0;
  const node = await runDownloadNode(t, {
    documents: many,
    onSearch: () => {
      if (++pages === 20) throw new TributaryError('ENGINE_UNAVAILABLE', 'the engine went away');
    },
    catalogues: [bookConfig({ downloadBufferRows: 100 })],
  });
  const answer = await node.submit(params);
  t.is(answer.status, 200);
  await t.throwsAsync(answer.text());
  t.true(node.log().includes('download failed'));
  t.is((await fetch(`${node.url}/ping`)).status, 200);
});

test('an archive breaks off after its first file; a failure of the first is reported', async (t) => {
  let failing = 4;
  let pages = 0;
  const node = await runDownloadNode(t, {
    onSearch: () => {
      if (++pages === failing) throw new TributaryError('ENGINE_UNAVAILABLE', 'the engine went away');
    },
  });
  const archived = { files: [{ columns }, { columns }] };
  const refused = await node.submit(archived);
  t.is(refused.status, 503);
  t.like(await refused.json(), { error: { code: 'ENGINE_UNAVAILABLE' } });
  failing = 6;
  pages = 0;
  await t.throwsAsync(async () => (await node.submit(archived)).arrayBuffer());
  t.true(node.log().includes('download failed'));
});

const archived = { files: [{ columns }, { columns }] };

test('an archive without room is 503 before its first byte', async (t) => {
  const node = await runDownloadNode(t, { spoolMaxBytes: 20 });
  const answer = await node.submit(archived);
  t.is(answer.status, 503);
  t.is(answer.headers.get('retry-after'), '1');
  t.is(answer.headers.get('content-disposition'), null);
  t.like(await answer.json(), { error: { code: 'NOT_READY' } });
  t.is((await node.submit(params)).status, 200);
});

test('an archive that lacks room later is cut', async (t) => {
  let searches = 0;
  const node = await runDownloadNode(t, {
    spoolMaxBytes: titles.length,
    // the pages of the second file have more in them
    documents: Object.values(many).slice(0, 1),
    onSearch: () => void searches++,
  });
  const short = { columns: [{ fieldName: 'pages', displayName: 'N' }] };
  await t.throwsAsync(async () => (await node.submit({ files: [short, { columns }] })).arrayBuffer());
  t.true(searches > 2);
  t.true(node.log().includes('download failed'));
});

test('a client that leaves takes the files of its archive along', async (t) => {
  const spoolFolder = mkdtempSync(join(tmpdir(), 'download-test-'));
  t.teardown(() => rmSync(spoolFolder, { recursive: true }));
  const noise = () => ({ title: Array.from({ length: 300 }, () => Math.random().toString(36)).join('') });
  const node = await runDownloadNode(t, {
    spoolFolder,
    spoolMaxBytes: 100_000_000,
    documents: Array.from({ length: 5_000 }, noise),
  });
  const request = get(`${node.url}/download?params=${encodeURIComponent(JSON.stringify(archived))}`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  t.is(readdirSync(spoolFolder).length, 1);
  request.destroy();
  while (readdirSync(spoolFolder).length > 0) await wait(5);
  t.pass();
});

test('nothing is read for a client that does not take it or is gone', async (t) => {
  let documents = 0;
  const node = await runDownloadNode(t, {
    documents: Array.from({ length: 50_000 }, () => many[0]!),
    onSearch: ({ hits }) => void (documents += hits!.size),
    catalogues: [bookConfig({ downloadBufferRows: 100 })],
  });
  const request = get(`${node.url}/download?params=${encodeURIComponent(JSON.stringify(params))}`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  // until what buffers take has been read
  let waiting: number;
  do {
    waiting = documents;
    await wait(300);
  } while (documents > waiting);
  t.true(waiting < 25_000, `${waiting} documents were read for a client that takes none`);
  request.destroy();
  await wait(100);
  t.true(documents - waiting <= 200);
});

test('a HEAD request returns the totals without the rows', async (t) => {
  const node = await runDownloadNode(t);
  const answer = await fetch(`${node.url}/download?params=${encodeURIComponent(JSON.stringify(params))}`, {
    method: 'HEAD',
  });
  t.is(answer.status, 200);
  t.is(answer.headers.get('x-total-count'), '4');
});
