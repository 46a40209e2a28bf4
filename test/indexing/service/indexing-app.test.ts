import test from 'ava';
import { runService } from './running-service.ts';

test('an unknown path is a refusal that points to the description', async (t) => {
  const { send } = await runService(t);
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['POST', '/index/repository'],
    ['POST', '/index/repository//organization/kin'],
    ['DELETE', '/index/repository/archive/organization/kin/id/'],
    ['POST', '/index/repository/archive/organization/kin/id/1/2'],
  ] as const) {
    const { status, body } = await send(method, path);
    t.is(status, 404, path);
    t.deepEqual(body, {
      successful: false,
      message: `there is nothing at ${path}: /api-docs describes what is here`,
    });
  }
});

test('a known path names the methods it has', async (t) => {
  const { send } = await runService(t);
  for (const [method, path, allow] of [
    ['GET', '/index/repository/archive', 'POST, OPTIONS'],
    ['PUT', '/index/repository/archive/organization/kin/id/1', 'POST, DELETE, OPTIONS'],
    ['POST', '/jobs', 'HEAD, GET, OPTIONS'],
    ['TRACE', '/api-docs', 'HEAD, GET, OPTIONS'],
    ['PATCH', '/health', 'HEAD, GET, OPTIONS'],
  ] as const) {
    const { status, headers, body } = await send(method, path);
    t.is(status, 405, path);
    t.is(headers.allow, allow);
    t.like(body, { successful: false });
  }
  const options = await send('OPTIONS', '/index/repository/archive');
  t.is(options.status, 204);
  t.is(options.headers.allow, 'POST, OPTIONS');
});

test('no answer lets other origins read it or is kept by caches', async (t) => {
  const { send } = await runService(t);
  for (const path of ['/jobs', '/health', '/api-docs', '/nothing']) {
    const { headers } = await send('GET', path);
    t.is(headers['access-control-allow-origin'], undefined);
    t.is(headers['cache-control'], 'no-store');
    t.is(headers['x-content-type-options'], 'nosniff');
  }
});

test('malformed HTTP and headers that are too large are refusals of the same shape', async (t) => {
  const { sendRaw } = await runService(t);
  t.regex(await sendRaw('no request\r\n\r\n'), /^HTTP\/1\.1 400 [^]*\{"successful":false,"message":"/);
  const large = `GET /jobs HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`;
  t.regex(await sendRaw(large), /^HTTP\/1\.1 431 [^]*\{"successful":false,"message":"/);
});
