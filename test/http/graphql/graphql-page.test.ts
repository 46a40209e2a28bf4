import test from 'ava';
import { parse, print } from 'graphql';
import { TributaryError } from '../../../src/errors.ts';
import { catalogueQuery, scriptText } from '../../../src/http/graphql/graphql-page.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { noSwitches } from '../../introspection/fixture.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { runApp } from '../running-app.ts';

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
  const app = await runApp(t, {
    catalogues: [bookConfig({ switches: { ...noSwitches, disablePlayground: true } })],
  });
  const response = await app.get('/graphql', browser);
  t.is(response.status, 400);
  t.regex(response.headers.get('content-type')!, /^application\/json/);
});

/** The query that a page opens with. */
const firstQuery = (page: string): string => {
  const text = /"(?:[^"\\]|\\.)*"/y;
  text.lastIndex = page.indexOf('"# Filters are SQON');
  return JSON.parse(text.exec(page)![0]) as string;
};

test('the page opens with a filter that runs', async (t) => {
  const app = await runApp(t);
  const query = firstQuery(await (await app.get('/graphql', browser)).text());
  t.regex(query, /filters: {op: "not-in", content: {fieldName: "title", value: \["__missing__"\]}}/);
  const response = await app.query('/graphql', query);
  t.is(response.status, 200);
  t.deepEqual(
    app.engine.asked.map(({ hits, facets }) => [hits?.filter.kind, facets.map(({ field }) => field.path)]),
    [
      ['exists', []],
      [undefined, ['title']],
    ],
  );
});

test('who may not ask is shown no name of a field', async (t) => {
  const app = await runApp(t, {
    accessFilter: () => {
      throw new TributaryError('UNAUTHENTICATED', 'a token is needed');
    },
  });
  const response = await app.get('/graphql', browser);
  t.is(response.status, 200);
  t.is(firstQuery(await response.text()).includes('title'), false);
});

test('a name of a field cannot leave the script of the page', (t) => {
  const { fields } = readFields({ '</script><b>\n"': { type: 'keyword' } });
  const query = catalogueQuery('book', fields);
  t.is(print(parse(query)).includes('_script'), true);
  t.is(scriptText(query).includes('<'), false);
  t.is(JSON.parse(scriptText(query)), query);
});
