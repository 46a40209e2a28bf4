import test from 'ava';
import { servePlots, type Plots } from '../plots.ts';

const query =
  '{ plot { hits(first: 5) { total edges { node { crop } } } aggregations { crop { buckets { key doc_count } } } } }';

const ask = async (
  { url }: Plots,
  headers: Record<string, string> = {},
  body: unknown = { query },
): Promise<{ status: number; tag: string | null; text: string; headers: Headers }> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, tag: answer.headers.get('etag'), text: await answer.text(), headers: answer.headers };
}; // prettier-ignore

const asking = { 'if-none-match': '"-"' };
const tagOf = async (plots: Plots, headers: Record<string, string> = {}, body?: unknown) =>
  (await ask(plots, { ...asking, ...headers }, body)).tag;

test('an answer is not sent again to who holds it, until something is written', async (t) => {
  const plots = await servePlots(t);
  const first = await ask(plots, asking);
  t.regex(first.tag!, /^W\/"[\w-]{43}"$/);
  t.is(first.headers.get('cache-control'), 'private, no-cache');
  t.is(first.headers.get('vary'), 'Origin, authorization, cookie, accept, tributary-node');
  const held = { 'if-none-match': `"other", ${first.tag!}` };
  const again = await ask(plots, held);
  t.deepEqual([again.status, again.text, again.tag], [304, '', first.tag]);
  await plots.write('p4', 'chard');
  const changed = await ask(plots, held);
  t.is(changed.status, 200);
  t.true(changed.text.includes('chard'));
  t.not(changed.tag, first.tag);
  t.is((await ask(plots, { 'if-none-match': changed.tag! })).status, 304);
});

test('who asks for tags is told what can be asked, by a fingerprint, where records are shown', async (t) => {
  const plots = await servePlots(t);
  const schemaOf = async (headers: Record<string, string>, url = plots.url) =>
    (await ask({ ...plots, url }, headers)).headers.get('tributary-schema');
  const schema = await schemaOf(asking);
  t.regex(schema!, /^[0-9a-f]{32}$/);
  const { tag } = await ask(plots, asking);
  t.is(await schemaOf({ 'if-none-match': tag! }), schema);
  t.is(await schemaOf({ ...asking, 'x-tier': 'counts' }), null);
  t.regex((await schemaOf(asking, plots.networkUrl))!, /^[0-9a-f]{32}$/);
});

test('who does not ask for a tag gets none', async (t) => {
  const plots = await servePlots(t);
  const { tag, headers } = await ask(plots);
  t.is(tag, null);
  t.is(headers.get('tributary-schema'), null);
  t.is(headers.get('cache-control'), null);
});

test('another question, and other rights, have another tag', async (t) => {
  const plots = await servePlots(t);
  const tags = await Promise.all([
    tagOf(plots),
    tagOf(plots, { 'x-club': 'north' }),
    tagOf(plots, { 'x-club': 'south' }),
    tagOf(plots, { 'tributary-node': '1' }),
    tagOf(plots, {}, { query: `${query} ` }),
    tagOf(plots, {}, { query, variables: { a: 1 } }),
  ]);
  t.is(new Set(tags).size, tags.length);
  t.false(tags.includes(null));
  const stolen = await ask(plots, { 'x-club': 'south', 'if-none-match': tags[0]! });
  t.is(stolen.status, 200);
});

const hits = (filter: string) => ({ query: `{ plot { hits(filters: ${filter}) { total } } }` });
const cases: readonly (readonly [string, unknown, Record<string, string>?])[] = [
  ['an error', { query: '{ plot { nothing } }' }],
  ['an error beside data', { query: '{ plot { aggregations { sown { histogram(interval: 0) { buckets { key } } } } hits { total } } }' }],
  ['a saved set', hits('{ op: "in", content: { fieldName: "id", value: ["set_id:1"] } }')],
  ['the clock', hits('{ op: ">=", content: { fieldName: "sown", value: ["now-1d"] } }')],
  ['the clock with escapes', hits('{ op: ">=", content: { fieldName: "sown", value: ["\\u006eow-1d"] } }')],
  ['the clock in a block string', hits('{ op: ">=", content: { fieldName: "sown", value: ["""\n  now-7d\n"""] } }')],
  ['the clock in a block string with tabs', hits('{ op: ">=", content: { fieldName: "sown", value: ["""\r\n\tnow-7d"""] } }')],
  ['the clock in a variable', { query: 'query($f: JSON) { plot { hits(filters: $f) { total } } }', variables: { f: { op: '>=', content: { fieldName: 'sown', value: ['now-1d'] } } } }],
  ['a page by cursor', { query: 'query($c: JSON) { plot { hits(searchAfter: $c, sort: [{ fieldName: "crop" }]) { edges { searchAfter } } } }', variables: { c: ['leek', 'p1'] } }],
  ['a written cursor', { query: '{ plot { hits(searchAfter: ["leek", "p1"], sort: [{ fieldName: "crop" }]) { edges { searchAfter } } } }' }],
  ['other root fields', { query: '{ hasValidConfig(documentType: "plot", index: "plots") plot { hits { total } } }' }],
  ['a guarded tier', { query }, { 'x-tier': 'counts' }],
]; // prettier-ignore
for (const [what, body, headers = {}] of cases)
  test(`what is answered with ${what} has no tag`, async (t) => {
    const plots = await servePlots(t);
    t.is(await tagOf(plots, headers, body), null);
    t.is((await ask(plots, { ...headers, 'if-none-match': '*' }, body)).tag, null);
  });

test('a first page with cursors has one', async (t) => {
  const plots = await servePlots(t);
  const first = { query: 'query($c: JSON) { plot { hits(searchAfter: $c) { edges { searchAfter } } } }', variables: { c: null } };
  t.truthy(await tagOf(plots, {}, first));
}); // prettier-ignore
