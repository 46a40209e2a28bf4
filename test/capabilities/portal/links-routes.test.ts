import test, { type ExecutionContext } from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { openLinksStore } from '../../../src/capabilities/portal/links-routes.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import type { AppOptions } from '../../server/http/running-app.ts';
import { read, runApp } from '../../server/http/running-app.ts';

const withLinks = (t: ExecutionContext, more: Partial<AppOptions> = {}) => {
  const links = openLinksStore(`${temporaryFolder(t, {})}/links.db`, 4_000_000);
  t.teardown(links.close);
  return runApp(t, {
    ...more,
    links,
    settings: { portal: { publicUrl: null, signIn: null, imageHosts: [], look: {} } },
  });
};

const post = (url: string, body: string, type = 'application/json'): Promise<Response> =>
  fetch(`${url}/portal/links`, { method: 'POST', headers: { 'content-type': type }, body });

test('a view of 100 000 characters has a short link', async (t) => {
  const app = await withLinks(t);
  const view = { filters: [{ op: 'in', content: { fieldName: 'id', value: ['x'.repeat(100_000)] } }] };
  const kept = await read(post(app.url, JSON.stringify(view)));
  t.is(kept.status, 201);
  const found = await app.get(`/portal/links/${String(kept.body['id'])}`);
  t.is(found.status, 200);
  t.is(found.headers.get('cache-control'), 'no-store');
  t.deepEqual(await found.json(), view);
});

test('anything but a view is refused', async (t) => {
  const app = await withLinks(t);
  t.is((await post(app.url, '[1]')).status, 400);
  t.is((await post(app.url, '{')).status, 400);
  t.is((await post(app.url, '{}', 'text/plain')).status, 415);
  t.is((await post(app.url, JSON.stringify({ a: 'x'.repeat(1024 * 1024) }))).status, 413);
  t.is((await app.get('/portal/links/nothing')).status, 404);
});

test('callers without search access may neither store nor read a link', async (t) => {
  const app = await withLinks(t, {
    accessFilter: () => {
      throw new TributaryError('UNAUTHENTICATED', 'no token');
    },
  });
  t.is((await post(app.url, '{}')).status, 401);
  t.is((await app.get('/portal/links/nothing')).status, 401);
});

test('where the disk is full or the file cannot be used, a link says so', async (t) => {
  const settings = { portal: { publicUrl: null, signIn: null, imageHosts: [], look: {} } };
  const failing = (error: Error) => ({
    keep: () => {
      throw error;
    },
    find: () => {
      throw error;
    },
    close: () => undefined,
  });
  const full = Object.assign(new Error('database or disk is full'), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 13,
  });
  const noSpace = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  for (const [error, reason] of [
    [full, /the disk of this server has no room$/],
    [noSpace, /the disk of this server has no room$/],
    [new Error('unable to open database file'), /cannot use the file of its links$/],
  ] as const) {
    const app = await runApp(t, { links: failing(error), settings });
    for (const answer of [post(app.url, '{}'), app.get(`/portal/links/${'a'.repeat(22)}`)]) {
      const { status, body } = await read(answer);
      t.is(status, 503);
      t.regex((body['error'] as { message: string }).message, reason);
    }
  }
});
