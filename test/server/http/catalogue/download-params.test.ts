import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import test from 'ava';
import { readDownloadParams } from '../../../../src/server/http/catalogue/download-routes.ts';
import type { HttpContext } from '../../../../src/server/http/koa/http-context.ts';

/** As much of a request as is read. */
const request = (method: string, type: string, body: string, query = ''): HttpContext =>
  ({
    method,
    URL: new URL(`http://localhost/download${query}`),
    get: () => type,
    set: () => {},
    req: Object.assign(Readable.from([Buffer.from(body)]), { headers: {} }),
    res: new EventEmitter(),
  }) as unknown as HttpContext;

const read = (method: string, type: string, body: string, query?: string) =>
  readDownloadParams(request(method, type, body, query), { limitBytes: 200 });

const form = 'application/x-www-form-urlencoded';
const json = 'application/json; charset=utf-8';
const params = { files: [{ fileName: 'a b.tsv' }] };
const text = JSON.stringify(params);

test('params are found wherever they may stand', async (t) => {
  const encoded = encodeURIComponent(text);
  t.deepEqual(await read('GET', '', '', `?params=${encoded}`), params);
  t.deepEqual(await read('POST', form, `params=${encoded}&httpHeaders=%7B%7D&downloadKey=7`), params);
  t.deepEqual(await read('POST', json, JSON.stringify({ params: text })), params);
  t.deepEqual(await read('POST', json, JSON.stringify({ params })), params);
  t.deepEqual(await read('POST', json, text), params);
});

const refused: readonly [string, string, string, string, string][] = [
  ['no params in a GET', 'GET', '', '', 'BAD_USER_INPUT'],
  ['no params in a form', 'POST', form, 'x=1', 'BAD_USER_INPUT'],
  ['no params in JSON', 'POST', json, '{}', 'BAD_USER_INPUT'],
  ['a list', 'POST', json, '[]', 'BAD_USER_INPUT'],
  ['params that are no JSON', 'POST', form, 'params=%7Boops', 'BAD_USER_INPUT'],
  ['a body that is no JSON', 'POST', json, '{oops', 'BAD_USER_INPUT'],
  ['no content type', 'POST', '', text, 'BAD_USER_INPUT'],
  ['another content type', 'POST', 'text/plain', text, 'UNSUPPORTED_MEDIA_TYPE'],
  ['another method', 'PUT', json, text, 'METHOD_NOT_ALLOWED'],
  ['too long a body', 'POST', json, JSON.stringify('x'.repeat(200)), 'PAYLOAD_TOO_LARGE'],
];

for (const [name, method, type, body, code] of refused)
  test(`refused: ${name}`, async (t) => {
    t.like(await t.throwsAsync(read(method, type, body)), { code });
  });
