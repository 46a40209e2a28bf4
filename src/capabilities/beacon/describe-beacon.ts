import type { About, BeaconConfig } from '../../introspection/fields/about.ts';
import type { Visit } from '../../server/http/doors/door.ts';

/** The version of the standard whose response formats are used. */
export const apiVersion = 'v2.1.1';

/** The description of a beacon, from a catalogue's configuration. */
export interface BeaconIdentity {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly about: About;
  readonly config: BeaconConfig;
  readonly entryType: EntryType;
}

interface EntryType {
  readonly id: 'individual' | 'biosample';
  /** The entry type's segment in paths. */
  readonly plural: string;
  readonly name: string;
  /** The entry type in the NCI Thesaurus. */
  readonly term: { readonly id: string; readonly label: string };
}

const entryTypes = {
  individual: {
    ...{ id: 'individual', plural: 'individuals', name: 'Individual' },
    term: { id: 'NCIT:C25190', label: 'Person' },
  },
  biosample: {
    ...{ id: 'biosample', plural: 'biosamples', name: 'Biological sample' },
    term: { id: 'NCIT:C70699', label: 'Biospecimen' },
  },
} as const satisfies Record<string, EntryType>;

export const identityOf = ({ catalogue, network, url }: Visit): BeaconIdentity => {
  const { config } = catalogue;
  const { about = {} } = config;
  const { beacon = {} } = about;
  const name = about.title ?? network?.config.displayName ?? config.description ?? config.catalogueId;
  return {
    id: beacon.id ?? reversed(url),
    name,
    description: config.description,
    about,
    config: beacon,
    entryType: entryTypes[beacon.entryType ?? 'individual'],
  };
};

/** The id of a beacon, derived from its URL. `https://data.example.org/museum/beacon`: `org.example.data.museum.beacon`. */
export const reversed = (url: string): string => {
  const { hostname, pathname } = new URL(url);
  const host = /^[\d.]+$|:/.test(hostname) ? [hostname] : hostname.split('.').reverse();
  return [...host, ...pathname.split('/').filter((segment) => segment !== '')].join('.');
};

const schemaOf = ({ entryType }: BeaconIdentity) => ({
  id: `ga4gh-beacon-${entryType.id}-v2.0.0`,
  name: `Default schema of ${entryType.plural}`,
  referenceToSchemaDefinition: `https://raw.githubusercontent.com/ga4gh-beacon/beacon-v2/main/models/json/beacon-v2-default-model/${entryType.plural}/defaultSchema.json`,
  schemaVersion: 'v2.0.0',
});

/** The schemas of an answer about an entry type, or about data sets. */
export const returnedSchemas = (beacon: BeaconIdentity, entityType: string = beacon.entryType.id) => [
  {
    entityType,
    schema: entityType === 'dataset' ? 'ga4gh-beacon-dataset-v2.0.0' : schemaOf(beacon).id,
  },
];

const informational = (beacon: BeaconIdentity, response: object) => ({
  meta: { beaconId: beacon.id, apiVersion, returnedSchemas: returnedSchemas(beacon) },
  response,
});

const organization = ({ about, name }: BeaconIdentity, origin: string) => {
  const { publisher, contact } = about;
  const contactUrl = contact?.url ?? (contact?.email && `mailto:${contact.email}`);
  return {
    id: publisher?.id ?? new URL(origin).host,
    name: publisher?.name ?? name,
    ...(publisher?.url !== undefined && { welcomeUrl: publisher.url }),
    ...(contactUrl !== undefined && { contactUrl }),
  };
};

/** GET /, /info */
export const infoBody = (beacon: BeaconIdentity, { url }: Visit, version: string) =>
  informational(beacon, {
    id: beacon.id,
    name: beacon.name,
    apiVersion,
    environment: beacon.config.environment ?? 'prod',
    organization: organization(beacon, url),
    ...(beacon.description !== undefined && { description: beacon.description }),
    version,
    welcomeUrl: new URL('/', url).href,
  });

/** GET /service-info, in the form of GA4GH service-info 1.0. */
export const serviceInfoBody = (beacon: BeaconIdentity, { url }: Visit, version: string) => {
  const { name, welcomeUrl, ...others } = organization(beacon, url);
  return {
    id: beacon.id,
    name: beacon.name,
    type: { group: 'org.ga4gh', artifact: 'beacon', version: apiVersion.slice(1) },
    organization: { name, url: welcomeUrl ?? new URL('/', url).href },
    ...(others.contactUrl !== undefined && { contactUrl: others.contactUrl }),
    ...(beacon.description !== undefined && { description: beacon.description }),
    environment: beacon.config.environment ?? 'prod',
    version,
  };
};

const entryTypesOf = (beacon: BeaconIdentity) => ({
  [beacon.entryType.id]: {
    id: beacon.entryType.id,
    name: beacon.entryType.name,
    ontologyTermForThisType: beacon.entryType.term,
    partOfSpecification: `Beacon ${apiVersion}`,
    defaultSchema: schemaOf(beacon),
    additionallySupportedSchemas: [],
    nonFilteredQueriesAllowed: true,
  },
  dataset: {
    id: 'dataset',
    name: 'Dataset',
    ontologyTermForThisType: { id: 'NCIT:C47824', label: 'Data Set' },
    partOfSpecification: `Beacon ${apiVersion}`,
    defaultSchema: {
      id: 'ga4gh-beacon-dataset-v2.0.0',
      name: 'Default schema of datasets',
      referenceToSchemaDefinition:
        'https://raw.githubusercontent.com/ga4gh-beacon/beacon-v2/main/models/json/beacon-v2-default-model/datasets/defaultSchema.json',
      schemaVersion: 'v2.0.0',
    },
    aCollectionOf: [{ id: beacon.entryType.id, name: beacon.entryType.name }],
    additionallySupportedSchemas: [],
    nonFilteredQueriesAllowed: true,
  },
});

/** GET /entry_types */
export const entryTypesBody = (beacon: BeaconIdentity) =>
  informational(beacon, { entryTypes: entryTypesOf(beacon) });

const statusOf = { prod: 'PROD', staging: 'TEST', test: 'TEST', dev: 'DEV' } as const;

/**
 * GET /configuration
 * @param isOpen whether this caller needed no credential
 */
export const configurationBody = (beacon: BeaconIdentity, isOpen: boolean) =>
  informational(beacon, {
    $schema:
      'https://raw.githubusercontent.com/ga4gh-beacon/beacon-v2/main/framework/json/configuration/beaconConfigurationSchema.json',
    maturityAttributes: { productionStatus: statusOf[beacon.config.environment ?? 'prod'] },
    securityAttributes: { defaultGranularity: 'count', securityLevels: [isOpen ? 'PUBLIC' : 'CONTROLLED'] },
    entryTypes: entryTypesOf(beacon),
  });

/** GET /map */
export const mapBody = (beacon: BeaconIdentity, { url }: Visit) => {
  const { id, plural } = beacon.entryType;
  return informational(beacon, {
    $schema:
      'https://raw.githubusercontent.com/ga4gh-beacon/beacon-v2/main/framework/json/configuration/beaconMapSchema.json',
    endpointSets: {
      [id]: {
        entryType: id,
        rootUrl: `${url}/${plural}`,
        singleEntryUrl: `${url}/${plural}/{id}`,
      },
      dataset: {
        entryType: 'dataset',
        rootUrl: `${url}/datasets`,
        singleEntryUrl: `${url}/datasets/{id}`,
        endpoints: { [id]: { returnedEntryType: id, url: `${url}/datasets/{id}/${plural}` } },
      },
    },
  });
};
