import assert from 'node:assert/strict';
import { filtersOf } from '../random-filter.ts';
import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import type { Catalogue } from '../../../src/search/catalogue.ts';
import { serveSchema } from '../remote-server.ts';
import { askNetwork, openCase, testCatalogue, testNetwork } from '../../builders.ts';

// a network whose nodes have units and constants answers as one whose nodes hold the converted records

/** A record in the network's terms: days, degrees, years of our era; sizes of its samples. */
interface Item {
  readonly id: string;
  readonly sex: string | null;
  readonly days: readonly number[];
  readonly degrees: number | null;
  readonly year: number | null;
  readonly samples: readonly { readonly kind: string | null; readonly grams: number | null }[];
}

/** As a node keeps them: months, halves of degrees from -20, years before 1950, kilograms. All are exact in binary. */
const units = {
  days: { factor: 30.4375, from: 'months' },
  degrees: { factor: 0.5, offset: -20 },
  year: { factor: -1, offset: 1950, from: 'years before 1950' },
  'samples.grams': { factor: 1000, from: 'kg' },
};

const constantsOf = (index: number) =>
  ({ site: index === 0 ? 'Pancreas' : 'Liver', 'study.year': 2000 + index, isOpen: index === 1 }) as const;

const ownOf = ({ days, degrees, year, samples, ...others }: Item): JsonObject => ({
  ...others,
  days: days.map((one) => one / 30.4375),
  degrees: degrees === null ? null : (degrees + 20) * 2,
  year: year === null ? null : 1950 - year,
  samples: samples.map(({ kind, grams }) => ({ kind, mass: grams === null ? null : grams / 1000 })),
});

const shownOf = (item: Item, index: number): JsonObject => {
  const { 'study.year': year, ...constants } = constantsOf(index);
  return { ...item, ...constants, study: { year } } as unknown as JsonObject;
};

const item: fc.Arbitrary<Omit<Item, 'id'>> = fc.record({
  sex: fc.option(fc.constantFrom('f', 'm')),
  days: fc.array(
    fc.integer({ min: 0, max: 40 }).map((months) => months * 30.4375),
    { maxLength: 2 },
  ),
  degrees: fc.option(fc.integer({ min: -20, max: 20 }).map((halves) => halves / 2)),
  year: fc.option(fc.integer({ min: -50, max: 50 })),
  samples: fc.array(
    fc.record({
      kind: fc.option(fc.constantFrom('root', 'stem')),
      grams: fc.option(fc.integer({ min: 0, max: 16 }).map((part) => part * 125)),
    }),
    { maxLength: 2 },
  ),
});

const collections = fc
  .tuple(fc.array(item, { maxLength: 10 }), fc.array(item, { maxLength: 10 }))
  .map((nodes) =>
    nodes.map((items, node) =>
      items.map((one, at): Item => ({ ...one, id: `${node}-${String(at).padStart(2, '0')}` })),
    ),
  );

const number = { type: 'double' };
const properties = (mass: string, isWhole: boolean): JsonObject => ({
  id: { type: 'keyword' },
  sex: { type: 'keyword' },
  days: isWhole ? { type: 'integer' } : number,
  degrees: number,
  year: { type: 'integer' },
  samples: { type: 'nested', properties: { kind: { type: 'keyword' }, [mass]: number } },
});

const shownProperties: JsonObject = {
  ...properties('grams', false),
  site: { type: 'keyword' },
  study: { properties: { year: { type: 'long' } } },
  isOpen: { type: 'boolean' },
};

const catalogueOf = (documents: readonly JsonObject[], properties: JsonObject): Promise<Catalogue> =>
  testCatalogue({
    ...{ documentType: 'item', properties, documents },
    extended: [{ fieldName: 'days', isArray: true, unit: 'months' }],
  });

interface Opened {
  readonly runQuery: (query: string, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

const open = async (
  catalogues: readonly Catalogue[],
  entries: readonly object[],
  overHttp: boolean,
): Promise<Opened> => {
  const { teardown, close } = openCase();
  const nodes = await Promise.all(
    entries.map(async (entry, index) => ({
      nodeId: `n${index}`,
      ...(overHttp
        ? { documentType: 'item', remote: await serveSchema(buildCatalogueSchema(catalogues[index]!)) }
        : { catalogue: catalogues[index]! }),
      ...entry,
    })),
  );
  const network = await testNetwork({ teardown }, nodes);
  return { runQuery: (query, variables) => askNetwork(network, query, variables), close };
};

const entry = (index: number) => ({
  fields: { 'samples.grams': 'samples.mass' },
  units,
  constants: constantsOf(index),
});

const compare = async (
  [first = [], second = []]: readonly (readonly Item[])[],
  overHttp: boolean,
  work: (converted: Opened, plain: Opened) => Promise<void>,
): Promise<void> => {
  const [own, shown] = await Promise.all([
    Promise.all([
      catalogueOf(first.map(ownOf), properties('mass', true)),
      catalogueOf(second.map(ownOf), properties('mass', false)),
    ]),
    Promise.all(
      [first, second].map((items, index) =>
        catalogueOf(
          items.map((one) => shownOf(one, index)),
          shownProperties,
        ),
      ),
    ),
  ]);
  const opened = await Promise.all([open(own, [entry(0), entry(1)], overHttp), open(shown, [{}, {}], false)]);
  try {
    await work(...opened);
  } finally {
    for (const network of opened) await network.close();
  }
};

type Filter = Readonly<Record<string, unknown>>;

const numbers: Readonly<Record<string, fc.Arbitrary<number>>> = {
  days: fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((months) => months * 30.4375),
    fc.integer({ min: -5, max: 1300 }),
  ),
  degrees: fc.integer({ min: -22, max: 22 }).map((halves) => halves / 2),
  year: fc.integer({ min: -51, max: 51 }),
  'samples.grams': fc.integer({ min: -1, max: 17 }).map((part) => part * 125),
  'study.year': fc.integer({ min: 1999, max: 2002 }),
};

const values: Readonly<Record<string, fc.Arbitrary<string | number | boolean>>> = {
  ...numbers,
  site: fc.constantFrom('Pancreas', 'Liver', 'Lung', 'P*', '*er*', '__missing__'),
  isOpen: fc.boolean(),
  sex: fc.constantFrom('f', 'm', '__missing__'),
};

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.constantFrom(...Object.keys(values)).chain((fieldName) =>
    fc
      .record({
        op: fc.constantFrom('in', 'in', 'not-in', 'some-not-in', 'all'),
        value: fc.array(values[fieldName]!, { minLength: 1, maxLength: 3 }),
      })
      .map(({ op, value }) => ({ op, content: { fieldName, value } })),
  ),
  fc.constantFrom(...Object.keys(numbers)).chain((fieldName) =>
    fc.oneof(
      fc
        .record({
          op: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
          value: fc.array(numbers[fieldName]!, { minLength: 1, maxLength: 2 }),
        })
        .map(({ op, value }) => ({ op, content: { fieldName, value } })),
      fc.tuple(numbers[fieldName]!, numbers[fieldName]!).map((ends) => ({
        op: 'between',
        content: { fieldName, value: ends.sort((one, other) => one - other) },
      })),
    ),
  ),
  fc
    .tuple(
      fc.constantFrom('*E*', 'liv*', 'f'),
      fc.subarray(['site', 'sex', 'samples.kind'], { minLength: 1 }),
    )
    .map(([value, fieldNames]) => ({ op: 'wildcard', content: { fieldNames, value } })),
  fc
    .tuple(
      fc.constantFrom('liver f', 'pan', 'stem liv', ''),
      fc.subarray(['site', 'sex', 'samples.kind'], { minLength: 1 }),
    )
    .map(([value, fieldNames]) => ({ op: 'search', content: { fieldNames, value } })),
  fc
    .record({
      op: fc.constantFrom('and', 'not'),
      content: fc.constant([
        { op: 'in', content: { fieldName: 'samples.kind', value: ['stem'] } },
        { op: 'gte', content: { fieldName: 'samples.grams', value: 500 } },
      ]),
    })
    .map((pivoted) => ({ ...pivoted, pivot: 'samples' })),
);

const filters = filtersOf(leaf);

const terms = `{ bucket_count cardinality
  buckets { key key_as_string doc_count upper_bound exact nodes { nodeId doc_count } filter_by_term(filter: { op: "gte", content: { fieldName: "days", value: [100] } }) } }`;
const measures = (interval: number, edge: number) => `{ stats { count min max sum avg }
  histogram(interval: ${interval}) { buckets { key doc_count } }
  range(ranges: [{ to: ${edge} }, { from: ${edge}, key: "high" }, { from: 0, to: ${edge}, key: "within" }]) { buckets { key doc_count } } }`;

const table = 'times { time events censored } no_time negative_time no_event';
const survival = `{
  survival(dead: { op: "in", content: { fieldName: "sex", value: ["f"] } }, known: { op: "in", content: { fieldName: "sex", value: ["f", "m"] } }) { ${table} }
  other: survival(dead: { op: "in", content: { fieldName: "isOpen", value: [true] } }) { ${table} } }`;

const facetsQuery = `query($filters: JSON, $missing: Boolean, $themselves: Boolean) {
  network(filters: $filters, include_missing: $missing, aggregations_filter_themselves: $themselves) {
    total partial nodes { nodeId hits }
    aggregations {
      site ${terms} isOpen ${terms} sex ${terms}
      days ${measures(365.25, 365.25)} degrees ${measures(3, 1.5)} year ${measures(10, 0)}
      samples__grams ${measures(250, 500)} study__year ${measures(1, 2001)}
      days ${survival} study__year ${survival}
    }
  }
}`;

const flags = fc.record({ missing: fc.boolean(), themselves: fc.boolean() });

const facetsAgree = (overHttp: boolean, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(collections, filters, flags, (items, requested, options) =>
      compare(items, overHttp, async (converted, plain) => {
        const variables = { filters: requested, ...options };
        assert.deepEqual(
          await converted.runQuery(facetsQuery, variables),
          await plain.runQuery(facetsQuery, variables),
        );
      }),
    ),
    { numRuns, seed: 20_260_101, includeErrorInReport: true },
  );

const few: readonly (readonly Item[])[] = [
  [
    { id: 'a', sex: 'f', days: [365.25], degrees: -5, year: -10, samples: [{ kind: 'stem', grams: 500 }] },
    { id: 'b', sex: 'm', days: [], degrees: 0.5, year: 2, samples: [] },
  ],
  [
    {
      id: 'c',
      sex: 'f',
      days: [30.4375, 60.875],
      degrees: null,
      year: 0,
      samples: [{ kind: null, grams: 0 }],
    },
  ],
];
const isIn = (op: string, fieldName: string, ...value: readonly unknown[]) => ({
  op,
  content: { fieldName, value },
});
const directed: readonly Filter[] = [
  isIn('in', 'site', 'Pancreas'),
  isIn('not-in', 'site', 'Pancreas'),
  isIn('some-not-in', 'site', 'Pancreas', '__missing__'),
  isIn('in', 'site', '__missing__'),
  isIn('all', 'site', 'Liver', 'Pancreas'),
  {
    op: 'and',
    content: [isIn('in', 'site', 'Liver'), isIn('in', 'sex', 'f'), isIn('gt', 'study.year', 2000)],
  },
  { op: 'not', content: [isIn('in', 'isOpen', true), isIn('lte', 'year', 0)] },
  { op: 'or', content: [isIn('starts-with', 'site', 'Pan'), isIn('between', 'days', 30.4375, 31)] },
  // between two whole months
  isIn('between', 'days', 31, 40),
  { op: 'and', content: [isIn('between', 'days', 31, 40), isIn('in', 'sex', 'f')] },
];

for (const requested of directed)
  for (const themselves of [false, true])
    test(`facets agree under ${JSON.stringify(requested)}, filtering themselves: ${themselves}`, (t) =>
      t.notThrowsAsync(
        compare(few, false, async (converted, plain) => {
          const variables = { filters: requested, missing: true, themselves };
          assert.deepEqual(
            await converted.runQuery(facetsQuery, variables),
            await plain.runQuery(facetsQuery, variables),
          );
        }),
      ));

test('survival with units that move or turn 0 around is refused, with why', (t) =>
  compare(few, false, async (converted) => {
    const query = (field: string) => `{ network { aggregations { ${field} ${survival} } } }`;
    for (const field of ['degrees', 'year'])
      await t.throwsAsync(converted.runQuery(query(field), {}), { message: /begin at the same 0/ }, field);
  }));

test('totals and facets are those of the converted records', (t) =>
  t.notThrowsAsync(facetsAgree(false, runs(30))));
test('so they are over HTTP', (t) => t.notThrowsAsync(facetsAgree(true, runs(4))));

const hitsQuery = `query($filters: JSON, $sort: [Sort], $first: Int, $after: JSON) {
  network(filters: $filters) {
    hits(first: $first, sort: $sort, searchAfter: $after) {
      total
      edges { nodeId searchAfter node { id sex days degrees year site isOpen study__year samples__grams samples__kind } }
    }
  }
}`;

interface Hits {
  readonly total: number;
  readonly edges: readonly {
    readonly searchAfter: unknown;
    readonly node: Readonly<Record<string, unknown>>;
  }[];
}

const sorts = fc.array(
  fc
    .record({
      fieldName: fc.constantFrom(
        'site',
        'study.year',
        'isOpen',
        'days',
        'degrees',
        'year',
        'samples.grams',
        'sex',
      ),
      order: fc.constantFrom('asc', 'desc'),
      missing: fc.constantFrom('first', 'last'),
      mode: fc.constantFrom(undefined, 'min', 'max'),
    })
    .map(({ mode, ...key }) => (mode === undefined ? key : { ...key, mode })),
  { maxLength: 3 },
);

const pagesAgree = (overHttp: boolean, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      collections,
      filters,
      sorts,
      fc.integer({ min: 1, max: 6 }),
      (items, requested, sort, first) =>
        compare(items, overHttp, async (converted, plain) => {
          const walk = async ({ runQuery }: Opened): Promise<readonly unknown[]> => {
            const rows: Hits['edges'][number][] = [];
            for (let after: unknown = null; ;) {
              const { hits } = (await runQuery(hitsQuery, {
                filters: requested,
                sort: [...sort, { fieldName: '_id' }],
                first,
                after,
              })) as { hits: Hits };
              rows.push(...hits.edges);
              if (hits.edges.length < first) return rows.map(({ node }) => node);
              after = hits.edges.at(-1)!.searchAfter;
            }
          };
          assert.deepEqual(await walk(converted), await walk(plain));
        }),
    ),
    { numRuns, seed: 20_260_102, includeErrorInReport: true },
  );

test('rows in any order, page by page, are those of the converted records', (t) =>
  t.notThrowsAsync(pagesAgree(false, 30)));
test('rows are the same over HTTP', (t) => t.notThrowsAsync(pagesAgree(true, 4)));
