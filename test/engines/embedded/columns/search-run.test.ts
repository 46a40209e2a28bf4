import test from 'ava';
import { SearchStopped, type Checkpoint } from '../../../../src/engines/embedded/columns/search-run.ts';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../src/engines/embedded/columns/row.ts';
import { searchReply } from '../../../../src/engines/embedded/threads/answer-search.ts';
import type { DocumentSource } from '../../../../src/engines/embedded/query/search.ts';
import { attachedColumns, shareColumns } from '../../../../src/engines/embedded/index/shared-columns.ts';
import type { FacetQuery, HitsQuery, SearchQuery } from '../../../../src/engines/engine.ts';
import type { Measure } from '../../../../src/engines/measure.ts';
import type { IndexField } from '../../../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { all, nested, type Filter } from '../../../../src/sqon/filter.ts';

const keyword = { type: 'keyword' };
const mapping: JsonObject = {
  properties: {
    name: keyword,
    colour: keyword,
    weight: { type: 'long' },
    parts: { type: 'nested', properties: { kind: keyword, depth: { type: 'integer' } } },
  },
};
/** Several pieces of each loop. */
const count = 20_000;

const documentAt = (number: number): JsonObject => ({
  name: `name ${number}`,
  colour: `colour ${number % 7}`,
  weight: number,
  parts: [
    { kind: `k${number % 5}`, depth: number % 100 },
    { kind: `k${number % 3}`, depth: 1 },
  ],
});

const columns = new Columns(mapping);
for (let number = 0; number < count; number++)
  columns.append(number + 1, `d${number}`, readRow(columns.tree, documentAt(number), false));
columns.seal();

const documents: DocumentSource = {
  text: (number) => JSON.stringify(documentAt(number - 1)),
  document: (number) => documentAt(number - 1),
};

const field = (path: string, type = 'keyword', ...nestedIn: string[]): IndexField => ({
  path,
  type,
  nestedIn,
});
const weight = field('weight', 'long');
const facet = (of: IndexField, measure: Measure, filter: Filter = all): SearchQuery => ({
  facets: [{ field: of, filter, objects: {}, measure } satisfies FacetQuery],
});
const page = (more: Partial<HitsQuery>): SearchQuery => ({
  hits: {
    filter: all,
    size: 10,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: [],
    trackTotal: true,
    ...more,
  },
  facets: [],
});
const sort = (of: IndexField) => ({ field: of, order: 'asc', missing: 'last', mode: 'min' }) as const;
const pattern = (path: string, literal: string, ...nestedIn: string[]): Filter => ({
  kind: 'pattern',
  field: field(path, 'keyword', ...nestedIn),
  pattern: [{ wildcard: 'any' }, { literal }, { wildcard: 'one' }],
  caseInsensitive: true,
});
const ranges = Array.from({ length: 500 }, (_, from) => ({ key: `r${from}`, from }));

/** Each is long in a loop of its own; with the least checkpoints that it must come by. */
const long: readonly (readonly [name: string, least: number, query: SearchQuery])[] = [
  ['terms of many values', 25, facet(field('name'), { kind: 'terms', size: null })],
  ['terms of numbers', 25, facet(weight, { kind: 'terms', size: null })],
  [
    'top hits',
    1_000,
    facet(field('name'), { kind: 'terms', size: 1_000, topHits: { source: null, size: 1 } }),
  ],
  [
    'terms of nested objects',
    10,
    facet(field('parts.kind', 'keyword', 'parts'), { kind: 'terms', size: null }),
  ],
  ['many ranges', 100, facet(weight, { kind: 'range', ranges })],
  ['histogram', 2, facet(weight, { kind: 'histogram', interval: 1 })],
  ['a wildcard over a dictionary', 4, page({ filter: pattern('name', '1') })],
  ['a pivoted wildcard', 4, page({ filter: nested('parts', pattern('parts.kind', 'k', 'parts')) })],
  [
    'a wildcard without a literal',
    4,
    page({
      filter: { ...pattern('name', ''), pattern: [{ wildcard: 'one' }, { wildcard: 'one' }] } as Filter,
    }),
  ],
  ['sorting by strings', 4, page({ sort: [sort(field('name'))] })],
  [
    'sorting by keys that say nothing',
    20,
    page({ sort: [sort(field('colour')), sort(field('name')), sort(weight)] }),
  ],
  ['sorting by nested values', 4, page({ sort: [sort(field('parts.depth', 'integer', 'parts'))] })],
  ['a large page', 5_000, page({ size: 5_000, source: null })],
];

/** Over the same values, with nothing remembered of the searches before. */
const answer = (query: SearchQuery, checkpoint: Checkpoint) => {
  const fresh = attachedColumns(shareColumns(columns, mapping, ''));
  return {
    ...searchReply(fresh, { generation: 'now', index: 'one', incarnation: 'first' }, documents, query, {
      checkpoint,
    }),
    tookMs: 0,
  };
};

for (const [name, least, query] of long) {
  test(`a search can be stopped all along its way and leaves nothing behind: ${name}`, (t) => {
    let passed = 0;
    const whole = answer(query, () => void passed++);
    t.true(passed >= least, `only ${passed} checkpoints`);
    for (const part of [0, 0.3, 0.6, 0.9]) {
      let left = Math.floor(least * part);
      const stop = (): void => {
        if (left-- === 0) throw new SearchStopped();
      };
      t.throws(() => answer(query, stop), { instanceOf: SearchStopped });
      t.deepEqual(
        answer(query, () => undefined),
        whole,
      );
    }
  });
}
