import { z } from 'zod';
import { key, optionalKey } from './key.ts';

const text = z.string().min(1, 'a text expected');
/** Addresses become identifiers of RDF: what browsers accept in them, as blanks, is percent-encoded. */
const asUri = (address: string): string =>
  /^[\w\-.~:/?#@!$&'()*+,;=%]+$/.test(address) || !URL.canParse(address)
    ? address
    : new URL(address).href.replace(/(?<=^\w+:\/\/[^/]*\/.*)[[\]{}|\\^`]/g, encodeURIComponent);

const url = z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).overwrite(asUri);
const fieldName = z.string().min(1, 'a field name expected');

const agentKeys = z.object({
  name: key(text, 'Its name.'),
  url: optionalKey(url, 'Its website, or its form for requests.'),
  email: optionalKey(z.email({ error: 'an e-mail address expected' }), 'For questions.'),
  id: optionalKey(text, 'An identifier: `https://ror.org/00j9c2840`.'),
});

/** An institution, or a person or office to write to. */
export type Agent = z.output<typeof agentKeys>;

const agent = (meaning: string) => optionalKey(agentKeys, meaning);

const place = optionalKey(
  z.object({
    name: optionalKey(text, 'The town.'),
    latitude: key(z.number().min(-90).max(90), 'Degrees north.'),
    longitude: key(z.number().min(-180).max(180), 'Degrees east.'),
  }),
  'Where it is on the map.',
);

/** What the portal shows of an institution: `about` of a node in nodes.json. */
export const aboutInstitution = z.object({
  description: optionalKey(text, 'What it is and holds.'),
  contact: agent('Whom to write to.'),
  place,
});

export type AboutInstitution = z.output<typeof aboutInstitution>;

const term = z
  .object({
    prefix: optionalKey(text, '`HP`: terms such as `HP:1` are values of the field.'),
    id: optionalKey(text, 'One term, such as `NCIT:C16576`, which means `value`.'),
    label: optionalKey(text, 'Its label.'),
    fieldName: key(fieldName, 'The field.'),
    value: optionalKey(z.union([text, z.number(), z.boolean()]), 'What `id` means.', {
      byDefault: 'the term itself',
      form: 'text, number or boolean',
    }),
  })
  .refine(({ prefix, id }) => (prefix === undefined) !== (id === undefined), {
    error: 'either prefix or id expected',
  });

/** All terms of a prefix as values of a field, or one term as a value. */
export type BeaconTerm = z.output<typeof term>;

const beacon = z.object({
  id: optionalKey(text, 'Its id, such as a reversed domain name.', {
    byDefault: 'host and path',
  }),
  entryType: optionalKey(
    z.enum(['individual', 'biosample'], { error: '"individual" or "biosample" expected' }),
    'What a document is.',
    { byDefault: '`individual`' },
  ),
  environment: optionalKey(
    z.enum(['prod', 'test', 'dev', 'staging'], {
      error: 'one of "prod", "test", "dev" and "staging" expected',
    }),
    'Its use.',
    { byDefault: '`prod`' },
  ),
  records: optionalKey(z.boolean(), 'The beacon gives records to those who may see them.', {
    byDefault: '`false`',
  }),
  projection: optionalKey(
    z.record(z.string(), fieldName),
    'Where values stand in answers: `{"sex.label": "gender"}`.',
    { byDefault: 'as they are', form: 'field by dotted path' },
  ),
  terms: optionalKey(z.array(term), 'Terms that filters may name, besides those of hierarchies.'),
});

/** How a catalogue answers as a beacon. */
export type BeaconConfig = z.output<typeof beacon>;

const describes = z.object({
  person: optionalKey(fieldName, 'The field that identifies persons.'),
  age: optionalKey(fieldName, 'The field with ages in years.'),
  time: optionalKey(fieldName, 'The field with dates.'),
});

/** Fields that the description of a catalogue summarises. */
export type DescribedBy = z.output<typeof describes>;

const health = z.object({
  categories: optionalKey(
    z.array(url),
    'Categories of Article 51 of Regulation (EU) 2025/327, by their addresses.',
  ),
  themes: optionalKey(z.array(url), 'Subjects, such as addresses of Wikidata.'),
  purposes: optionalKey(z.array(url), 'Purposes, such as addresses of the Data Privacy Vocabulary.'),
  publisherType: optionalKey(url, 'The kind of publisher, by its address.'),
  publisherNote: optionalKey(text, 'What the publisher does.'),
  trustedDataHolder: optionalKey(z.boolean(), 'The publisher is a trusted health data holder.', {
    byDefault: '`false`',
  }),
  sample: optionalKey(url, 'Where a sample can be had.'),
  accessBody: agent('Who decides on applications.'),
  provenance: optionalKey(text, 'Where the records come from.'),
});

/** What the European Health Data Space requires to be stated about a data set. */
export type HealthData = z.output<typeof health>;

/** Facts about a catalogue or a network that no index holds: catalogue.json, and `catalogue` below `network` in nodes.json. */
export const about = z.object({
  title: optionalKey(text, 'Its display name.', {
    byDefault: '`description`, or its id',
  }),
  publisher: agent('The institution responsible.'),
  contact: agent('Whom to write to.'),
  place,
  licence: optionalKey(url, 'The address of the licence.'),
  accessRights: optionalKey(
    z.enum(['public', 'restricted', 'non-public'], {
      error: '"public", "restricted" or "non-public" expected',
    }),
    'Who may have records.',
    { byDefault: '`public` where everyone sees records' },
  ),
  accessUrl: optionalKey(url, 'Where to apply for access.'),
  keywords: optionalKey(z.array(text), 'Words to find it by.'),
  spatial: optionalKey(z.array(url), 'Areas, by their addresses at the European Union or GeoNames.'),
  health: optionalKey(health, 'For the European Health Data Space (HealthDCAT-AP).'),
  describes: optionalKey(describes, 'What its [description](fair.md) summarises.'),
  beacon: optionalKey(beacon, 'Its [beacon](beacon.md).'),
});

export type About = z.output<typeof about>;
