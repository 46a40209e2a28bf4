import test from 'ava';
import { servePlots } from '../plots.ts';

const query = '{ plot { hits { total } } }';
const networkQuery = '{ network { total } }';
const fromNode = { 'tributary-node': '1' };

test('queries of other nodes are answered with a fingerprint of the fields, where records are shown', async (t) => {
  const plots = await servePlots(t);
  const schemaOf = async (headers: Record<string, string>, url = plots.url, source = query) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: source }),
    });
    await answer.text();
    return answer.headers.get('tributary-schema');
  };
  t.regex((await schemaOf(fromNode))!, /^[0-9a-f]{32}$/);
  t.regex((await schemaOf(fromNode, plots.networkUrl, networkQuery))!, /^[0-9a-f]{32}$/);
  t.is(await schemaOf({ ...fromNode, 'x-tier': 'counts' }), null);
  t.is(await schemaOf({}), null);
  t.is(await schemaOf({ 'if-none-match': '*' }), null);
});
