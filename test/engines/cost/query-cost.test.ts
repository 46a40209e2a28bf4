import test from 'ava';
import { variables } from '../../../src/server/config/variables.ts';
import type { Allowance } from '../../../src/engines/allowance.ts';
import { prices } from '../../../src/engines/cost/prices.ts';
import { pricedEngine, queryCost } from '../../../src/engines/cost/query-cost.ts';
import type {
  FacetQuery,
  FieldStatistics,
  HitsQuery,
  IndexStatistics,
  SearchQuery,
} from '../../../src/engines/engine.ts';
import type { Measure } from '../../../src/engines/measure.ts';
import type { IndexField } from '../../../src/introspection/fields/field.ts';
import { all, and, or, type Filter } from '../../../src/sqon/filter.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { facetsSearch, pageSearch, queries } from '../../../bench/engine/queries.ts';

const million = 1_000_000;
const strings = (count: number, bytes: number, values = million) => ({
  values,
  strings: count,
  stringBytes: count * bytes,
});

/** As bench/engine loads a million documents, and their institutes. */
const specimens: IndexStatistics = {
  documents: million,
  documentBytes: 700,
  objects: new Map([['samples', 3.5 * million]]),
  fields: new Map<string, FieldStatistics>([
    ...['sex', 'phase', 'grade', 'tissue', 'programme', 'donor.status', 'donor.country'].map(
      (path) => [path, strings(20, 6)] as const,
    ),
    ['institution', strings(200, 8)],
    ['collector', strings(12_000, 14)],
    ['species', strings(5_000, 8)],
    ['tags', strings(300, 6, 2.9 * million)],
    ['id', strings(million, 13)],
    ['title', strings(million, 48)],
    ['weight', { values: million, span: 999 }],
    ['reads', { values: million, span: 999_000 }],
    ['collected', { values: million, span: 12 * 365 * 86_400_000 }],
    ['samples.kind', strings(20, 3, 3.5 * million)],
    ['samples.lab', strings(200, 4, 3.5 * million)],
    ['samples.depth', { values: 3.5 * million, span: 100 }],
  ]),
};

/** What one processor does within the time of a request: the default. */
const requestTime = variables.parse({}).SEARCH_TIMEOUT_MS * 1_000;
const most = 2_000_000;
const costOf = (query: SearchQuery): number => queryCost(query, specimens).total;

const field = (path: string, type = 'keyword', ...nestedIn: string[]): IndexField => ({
  path,
  type,
  nestedIn,
});
const facet = (of: IndexField, measure: Measure, filter: Filter = all): FacetQuery => ({
  field: of,
  filter,
  objects: {},
  measure,
});
const page = (more: Partial<HitsQuery>): SearchQuery => ({
  hits: {
    filter: all,
    size: 20,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: null,
    trackTotal: true,
    ...more,
  },
  facets: [],
});
const sort = (...fields: IndexField[]) =>
  fields.map((of) => ({ field: of, order: 'asc', missing: 'last', mode: 'min' }) as const);
const wildcard = (of: IndexField, literal: string): Filter => ({
  kind: 'pattern',
  field: of,
  pattern: [{ wildcard: 'any' }, { literal }, { wildcard: 'any' }],
  caseInsensitive: true,
});

for (const { name, search } of queries) {
  test(`a question of the bench is affordable over a million documents: ${name}`, (t) => {
    t.true(costOf(search) <= most, String(costOf(search)));
  });
}

test('the questions of a portal are affordable over a million documents', (t) => {
  for (const search of [pageSearch(100), facetsSearch(100)]) t.true(costOf(search) <= most / 4);
  const paths = [...specimens.fields!.keys()].filter((path) => specimens.fields!.get(path)!.strings! <= 300);
  const sixty = Array.from({ length: 60 }, (_, i) => field(paths[i % paths.length]!));
  const whole = sixty.map((of) => facet(of, { kind: 'terms', size: null }));
  t.true(costOf({ facets: whole }) <= most, String(costOf({ facets: whole })));
  const table = page({ size: 100, sort: sort(field('species'), field('weight', 'long')) });
  t.true(costOf(table) <= most, String(costOf(table)));
  const once = page({ size: 10_000 });
  t.true(costOf(once) <= most, String(costOf(once)));
});

test('a branch of 20 000 codes has its price, as a filter and as a set, and is affordable', (t) => {
  const codes = (count: number) => Array.from({ length: count }, (_, at) => `code ${at}`);
  const filter = (count: number) =>
    page({ filter: { kind: 'terms', field: field('species'), values: codes(count) } });
  const set = (count: number): SearchQuery => {
    const values = codes(count);
    return {
      facets: [
        facet(field('species'), {
          kind: 'groups',
          values,
          sets: [{ key: 'a', members: [...values.keys()] }],
        }),
      ],
    };
  };
  for (const search of [filter, set]) {
    t.true(
      costOf(search(20_000)) > 2 * costOf(search(20)),
      `${costOf(search(20_000))} ${costOf(search(20))}`,
    );
    t.true(costOf(search(20_000)) <= most);
  }
});

/** Beside those that test/whole/attack/cost-questions.test.ts sends to a server. */
const dear: readonly (readonly [name: string, cost: number])[] = [
  [
    'a hundred sort keys',
    costOf(page({ sort: sort(...Array.from({ length: 100 }, () => field('sex')), field('title')) })),
  ],
  [
    'a hundred filters in buckets',
    costOf({
      facets: [
        facet(field('samples.kind', 'keyword', 'samples'), {
          kind: 'terms',
          size: 10,
          filters: Array.from({ length: 100 }, (_, i) => wildcard(field('sex'), `${i}`)),
        }),
      ],
    }),
  ],
];

for (const [name, cost] of dear) {
  test(`a question that takes long is too dear: ${name}`, (t) => {
    t.true(cost > most, String(cost));
  });
}

test('a condition that many facets share costs once', (t) => {
  const shared = () => wildcard(field('title'), 'abc');
  const facets = Array.from({ length: 10 }, () => facet(field('sex'), { kind: 'terms', size: 10 }, shared()));
  const one = costOf({ facets: facets.slice(0, 1) });
  t.true(costOf({ facets }) < 3 * one);
});

test('little is assumed of an index of which only the number of documents is known', (t) => {
  const small = queryCost(
    {
      facets: [
        facet(field('reads', 'long'), { kind: 'histogram', interval: 1 }),
        facet(field('samples.kind', 'keyword', 'samples'), { kind: 'terms', size: null }),
      ],
    },
    { documents: 100_000 },
  );
  t.true(small.total > 10_000 && small.total < most / 10, String(small.total));
});

test('a histogram of more buckets than fit costs no more: it is refused with the interval that fits', (t) => {
  const years = field('born', 'date');
  const of = (span: number) =>
    queryCost(
      { facets: [facet(years, { kind: 'date_histogram', interval: 'day', timeZone: 'UTC' })] },
      { documents: 100, fields: new Map([['born', { values: 100, span }]]) },
    ).total;
  t.is(of(8.64e15), of(86_400_000 * 70_000));
});

test('a hit without fields costs itself and its cursor, which ends with a tie-break', (t) => {
  const hits = (size: number): number => costOf(page({ size, source: [] }));
  t.is(Math.round(hits(2_000) - hits(1_000)), Math.round(1_000 * (prices.hit + prices.cursorValue)));
});

/** The same documents and their strings, so many times. */
const timesAsMany = (times: number): IndexStatistics => ({
  ...specimens,
  documents: specimens.documents * times,
  objects: new Map([...specimens.objects!].map(([path, count]) => [path, count * times])),
  fields: new Map(
    [...specimens.fields!].map(([path, { values, strings: distinct, stringBytes, ...known }]) => {
      const isOfRecords = distinct === million;
      const factor = isOfRecords ? times : 1;
      const text = distinct !== undefined && {
        strings: distinct * factor,
        stringBytes: stringBytes! * factor,
      };
      return [path, { ...known, values: values * times, ...text }];
    }),
  ),
});
const word = (of: IndexField, sought: string): Filter => ({
  kind: 'word',
  field: of,
  word: sought,
  isPrefix: true,
});
const keywords = [...specimens.fields!]
  .filter(([path, { strings: distinct }]) => distinct !== undefined && !path.startsWith('samples.'))
  .map(([path]) => field(path));
const searched = (text: string): Filter => or(keywords.map((of) => word(of, text)));

test('a word costs what its distinct strings cost, not the documents', (t) => {
  const cost = (of: string, times: number): number =>
    queryCost(page({ size: 0, filter: word(field(of), 'turkey') }), timesAsMany(times)).parts.find(
      ({ what }) => what === 'words in conditions',
    )!.cost;
  t.true(cost('institution', 1) < cost('title', 1) / 10);
  t.true(cost('institution', 10) < 10_000_000 * prices.countedValue);
});

test('a word is folded for each string beyond ASCII', (t) => {
  const cost = (stringsBeyondAscii: number): number =>
    queryCost(page({ size: 0, filter: word(field('name'), 'turkey') }), {
      documents: million,
      fields: new Map([['name', { ...strings(million, 20), stringsBeyondAscii }]]),
    }).total;
  t.is(Math.round(cost(1_000) - cost(0)), Math.round(1_000 * prices.foldedString));
});

test('strings are folded once for all conditions of a request on their field', (t) => {
  const cost = (count: number): number =>
    costOf(
      page({
        size: 0,
        filter: and(Array.from({ length: count }, (_, i) => wildcard(field('title'), `w${i}`))),
      }),
    );
  const bytes = specimens.fields!.get('title')!.stringBytes!;
  t.is(
    Math.round(cost(1) - (cost(3) - cost(2))),
    Math.round(prices.search + million * prices.listedDocument + bytes * prices.foldedByte),
  );
});

test('a filter of hits and of ten facets counts once, in one search and in two of one request', (t) => {
  const filter = searched('turkey');
  const tenFacets = (of: Filter) =>
    Array.from({ length: 10 }, () => facet(field('sex'), { kind: 'terms', size: 10 }, of));
  const hits = (of: Filter) => page({ size: 20, filter: of }).hits!;
  const alone = costOf({ hits: hits(filter), facets: [] }) - costOf({ hits: hits(all), facets: [] });
  const together = (of: Filter) => costOf({ hits: hits(of), facets: tenFacets(of) });
  t.true(together(filter) - together(all) < 1.05 * alone);
  const met = new Set<string>();
  queryCost({ hits: hits(filter), facets: [] }, specimens, met);
  const again = queryCost({ facets: tenFacets(searched('turkey')) }, specimens, met).total;
  t.true(again - costOf({ facets: tenFacets(all) }) < 0.1 * alone);
});

const explored = (filter: Filter): SearchQuery => ({
  hits: page({ size: 0, filter }).hits!,
  facets: keywords
    .filter(({ path }) => path !== 'id' && path !== 'title')
    .map((of) => facet(of, { kind: 'terms', size: 6 }, filter)),
});
const portal: readonly (readonly [name: string, search: SearchQuery])[] = [
  ['the facets of everything', explored(all)],
  ['the count of a word being typed', page({ size: 0, filter: searched('turkey') })],
  ['the facets of a search', explored(searched('turkey'))],
  ['the rows of a search', page({ size: 20, filter: searched('turkey'), sort: sort(field('title')) })],
  [
    'the values that a word suggests',
    {
      facets: keywords.map((of) => facet(of, { kind: 'terms', size: 3, matching: 'turkey' })),
    },
  ],
];

for (const [name, search] of portal)
  test(`a portal's request is allowed by default, over ten million documents too: ${name}`, (t) => {
    t.true(costOf(search) < most, String(costOf(search)));
    const { total } = queryCost(search, timesAsMany(10));
    t.true(total < requestTime / 2, String(total));
    const atServer = queryCost(search, { documents: 400 * million }).total;
    t.true(atServer < requestTime, String(atServer));
  });

test('facets under a condition on one of many values cost less than facets of everything', (t) => {
  const named = (of: string, ...values: string[]) => explored({ kind: 'terms', field: field(of), values });
  t.true(costOf(named('institution', 'a')) < 0.6 * costOf(explored(all)));
  t.true(costOf(named('sex', 'a', 'b')) >= costOf(explored(all)));
});

test('the searches of one request share the cost of their conditions, those of another do not', async (t) => {
  const engine = pricedEngine(scriptedEngine({ describe: () => ({ statistics: specimens }) }));
  await engine.describe('specimens');
  const costs: number[] = [];
  const request = (): Allowance => {
    const allowance: Allowance = {
      admit: async ({ total }) => void costs.push(total),
      takeTurn: (_, options, search) => search(options),
      get paged() {
        return allowance;
      },
    };
    return allowance;
  };
  const search = (allowance: Allowance) =>
    engine.search('specimens', page({ size: 0, filter: searched('turkey') }), { allowance });
  const first = request();
  await search(first);
  await search(first);
  await search(request());
  t.true(costs[1]! < costs[0]! / 5);
  t.is(costs[2], costs[0]);
});
