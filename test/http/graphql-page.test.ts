import test from 'ava';
import { runApp } from './running-app.ts';

const browser = { accept: 'text/html,application/xhtml+xml' };

test('a browser gets a page that loads nothing from anywhere', async (t) => {
  const app = await runApp(t);
  const response = await app.get('/graphql', browser);
  t.is(response.status, 200);
  t.regex(response.headers.get('content-type')!, /^text\/html/);
  const page = await response.text();
  const head = page.slice(0, page.indexOf('<style>')) + page.slice(page.lastIndexOf('</script>'));
  t.true(page.startsWith('<!doctype html>'));
  t.deepEqual(head.match(/https?:\/\/[^\s"']+/g), null);
  t.deepEqual(page.match(/<(script|link|img|iframe)[^>]*\b(src|href)=["']https?:/gi), null);
  t.deepEqual(page.match(/@import\s+(url\()?["']?https?:|url\(["']?https?:/gi), null);
  const policy = response.headers.get('content-security-policy')!;
  t.regex(policy, /default-src 'none'/);
  t.regex(policy, /connect-src 'self'/);
  t.notRegex(policy, /https?:|\*/);
});

test('a query in the address is answered, not shown', async (t) => {
  const app = await runApp(t);
  const response = await app.get('/graphql?query={__typename}', browser);
  t.deepEqual(await response.json(), { data: { __typename: 'Root' } });
});

test('without the page a browser gets a refusal in JSON', async (t) => {
  const app = await runApp(t, { settings: { playground: false } });
  const response = await app.get('/graphql', browser);
  t.is(response.status, 400);
  t.regex(response.headers.get('content-type')!, /^application\/json/);
});
