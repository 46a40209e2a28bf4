import { createServer } from 'node:http';
import test from 'ava';
import { pino } from 'pino';
import { createApp } from '../../../src/server/http/app.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import { defaultSettings, noSpools } from '../../server/http/running-app.ts';
import { bookConfig, bookProperties } from '../../local/catalogue-fixture.ts';
import { engineOn, linesOf, startScripted } from './scripted-server.ts';
import { listening } from '../../listening.ts';

const operation = `query ($red: JSON, $blue: JSON) {
  book {
    hits(filters: $red, first: 2) { total edges { node { id } } }
    all: hits(first: 0) { total }
    aggregations(filters: $red) { genres { buckets { key doc_count } } shelf { stats { max } } }
    blue: aggregations(filters: $blue) { genres { bucket_count } }
  }
}`;
const within = (value: string) => ({
  op: 'and',
  content: [{ op: 'in', content: { fieldName: 'title', value: [value] } }],
});

for (const product of ['opensearch', 'elasticsearch'] as const)
  test(`${product}: an operation takes one round trip, whatever it selects`, async (t) => {
    const { port, requested } = await startScripted(t, product, (request) => {
      if (request.line.endsWith('_count')) return { body: { count: 3 } };
      if (request.line.startsWith('GET'))
        return { body: { books: { aliases: {}, mappings: { properties: bookProperties } } } };
      const searches = linesOf(request).filter((line) => 'query' in line);
      return {
        body: {
          responses: searches.map(() => ({
            ...{ status: 200, _shards: { total: 1, failed: 0 }, hits: { total: { value: 3 }, hits: [] } },
            aggregations: {},
          })),
        },
      };
    });
    const registry = await openRegistry([bookConfig()], engineOn(t, port), {});
    const log = pino({ level: 'silent' });
    const app = createApp({
      registry,
      networks: new Map(),
      settings: defaultSettings,
      spools: noSpools,
      log,
    });
    t.teardown(registry.close);
    const { url } = await listening(t, createServer(app.callback()));
    const before = requested.length;
    const answered = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: operation, variables: { red: within('red'), blue: within('blue') } }),
    });
    t.like(await answered.json(), { data: { book: { hits: { total: 3 }, all: { total: 3 } } } });
    const sent = requested.slice(before);
    t.is(sent.length, 1);
    // two pages, and a line for each of the two filters of facets
    t.is(linesOf(sent[0]!).length, 8);
  });
