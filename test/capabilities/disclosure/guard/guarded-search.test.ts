import test from 'ava';
import { guardedSearch } from '../../../../src/capabilities/disclosure/guard/guarded-search.ts';
import type { Release } from '../../../../src/capabilities/disclosure/release/release.ts';
import { idOf, releaseText } from '../../../../src/capabilities/disclosure/release/release.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { lowerOf, upperOf, type Count } from '../../../../src/search/count.ts';
import type { CatalogueQuery } from '../../../../src/search/query.ts';
import type { RequestContext } from '../../../../src/search/request-context.ts';
import { compileSqon } from '../../../../src/sqon/compile.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { satisfies } from '../../../engines/naive/judge.ts';
import { runs } from '../../../fast-check.ts';
import { contextFor } from '../../../search/request-context.ts';
import { cohort, cohortFields, cohortProperties, drafted } from '../cohort.ts';
import { leaf, randomFilter } from '../random-filter.ts';
import { below, seeded } from '../random-units.ts';

const contextWith = (access: unknown = null): RequestContext =>
  contextFor({ accessFilter: () => parseSqon(access) });

const boundsOf = (count: Count): [number, number | null] => [lowerOf(count), upperOf(count)];

const total = (filters: unknown): CatalogueQuery => ({
  filters: parseSqon(filters),
  filterThemselves: false,
  includeMissing: true,
  facets: [],
  hits: { first: 0, offset: 0, sort: [], searchAfter: null, trackTotal: true, bounded: true, fields: [] },
});

const nameKey = Buffer.alloc(32, 7);
const settings = { catalogueId: 'cohort', lowerBoundsToOldClients: false, nameKey };
const released = async (documents: readonly JsonObject[], changes = {}): Promise<Release> => ({
  id: 'release',
  ...(await drafted(documents, changes)).release,
});

const questions = Number(process.env['DISCLOSURE_CASES'] ?? runs(400));

test('the count of every filter lies between the bounds that are answered', async (t) => {
  const misses: string[] = [];
  for (let seed = 0; seed * 200 < questions; seed += 1) {
    const random = seeded(seed);
    const documents = cohort(30 + below(random, 400), seed);
    const search = guardedSearch(await released(documents), settings);
    for (let round = 0; round < 200; round += 1) {
      const filter = randomFilter(random, below(random, 4));
      const compiled = compileSqon(parseSqon(filter), cohortFields);
      const count = documents.filter((object, index) =>
        satisfies(cohortProperties, compiled, { id: String(index), object, path: '' }),
      ).length;
      const [lower, upper] = boundsOf((await search(total(filter), contextWith(), 'counts')).total!);
      if (count < lower || count > upper!)
        misses.push(`seed ${seed}, ${JSON.stringify(filter)}: ${count} is not in [${lower}, ${upper}]`);
    }
  }
  t.deepEqual(misses, []);
});

test('a facet has all cells of its dimension in their order, with bounds that its counts lie in', async (t) => {
  const documents = cohort(500, 1);
  const search = guardedSearch(await released(documents), settings);
  const facet = { field: 'sex', measure: { kind: 'terms', max: null }, bounded: true } as const;
  const query = { ...total(leaf('in', 'consent', [true])), hits: null, facets: [facet] };
  const { facets } = await search(query, contextWith(), 'counts');
  const [found] = facets;
  const counts = (sex: string | undefined) =>
    documents.filter(
      (one) => one['consent'] === true && (sex === 'rest' ? one['sex'] === 'other' : one['sex'] === sex),
    ).length;
  if (found?.kind !== 'terms') return t.fail();
  t.deepEqual(
    found.buckets.map(({ key }) => key),
    ['female', 'male', '__other__'],
  );
  const shown = [...found.buckets.map(({ count }) => count), found.missing].map(boundsOf);
  for (const [index, sex] of ['female', 'male', 'rest', undefined].entries()) {
    const [lower, upper] = shown[index]!;
    t.true(counts(sex) >= lower && counts(sex) <= upper!, String(sex));
  }
});

test('how many values a release has does not depend on how many are listed', async (t) => {
  const search = guardedSearch(await released(cohort(500, 1)), settings);
  const distinct = async (measure: object) => {
    const facet = { field: 'sex', measure: { kind: 'terms', max: null, ...measure }, bounded: true } as const;
    const { facets } = await search({ ...total(null), facets: [facet] }, contextWith(), 'counts');
    return facets[0]?.kind === 'terms' ? [facets[0].buckets.length, facets[0].distinct] : [];
  };
  t.deepEqual(await distinct({}), [3, 3]);
  t.deepEqual(await distinct({ max: 1 }), [1, 3]);
  t.deepEqual(await distinct({ max: 1, matching: 'male' }), [1, 2]);
});

test('the boolean tier learns of a count whether it is at least the threshold, and nothing else', async (t) => {
  const search = guardedSearch(await released(cohort(500, 1)), settings);
  const totalOf = async (filter: unknown) => (await search(total(filter), contextWith(), 'boolean')).total;
  t.deepEqual(await totalOf(null), { lower: 10, upper: null });
  t.deepEqual(await totalOf(leaf('in', 'sex', ['female'])), { lower: 10, upper: null });
  t.deepEqual(await totalOf(leaf('in', 'sex', [])), { lower: 0, upper: null });
});

test('a count of exactly the threshold exists for the boolean tier', async (t) => {
  const search = guardedSearch(await released(cohort(10, 1)), settings);
  const { total: shown } = await search(total(null), contextWith(), 'boolean');
  t.deepEqual(shown, { lower: 10, upper: null });
});

const refused: Readonly<Record<string, Partial<CatalogueQuery>>> = {
  hits: { hits: { ...total(null).hits!, first: 1 } },
  'a further page': { hits: { ...total(null).hits!, offset: 10 } },
  'a forged cursor': { hits: { ...total(null).hits!, searchAfter: ['D1'] } },
  'a sort': { hits: { ...total(null).hits!, sort: [{ fieldName: 'sex', order: 'asc' }] } },
  'a total without its bounds': {
    hits: { first: 0, offset: 0, sort: [], searchAfter: null, trackTotal: true, fields: [] },
  },
  'a field that is not released': { filters: parseSqon(leaf('in', 'surname', ['Name 1'])) },
  'a field that is not there': { filters: parseSqon(leaf('in', 'nothing', ['Name 1'])) },
  'the key of a record': { filters: parseSqon(leaf('in', '_id', ['1'])) },
  'a saved set': { filters: parseSqon(leaf('in', 'sex', ['set_id:a'])) },
  'a search': { filters: parseSqon({ op: 'search', content: { fieldNames: ['sex'], value: 'f' } }) },
  'a wildcard': { filters: parseSqon({ op: 'wildcard', content: { fieldNames: ['sex'], value: 'f*' } }) },
  'a facet of a field that is not released': {
    facets: [{ field: 'surname', bounded: true, measure: { kind: 'terms', max: null } }],
  },
  'a facet of a field that is not there': {
    facets: [{ field: 'nothing', bounded: true, measure: { kind: 'terms', max: null } }],
  },
  'top hits': {
    facets: [
      {
        field: 'sex',
        bounded: true,
        measure: { kind: 'terms', max: null, topHits: { source: null, size: 1 } },
      },
    ],
  },
  stats: { facets: [{ field: 'age', bounded: true, measure: { kind: 'stats' } }] },
  cardinality: { facets: [{ field: 'sex', bounded: true, measure: { kind: 'cardinality' } }] },
  percentiles: { facets: [{ field: 'age', bounded: true, measure: { kind: 'percentiles' } }] },
  'an interval of its own': {
    facets: [{ field: 'age', bounded: true, measure: { kind: 'histogram', interval: 1 } }],
  },
  'a finer calendar': {
    facets: [
      {
        field: 'enrolled',
        bounded: true,
        measure: { kind: 'date_histogram', interval: 'month', timeZone: 'UTC' },
      },
    ],
  },
  'another time zone': {
    facets: [
      {
        field: 'enrolled',
        bounded: true,
        measure: { kind: 'date_histogram', interval: 'year', timeZone: 'Asia/Singapore' },
      },
    ],
  },
};

test('counts of every kind are refused without their bounds, which a client would show as exact', async (t) => {
  const search = guardedSearch(await released(cohort(60, 1)), settings);
  const measures = [
    { kind: 'terms', max: null },
    { kind: 'groups', sets: [{ key: 'all', values: ['female'] }] },
    { kind: 'range', ranges: [{ key: 'old', from: 60 }] },
    { kind: 'histogram', interval: 20 },
    { kind: 'date_histogram', interval: 'year', timeZone: 'UTC' },
  ] as const;
  for (const measure of measures)
    await t.throwsAsync(
      search({ ...total(null), facets: [{ field: 'sex', measure }] }, contextWith(), 'counts'),
      { code: 'NOT_DISCLOSED', message: /select upper_bound beside total and doc_count/ },
      measure.kind,
    );
});

for (const [what, query] of Object.entries(refused))
  test(`refused: ${what}`, async (t) => {
    const search = guardedSearch(await released(cohort(60, 1)), settings);
    const error = await t.throwsAsync(search({ ...total(null), ...query }, contextWith(), 'counts'));
    t.like(error, { code: 'NOT_DISCLOSED' });
  });

test('unknown and unreleased fields are refused with the same words', async (t) => {
  const search = guardedSearch(await released(cohort(60, 1)), settings);
  const stated = async (fieldName: string) =>
    (await t.throwsAsync(search(total(leaf('in', fieldName, ['x'])), contextWith(), 'counts')))!.message;
  t.is(await stated('surname'), await stated('nothing'));
});

test('years and ranges of released edges are answered, of any era', async (t) => {
  const search = guardedSearch(await released(cohort(500, 1)), settings);
  const keys = async (
    field: string,
    measure: CatalogueQuery['facets'][number]['measure'],
    searched = search,
  ) => {
    const { facets } = await searched(
      { ...total(null), hits: null, facets: [{ field, measure, bounded: true }] },
      contextWith(),
      'counts',
    );
    const [facet] = facets;
    return facet !== undefined && 'buckets' in facet
      ? facet.buckets.map(({ key, keyAsString }) => keyAsString ?? key)
      : [];
  };
  t.deepEqual(
    await keys('enrolled', { kind: 'date_histogram', interval: 'year', timeZone: 'UTC' }),
    [2015, 2016, 2017, 2018].map((year) => `${year}-01-01T00:00:00.000Z`),
  );
  for (const [calendar, from, to, starts] of [
    ['year', '0098', '0101', ['0098-01', '0099-01', '0100-01', '0101-01']],
    ['quarter', '-0044-03', '-0044-09', ['-000044-01', '-000044-04', '-000044-07']],
  ] as const) {
    const dimensions = [{ fieldName: 'enrolled', calendar, from, to }];
    const ancient = guardedSearch(await released(cohort(500, 1), { dimensions }), settings);
    t.deepEqual(
      await keys('enrolled', { kind: 'date_histogram', interval: calendar, timeZone: 'UTC' }, ancient),
      starts.map((start) => `${start}-01T00:00:00.000Z`),
    );
  }
  t.deepEqual(await keys('age', { kind: 'histogram', interval: 20 }), ['20', '40']);
  t.deepEqual(await keys('age', { kind: 'range', ranges: [{ key: 'young', to: 40 }] }), ['young']);
});

test('a range of a number whose values are counted has those within it, and maybe some of the others', async (t) => {
  const ages = [...Array<number>(40).fill(30), ...Array<number>(25).fill(31), ...Array<number>(20).fill(50)];
  const without = Array.from({ length: 30 }, (_, number) => ({ donor_id: `W${number}` }));
  const documents = [...ages.map((age, number) => ({ donor_id: `D${number}`, age })), ...without];
  const dimensions = [{ fieldName: 'age', values: [30, 31] }];
  const search = guardedSearch(await released(documents, { dimensions }), settings);
  const of = async (op: string, value: unknown) => {
    const answer = await search(total(leaf(op, 'age', value)), contextWith(), 'counts');
    return boundsOf(answer.total!);
  };
  t.deepEqual(await of('in', [30]), [40, 49]);
  t.deepEqual(await of('between', [30, 30.5]), [40, 89 - 20]);
  t.deepEqual(await of('gte', 30), [60, 89]);
  t.deepEqual(await of('gt', 31), [0, 29]);
  // nor is there an edge that a percentile could be read from
  const measure = { kind: 'percentiles', orReleased: true } as const;
  const facets = [{ field: 'age', measure, bounded: true } as const];
  const error = await t.throwsAsync(search({ ...total(null), hits: null, facets }, contextWith(), 'counts'));
  t.like(error, { code: 'NOT_DISCLOSED' });
});

test('all values of a released pattern are among those of a wider pattern', async (t) => {
  const sites = [...Array<string>(40).fill('C50.1'), ...Array<string>(35).fill('C50.9')];
  const documents = [...sites, ...Array<string>(27).fill('C34.1')].map((site, number) => ({
    donor_id: `D${number}`,
    site,
  }));
  const search = guardedSearch(await released(documents), settings);
  for (const [value, bounds] of [
    ['C5*', [70, 89]],
    ['C50*', [70, 88]],
    ['C50.*', [40, 88]],
    ['*', [90, 109]],
  ] as const) {
    const answer = await search(total(leaf('in', 'site', [value])), contextWith(), 'counts');
    t.deepEqual(boundsOf(answer.total!), [...bounds], value);
  }
});

test('strata are answered apart, and a caller of some gets their sum', async (t) => {
  const documents = cohort(500, 3);
  const search = guardedSearch(await released(documents, { strata: 'study' }), settings);
  const of = async (access: unknown) => {
    const answer = await search(total(null), contextWith(access), 'counts');
    return boundsOf(answer.total!);
  };
  const count = (study: string) => documents.filter((one) => one['study'] === study).length;
  const interval = (study: string) => [
    Math.floor(count(study) / 10) * 10,
    Math.floor(count(study) / 10) * 10 + 9,
  ];
  const [north, south] = [interval('north'), interval('south')];
  t.deepEqual(await of(leaf('in', 'study', ['north'])), north);
  t.deepEqual(await of(null), [north[0]! + south[0]!, north[1]! + south[1]!]);
  t.deepEqual(await of(leaf('in', 'study', ['north', 'south'])), await of(null));
  // of two rules
  const both = ['north', 'south'].map((study) => leaf('in', 'study', [study]));
  t.deepEqual(await of({ op: 'or', content: both }), await of(null));
});

test('an access rule that is not of strata gets nothing', async (t) => {
  const search = guardedSearch(await released(cohort(500, 3), { strata: 'study' }), settings);
  for (const access of [
    leaf('in', 'sex', ['male']),
    leaf('not-in', 'study', ['north']),
    leaf('in', 'study', ['n*']),
    leaf('in', 'study', ['__missing__']),
    { op: 'and', content: [leaf('in', 'study', ['north']), leaf('in', 'study', ['south', 'north'])] },
    { op: 'or', content: [leaf('in', 'study', ['north']), leaf('in', 'sex', ['male'])] },
  ])
    t.like(await t.throwsAsync(search(total(null), contextWith(access), 'counts')), { code: 'FORBIDDEN' });
  const unknown = contextWith(leaf('in', 'study', ['west']));
  t.like(await t.throwsAsync(search(total(null), unknown, 'counts')), { code: 'NOT_DISCLOSED' });
});

test('old clients get lower bounds where the institution says so', async (t) => {
  const release = await released(cohort(500, 1));
  const search = guardedSearch(release, { ...settings, lowerBoundsToOldClients: true });
  const query = {
    ...total(null),
    hits: { ...total(null).hits!, bounded: undefined },
  } as unknown as CatalogueQuery;
  t.is(lowerOf((await search(query, contextWith(), 'counts')).total!), 500);
});

test('what names an answer depends on the strata and the tier of its caller alone, and on a secret', async (t) => {
  const documents = cohort(500, 3);
  const isSouth = (one: JsonObject) => one['study'] === 'south';
  // the same south, another north
  const others = [...documents.filter(isSouth), ...cohort(700, 9).filter((one) => !isSouth(one))].map(
    (one, index) => ({ ...one, donor_id: `E${index}` }),
  );
  const dimensions = [
    { fieldName: 'sex', values: ['female'] },
    { fieldName: 'age', edges: [20, 40, 60] },
  ];
  const strata = { strata: 'study', dimensions };
  const [release, other] = [await released(documents, strata), await released(others, strata)];
  const named = async (
    from: Release,
    study: string | null,
    tier: 'counts' | 'boolean' = 'counts',
    changes = {},
  ) => {
    const context = contextWith(study === null ? null : leaf('in', 'study', [study]));
    const query = total(null);
    const { origin } = await guardedSearch(from, { ...settings, ...changes })(query, context, tier);
    t.deepEqual([...context.trace.generations], [[origin!.generation, null]]);
    return origin!.generation!;
  };
  t.is(await named(release, 'south'), await named(other, 'south'));
  const names = [
    await named(release, 'south'),
    await named(release, 'north'),
    await named(other, 'north'),
    await named(release, null),
    await named(release, 'south', 'boolean'),
    await named(release, 'south', 'counts', { nameKey: Buffer.alloc(32, 8) }),
  ];
  t.is(new Set(names).size, names.length);
  // somebody of one stratum who guessed the other could check the guess by the hash of the whole
  t.false(names.some((name) => name.includes(release.id) || name.includes(idOf(releaseText(release)))));
});

test('an interval is answered if the released edges are its multiples, all of them, else refused with the edges', async (t) => {
  const edges = [10, 20, 40, 60];
  const dimensions = [{ fieldName: 'age', edges }];
  const search = guardedSearch(await released(cohort(500, 1), { dimensions }), settings);
  const keys = async (interval: number) => {
    const facet = { field: 'age', bounded: true, measure: { kind: 'histogram', interval } } as const;
    const { facets } = await search({ ...total(null), hits: null, facets: [facet] }, contextWith(), 'counts');
    const [found] = facets;
    return found?.kind === 'histogram' ? found.buckets.map(({ key }) => key) : null;
  };
  // 20 would leave out what is before 20, 15 and 30 begin elsewhere, 50 ends elsewhere
  for (const interval of [20, 15, 30, 50])
    t.like(await t.throwsAsync(keys(interval)), { code: 'NOT_DISCLOSED', details: { edges } });
  const even = guardedSearch(
    await released(cohort(500, 1), { dimensions: [{ fieldName: 'age', edges: [20, 40, 50, 60] }] }),
    settings,
  );
  const facet = { field: 'age', bounded: true, measure: { kind: 'histogram', interval: 20 } } as const;
  const { facets } = await even({ ...total(null), hits: null, facets: [facet] }, contextWith(), 'counts');
  const [found] = facets;
  t.deepEqual(found?.kind === 'histogram' && found.buckets.map(({ key }) => key), ['20', '40']);
});

test('values that a pattern before them takes are refused, as they would count nobody', async (t) => {
  for (const values of [
    ['C50*', 'C50.1'],
    ['C*', 'C50*'],
    ['C50.1', 'C50.1'],
  ])
    t.regex(
      (await t.throwsAsync(released(cohort(60, 1), { dimensions: [{ fieldName: 'site', values }] })))!
        .message,
      /is counted in .*, which is before it, and nowhere else: list it first/,
    );
  const dimensions = [{ fieldName: 'site', values: ['C50.1', 'C50*', 'C5*'] }];
  await t.notThrowsAsync(released(cohort(60, 1), { dimensions }));
});

test('a facet of keys that contain a text does not count the records without a value', async (t) => {
  const search = guardedSearch(await released(cohort(500, 1)), settings);
  const missingIn = async (measure: object) => {
    const facet = { field: 'sex', measure: { kind: 'terms', max: null, ...measure }, bounded: true } as const;
    const { facets } = await search({ ...total(null), hits: null, facets: [facet] }, contextWith(), 'counts');
    const [found] = facets;
    return found?.kind === 'terms' ? boundsOf(found.missing) : null;
  };
  t.true((await missingIn({}))![1]! > 0);
  t.deepEqual(await missingIn({ matching: 'male' }), [0, 0]);
});
