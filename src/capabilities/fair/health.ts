import type { About, Agent, HealthData } from '../../introspection/fields/catalogue-config.ts';
import { shown } from './figures.ts';
import { iri, named, text, thing, typed, type Statements, type Value } from './statements.ts';

/** An institution or a person. @param more further statements about it */
export const agent = ({ name, url, email, id }: Agent, more: Statements = {}): Value =>
  thing({
    ...more,
    'rdf:type': named('foaf:Agent'),
    'foaf:name': text(name),
    'foaf:homepage': url === undefined ? undefined : iri(url),
    'foaf:mbox': email === undefined ? undefined : iri(`mailto:${email}`),
    'dct:identifier': id === undefined ? undefined : text(id),
  });

/** The base address of the European Union's authority lists. */
export const europa = 'http://publications.europa.eu/resource/authority';

/** The properties that HealthDCAT-AP adds to DCAT-AP. */
export const healthOf = ({
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
export const publisherIn = ({ publisherType, publisherNote, trustedDataHolder }: HealthData): Statements => ({
  'healthdcatap:publisherType': publisherType === undefined ? undefined : iri(publisherType),
  'healthdcatap:publisherNote': publisherNote === undefined ? undefined : text(shown(publisherNote)),
  'healthdcatap:trustedDataHolder': typed('boolean', trustedDataHolder ?? false),
});

/** The Regulation on the European Health Data Space, if it is configured to apply. */
export const legislationOf = (about: readonly (About | undefined)[]): Value | undefined =>
  about.some((one) => one?.health) ? iri('http://data.europa.eu/eli/reg/2025/327/oj') : undefined;
