import test from 'ava';
import { searchLines } from '../../../src/engines/dsl/search-lines.ts';
import { sideBySide } from '../../../src/engines/dsl/side-by-side.ts';
import type { FacetQuery, HitsQuery, SearchQuery } from '../../../src/engines/engine.ts';
import { all } from '../../../src/sqon/filter.ts';
import { exists, field, sort, terms } from '../cases/case.ts';

const byKey = { tieBreak: '_id' } as const;
const n = field('n', 'long');
const tag = field('tag', 'keyword');
const found = { filter: exists(tag), objects: {}, measure: { kind: 'stats' } } as const;
const facets = ['a', 'b', 'c', 'd', 'e'].map((path): FacetQuery => ({
  ...found,
  field: field(path, 'long'),
}));
const hits: HitsQuery = {
  ...{ filter: exists(tag), size: 5, offset: 10, sort: [sort(n)] },
  ...{ searchAfter: null, source: ['tag'], trackTotal: true },
};
const apart = (query: SearchQuery) => sideBySide(searchLines(query, byKey), byKey);

test('facets of one filter are dealt out in turns', (t) => {
  const lines = apart({ facets });
  t.deepEqual(
    lines.map((line) => line.kind === 'facets' && line.facets.map(({ place }) => place)),
    [
      [0, 2, 4],
      [1, 3],
    ],
  );
  t.deepEqual(lines[1]!.body, {
    size: 0,
    track_total_hits: false,
    query: { exists: { field: 'tag' } },
    aggs: { f0_stats: { stats: { field: 'b' } }, f1_stats: { stats: { field: 'd' } } },
  });
});

test('a page goes without its total, which is counted beside it', (t) => {
  const [page, total] = apart({ hits, facets: [] });
  t.like(page, { kind: 'hits', query: { trackTotal: false } });
  t.like(page!.body, { track_total_hits: false, size: 5, from: 10 });
  t.deepEqual(total, {
    kind: 'total',
    body: { query: { exists: { field: 'tag' } }, track_total_hits: true, size: 0 },
  });
});

const together: Readonly<Record<string, SearchQuery>> = {
  nothing: { facets: [] },
  'few facets': { facets: facets.slice(0, 3) },
  'facets of two filters': { facets: [...facets, { ...facets[0]!, filter: all }] },
  'facets and a page': { hits, facets },
  'a page without a total': { hits: { ...hits, trackTotal: false }, facets: [] },
  'a total alone': { hits: { ...hits, size: 0 }, facets: [] },
  'a page of all documents': { hits: { ...hits, filter: all }, facets: [] },
  'a page under one term': { hits: { ...hits, filter: terms(tag, 'a') }, facets: [] },
  'a page in no order': { hits: { ...hits, sort: [] }, facets: [] },
  'a page in the order of keywords': { hits: { ...hits, sort: [sort(tag)] }, facets: [] },
  'a page in the order of nested numbers': {
    hits: { ...hits, sort: [sort(field('items.n', 'long', 'items'))] },
    facets: [],
  },
  'a page in the order of averages': { hits: { ...hits, sort: [{ ...sort(n), mode: 'avg' }] }, facets: [] },
};
for (const [what, query] of Object.entries(together))
  test(`left as it is: ${what}`, (t) => {
    t.deepEqual(apart(query), searchLines(query, byKey));
  });
