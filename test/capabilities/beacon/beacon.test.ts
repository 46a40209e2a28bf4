import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import test, { type ExecutionContext } from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { doorsOf } from '../../../src/server/http/capability.ts';
import { standard } from '../../../src/standard.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../src/lib/json/json.ts';
import { folderWithRelease, serveRelease, throwingEngine } from '../disclosure/served-release.ts';
import { documents } from '../disclosure/doors/doors.ts';
import { phenotypeTerms, servePatients } from '../served-patients.ts';
import { testNetwork } from '../../builders.ts';

const { schemas } = JSON.parse(readFileSync(new URL('beacon-schemas.json', import.meta.url), 'utf8')) as {
  readonly schemas: Readonly<Record<string, JsonObject>>;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
for (const [path, schema] of Object.entries(schemas)) ajv.addSchema(schema, `https://beacon.test/${path}`);

/** Asserts that a body is valid, and returns it. */
const valid = (t: ExecutionContext, name: string, body: unknown): JsonObject => {
  const isValid = ajv.getSchema(`https://beacon.test/responses/${name}.json`)!;
  t.true(isValid(body), `${name}: ${ajv.errorsText(isValid.errors)}`);
  return body as JsonObject;
};

const read = async (response: Promise<Response>): Promise<JsonObject> =>
  (await (await response).json()) as JsonObject;

const bases = ['/oslo/beacon', '/network/beacon', '/beacon'];

for (const base of bases)
  test(`${base}: every answer has the form of the standard`, async (t) => {
    const { get, post, url } = await servePatients(t, { beacon: { records: true } });
    const forms: Readonly<Record<string, string>> = {
      '': 'beaconInfoResponse',
      '/': 'beaconInfoResponse',
      '/info': 'beaconInfoResponse',
      '/service-info': 'ga4gh-service-info-1-0-0-schema',
      '/configuration': 'beaconConfigurationResponse',
      '/map': 'beaconMapResponse',
      '/entry_types': 'beaconEntryTypesResponse',
      '/filtering_terms': 'beaconFilteringTermsResponse',
      '/filtering_terms?limit=2': 'beaconFilteringTermsResponse',
      '/datasets': 'beaconCollectionsResponse',
      '/individuals': 'beaconCountResponse',
      '/individuals?requestedGranularity=boolean': 'beaconBooleanResponse',
      '/individuals?requestedGranularity=record&limit=3': 'beaconResultsetsResponse',
      '/individuals/oslo-3?requestedGranularity=record': 'beaconResultsetsResponse',
      '/individuals?filters=nothing': 'beaconErrorResponse',
      '/g_variants': 'beaconErrorResponse',
    };
    for (const [path, form] of Object.entries(forms)) valid(t, form, await read(get(base + path)));
    const body = { meta: { apiVersion: 'v2.0' }, query: { requestedGranularity: 'record' } };
    valid(t, 'beaconResultsetsResponse', await read(post(`${base}/individuals`, body)));
    valid(t, 'beaconErrorResponse', await read(post(`${base}/info`, {})));
    const map = await read(get(`${base}/map`));
    t.true(
      JSON.stringify(map).includes(`${url}${base === '/beacon' ? '/network/beacon' : base}/individuals`),
    );
  });

test('a portal that wants records gets counts where records are withheld', async (t) => {
  const { post } = await servePatients(t);
  const query = {
    requestedGranularity: 'record',
    includeResultsetResponses: 'HIT',
    pagination: { skip: 0, limit: 10 },
    filters: [{ id: 'HP:0001250', scope: 'individual' }],
  };
  const body = await read(post('/network/beacon/individuals', { meta: { apiVersion: '2.0' }, query }));
  t.like(body['meta'], { returnedGranularity: 'count' });
  t.like(body['responseSummary'], { exists: true, numTotalResults: 50, countPrecision: 'exact' });
  const { resultSets } = body['response'] as { readonly resultSets: readonly JsonObject[] };
  t.deepEqual(
    resultSets.map(({ id, setType, exists, resultsCount, results }) => [
      id,
      setType,
      exists,
      resultsCount,
      results,
    ]),
    [
      ['bergen', 'dataset', true, 20, []],
      ['oslo', 'dataset', true, 30, []],
    ],
  );
});

test('records are the documents, or where the projection puts their values, page by page', async (t) => {
  const whole = await servePatients(t, { beacon: { records: true } });
  const path = '/oslo/beacon/individuals?requestedGranularity=record&filters=sex:Female';
  const rows = async (get: typeof whole.get, query: string): Promise<readonly JsonObject[]> => {
    const { response } = await read(get(path + query));
    return (response as { resultSets: readonly { results: readonly JsonObject[] }[] }).resultSets[0]!.results;
  };
  const first = await rows(whole.get, '&limit=15');
  const second = await rows(whole.get, '&limit=15&skip=1');
  t.is(new Set([...first, ...second].map(({ id }) => id)).size, 20);
  t.true(first.every(({ sex }) => sex === 'Female'));
  t.is((await rows(whole.get, '&limit=0')).length, 20);
  const projection = { 'sex.label': 'sex', 'measures.tissues': 'samples.tissue' };
  const projected = await servePatients(t, { beacon: { records: true, projection } });
  t.deepEqual((await rows(projected.get, '&limit=1'))[0], {
    id: 'oslo-0',
    sex: { label: 'Female' },
    measures: { tissues: ['blood'] },
  });
});

test('a single record is found whatever characters its id has, in any spelling of the path', async (t) => {
  const { get, engine, url } = await servePatients(t);
  const ids = ['100%', 'a/b', 'a%2Fb', 'ä b'];
  await engine.write(
    'oslo',
    ids.map((id) => ({ kind: 'upsert', id, document: { sex: 'Female' } })),
  );
  for (const id of ids)
    t.like((await read(get(`/oslo/beacon/individuals/${encodeURIComponent(id)}`)))['responseSummary'], {
      numTotalResults: 1,
    });
  t.is((await get('/oslo/beacon/individuals/%')).status, 400);
  const map = await read(get('/oslo/BEACON/map'));
  t.true(JSON.stringify(map).includes(`"${url}/oslo/beacon/individuals"`), JSON.stringify(map));
});

test('filters of an address: terms, fields with values, comparisons, durations, wildcards', async (t) => {
  const terms = [
    { id: 'NCIT:C16576', label: 'female', fieldName: 'sex', value: 'Female' },
    { prefix: 'HP', fieldName: 'phenotypes' },
  ];
  const { get } = await servePatients(t, { beacon: { terms } });
  const total = async (filters: string): Promise<unknown> => {
    const { responseSummary, error } = await read(
      get(`/oslo/beacon/individuals?filters=${encodeURIComponent(filters)}`),
    );
    return isJsonObject(responseSummary)
      ? responseSummary['numTotalResults']
      : (error as JsonObject)['errorMessage'];
  };
  t.is(await total('HP:0001250,NCIT:C16576'), 10);
  t.is(await total('sex:Female'), 20);
  t.is(await total('sex=Female'), 20);
  t.is(await total('sex!Female'), 40);
  t.is(await total('age>=80'), await total('age>79'));
  for (let age = 1; age < 90; age++) t.is(await total(`age<P${age}Y`), await total(`age<${age}`));
  t.is(await total('age>P948M'), await total('age>79'));
  t.is(await total('alive:false'), 15);
  t.is(await total('allele:HLA-A*02:01'), 20);
  t.is(await total('allele:HLA-A*02:%'), 40);
  t.is(await total('allele:HLA-?*02:%'), 0);
  t.is(await total('notes:visit 3'), 1);
  t.is(await total('notes:vis*'), 0);
  t.is(await total('samples.tissue:blood'), 30);
  t.is(await total('born>1980-01-01'), 10);
  t.is(await total('OMIM:607208'), 28);
  t.is(await total('HP:9999999'), 0);
  t.regex(String(await total('MONDO:0000001')), /is not a term or field of this beacon/);
  t.regex(String(await total('sexx:Female')), /did you mean sex\?/);
  t.regex(String(await total('sex>Female')), /has no order/);
  t.regex(String(await total('age=old')), /age is a number/);
  for (const operator of ['!=', '=='])
    t.regex(String(await total(`sex${operator}Female`)), /the operator [!=]= is not known: =, !, </);
});

test('what strict clients send: nulls, empty inputs, filters in one text, commas in values', async (t) => {
  const { get, post } = await servePatients(t);
  const totalOf = async (response: Promise<Response>): Promise<unknown> => {
    const { responseSummary } = await read(response);
    return isJsonObject(responseSummary) ? responseSummary['numTotalResults'] : null;
  };
  const asked = (query: unknown, meta: unknown = null) =>
    totalOf(post('/oslo/beacon/individuals', { meta, query }));
  t.is(await asked(null), 60);
  const nothing = { requestedGranularity: null, includeResultsetResponses: null, pagination: null };
  t.is(await asked({ ...nothing, filters: null, testMode: null, requestParameters: null }), 60);
  t.is(await asked({ filters: [{ id: 'sex', operator: '=', value: 'Female', scope: null }] }), 20);
  t.is(
    await asked({ pagination: { skip: '0', limit: null } }, { apiVersion: null, requestedSchemas: null }),
    60,
  );
  t.is(await asked({ filters: 'sex=Female,age>79' }), await asked({ filters: ['sex=Female', 'age>79'] }));
  t.is(await totalOf(get('/oslo/beacon/individuals?filters=&requestedGranularity=&skip=&testMode=')), 60);
  t.is(await totalOf(get('/oslo/beacon/individuals?filters=sex%3DFemale%5C%2C%20x,age%3E1')), 0);
});

test('a code that stands for a field is compared as the field, and its values must be values of it', async (t) => {
  const terms = [
    { id: 'LOINC:30525-0', fieldName: 'age' },
    { id: 'NCIT:C16576', fieldName: 'sex', value: 'Female' },
  ];
  const { post, get } = await servePatients(t, { beacon: { terms } });
  const answer = (filter: object) => post('/oslo/beacon/individuals', { query: { filters: [filter] } });
  const total = async (filter: object): Promise<unknown> => (await read(answer(filter)))['responseSummary'];
  const byField = await total({ id: 'age', operator: '>', value: 25 });
  t.deepEqual(await total({ id: 'LOINC:30525-0', operator: '>', value: 25 }), byField);
  t.deepEqual(await total({ id: 'LOINC:30525-0', operator: '>', value: '25.0' }), byField);
  const written = encodeURIComponent('LOINC:30525-0 > 25.0');
  t.deepEqual((await read(get(`/oslo/beacon/individuals?filters=${written}`)))['responseSummary'], byField);
  for (const id of ['age', 'LOINC:30525-0'])
    t.is((await answer({ id, operator: '>', value: '25,0' })).status, 400);
  t.is((await answer({ id: 'alive', operator: '=', value: 'maybe' })).status, 400);
  const filters = [{ id: 'NCIT:C16576', operator: '>', value: 1 }];
  t.is((await post('/oslo/beacon/individuals', { query: { filters } })).status, 400);
});

test('a term of a hierarchy finds what stands under it, unless it alone is meant', async (t) => {
  const own = { fieldHierarchies: new Map([['phenotypes', phenotypeTerms]]) };
  const { post, get } = await servePatients(t, {}, {}, own);
  const total = async (filter: object): Promise<unknown> => {
    const { responseSummary } = await read(
      post('/oslo/beacon/individuals', { query: { filters: [filter] } }),
    );
    return (responseSummary as JsonObject)['numTotalResults'];
  };
  t.is(await total({ id: 'HP:0000118' }), 45);
  t.is(await total({ id: 'HP:0000118', includeDescendantTerms: false }), 0);
  t.is(await total({ id: 'HP:0001250' }), 30);
  const { response } = await read(get('/oslo/beacon/filtering_terms'));
  const { filteringTerms } = response as { filteringTerms: readonly JsonObject[] };
  t.like(
    filteringTerms.find(({ id }) => id === 'HP:0001250'),
    { label: 'Seizure' },
  );
});

test('what is unknown is refused, with each reason', async (t) => {
  const { get, post } = await servePatients(t);
  const filters = [
    { id: 'HP:0001250', similarity: 'high' },
    { id: 'sex', operator: '=', value: 'Female', scope: 'biosample' },
    { id: 'nothing' },
  ];
  const sent = { query: { filters, requestParameters: { referenceName: '17' } } };
  for (const base of bases) {
    const refused = await post(`${base}/individuals`, sent);
    t.is(refused.status, 400);
    const said = JSON.stringify(await read(Promise.resolve(refused)));
    for (const reason of [
      'no similarity',
      'the scope biosample',
      'nothing',
      'referenceName is not a parameter',
    ])
      t.true(said.includes(reason), reason);
  }
  const address = await get('/oslo/beacon/individuals?start=43045703');
  t.is(address.status, 400);
  const sex = { id: 'sex', operator: '=', value: 'Female' };
  for (const [body, reason] of [
    [{ filters: [sex] }, /filters is not a parameter of this beacon/],
    [{ query: { filter: [sex] } }, /filter is not a parameter of this beacon/],
    [{ query: { filters: [{ ...sex, negate: true }] } }, /query\.filters\.0: ..negate.. is unknown/],
    [
      { query: { filters: [{ id: 'sex', op: '!', value: 'Female' }] } },
      /..op.. is unknown: known are id, oper/,
    ],
    [{ query: { filters: [{ id: 'age', operator: '>', value: true }] } }, /age is a number: true is none/],
  ] as const) {
    const refused = await post('/oslo/beacon/individuals', body);
    t.is(refused.status, 400);
    t.regex(await refused.text(), reason);
  }
  const labelled = { meta: { $schema: 'x' }, query: { filters: [{ ...sex, label: 'Sex', type: 'x' }] } };
  t.is((await post('/oslo/beacon/individuals', labelled)).status, 200);
});

test('filters are short: matched with patterns and names of fields, long ones would take minutes', async (t) => {
  const { get, post } = await servePatients(t);
  for (const filter of [
    `sex${' '.repeat(40_000)}`,
    { id: 'sex', value: 'x'.repeat(40_000) },
    ':'.repeat(40_000),
  ]) {
    const refused = await post('/oslo/beacon/individuals', { query: { filters: [filter] } });
    t.is(refused.status, 400);
    t.regex(await refused.text(), /query\.filters\.0.*1000 characters/);
  }
  const { responseSummary } = await read(get('/oslo/beacon/individuals?filters=sex%20%20=%20Female'));
  t.like(responseSummary, { numTotalResults: 20 });
});

test('filtering terms are the fields, their values, and the terms of ontologies that records have', async (t) => {
  const { get } = await servePatients(t);
  const { response } = await read(get('/network/beacon/filtering_terms'));
  const { filteringTerms, resources } = response as {
    filteringTerms: readonly JsonObject[];
    resources: unknown;
  };
  const byId = new Map(filteringTerms.map((term) => [term['id'], term]));
  t.like(byId.get('sex'), { type: 'alphanumeric', scopes: ['individual'], values: ['Female', 'Male'] });
  t.like(byId.get('HP:0001250'), { type: 'HP', scopes: ['individual'] });
  t.deepEqual(resources, [
    { id: 'hp', nameSpacePrefix: 'HP' },
    { id: 'omim', nameSpacePrefix: 'OMIM' },
  ]);
});

test("filtering terms label codes, and a label's term finds what its code does", async (t) => {
  const extended = [
    { fieldName: 'sex', displayValues: { Female: 'Woman', Other: 'Other' } },
    { fieldName: 'age', displayValues: { 7: 'Seven' } },
    { fieldName: 'phenotypes', displayValues: { 'HP:0001250': 'Seizure' } },
  ];
  const { get } = await servePatients(t, {}, {}, { extended });
  const body = valid(t, 'beaconFilteringTermsResponse', await read(get('/oslo/beacon/filtering_terms')));
  const { filteringTerms, resources } = body['response'] as {
    filteringTerms: readonly JsonObject[];
    resources: readonly JsonObject[];
  };
  t.deepEqual(
    filteringTerms.filter(({ label, type }) => label !== undefined && type !== 'alphanumeric'),
    [
      { type: 'HP', id: 'HP:0001250', label: 'Seizure', scopes: ['individual'] },
      { type: 'custom', id: 'sex:Female', label: 'Woman', scopes: ['individual'] },
      { type: 'custom', id: 'age:7', label: 'Seven', scopes: ['individual'] },
    ],
  );
  t.deepEqual(
    resources.map(({ id }) => id),
    ['hp', 'omim'],
  );
  for (const [id, numTotalResults] of [
    ['age:7', 1],
    ['sex:Female', 20],
  ])
    t.like(await read(get(`/oslo/beacon/individuals?filters=${id}`)), {
      responseSummary: { numTotalResults },
    });
});

test('institutions without a match, or without an answer, are in no set and named', async (t) => {
  const { get } = await servePatients(
    t,
    {},
    {
      accessFilter: (_context, catalogueId) => {
        if (catalogueId === 'bergen') throw new TributaryError('FORBIDDEN', 'not here');
        return null;
      },
      networkAccess: () => undefined,
    },
  );
  const body = await read(get('/network/beacon/individuals?requestedGranularity=record&filters=sex:Female'));
  const { resultSets } = body['response'] as { readonly resultSets: readonly JsonObject[] };
  t.deepEqual(
    resultSets.map(({ id, resultsCount }) => [id, resultsCount]),
    [['oslo', 20]],
  );
  t.like(body['info'], { partial: true });
  t.regex(JSON.stringify(body['info']), /"id":"bergen".*bergen did not answer/);
  const refused = await get('/bergen/beacon/individuals');
  t.is(refused.status, 403);
  valid(t, 'beaconErrorResponse', await refused.json());
});

test('a data set of a network may be a network', async (t) => {
  const inner = await servePatients(t);
  const eu = { nodeId: 'eu', graphqlUrl: `${inner.url}/network/graphql`, documentType: 'patient' };
  const network = await testNetwork(t, [eu], { network: { documentType: 'patient' } });
  const { get } = await servePatients(t, {}, { networks: new Map([['network', network]]) });
  const at = (id: string) => get(`/network/beacon/datasets/${encodeURIComponent(id)}/individuals`);
  t.like(await read(at('eu')), { responseSummary: { numTotalResults: 100 } });
  for (const id of ['eu/oslo', 'oslo']) t.is((await at(id)).status, 404, id);
});

test('a guarded caller gets bounds from the release, and nothing else', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const engine = throwingEngine(documents.length);
  const { url } = await serveRelease(t, folder, engine, { doors: doorsOf(standard) });
  const runQuery = async (path: string): Promise<JsonObject> => read(fetch(url + path));
  const body = valid(
    t,
    'beaconResultsetsResponse',
    await runQuery('/cohort/beacon/individuals?requestedGranularity=record&filters=sex:female'),
  );
  t.like(body['meta'], { returnedGranularity: 'count' });
  const {
    numTotalResults: lower,
    countPrecision,
    countAdjustedTo,
  } = body['responseSummary'] as {
    numTotalResults: number;
    countPrecision: string;
    countAdjustedTo: readonly number[];
  };
  t.is(countPrecision, 'imprecise');
  const truth = documents.filter(({ sex }) => sex === 'female').length;
  t.true(lower <= truth && truth <= countAdjustedTo[1]!);
  t.like(body['info'], { resultCountDescription: { minRange: lower, maxRange: countAdjustedTo[1]! } });
  const terms = valid(t, 'beaconFilteringTermsResponse', await runQuery('/cohort/beacon/filtering_terms'));
  t.false(JSON.stringify(terms).includes('__other__'));
  for (const path of [
    '/cohort/beacon/datasets/nobody/individuals',
    '/network/beacon/datasets/nobody/individuals',
  ])
    t.is((await fetch(url + path)).status, 404, path);
  t.is((await fetch(`${url}/network/beacon/datasets/home/individuals`)).status, 200);
  const hidden = await runQuery('/cohort/beacon/individuals?filters=surname:Name%201');
  t.regex(JSON.stringify(hidden), /NOT_DISCLOSED|not a term or field/);
  t.is(engine.calls(), 0);
  const boolean = await serveRelease(t, folder, engine, {
    doors: doorsOf(standard),
    tierOf: () => 'boolean',
  });
  const yes = await read(fetch(`${boolean.url}/beacon/individuals?filters=sex:female`));
  t.deepEqual(yes['responseSummary'], { exists: true });
  t.like(yes['meta'], { returnedGranularity: 'boolean' });
});

test('a beacon can be moved and left out, and a catalogue of its name keeps its own paths', async (t) => {
  const moved = await servePatients(t, {}, { doors: doorsOf(standard, { beacon: 'b2' }) });
  t.is((await moved.get('/oslo/b2/info')).status, 200);
  t.is((await moved.get('/oslo/beacon/info')).status, 404);
  const without = await servePatients(t, {}, { doors: doorsOf(standard, { beacon: null }) });
  t.is((await without.get('/oslo/beacon')).status, 404);
  t.is((await moved.post('/oslo/graphql', { query: '{ patient { hits { total } } }' })).status, 200);
});

/** A filter as a beacon knows it, and the same as SQON. */
const filterArbitrary = fc.oneof(
  fc
    .record({ operator: fc.constantFrom('=', '!'), value: fc.constantFrom('Female', 'Male', 'None') })
    .map(({ operator, value }) => ({
      beacon: { id: 'sex', operator, value },
      sqon: { op: operator === '=' ? 'in' : 'not-in', content: { fieldName: 'sex', value: [value] } },
    })),
  fc
    .record({ operator: fc.constantFrom('=', '<', '>', '<=', '>='), value: fc.integer({ min: -1, max: 91 }) })
    .map(({ operator, value }) => ({
      beacon: { id: 'age', operator, value: String(value) },
      sqon: { op: operator, content: { fieldName: 'age', value: operator === '=' ? [value] : value } },
    })),
  fc.constantFrom('HP:0001250', 'HP:0001263', 'OMIM:607208').map((id) => ({
    beacon: { id },
    sqon: { op: 'in', content: { fieldName: 'phenotypes', value: [id] } },
  })),
  fc.constantFrom('blood', 'skin').map((tissue) => ({
    beacon: { id: `samples.tissue:${tissue}` },
    sqon: { op: 'in', content: { fieldName: 'samples.tissue', value: [tissue] } },
  })),
  fc.boolean().map((alive) => ({
    beacon: { id: 'alive', operator: '=', value: alive },
    sqon: { op: 'in', content: { fieldName: 'alive', value: [alive] } },
  })),
  fc.constantFrom('HLA-A*02:%', '%02:0%', 'HLA-%', '%', 'hla-%').map((value) => ({
    beacon: { id: 'allele', operator: '=', value },
    sqon: {
      op: 'wildcard',
      content: { fieldNames: ['allele'], value: value.replaceAll('*', '\\*').replaceAll('%', '*') },
    },
  })),
  fc
    .record({ operator: fc.constantFrom('<', '>', '<=', '>='), years: fc.integer({ min: 0, max: 91 }) })
    .map(({ operator, years }) => ({
      beacon: { id: 'age', operator, value: `P${years}Y` },
      sqon: { op: operator, content: { fieldName: 'age', value: years } },
    })),
  fc
    .record({ operator: fc.constantFrom('<', '>', '<=', '>='), year: fc.integer({ min: 1938, max: 1992 }) })
    .map(({ operator, year }) => ({
      beacon: { id: 'born', operator, value: `${year}-05-01` },
      sqon: { op: operator, content: { fieldName: 'born', value: `${year}-05-01` } },
    })),
);

/** `npm run test:all -- fuzz` compares 500, `npm run test:long` 10 000. */
const randomFilters = Number(process.env['BEACON_CASES'] ?? runs(200));

test('random filters count what GraphQL counts, in a catalogue and in a network', async (t) => {
  const { post } = await servePatients(t);
  await fc.assert(
    fc.asyncProperty(
      fc.array(filterArbitrary, { maxLength: 4 }),
      fc.boolean(),
      async (filters, isNetwork) => {
        const base = isNetwork ? '/network' : '/oslo';
        const query = 'query($filters: JSON) { patient { hits(filters: $filters) { total } } }';
        const variables = { filters: { op: 'and', content: filters.map(({ sqon }) => sqon) } };
        const body = { query: { filters: filters.map(({ beacon }) => beacon) } };
        const [{ data }, { responseSummary }] = await Promise.all([
          read(post(`${base}/graphql`, { query, variables })),
          read(post(`${base}/beacon/individuals`, body)),
        ]);
        const { total } = (data as { patient: { hits: { total: number } } }).patient.hits;
        return (responseSummary as JsonObject)['numTotalResults'] === total;
      },
    ),
    { numRuns: randomFilters },
  );
  t.pass();
});
