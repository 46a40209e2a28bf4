import type { Entrance, Listed } from '../../server/http/doors/door.ts';
import type { Agent } from '../../introspection/fields/about.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { lowerOf } from '../../search/count.ts';
import { datasetAt, descriptionOf, figuresOf, shown, variablesOf } from './figures.ts';

/** The maximum number of data sets described in one page. */
const maxDatasets = 50;

/** Describes for search engines what can be searched here: schema.org, by the Dataset profile of Bioschemas. */
export const describeForSearchEngines = async (entrance: Entrance): Promise<JsonObject> => {
  const datasets = await Promise.all(
    entrance.list.slice(0, maxDatasets).map((one) => datasetOf(entrance, one)),
  );
  return {
    '@context': 'https://schema.org/',
    '@type': 'DataCatalog',
    '@id': `${entrance.origin}/`,
    name: `Data sets of ${new URL(entrance.origin).host}`,
    url: `${entrance.origin}/`,
    dataset: datasets,
  };
};

const datasetOf = async (entrance: Entrance, listed: Listed): Promise<JsonObject> => {
  const visit = await entrance.open(listed.id);
  const { about = {} } = listed;
  const figures = await figuresOf(visit);
  const address = datasetAt(entrance, listed.id);
  const variables = variablesOf(visit);
  const described = `${descriptionOf(listed, visit, figures)} Variables: ${variables.map(({ label }) => label).join(', ')}.`;
  const { publisher, contact, keywords = [listed.title], accessUrl, licence, spatial } = about;
  const base = visit.url.replace(/\/[^/]*$/, '');
  return {
    '@type': 'Dataset',
    '@id': address,
    'http://purl.org/dc/terms/conformsTo': {
      '@type': 'CreativeWork',
      '@id': 'https://bioschemas.org/profiles/Dataset/1.0-RELEASE',
    },
    identifier: address,
    name: shown(listed.title),
    description: shown(described),
    url: accessUrl ?? `${entrance.origin}/`,
    keywords: keywords.map(shown),
    ...(licence !== undefined && { license: licence }),
    ...(publisher && { creator: organization(publisher), publisher: organization(publisher) }),
    ...(contact && { maintainer: organization(contact) }),
    ...(spatial && { spatialCoverage: spatial.map((area) => ({ '@type': 'Place', '@id': area })) }),
    ...(figures.release !== null && { datePublished: figures.release }),
    ...(figures.period !== null && { temporalCoverage: `${figures.period.from}/${figures.period.to}` }),
    ...(figures.records !== null && {
      size: { '@type': 'QuantitativeValue', minValue: lowerOf(figures.records), unitText: 'records' },
    }),
    variableMeasured: variables.map(({ label, description, unit }) => ({
      '@type': 'PropertyValue',
      name: label,
      ...(description !== undefined && { description }),
      ...(unit !== undefined && { unitText: unit }),
    })),
    distribution: [
      { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: `${base}/graphql` },
    ],
    includedInDataCatalog: { '@id': `${entrance.origin}/` },
  };
};

const organization = ({ name, url, email, id }: Agent): JsonObject => ({
  '@type': 'Organization',
  ...{ name, url, email, identifier: id },
});
