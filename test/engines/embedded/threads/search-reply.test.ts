import test from 'ava';
import fc from '../../../fast-check.ts';
import type { FacetResult } from '../../../../src/engines/measure.ts';
import { neverStopped } from '../../../../src/engines/embedded/columns/search-run.ts';
import { encodeFacet } from '../../../../src/engines/embedded/threads/answer-search.ts';
import { decodeFacet } from '../../../../src/engines/embedded/threads/messages.ts';

const plain = fc.record({ key: fc.string({ unit: 'binary' }), count: fc.nat() });
// documents are read from JSON and written as JSON, in which -0 is 0
const inDocuments = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const rich = fc.record(
  {
    key: fc.constantFrom('0', '1'),
    keyAsString: fc.constantFrom('false', 'true'),
    count: fc.nat(),
    topHit: inDocuments,
    filtered: fc.array(fc.nat()),
  },
  { requiredKeys: ['key', 'count'] },
);
const terms = fc.record({
  kind: fc.constant('terms' as const),
  buckets: fc.oneof(fc.array(plain), fc.array(rich)),
  distinct: fc.nat(),
  missing: fc.nat(),
});
const stats = fc.record({
  ...{ kind: fc.constant('stats' as const), count: fc.nat(), min: fc.double(), max: fc.double() },
  ...{ sum: fc.double(), avg: fc.double() },
});

const sent = (facet: FacetResult) => encodeFacet(facet, neverStopped);

test('a facet arrives as it was sent, also where JSON cannot write it', async (t) => {
  const property = fc.asyncProperty(fc.oneof(terms, stats), async (facet: unknown) => {
    t.deepEqual(await decodeFacet(structuredClone(sent(facet as FacetResult))), facet as FacetResult);
  });
  await t.notThrowsAsync(async () => fc.assert(property));
});

test('many buckets travel as several texts, which are read one after the other', async (t) => {
  const few = { kind: 'terms', buckets: [{ key: 'a', count: 2 }], distinct: 1, missing: 0 } as const;
  t.like(sent(few), { kind: 'buckets', texts: ['[{"key":"a","count":2}]'] });
  const buckets = Array.from({ length: 20_001 }, (_, i) => ({ key: `${i}`, count: i }));
  for (const many of [
    buckets,
    buckets.slice(0, 2_000).map((bucket) => ({ ...bucket, topHit: { a: [1] } })),
  ]) {
    const facet = { kind: 'histogram', buckets: many } as FacetResult;
    const message = sent(facet);
    t.true(message.kind === 'buckets' && message.texts.length > 1);
    t.deepEqual(await decodeFacet(message), facet);
  }
});
