import test, { type ExecutionContext } from 'ava';
import { Parser, Store } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';
import { doorsOf } from '../../../src/server/http/capability.ts';
import { standard } from '../../../src/standard.ts';
import { descriptionOf, figuresOf } from '../../../src/capabilities/fair/figures.ts';
import type { About } from '../../../src/introspection/fields/about.ts';
import { about as aboutSection } from '../../../src/introspection/fields/about.ts';
import type { CatalogueQuery } from '../../../src/search/query.ts';
import type { Listed, Visit } from '../../../src/server/http/doors/door.ts';
import { folderWithRelease, serveRelease, throwingEngine } from '../disclosure/served-release.ts';
import { documents } from '../disclosure/doors/doors.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../src/lib/json/json.ts';
import { defaultSettings } from '../../server/http/running-app.ts';
import { servePatients } from '../served-patients.ts';

const about = {
  title: 'Rare epilepsies',
  publisher: {
    name: 'Oslo University Hospital',
    url: 'https://oslo.example.org',
    id: 'https://ror.org/00j9c2840',
  },
  contact: { name: 'Data office', email: 'data@oslo.example.org', url: 'https://oslo.example.org/data' },
  licence: 'https://creativecommons.org/licenses/by/4.0/',
  accessRights: 'restricted',
  keywords: ['epilepsy', 'genetics'],
  spatial: ['http://publications.europa.eu/resource/authority/country/NOR'],
  accessUrl: 'https://oslo.example.org/apply',
  describes: { person: 'allele', age: 'age', time: 'born' },
  health: {
    categories: ['https://oslo.example.org/category/registries'],
    themes: ['http://www.wikidata.org/entity/Q41571'],
    purposes: ['https://w3id.org/dpv#AcademicResearch'],
    publisherType: 'https://oslo.example.org/type/hospital',
    publisherNote: 'Treats the patients of the city.',
    trustedDataHolder: true,
    sample: 'https://oslo.example.org/sample.csv',
    accessBody: { name: 'Directorate', url: 'https://hdab.example.org', email: 'hdab@example.org' },
    provenance: 'Written by clinicians at each visit.',
  },
} satisfies About;

/** What the profiles require: DCAT-AP 3 of data sets and distributions, FDP 1.2 of its own resources. */
const shapes = `
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
@prefix ldp: <http://www.w3.org/ns/ldp#> .
@prefix fdp: <https://w3id.org/fdp/fdp-o#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix health: <http://healthdataportal.eu/ns/health#> .
<urn:resource> a sh:NodeShape ; sh:targetClass dcat:Resource ;
  sh:property [ sh:path dct:title ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dcat:version ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dct:publisher ; sh:node <urn:agent> ] .
<urn:agent> a sh:NodeShape ;
  sh:property [ sh:path foaf:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:Literal ] .
<urn:point> a sh:NodeShape ; sh:targetClass fdp:FAIRDataPoint ;
  sh:property [ sh:path fdp:metadataCatalog ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path dcat:endpointURL ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path fdp:conformsToFdpSpec ; sh:minCount 1 ] .
<urn:catalog> a sh:NodeShape ; sh:targetClass dcat:Catalog ;
  sh:property [ sh:path dct:description ; sh:minCount 1 ] ;
  sh:property [ sh:path dct:publisher ; sh:minCount 1 ; sh:maxCount 1 ] ;
  sh:property [ sh:path dcat:dataset ; sh:minCount 1 ; sh:nodeKind sh:IRI ] .
<urn:dataset> a sh:NodeShape ; sh:targetClass dcat:Dataset ;
  sh:property [ sh:path dct:description ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dct:accessRights ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path dcat:contactPoint ; sh:maxCount 1 ; sh:node <urn:contact> ] ;
  sh:property [ sh:path dcat:keyword ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dcat:distribution ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path dct:identifier ; sh:datatype xsd:anyURI ] ;
  sh:property [ sh:path dct:hasVersion ; sh:nodeKind sh:BlankNodeOrIRI ] ;
  sh:property [ sh:path health:numberOfRecords ; sh:maxCount 1 ; sh:datatype xsd:nonNegativeInteger ] ;
  sh:property [ sh:path health:minTypicalAge ; sh:maxCount 1 ; sh:datatype xsd:nonNegativeInteger ] ;
  sh:property [ sh:path dct:temporal ; sh:node <urn:period> ] .
<urn:contact> a sh:NodeShape ; sh:property [ sh:path vcard:fn ; sh:minCount 1 ] .
<urn:period> a sh:NodeShape ;
  sh:property [ sh:path dcat:startDate ; sh:minCount 1 ; sh:datatype xsd:date ] ;
  sh:property [ sh:path dcat:endDate ; sh:minCount 1 ; sh:datatype xsd:date ] .
<urn:column> a sh:NodeShape ; sh:targetClass <http://www.w3.org/ns/csvw#Column> ;
  sh:property [ sh:path <http://www.w3.org/ns/csvw#name> ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path <http://www.w3.org/ns/csvw#titles> ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path <http://www.w3.org/ns/csvw#datatype> ; sh:minCount 1 ; sh:nodeKind sh:Literal ] .
<urn:distribution> a sh:NodeShape ; sh:targetClass dcat:Distribution ;
  sh:property [ sh:path dcat:accessURL ; sh:minCount 1 ; sh:nodeKind sh:IRI ] .
<urn:container> a sh:NodeShape ; sh:targetClass ldp:DirectContainer ;
  sh:property [ sh:path ldp:membershipResource ; sh:minCount 1 ; sh:maxCount 1 ] ;
  sh:property [ sh:path ldp:hasMemberRelation ; sh:minCount 1 ; sh:maxCount 1 ] .
`;

/**
 * What HealthDCAT-AP (release 5) makes mandatory of data sets that are not public, and DCAT-AP 3.0 recommends: their
 * published tables of properties, by name, cardinality and kind of value.
 */
const healthShapes = `
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix adms: <http://www.w3.org/ns/adms#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dcatap: <http://data.europa.eu/r5r/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix dpv: <https://w3id.org/dpv#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix health: <http://healthdataportal.eu/ns/health#> .
<urn:health> a sh:NodeShape ; sh:targetClass dcat:Dataset ;
  sh:property [ sh:path dct:title ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dct:description ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dct:identifier ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dct:accessRights ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path dct:type ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path dcatap:applicableLegislation ; sh:minCount 1 ; sh:hasValue <http://data.europa.eu/eli/reg/2025/327/oj> ] ;
  sh:property [ sh:path dcat:theme ; sh:minCount 1 ; sh:hasValue <http://publications.europa.eu/resource/authority/data-theme/HEAL> ] ;
  sh:property [ sh:path dcat:keyword ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path dcat:contactPoint ; sh:minCount 1 ] ;
  sh:property [ sh:path dcat:distribution ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path dct:publisher ; sh:minCount 1 ; sh:maxCount 1 ; sh:node <urn:publisher> ] ;
  sh:property [ sh:path dct:temporal ; sh:minCount 1 ] ;
  sh:property [ sh:path dct:spatial ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path dpv:hasPurpose ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path adms:sample ; sh:minCount 1 ; sh:node <urn:sample> ] ;
  sh:property [ sh:path health:healthTheme ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path health:healthCategory ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path health:hdab ; sh:minCount 1 ; sh:maxCount 1 ; sh:node <urn:body> ] ;
  sh:property [ sh:path dct:provenance ; sh:minCount 1 ; sh:node <urn:provenance> ] ;
  sh:property [ sh:path health:numberOfRecords ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:nonNegativeInteger ] ;
  sh:property [ sh:path health:numberOfUniqueIndividuals ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:nonNegativeInteger ] ;
  sh:property [ sh:path health:minTypicalAge ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:nonNegativeInteger ] ;
  sh:property [ sh:path health:maxTypicalAge ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:nonNegativeInteger ] .
<urn:legislation> a sh:NodeShape ; sh:targetClass dcat:Catalog, dcat:DataService ;
  sh:property [ sh:path dcatap:applicableLegislation ; sh:minCount 1 ; sh:nodeKind sh:IRI ] .
<urn:body> a sh:NodeShape ; sh:property [ sh:path foaf:name ; sh:minCount 1 ] ;
  sh:property [ sh:path foaf:homepage ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path foaf:mbox ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] .
<urn:publisher> a sh:NodeShape ; sh:property [ sh:path health:publisherType ; sh:minCount 1 ; sh:maxCount 1 ] ;
  sh:property [ sh:path health:publisherNote ; sh:minCount 1 ; sh:nodeKind sh:Literal ] ;
  sh:property [ sh:path health:trustedDataHolder ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:boolean ] .
<urn:sample> a sh:NodeShape ; sh:property [ sh:path dcat:accessURL ; sh:minCount 1 ; sh:nodeKind sh:IRI ] .
<urn:kind> a sh:NodeShape ; sh:targetClass vcard:Kind ;
  sh:property [ sh:path vcard:hasURL ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path vcard:hasEmail ; sh:minCount 1 ; sh:nodeKind sh:IRI ] .
<urn:provenance> a sh:NodeShape ; sh:property [ sh:path rdfs:label ; sh:minCount 1 ] .
`;

const validatorOf = (turtle: string): SHACLValidator =>
  new SHACLValidator(new Store(new Parser().parse(turtle)));

const turtleAt = async (url: string): Promise<Store> => {
  const response = await fetch(url, { headers: { accept: 'text/turtle' } });
  return new Store(new Parser().parse(await response.text()));
};

/** Follows the containers from the root, as harvesters do. */
const harvest = async (root: string): Promise<ReadonlyMap<string, Store>> => {
  const found = new Map<string, Store>();
  const next = [root];
  for (let url = next.pop(); url !== undefined; url = next.pop()) {
    if (found.has(url)) continue;
    const store = await turtleAt(url);
    found.set(url, store);
    next.push(...store.getObjects(null, 'http://www.w3.org/ns/ldp#contains', null).map(({ value }) => value));
  }
  return found;
};

const health = 'http://healthdataportal.eu/ns/health#';
const valueOf = (store: Store, name: string): string | undefined =>
  store.getObjects(null, name, null)[0]?.value;

const assertValid = async (
  t: ExecutionContext,
  found: ReadonlyMap<string, Store>,
  validator = validatorOf(shapes),
): Promise<void> => {
  for (const [url, store] of found) {
    const { conforms, results } = await validator.validate(store);
    t.true(
      conforms,
      `${url}: ${results.map(({ path, message }) => `${path?.value} ${message.map(({ value }) => value).join()}`).join('; ')}`,
    );
  }
};

test('a harvester that follows the containers finds everything, in the form of the profiles', async (t) => {
  const { url } = await servePatients(t, about);
  const found = await harvest(`${url}/fdp`);
  t.deepEqual([...found.keys()].map((one) => one.slice(url.length)).sort(), [
    '/fdp',
    '/fdp/catalog/all',
    ...['bergen', 'network', 'oslo'].map((id) => `/fdp/dataset/${id}`),
    ...['bergen', 'network', 'oslo'].map((id) => `/fdp/distribution/${id}`),
  ]);
  await assertValid(t, found);
  await assertValid(t, found, validatorOf(healthShapes));
  const network = found.get(`${url}/fdp/dataset/network`)!;
  t.is(valueOf(network, `${health}numberOfRecords`), '100');
  const oslo = found.get(`${url}/fdp/dataset/oslo`)!;
  t.is(valueOf(oslo, `${health}numberOfRecords`), '60');
  t.is(valueOf(oslo, `${health}minTypicalAge`), '0');
  t.is(valueOf(oslo, `${health}maxTypicalAge`), '87');
  t.is(valueOf(oslo, 'http://www.w3.org/ns/dcat#startDate'), '1940-01-01');
  t.is(valueOf(oslo, 'http://www.w3.org/ns/dcat#endDate'), '1989-12-31');
  const datatypes = oslo
    .getObjects(null, 'http://www.w3.org/ns/csvw#datatype', null)
    .map(({ value }) => value);
  t.deepEqual([...new Set(datatypes)].sort(), ['boolean', 'dateTime', 'integer', 'string']);
  t.is(
    valueOf(oslo, 'http://purl.org/dc/terms/accessRights'),
    'http://publications.europa.eu/resource/authority/access-right/RESTRICTED',
  );
  const service = valueOf(
    found.get(`${url}/fdp/distribution/oslo`)!,
    'http://www.w3.org/ns/dcat#endpointURL',
  );
  t.is(service, `${url}/oslo/graphql`);
});

test('JSON-LD states what Turtle states, and an unchanged description is not sent again', async (t) => {
  const { url } = await servePatients(t, about);
  const at = `${url}/fdp/dataset/oslo`;
  const response = await fetch(at, { headers: { accept: 'application/ld+json' } });
  t.is(response.headers.get('content-type'), 'application/ld+json; charset=utf-8');
  const { '@graph': graph } = (await response.json()) as { '@graph': readonly Record<string, unknown>[] };
  t.deepEqual(graph[0]!['dct:title'], [{ '@value': 'Rare epilepsies' }]);
  t.deepEqual(graph[0]!['healthdcatap:numberOfRecords'], [
    { '@value': '60', '@type': 'xsd:nonNegativeInteger' },
  ]);
  const etag = response.headers.get('etag')!;
  const conditional = { accept: 'application/ld+json', 'if-none-match': etag, 'cache-control': 'max-age=0' };
  const again = await fetch(at, { headers: conditional });
  t.is(again.status, 304);
  t.is((await fetch(at, { method: 'POST' })).status, 405);
  t.is((await fetch(`${url}/fdp/dataset/nothing`)).status, 404);
});

test('without any configuration a description is still valid', async (t) => {
  const { url } = await servePatients(t);
  await assertValid(t, await harvest(`${url}/fdp`));
});

test('numbers of a guarded catalogue are those of its release', async (t) => {
  const engine = throwingEngine(documents.length);
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine, {
    doors: doorsOf(standard),
  });
  const found = await harvest(`${url}/fdp`);
  await assertValid(t, found);
  const cohort = found.get(`${url}/fdp/dataset/cohort`)!;
  t.is(valueOf(cohort, `${health}numberOfRecords`), '400');
  t.is(valueOf(cohort, 'http://purl.org/dc/terms/issued'), '2026-11-01');
  t.regex(valueOf(cohort, 'http://purl.org/dc/terms/description')!, /lower bounds from a release/);
  const network = found.get(`${url}/fdp/dataset/network`)!;
  t.is(valueOf(network, `${health}numberOfRecords`), '400');
  t.regex(
    valueOf(network, 'http://purl.org/dc/terms/description')!,
    /Numbers are lower bounds: some of the institutions withhold their records\./,
  );
  for (const dataset of [cohort, network])
    t.regex(valueOf(dataset, 'http://purl.org/dc/terms/accessRights')!, /RESTRICTED$/);
  t.is(engine.calls(), 0);
});

test('persons are a range, and a period has every year that may have records', async (t) => {
  const bucketOf = (year: number, lower: number, upper: number) => ({
    key: String(Date.UTC(year, 0)),
    count: { lower, upper },
  });
  const buckets = [bucketOf(2014, 0, 0), bucketOf(2015, 0, 9), bucketOf(2016, 20, 29), bucketOf(2017, 0, 9)];
  const answers: Record<string, object> = {
    cardinality: { kind: 'cardinality', value: null, exact: false, bounds: { lower: 25, upper: 35 } },
    date_histogram: { kind: 'date_histogram', buckets },
  };
  const fields = new Map(['day', 'person'].map((path) => [path, {}]));
  const visit = {
    catalogue: { fields, config: { about: { describes: { person: 'person', time: 'day' } } } },
    search: async ({ facets }: CatalogueQuery) => ({
      ...{ total: 20, hits: [], warnings: [] },
      facets: facets.map(({ measure }) => answers[measure.kind]),
    }),
  } as unknown as Visit;
  const period = { from: '2015-01-01', to: '2017-12-31' };
  const figures = await figuresOf(visit);
  t.like(figures, { records: 20, persons: { lower: 25, upper: 35 }, period });
  const listed = { id: 'all', title: 'All', isNetwork: false } as Listed;
  const textOf = (persons: typeof figures.persons): string =>
    descriptionOf(listed, visit, { ...figures, persons });
  t.is(textOf(figures.persons), 'All There are 25 to 35 persons.');
  t.is(textOf({ lower: 25, upper: null }), 'All There are at least 25 persons.');
  t.is(textOf({ lower: 25, upper: 25 }), 'All');
});

test('a description is that of the records at the moment', async (t) => {
  const { url, engine } = await servePatients(t, about);
  const at = `${url}/fdp/dataset/oslo`;
  const before = (await fetch(at)).headers.get('etag');
  const document = { sex: 'Female', age: 101, born: '2024-02-03', notes: 'somebody new' };
  await engine.write('oslo', [{ kind: 'upsert', id: 'new', document }]);
  const store = await turtleAt(at);
  t.is(valueOf(store, `${health}numberOfRecords`), '61');
  t.is(valueOf(store, `${health}maxTypicalAge`), '101');
  t.is(valueOf(store, 'http://www.w3.org/ns/dcat#endDate'), '2024-12-31');
  t.not((await fetch(at)).headers.get('etag'), before);
  await engine.write('oslo', [{ kind: 'upsert', id: 'old', document: { born: '-0043-03-15' } }]);
  t.is(valueOf(await turtleAt(at), 'http://www.w3.org/ns/dcat#startDate'), '-0043-01-01');
});

test('a description of a network says that some institutions are not in its numbers', async (t) => {
  const descriptionAt = async (url: string): Promise<string> =>
    valueOf(await turtleAt(`${url}/fdp/dataset/network`), 'http://purl.org/dc/terms/description') ?? '';
  t.notRegex(await descriptionAt((await servePatients(t, about)).url), /answered/);
  const { url } = await servePatients(t, about, {
    accessFilter: (_context, catalogueId) => {
      if (catalogueId === 'bergen') throw new TributaryError('FORBIDDEN', 'not here');
      return null;
    },
    networkAccess: () => undefined,
  });
  const store = await turtleAt(`${url}/fdp/dataset/network`);
  t.is(valueOf(store, `${health}numberOfRecords`), '60');
  t.regex(await descriptionAt(url), /A network of 2 institutions.* Numbers are of the 1 that answered\./);
});

const settings = { ...defaultSettings, portal: { publicUrl: null, signIn: null, imageHosts: [], look: {} } };

/** The data that the start page holds for search engines, once it has some: a page does not wait for slow numbers. */
const dataSoonIn = async (url: string, visits = 50): Promise<JsonObject> => {
  const data = await dataIn(url);
  if (data !== null) return data;
  if (visits === 0) throw new Error(`${url} has no data for search engines`);
  return dataSoonIn(url, visits - 1);
};

/** The answer to one visit; null: none. */
const dataIn = async (url: string): Promise<JsonObject | null> => {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? [];
  return json === undefined ? null : (JSON.parse(json) as JsonObject);
};

test('the start page describes the data sets to search engines, by the profile of Bioschemas', async (t) => {
  const title = 'Rare </script><script>alert(1)</script> epilepsies';
  const { url } = await servePatients(t, { ...about, title }, { settings });
  const data = await dataSoonIn(url);
  t.like(data, { '@context': 'https://schema.org/', '@type': 'DataCatalog', url: `${url}/` });
  const datasets = data['dataset'] as readonly JsonObject[];
  t.is(datasets.length, 3);
  for (const dataset of datasets) {
    for (const name of ['description', 'identifier', 'keywords', 'license', 'name', 'url', 'creator', 'size'])
      t.truthy(dataset[name], name);
    const { length } = String(dataset['description']);
    t.true(length >= 50 && length <= 5_000);
  }
  const oslo = datasets.find((one) => one['@id'] === `${url}/fdp/dataset/oslo`)!;
  t.like(oslo, {
    ...{ name: title, license: about.licence, temporalCoverage: '1940-01-01/1989-12-31' },
    size: { minValue: 60, unitText: 'records' },
    distribution: [{ contentUrl: `${url}/oslo/graphql` }],
  });
  const variables = oslo['variableMeasured'] as readonly JsonObject[];
  t.true(variables.some(({ name, unitText }) => name === 'Age' && unitText === 'years'));
});

test('search engines learn what anonymous callers may, and no page fails for it', async (t) => {
  const refuse = () => {
    throw new TributaryError('UNAUTHENTICATED', 'a token is required');
  };
  const closed = await servePatients(t, about, { settings, accessFilter: refuse, networkAccess: refuse });
  t.is(await dataIn(closed.url), null);
  t.is((await closed.get('/', { accept: 'text/html' })).status, 200);
  const engine = throwingEngine(documents.length);
  const guarded = await serveRelease(t, await folderWithRelease(t, documents), engine, {
    doors: doorsOf(standard),
    settings,
  });
  const datasets = ((await dataSoonIn(guarded.url))['dataset'] as readonly JsonObject[]).filter(isJsonObject);
  const cohort = datasets.find((one) => String(one['@id']).endsWith('/cohort'));
  t.like(cohort, { datePublished: '2026-11-01', size: { minValue: 400 } });
  t.is(engine.calls(), 0);
});

test('addresses are written as the identifiers that RDF allows, whatever browsers accept', async (t) => {
  const read = aboutSection.parse({
    publisher: { name: 'H', url: 'https://oslo.example.org/a b[1]' },
    accessUrl: 'https://oslo.example.org/apply?x=[1]&y=ü z',
    licence: 'https://oslo.example.org',
    spatial: ['https://[::1]:80/{a}|"b"^`<c>\\'],
  }) as About;
  t.is(read.publisher?.url, 'https://oslo.example.org/a%20b%5B1%5D');
  t.is(read.accessUrl, 'https://oslo.example.org/apply?x=%5B1%5D&y=%C3%BC%20z');
  t.is(read.licence, 'https://oslo.example.org');
  t.deepEqual(read.spatial, ['https://[::1]:80/%7Ba%7D%7C%22b%22%5E%60%3Cc%3E/']);
  const { url } = await servePatients(t, read);
  await assertValid(t, await harvest(`${url}/fdp`));
  for (const sent of ['x y', '`x`', 'https://exa mple.org/', 'a{b}', ' '])
    t.like(aboutSection.safeParse({ accessUrl: sent }), { success: false }, sent);
});

test('descriptions keep their lines', async (t) => {
  const description = 'First\u001b paragraph.\r\n\r\nSecond\u2028paragraph.';
  const { url } = await servePatients(t, about, { settings }, { description });
  const expected = 'First\\u{001b} paragraph.\n\nSecond\nparagraph.';
  const store = await turtleAt(`${url}/fdp/dataset/oslo`);
  t.is(valueOf(store, 'http://purl.org/dc/terms/description'), expected);
  const { dataset } = (await dataSoonIn(url)) as { readonly dataset: readonly JsonObject[] };
  const oslo = dataset.find((one) => one['@id'] === `${url}/fdp/dataset/oslo`)!;
  t.true(String(oslo['description']).startsWith(`${expected} Variables: `), String(oslo['description']));
});

test('an age that stands for a missing age is not described as an age', async (t) => {
  const { url, engine } = await servePatients(t, about);
  await engine.write('oslo', [{ kind: 'upsert', id: 'unknown', document: { age: -9 } }]);
  const store = await turtleAt(`${url}/fdp/dataset/oslo`);
  t.is(valueOf(store, `${health}minTypicalAge`), undefined);
  t.truthy(valueOf(store, `${health}maxTypicalAge`));
  await engine.write('oslo', [{ kind: 'upsert', id: 'unknown', document: { age: 999 } }]);
  const later = await turtleAt(`${url}/fdp/dataset/oslo`);
  t.truthy(valueOf(later, `${health}minTypicalAge`));
  t.is(valueOf(later, `${health}maxTypicalAge`), undefined);
});
