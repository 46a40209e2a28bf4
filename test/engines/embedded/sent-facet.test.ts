import test from 'ava';
import fc from 'fast-check';
import type { FacetResult } from '../../../src/engines/engine.ts';
import { receivedFacet, sentFacet } from '../../../src/engines/embedded/sent-facet.ts';

const plain = fc.record({ key: fc.string({ unit: 'binary' }), count: fc.nat() });
const rich = fc.record(
  {
    key: fc.constantFrom('0', '1'),
    keyAsString: fc.constantFrom('false', 'true'),
    count: fc.nat(),
    topHit: fc.jsonValue(),
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

test('a facet arrives as it was sent, also where JSON cannot write it', (t) => {
  const property = fc.property(fc.oneof(terms, stats), (facet: unknown) => {
    t.deepEqual(receivedFacet(structuredClone(sentFacet(facet as FacetResult))), facet as FacetResult);
  });
  t.notThrows(() => fc.assert(property));
});

test('buckets of keys and counts travel as one text', (t) => {
  const facet = { kind: 'terms', buckets: [{ key: 'a', count: 2 }], distinct: 1, missing: 0 } as const;
  t.true('text' in sentFacet(facet));
  t.false('text' in sentFacet({ ...facet, buckets: [{ key: 'a', count: 2, topHit: null }] }));
});
