import test from 'ava';
import { TributaryError } from '../../../src/errors.ts';
import type { FacetQuery, SearchQuery } from '../../../src/engines/engine.ts';
import type { SearchReply } from '../../../src/engines/embedded/messages.ts';
import { halvesOf, joined, noneUnlessLate } from '../../../src/engines/embedded/split-search.ts';

const facet = (path: string): FacetQuery => ({
  field: { path, type: 'keyword', nestedIn: [] },
  filter: { kind: 'all' },
  objects: {},
  measure: { kind: 'cardinality' },
});

/** Answers each facet with how far its path has come in the alphabet. */
const replyTo = ({ hits, facets }: SearchQuery, state: string, tookMs: number): SearchReply => ({
  ...{ state, tookMs, total: hits === undefined ? null : 7, hits: [], sources: '[]' },
  facets: facets.map(({ field }) => ({
    ...{ kind: 'cardinality', exact: true },
    value: field.path.charCodeAt(0),
  })),
});

const hits: SearchQuery['hits'] = {
  ...{ filter: { kind: 'all' }, size: 0, offset: 0, sort: [], searchAfter: null, source: null },
  trackTotal: true,
};

test('the halves of a search answer what the whole does, facets in their order', (t) => {
  for (const paths of ['ab', 'abc', 'abcdefg']) {
    const query: SearchQuery = { hits, facets: [...paths].map(facet) };
    const [first, second] = halvesOf(query);
    t.true(Math.abs(first.facets.length - second.facets.length) <= 1);
    t.deepEqual(joined(replyTo(first, 'x', 3), replyTo(second, 'x', 2)), replyTo(query, 'x', 3));
  }
});

test('halves that saw different states, or of which one is missing, are no answer', (t) => {
  const [first, second] = halvesOf({ facets: [facet('a'), facet('b')] });
  t.is(joined(replyTo(first, 'x', 1), replyTo(second, 'y', 1)), null);
  t.is(joined(replyTo(first, 'x', 1), null), null);
});

test('a half that failed is asked again as part of the whole, one that came too late is not', (t) => {
  t.is(noneUnlessLate(new TributaryError('BAD_USER_INPUT', 'no such measure')), null);
  t.is(noneUnlessLate(new TributaryError('ENGINE_UNAVAILABLE', 'the thread has ended')), null);
  t.throws(() => noneUnlessLate(new TributaryError('ENGINE_TIMEOUT', 'no answer within 5 ms')), {
    code: 'ENGINE_TIMEOUT',
  });
});
