import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../../local/scripted-engine.ts';
import { runApp } from '../running-app.ts';

const browser = { accept: 'text/html,application/xhtml+xml' };

/** Unescapes text of an HTML page. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The addresses that a page loads, as a browser resolves them. */
const loadedBy = (page: string, address: string): URL[] =>
  [...page.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]*)"/g)].map(
    ([, path]) => new URL(unescaped(path!), address),
  );

test('a browser gets a page that loads nothing from anywhere else, under a policy that allows no inline script', async (t) => {
  const app = await runApp(t);
  const response = await app.get('/graphql', browser);
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const page = await response.text();
  t.true(page.startsWith('<!doctype html>'));
  t.notRegex(page, /<script>|<style| style=| on\w+=|https?:\/\//);
  const policy = response.headers.get('content-security-policy')!;
  t.regex(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  t.regex(policy, /connect-src 'self'/);
  t.notRegex(policy, /unsafe|https?:|\*/);
});

for (const path of ['/graphql', '/graphql/', '/graphql/tag', '/library/graphql', '/Library/graphql/a/b'])
  test(`the page at ${path} loads its files from beside it, to be kept`, async (t) => {
    const app = await runApp(t, { catalogues: [bookConfig({ catalogueId: 'library' })] });
    const address = `${app.url}${path}`;
    const files = loadedBy(await (await app.get(path, browser)).text(), address);
    t.deepEqual(
      files.map((file) => [file.origin, file.pathname, file.searchParams.get('graphiql')]),
      ['graphiql.css', 'page.css', 'react.js', 'react-dom.js', 'graphiql.js', 'start.js'].map((name) => [
        new URL(address).origin,
        path,
        name,
      ]),
    );
    for (const file of files) {
      const response = await fetch(file);
      t.is(response.status, 200, file.href);
      const kind = file.href.includes('.css') ? 'css' : 'javascript';
      t.is(response.headers.get('content-type'), `text/${kind}; charset=utf-8`);
      t.is(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      t.is(response.headers.get('x-content-type-options'), 'nosniff');
      t.true((await response.text()).length > 20, file.href);
    }
  });

test('no style sheet of the page names another host', async (t) => {
  const app = await runApp(t);
  for (const file of loadedBy(await (await app.get('/graphql', browser)).text(), `${app.url}/graphql`))
    if (file.href.includes('.css'))
      t.notRegex(await (await fetch(file)).text(), /@import|url\(["']?(https?:|\/\/)/i);
});

test('a file of another release is sent, but not to be kept', async (t) => {
  const app = await runApp(t);
  const response = await app.get('/graphql?graphiql=start.js&v=other', {});
  t.is(response.status, 200);
  t.is(response.headers.get('cache-control'), 'no-cache');
});

test('a file that the page does not load is not there', async (t) => {
  const app = await runApp(t);
  for (const name of ['', 'other.js', '../package.json', '__proto__'])
    t.is((await app.get(`/graphql?graphiql=${encodeURIComponent(name)}`, {})).status, 404, name);
});

test('a query in the address is answered, not shown', async (t) => {
  const app = await runApp(t);
  const response = await app.get('/graphql?query={__typename}', browser);
  t.deepEqual(await response.json(), { data: { __typename: 'Root' } });
});

test('without the page a browser gets a refusal in JSON', async (t) => {
  const app = await runApp(t, {
    catalogues: [bookConfig({ switches: { ...noSwitches, disablePlayground: true } })],
  });
  for (const path of ['/graphql', '/graphql?graphiql=start.js']) {
    const response = await app.get(path, browser);
    t.is(response.status, 400);
    t.regex(response.headers.get('content-type')!, /^application\/json/);
  }
});

/** The query that a page opens with. */
const firstQuery = (page: string): string => unescaped(/ data-first-query="([^"]*)"/.exec(page)![1]!);

test('the page opens with a filter that runs', async (t) => {
  const app = await runApp(t);
  const query = firstQuery(await (await app.get('/graphql', browser)).text());
  t.regex(query, /filters: {op: "not-in", content: {fieldName: "title", value: \["__missing__"\]}}/);
  const response = await app.query('/graphql', query);
  t.is(response.status, 200);
  t.deepEqual(
    app.engine.searches.map(({ hits, facets }) => [hits?.filter.kind, facets.map(({ field }) => field.path)]),
    [
      ['exists', []],
      [undefined, ['title']],
    ],
  );
});

test('callers without access see no field names', async (t) => {
  const app = await runApp(t, {
    accessFilter: () => {
      throw new TributaryError('UNAUTHENTICATED', 'a token is needed');
    },
  });
  const response = await app.get('/graphql', browser);
  t.is(response.status, 200);
  t.is(firstQuery(await response.text()).includes('title'), false);
});

test('a name of a field cannot leave the page', async (t) => {
  const name = '"></div><script>alert(1)</script>';
  const app = await runApp(t, {
    catalogues: [bookConfig()],
    engine: scriptedEngine({
      describe: () => ({ properties: { [name]: { type: 'keyword' } }, documents: 0 }),
    }),
  });
  const page = await (await app.get('/graphql', browser)).text();
  t.is(page.includes('alert(1)</script>'), false);
  t.true(firstQuery(page).includes(JSON.stringify(name)));
});
