import type { Entrance, Listed, Visit } from '../../server/http/doors/door.ts';
import type { About, Agent, HealthData } from '../../introspection/fields/about.ts';
import { lowerOf, type Count } from '../../search/count.ts';
import { datasetAt, descriptionOf, figuresOf, shown, variablesOf, type Figures } from './figures.ts';
import {
  date,
  iri,
  named,
  text,
  thing,
  typed,
  type Resource,
  type Statements,
  type Value,
} from './statements.ts';

/** The version of the specification of FAIR Data Points. */
const specification = 'https://specs.fairdatapoint.org/fdp-specs-v1.2.html';

/** The id of the catalogue that lists all data sets. */
export const catalogId = 'all';

/** An institution or a person. @param more further statements about it */
const agent = ({ name, url, email, id }: Agent, more: Statements = {}): Value =>
  thing({
    ...more,
    'rdf:type': named('foaf:Agent'),
    'foaf:name': text(name),
    'foaf:homepage': url === undefined ? undefined : iri(url),
    'foaf:mbox': email === undefined ? undefined : iri(`mailto:${email}`),
    'dct:identifier': id === undefined ? undefined : text(id),
  });

/** The base address of the European Union's authority lists. */
const europa = 'http://publications.europa.eu/resource/authority';

/** The properties that HealthDCAT-AP adds to DCAT-AP. */
const healthOf = ({
  categories,
  themes,
  purposes,
  sample,
  accessBody,
  provenance,
}: HealthData): Statements => ({
  'dcat:theme': iri(`${europa}/data-theme/HEAL`),
  'dct:type': iri(`${europa}/dataset-type/PERSONAL_DATA`),
  'healthdcatap:healthCategory': categories?.map(iri),
  'healthdcatap:healthTheme': themes?.map(iri),
  'dpv:hasPurpose': purposes?.map(iri),
  'adms:sample':
    sample === undefined
      ? undefined
      : thing({ 'rdf:type': named('dcat:Distribution'), 'dcat:accessURL': iri(sample) }),
  'healthdcatap:hdab': accessBody && agent(accessBody),
  'dct:provenance':
    provenance === undefined
      ? undefined
      : thing({ 'rdf:type': named('dct:ProvenanceStatement'), 'rdfs:label': text(shown(provenance)) }),
});

/** The properties that it adds to a publisher. */
const publisherIn = ({ publisherType, publisherNote, trustedDataHolder }: HealthData): Statements => ({
  'healthdcatap:publisherType': publisherType === undefined ? undefined : iri(publisherType),
  'healthdcatap:publisherNote': publisherNote === undefined ? undefined : text(shown(publisherNote)),
  'healthdcatap:trustedDataHolder': typed('boolean', trustedDataHolder ?? false),
});

/** The Regulation on the European Health Data Space, if it is configured to apply. */
const legislationOf = (about: readonly (About | undefined)[]): Value | undefined =>
  about.some((one) => one?.health) ? iri('http://data.europa.eu/eli/reg/2025/327/oj') : undefined;

const contactOf = ({ contact }: About): Value | undefined =>
  contact &&
  thing({
    'rdf:type': named('vcard:Kind'),
    'vcard:fn': text(contact.name),
    'vcard:hasEmail': contact.email === undefined ? undefined : iri(`mailto:${contact.email}`),
    'vcard:hasURL': contact.url === undefined ? undefined : iri(contact.url),
  });

/** The metadata shared by all resources of a FAIR Data Point. @param about the configured descriptions of its data sets */
const metadata = (address: string, about: readonly (About | undefined)[]): Statements => ({
  'dcatap:applicableLegislation': legislationOf(about),
  'dcat:version': text('1.0'),
  'fdp:metadataIdentifier': thing({
    'rdf:type': iri('http://purl.org/spar/datacite/Identifier'),
    'dct:identifier': text(address),
  }),
  'dct:conformsTo': iri(specification),
  'dct:hasVersion': text('1.0'),
});

/** The first configured publisher, else the server itself. */
const publisherOf = (places: readonly Listed[], origin: string, more?: Statements): Value => {
  const found = places.find(({ about }) => about?.publisher !== undefined)?.about?.publisher;
  return agent(found ?? { name: new URL(origin).host, url: origin }, more);
};

const aboutOf = ({ list }: Entrance): readonly (About | undefined)[] => list.map(({ about }) => about);

/** The FAIR Data Point itself, and the container of its only catalogue. */
export const describePoint = (entrance: Entrance): readonly Resource[] => {
  const { origin, url, list } = entrance;
  const catalog = `${url}/catalog/${catalogId}`;
  return [
    {
      iri: url,
      statements: {
        'rdf:type': [
          named('fdp:FAIRDataPoint'),
          named('fdp:MetadataService'),
          named('dcat:DataService'),
          named('dcat:Resource'),
        ],
        'dct:title': text(`FAIR Data Point of ${new URL(origin).host}`),
        'dct:publisher': publisherOf(list, origin),
        'dcat:endpointURL': iri(url),
        'fdp:conformsToFdpSpec': iri(specification),
        'fdp:metadataCatalog': iri(catalog),
        ...metadata(url, aboutOf(entrance)),
      },
    },
    container(`${url}/catalog/`, {
      of: url,
      relation: named('fdp:metadataCatalog'),
      title: 'Catalogues',
      members: [catalog],
    }),
  ];
};

interface Membership {
  readonly of: string;
  readonly relation: Value;
  readonly title: string;
  readonly members: readonly string[];
}

/** A container of the Linked Data Platform, which harvesters follow. */
const container = (address: string, { of, relation, title, members }: Membership): Resource => ({
  iri: address,
  statements: {
    'rdf:type': named('ldp:DirectContainer'),
    'dct:title': text(title),
    'ldp:membershipResource': iri(of),
    'ldp:hasMemberRelation': relation,
    'ldp:contains': members.map(iri),
  },
});

const distributionAt = ({ url }: Entrance, id: string): string =>
  `${url}/distribution/${encodeURIComponent(id)}`;

/** The catalogue of all data sets that the caller may query. */
export const describeCatalog = (entrance: Entrance): readonly Resource[] => {
  const { url, origin, list } = entrance;
  const address = `${url}/catalog/${catalogId}`;
  const members = list.map(({ id }) => datasetAt(entrance, id));
  return [
    {
      iri: address,
      statements: {
        'rdf:type': [named('dcat:Catalog'), named('dcat:Resource')],
        'dct:title': text(`Data sets of ${new URL(origin).host}`),
        'dct:description': text('What can be searched at this server.'),
        'dct:publisher': publisherOf(list, origin),
        'dct:isPartOf': iri(url),
        'dcat:dataset': members.map(iri),
        ...metadata(address, aboutOf(entrance)),
      },
    },
    container(`${url}/dataset/`, {
      of: address,
      relation: named('dcat:dataset'),
      title: 'Data sets',
      members,
    }),
  ];
};

/** Terms of the European Union's authority list of access rights. */
const rights = { public: 'PUBLIC', restricted: 'RESTRICTED', 'non-public': 'NON_PUBLIC' } as const;

const rightsOf = ({ accessRights }: About, { isWithheld }: Figures): Value => {
  const right = rights[accessRights ?? (isWithheld ? 'restricted' : 'public')];
  return iri(`${europa}/access-right/${right}`);
};

/** The terms have no ranges: the number that there are at least. */
const numberOf = (count: Count | null): Value | undefined =>
  count === null ? undefined : number(lowerOf(count));

const number = (value: number): Value => typed('nonNegativeInteger', value);

/** No age of a person: a number, such as -9 or 999, that stands for a missing age. */
const ageOf = (value: number | undefined): Value | undefined =>
  value === undefined || value < 0 || value > 130 ? undefined : number(value);

/** One catalogue or network as a data set. */
export const describeDataset = async (
  entrance: Entrance,
  listed: Listed,
  visit: Visit,
): Promise<readonly Resource[]> => {
  const { about = {} } = listed;
  const figures = await figuresOf(visit);
  const address = datasetAt(entrance, listed.id);
  const distribution = distributionAt(entrance, listed.id);
  const statements: Statements = {
    'rdf:type': [named('dcat:Dataset'), named('dcat:Resource')],
    'dct:title': text(shown(listed.title)),
    'dct:description': text(descriptionOf(listed, visit, figures)),
    'dct:identifier': typed('anyURI', address),
    'dct:publisher': publisherOf([listed], entrance.origin, about.health && publisherIn(about.health)),
    'dcat:contactPoint': contactOf(about),
    'dct:license': about.licence === undefined ? undefined : iri(about.licence),
    'dct:accessRights': rightsOf(about, figures),
    'dcat:landingPage': iri(about.accessUrl ?? `${entrance.origin}/`),
    'dct:spatial': about.spatial?.map(iri),
    'dcat:keyword': about.keywords?.map((word) => text(shown(word))),
    'dct:isPartOf': iri(`${entrance.url}/catalog/${catalogId}`),
    'dcat:distribution': iri(distribution),
    'dct:issued': figures.release === null ? undefined : date(figures.release),
    'dct:temporal': figures.period === null ? undefined : periodOf(figures.period),
    'healthdcatap:numberOfRecords': numberOf(figures.records),
    'healthdcatap:numberOfUniqueIndividuals': numberOf(figures.persons),
    'healthdcatap:minTypicalAge': ageOf(figures.ages?.min),
    'healthdcatap:maxTypicalAge': ageOf(figures.ages?.max),
    'healthdcatap:hasCodingSystem': codingSystemsOf(visit),
    'csvw:column': columnsOf(visit),
    ...(about.health && healthOf(about.health)),
    ...metadata(address, [about]),
    // in DCAT this would mean another data set that is a version of this one
    'dct:hasVersion': undefined,
  };
  return [
    { iri: address, statements },
    container(`${entrance.url}/distribution/`, {
      ...{ of: address, relation: named('dcat:distribution'), title: 'Distributions' },
      members: [distribution],
    }),
  ];
};

const periodOf = ({ from, to }: NonNullable<Figures['period']>): Value =>
  thing({
    'rdf:type': named('dct:PeriodOfTime'),
    'dcat:startDate': date(from),
    'dcat:endDate': date(to),
  });

/** The coding systems of codes: the hierarchies of fields, with their versions. */
const codingSystemsOf = ({ catalogue: { fields } }: Visit): readonly Value[] => {
  const hierarchies = [...fields.values()].flatMap(({ hierarchy }) => hierarchy ?? []);
  const byName = new Map(hierarchies.map((hierarchy) => [hierarchy.name, hierarchy]));
  return [...byName.values()].map(({ name, version }) =>
    thing({
      'rdf:type': named('dct:Standard'),
      'dct:title': text(shown(name)),
      'dct:hasVersion': version === null ? undefined : text(shown(version)),
    }),
  );
};

/** The CSVW names of field types; all other types are strings. */
const datatypes: Readonly<Record<string, string>> = {
  ...{ byte: 'integer', short: 'integer', integer: 'integer', long: 'integer', unsigned_long: 'integer' },
  ...{ half_float: 'double', float: 'double', double: 'double', scaled_float: 'double' },
  ...{ boolean: 'boolean', date: 'dateTime', date_nanos: 'dateTime' },
};

/** The variables, described as columns of a table. */
const columnsOf = (visit: Visit): readonly Value[] =>
  variablesOf(visit).map(({ path, label, type, description, unit }) =>
    thing({
      'rdf:type': named('csvw:Column'),
      'csvw:name': text(path),
      'csvw:titles': text(label),
      'csvw:datatype': text(datatypes[type] ?? 'string'),
      'dct:description': description === undefined ? undefined : text(description),
      'schema:unitText': unit === undefined ? undefined : text(unit),
    }),
  );

/** Describes how a data set is queried. */
export const describeDistribution = (
  entrance: Entrance,
  listed: Listed,
  { url }: Visit,
): readonly Resource[] => {
  const address = distributionAt(entrance, listed.id);
  const base = url.replace(/\/[^/]*$/, '');
  const { about = {} } = listed;
  const { licence, accessUrl } = about;
  return [
    {
      iri: address,
      statements: {
        'rdf:type': [named('dcat:Distribution'), named('dcat:Resource')],
        'dct:title': text(`${shown(listed.title)}, by GraphQL`),
        'dct:isPartOf': iri(datasetAt(entrance, listed.id)),
        'dcat:accessURL': iri(`${base}/graphql`),
        'dct:format': iri(`${europa}/file-type/JSON`),
        'dct:rights': accessUrl === undefined ? undefined : iri(accessUrl),
        'dcat:mediaType': iri('https://www.iana.org/assignments/media-types/application/json'),
        'dct:license': licence === undefined ? undefined : iri(licence),
        'dcat:accessService': thing({
          'rdf:type': named('dcat:DataService'),
          'dcatap:applicableLegislation': legislationOf([about]),
          'dct:title': text('GraphQL'),
          'dcat:endpointURL': iri(`${base}/graphql`),
          'dcat:endpointDescription': iri(`${base}/introspection`),
        }),
        ...metadata(address, [about]),
      },
    },
  ];
};
