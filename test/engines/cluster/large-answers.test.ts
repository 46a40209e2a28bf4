import test from 'ava';
import type { SearchQuery } from '../../../src/engines/engine.ts';
import { scriptedServer } from './scripted-server.ts';

const page: SearchQuery = {
  hits: {
    filter: { kind: 'all' },
    ...{ size: 2_000, offset: 0, sort: [], searchAfter: null, source: null, trackTotal: true },
  },
  facets: [],
};
const text = 'y'.repeat(500);
/** A million characters, with whole numbers that a double cannot hold. */
const hits = Array.from(
  { length: 2_000 },
  (_, i) => `{"_id":"d${i}","_source":{"n":90071992547409${i + 1000},"text":"${text}"},"sort":["d${i}"]}`,
);
const answer = `{"responses":[{"status":200,"_shards":{"total":1,"failed":0},"hits":{"total":{"value":2000},"hits":[${hits.join()}]}}]}`;

for (const product of ['opensearch', 'elasticsearch'] as const) {
  test(`an answer that takes long to parse is read like any other: ${product}`, async (t) => {
    const { engine } = await scriptedServer(t, product, () => ({ text: answer }), product);
    const { hits: found } = await engine.search('books', page);
    t.is(found!.hits.length, 2_000);
    t.deepEqual(found!.hits[1_999]!.source, { n: '900719925474092999', text });
  });

  test(`one that is cut off is an error of the server: ${product}`, async (t) => {
    const { engine } = await scriptedServer(t, product, () => ({ text: answer.slice(0, -2) }), product);
    await t.throwsAsync(engine.search('books', page), {
      code: 'ENGINE_ERROR',
      message: "the search server's answer to the search of books cannot be read",
    });
  });

  test(`a refusal that is very long is still a refusal: ${product}`, async (t) => {
    const body = { error: { type: 'parsing_exception', reason: 'z'.repeat(1_000_000) }, status: 400 };
    const { engine } = await scriptedServer(t, product, () => ({ status: 400, body }), product);
    const error = await t.throwsAsync(engine.search('books', page), { code: 'BAD_USER_INPUT' });
    t.regex(error!.message, /^the search server refused the search of books: z{300}\.\.\.$/);
  });
}
