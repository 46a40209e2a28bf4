import test from 'ava';
import { TributaryError } from '../../../../src/errors/errors.ts';
import type { FacetQuery, SearchQuery } from '../../../../src/engines/engine.ts';
import type { SearchReply } from '../../../../src/engines/embedded/threads/search-reply.ts';
import { mergeReplies, nullUnlessTimeout } from '../../../../src/engines/embedded/threads/search-reply.ts';

const facet = (path: string): FacetQuery => ({
  field: { path, type: 'keyword', nestedIn: [] },
  filter: { kind: 'all' },
  objects: {},
  measure: { kind: 'cardinality' },
});

/** Answers the facets at these places, each with how far its path has come in the alphabet. */
const replyTo = (
  { hits, facets }: SearchQuery,
  state: string,
  tookMs: number,
  places: readonly number[] = facets.map((_, index) => index),
): SearchReply => ({
  ...{
    state,
    generation: state,
    index: 'one',
    tookMs,
    total: hits === undefined ? null : 7,
    hits: [],
    sources: [],
  },
  facets: facets.map(({ field }, index) =>
    places.includes(index) ? { kind: 'cardinality', exact: true, value: field.path.charCodeAt(0) } : null,
  ),
});

const hits: SearchQuery['hits'] = {
  ...{ filter: { kind: 'all' }, size: 0, offset: 0, sort: [], searchAfter: null, source: null },
  trackTotal: true,
};

const query: SearchQuery = { hits, facets: [...'abcde'].map(facet) };
const alone: SearchQuery = { facets: query.facets };

test('what two threads took is the whole answer, facets in their order', (t) => {
  for (const places of [[], [0], [1, 3], [0, 1, 2, 3, 4]]) {
    const others = [0, 1, 2, 3, 4].filter((index) => !places.includes(index));
    const replies = [replyTo(query, 'x', 3, places), replyTo(alone, 'x', 2, others)] as const;
    t.deepEqual(mergeReplies(...replies), replyTo(query, 'x', 3));
  }
  t.deepEqual(
    mergeReplies(replyTo(query, 'x', 3), null),
    replyTo(query, 'x', 3),
    'the other had nothing to do',
  );
});

test('different states, and facets that nobody answered, are not an answer', (t) => {
  t.is(mergeReplies(replyTo(query, 'x', 1, [0, 1]), replyTo(alone, 'y', 1, [2, 3, 4])), null);
  t.is(mergeReplies(replyTo(query, 'x', 1, [0, 1]), replyTo(alone, 'x', 1, [2, 3])), null);
  t.is(mergeReplies(replyTo(query, 'x', 1, [0, 1]), null), null);
});

test('what a thread failed at is searched again as part of the whole, what came too late is not', (t) => {
  t.is(nullUnlessTimeout(new TributaryError('BAD_USER_INPUT', 'no such measure')), null);
  t.is(nullUnlessTimeout(new TributaryError('ENGINE_UNAVAILABLE', 'the thread has ended')), null);
  t.throws(() => nullUnlessTimeout(new TributaryError('ENGINE_TIMEOUT', 'no answer within 5 ms')), {
    code: 'ENGINE_TIMEOUT',
  });
});
