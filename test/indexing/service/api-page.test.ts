import test from 'ava';
import { runService } from './running-service.ts';

test('the page and all it names are answered, under a policy that allows no inline script and no other host', async (t) => {
  const { send } = await runService(t);
  const page = await send('GET', '/api-docs');
  t.is(page.status, 200);
  t.regex(String(page.headers['content-type']), /^text\/html/);
  const policy = String(page.headers['content-security-policy']);
  t.regex(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  t.notRegex(policy, /unsafe|https?:/);
  t.notRegex(page.text, /<script>|<style| style=| on\w+=|https?:\/\//);
  const named = [...page.text.matchAll(/(?:src|href)="(api-docs\/[^"]+)"/g)].map(([, path]) => `/${path}`);
  t.deepEqual(named, [
    '/api-docs/swagger-ui.css',
    '/api-docs/openapi.json',
    '/api-docs/swagger-ui-bundle.js',
    '/api-docs/show.js',
  ]);
  for (const path of named) {
    const { status, text } = await send('GET', path);
    t.is(status, 200, path);
    t.true(text.length > 100, path);
  }
});

test('the way to the page', async (t) => {
  const { send } = await runService(t);
  const root = await send('GET', '/');
  t.is(root.status, 302);
  t.is(root.headers.location, 'api-docs');
  t.is((await send('GET', '/api-docs/')).headers.location, '../api-docs');
});
