import test, { type ExecutionContext } from 'ava';
import { guardedSearch } from '../../../../src/capabilities/disclosure/guard/guarded-search.ts';
import { draftRelease } from '../../../../src/capabilities/disclosure/release/make-release.ts';
import { readRelease, releaseText, idOf } from '../../../../src/capabilities/disclosure/release/release.ts';
import { openEmbeddedEngine } from '../../../../src/engines/embedded/embedded-engine.ts';
import type { DimensionConfig } from '../../../../src/introspection/fields/catalogue-config.ts';
import { readFields } from '../../../../src/introspection/mapping/mapping.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { catalogueSearch } from '../../../../src/local/search/search.ts';
import { exactly, lowerOf, upperOf } from '../../../../src/search/count.ts';
import type { CatalogueQuery } from '../../../../src/search/query.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { runs } from '../../../fast-check.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { contextFor } from '../../../search/request-context.ts';
import { cohort, cohortDisclosure, cohortProperties } from '../cohort.ts';
import { leaf, randomFilter } from '../random-filter.ts';
import { below, seeded } from '../random-units.ts';

/** One index, open and guarded: nothing is hidden where counts are released in steps of one. */
const bothOver = async (
  t: ExecutionContext,
  properties: JsonObject,
  documents: readonly JsonObject[],
  dimensions: readonly DimensionConfig[],
) => {
  const engine = openEmbeddedEngine(temporaryFolder(t, {}));
  t.teardown(() => engine.close());
  await engine.manage({ kind: 'create', index: 'donors', mapping: { properties } });
  const operations = documents.map((document, id) => ({ kind: 'upsert', id: String(id), document }) as const);
  await engine.write('donors', operations);
  const { fields } = readFields(properties);
  const disclosure = { ...cohortDisclosure, unit: 'record', threshold: 1, dimensions };
  const { release } = await draftRelease(
    { engine, index: 'donors', catalogueId: 'cohort', fields, disclosure },
    { earlier: [], former: null, series: 1, date: '2026-11-01' },
  );
  const text = releaseText(release);
  const settings = { catalogueId: 'cohort', lowerBoundsToOldClients: false, nameKey: Buffer.alloc(32) };
  const guarded = guardedSearch(readRelease(text, idOf(text)), settings);
  const config = bookConfig({ catalogueId: 'cohort', esIndex: 'donors' });
  const open = catalogueSearch({ config, index: 'donors', fields, engine, settings: {} });
  return {
    open: (query: CatalogueQuery) => open(query, contextFor()),
    guarded: (query: CatalogueQuery) => guarded(query, contextFor(), 'counts'),
  };
};

type Both = Awaited<ReturnType<typeof bothOver>>;

const totalOf = (filters: unknown): CatalogueQuery => ({
  filters: parseSqon(filters),
  filterThemselves: false,
  includeMissing: true,
  facets: [],
  hits: { first: 0, offset: 0, sort: [], searchAfter: null, trackTotal: true, bounded: true, fields: [] },
});

const termsOf = (field: string, filters: unknown = null, filterThemselves = false): CatalogueQuery => ({
  ...{ ...totalOf(filters), hits: null, filterThemselves },
  facets: [{ field, bounded: true, measure: { kind: 'terms', max: null } }],
});

/** The count and upper bound of each bucket, by its key. */
const bucketsOf = async (search: Both['open'], query: CatalogueQuery) => {
  const [facet] = (await search(query)).facets;
  if (facet?.kind !== 'terms') throw new Error('terms expected');
  const buckets = [...facet.buckets, { key: '__missing__', count: facet.missing }];
  return new Map(
    buckets.map(({ key, count }) => [key, { count: lowerOf(count), upper: upperOf(count)! }] as const),
  );
};

const samplesOf = (...kinds: readonly (string | null)[]) => ({
  samples: kinds.map((kind) => ({ kind, volume: 3 })),
});

test('a nested __missing__ bucket counts the records with an object without a value, as the open catalogue does', async (t) => {
  const documents = [
    ...Array<JsonObject>(5).fill({ samples: [] }),
    ...Array<JsonObject>(7).fill(samplesOf('blood')),
    ...Array<JsonObject>(11).fill(samplesOf('blood', null)),
    ...Array<JsonObject>(13).fill(samplesOf(null)),
  ];
  const kind = { fieldName: 'samples.kind', values: ['blood'] };
  const volume = { fieldName: 'samples.volume', edges: [2] };
  const missing = async (dimensions: readonly DimensionConfig[], filters: unknown = null) => {
    const { open, guarded } = await bothOver(t, cohortProperties, documents, dimensions);
    const query = termsOf('samples.kind', filters, true);
    const [shown, bounds] = [await bucketsOf(open, query), await bucketsOf(guarded, query)];
    const { count, upper } = bounds.get('__missing__')!;
    return [count, shown.get('__missing__')!.count, upper];
  };
  // which objects lack it is not released; those of another field's values are objects too
  t.deepEqual(await missing([kind]), [0, 24, 36]);
  t.deepEqual(await missing([kind, volume]), [13, 24, 36]);
  t.deepEqual(await missing([kind], leaf('in', 'samples.kind', ['blood'])), [0, 0, 0]);
  t.deepEqual(await missing([kind, volume], leaf('in', 'samples.volume', [3])), [0, 24, 31]);
});

const rounds = Number(process.env['DISCLOSURE_CASES'] ?? runs(300));

test('what the open catalogue counts lies within what the guarded catalogue answers, in each bucket', async (t) => {
  const misses: string[] = [];
  let random = seeded(1);
  let both: Both | undefined;
  for (let round = 0; round < rounds; round += 1) {
    if (both === undefined || round % 100 === 0) {
      random = seeded(round + 1);
      const documents = cohort(20 + below(random, 80), round);
      both = await bothOver(t, cohortProperties, documents, cohortDisclosure.dimensions);
    }
    const filter = randomFilter(random, below(random, 3));
    const fields = ['sex', 'site', 'genes', 'consent', 'samples.kind'];
    const field = fields[below(random, fields.length)]!;
    const query = termsOf(field, filter, random() < 0.5);
    const [shown, bounds] = [await bucketsOf(both.open, query), await bucketsOf(both.guarded, query)];
    for (const [key, { count: lower, upper }] of bounds) {
      const count = shown.get(key)?.count ?? 0;
      if (!key.endsWith('*') && key !== '__other__' && (count < lower || count > upper))
        misses.push(`${JSON.stringify(filter)}, ${field} ${key}: ${count} is not in [${lower}, ${upper}]`);
    }
  }
  t.deepEqual(misses.slice(0, 5), []);
});

const numbers: JsonObject = {
  code: { type: 'long' },
  serial: { type: 'unsigned_long' },
  ratio: { type: 'float' },
  share: { type: 'half_float' },
  price: { type: 'scaled_float', scaling_factor: 100 },
  dose: { type: 'double' },
};

const numbered: readonly JsonObject[] = [
  {
    code: '9007199254740993',
    serial: '18446744073709551615',
    ratio: 0.1,
    share: 0.1,
    price: 1.234,
    dose: 0.1,
  },
  { code: '9007199254740992', serial: '18446744073709551614', ratio: 0.2, share: 0.2, price: 1.235, dose: 1 },
  {
    code: '9007199254740993',
    serial: '9007199254740993',
    ratio: '0.10000000149011612',
    share: 0.1,
    price: 1.23,
    dose: 1e21,
  },
  { code: '-9007199254740993', serial: 7, ratio: 2, share: 2, price: 2, dose: -0 },
  { code: 12.9, serial: '7', ratio: '2.0', share: '2', price: '2.004', dose: '1e0' },
  { code: '12', ratio: [0.1, 0.3], price: [5, 5.001] },
  {},
];

const values: readonly unknown[] = [
  ...[
    '9007199254740993',
    '9007199254740992',
    '-9007199254740993',
    '18446744073709551615',
    '18446744073709551614',
  ],
  ...[7, 12, 0.1, 0.2, 0.3, '0.10000000149011612', 1.23, 1.234, 1.235, 1.24, 2, '2.0', 5, 1e21, 0, 1],
];

test('numbers that a double or four digits cannot hold are released and found as the open catalogue names them', async (t) => {
  const names = Object.keys(numbers);
  const listed = Object.fromEntries(
    names.map((name) => [name, numbered.flatMap((one) => one[name] ?? []) as (string | number)[]]),
  );
  const ways: readonly ((fieldName: string) => DimensionConfig)[] = [
    (fieldName) => ({ fieldName, most: 40 }),
    (fieldName) => ({ fieldName, values: listed[fieldName]!.slice(0, 2), other: true }),
    (fieldName) => ({ fieldName, edges: [0.1, 0.3, 1.235, 2, 12.5] }),
  ];
  for (const [way, dimension] of ways.entries()) {
    const both = await bothOver(t, numbers, numbered, names.map(dimension));
    for (const name of names) {
      const [shown, bounds] = [
        await bucketsOf(both.open, termsOf(name)),
        await bucketsOf(both.guarded, termsOf(name)),
      ];
      const listedHere = [...bounds].filter(([key]) => way < 2 && key !== '__other__');
      t.deepEqual(
        listedHere.map(([key, { count, upper }]) => [key, count, upper]).sort(),
        [...shown]
          .filter(([key]) => way === 0 || (way === 1 && bounds.has(key)))
          .map(([key, { count }]) => [key, count, count])
          .sort(),
        `${name}, ${way}`,
      );
      for (const value of values)
        for (const op of ['in', 'not-in', 'gt', 'gte', 'lt', 'lte']) {
          const query = totalOf(leaf(op, name, op.endsWith('in') ? [value] : value));
          const count = exactly((await both.open(query)).total)!;
          const { total } = await both.guarded(query);
          const found = [lowerOf(total!), upperOf(total!)];
          if (way === 0) t.deepEqual(found, [count, count], `${name} ${op} ${value}`);
          else
            t.true(count >= found[0]! && count <= found[1]!, `${name} ${op} ${value}: ${count} in ${found}`);
        }
    }
  }
});

test('what cannot be a number of a field is refused where it is declared', async (t) => {
  const refused = async (fieldName: string, ...values: readonly (string | number)[]) =>
    (await t.throwsAsync(bothOver(t, numbers, numbered, [{ fieldName, values }])))!.message;
  t.regex(await refused('code', 'twelve'), /code is a number: "twelve" is none/);
  t.regex(await refused('code', 1.5), /code is of type long, which has no value 1\.5/);
  t.regex(await refused('serial', -1), /serial is of type unsigned_long, which has no value -1/);
  // how JSON reads 9007199254740993
  t.regex(await refused('code', 9_007_199_254_740_992), /may have lost digits here, .* write it as text/);
  t.regex(await refused('ratio', 0.1, '0.10000000149011612'), /is counted in 0\.1, which is before it/);
  t.regex(await refused('price', 1.23, 1.234), /1\.234 is counted in 1\.23, which is before it/);
});

test('edges beyond 2^53 divide longs exactly', async (t) => {
  const edge = 2 ** 53;
  const documents = ['9007199254740991', '9007199254740992', '9007199254740993', '9223372036854775807'].map(
    (code) => ({ code }),
  );
  const { open, guarded } = await bothOver(t, numbers, documents, [
    { fieldName: 'code', edges: [edge, 2 ** 60] },
  ]);
  for (const [op, value] of [
    ['lt', '9007199254740992'],
    ['gte', '9007199254740992'],
    ['lte', '9007199254740991'],
    ['gt', '9007199254740991'],
    ['lt', '1152921504606846976'],
    ['gte', '1152921504606846976'],
    ['gt', '9007199254740992'],
  ] as const) {
    const query = totalOf(leaf(op, 'code', value));
    const count = (await open(query)).total!;
    const { total } = await guarded(query);
    const isCut = value === '9007199254740992' && op === 'gt';
    t.deepEqual([lowerOf(total!), upperOf(total!)], isCut ? [1, 3] : [count, count], `${op} ${value}`);
  }
});

test('a pattern counts all that it matches, in its bucket as in a filter, though others before it are listed too', async (t) => {
  const sites = { 'C50.1': 11, 'C50.9': 7, 'C51.0': 5, 'C34.1': 3, D12: 2 };
  const documents = Object.entries(sites).flatMap(([site, size]) => Array<JsonObject>(size).fill({ site }));
  const values = ['C50.1', 'C50*', 'C5*', 'C34.1'];
  const { open, guarded } = await bothOver(t, cohortProperties, documents, [{ fieldName: 'site', values }]);
  const buckets = await bucketsOf(guarded, termsOf('site'));
  t.deepEqual(
    [...buckets].map(([key, { count, upper }]) => [key, count, upper]),
    [
      ['C50.1', 11, 11],
      ['C50*', 18, 18],
      ['C5*', 23, 23],
      ['C34.1', 3, 3],
      ['__other__', 2, 2],
      ['__missing__', 0, 0],
    ],
  );
  for (const value of ['C50*', 'C5*', 'C50.1', 'C34.1'])
    for (const op of ['in', 'not-in']) {
      const query = totalOf(leaf(op, 'site', [value]));
      const count = (await open(query)).total!;
      const { total } = await guarded(query);
      t.is(total, count, `${op} ${value}`);
    }
});

test('a unit is counted in every range that it is in', async (t) => {
  const documents = [5, 15, 15, 25, 25, 25, 35].map((age) => ({ age }));
  const { guarded } = await bothOver(t, cohortProperties, documents, [
    { fieldName: 'age', edges: [10, 20, 30] },
  ]);
  const ranges = [
    { key: 'a', to: 20 },
    { key: 'b', from: 10, to: 30 },
    { key: 'c', from: 20 },
    { key: 'd', from: 10, to: 25 },
  ];
  const facet = { field: 'age', bounded: true, measure: { kind: 'range', ranges } } as const;
  const { facets } = await guarded({ ...totalOf(null), hits: null, facets: [facet] });
  const [found] = facets;
  t.deepEqual(
    found?.kind === 'range' && found.buckets.map(({ key, count }) => [key, lowerOf(count), upperOf(count)]),
    [
      ['a', 3, 3],
      ['b', 5, 5],
      ['c', 4, 4],
      ['d', 2, 5],
    ],
  );
});

const typed: JsonObject = {
  address: { type: 'ip' },
  build: { type: 'version' },
  country: { type: 'constant_keyword', value: 'NO' },
  name: { type: 'text', fields: { exact: { type: 'keyword' } } },
  called: { type: 'alias', path: 'name.exact' },
  samples: {
    type: 'nested',
    properties: { source: { type: 'constant_keyword', value: 'biobank' }, seen: { type: 'ip' } },
  },
};

const typedDocuments: readonly JsonObject[] = [
  { address: '10.0.0.1', build: '1.2.9', name: 'Ada', samples: [{ seen: '10.0.0.1' }, {}] },
  { address: '::ffff:10.0.0.1', build: '1.2.10', name: 'Ada', samples: [] },
  { address: '2001:db8::1', build: '1.2.10-alpha', country: 'NO', name: 'Bo' },
  { address: '2001:0DB8:0:0::1', build: '1.10.0', name: 'Bo', samples: [{ seen: '::ffff:10.1.2.3' }] },
  { address: ['10.1.2.3', '192.168.0.9'], build: ['1.2.9', '2.0.0'], samples: [{ source: 'biobank' }] },
  { build: 'nightly' },
  {},
];

test('addresses, versions, constants, aliases and multi-fields are released and found as the open catalogue counts them', async (t) => {
  const names = ['address', 'build', 'country', 'name.exact', 'called', 'samples.source', 'samples.seen'];
  const listed: Readonly<Record<string, readonly string[]>> = {
    address: ['::FFFF:10.0.0.1', '2001:db8:0::1'],
    build: ['1.2.9', '1.2.*'],
    country: ['NO'],
    'name.exact': ['Ada'],
    called: ['B*'],
    'samples.source': ['biobank'],
    'samples.seen': ['10.0.0.1'],
  };
  const sought: readonly (readonly [op: string, field: string, values: readonly string[]])[] = [
    ...[
      '10.0.0.1',
      '::ffff:a00:1',
      '10.0.0.0/8',
      '10.0.0.0/31',
      '2001:db8::/32',
      '2001:db8::1',
      '0.0.0.0/0',
      '1.1.1.1',
    ].flatMap((value) =>
      ['address', 'samples.seen'].flatMap((field) =>
        ['in', 'not-in', 'some-not-in'].map((op) => [op, field, [value]] as const),
      ),
    ),
    ...['10.0.0.1', '10.1.2.3', '2001:db8::1', '::'].flatMap((value) =>
      ['address', 'samples.seen'].flatMap((field) =>
        ['gt', 'gte', 'lt', 'lte'].map((op) => [op, field, [value]] as const),
      ),
    ),
    ...['1.2.9', '1.2.10', '1.2.10-alpha', '2.0.0', 'nightly', '1.3', '0'].flatMap((value) =>
      ['gt', 'gte', 'lt', 'lte', 'in', 'not-in'].map((op) => [op, 'build', [value]] as const),
    ),
    ...['NO', 'SE', 'N*', '__missing__'].flatMap((value) =>
      ['in', 'not-in'].map((op) => [op, 'country', [value]] as const),
    ),
    ...['Ada', 'Bo', 'ada', 'A*', '__missing__'].flatMap((value) =>
      ['name.exact', 'called'].flatMap((field) =>
        ['in', 'not-in'].map((op) => [op, field, [value]] as const),
      ),
    ),
    ...['biobank', 'other', '__missing__'].flatMap((value) =>
      ['in', 'not-in'].map((op) => [op, 'samples.source', [value]] as const),
    ),
    ['between', 'address', ['10.0.0.0', '10.255.255.255']],
    ['between', 'build', ['1.2.9', '1.10']],
  ];
  for (const isListed of [false, true]) {
    const dimensions = names.map((fieldName) => ({
      fieldName,
      ...(isListed ? { values: listed[fieldName]! } : { most: 40 }),
    }));
    const { open, guarded } = await bothOver(t, typed, typedDocuments, dimensions);
    for (const [op, field, values] of sought) {
      const query = totalOf(leaf(op, field, op.endsWith('in') || op === 'between' ? values : values[0]));
      const count = exactly((await open(query)).total);
      const { total } = await guarded(query);
      const found = [lowerOf(total!), upperOf(total!)!] as const;
      const label = `${op} ${field} ${values.join()}, ${isListed}: ${count} in ${found.join(' to ')}`;
      t.true(count! >= found[0] && count! <= found[1], label);
      // which nested object has a value is not released, nor are values that are not listed
      if (!isListed && !field.startsWith('samples')) t.is(found[0], found[1], label);
    }
    for (const name of names) {
      const [shown, bounds] = [await bucketsOf(open, termsOf(name)), await bucketsOf(guarded, termsOf(name))];
      for (const [key, { count, upper }] of bounds) {
        if (key.endsWith('*') || key === '__other__') continue;
        const truth = shown.get(key)?.count ?? 0;
        t.true(truth >= count && truth <= upper, `${name} ${key}: ${truth} in ${count} to ${upper}`);
      }
      if (!isListed)
        t.deepEqual(
          [...shown.keys()].filter((key) => !bounds.has(key)),
          [],
          name,
        );
    }
  }
});

test('what cannot be a value of an address, and fields that texts are searched by, are refused where they are declared', async (t) => {
  const refused = async (fieldName: string, ...declared: readonly string[]) =>
    (await t.throwsAsync(bothOver(t, typed, typedDocuments, [{ fieldName, values: declared }])))!.message;
  t.regex(await refused('address', 'somewhere'), /address is of type ip: "somewhere" is not an address/);
  t.regex(
    await refused('address', '10.0.0.0/8'),
    /address is of type ip: "10\.0\.0\.0\/8" is not an address/,
  );
  t.regex(await refused('address', '10.0.*'), /address is of type ip: "10\.0\.\*" is not an address/);
  t.regex(
    await refused('address', '10.0.0.1', '::ffff:10.0.0.1'),
    /is counted in 10\.0\.0\.1, which is before it/,
  );
  t.regex(await refused('name', 'Ada'), /name is of type text/);
});
