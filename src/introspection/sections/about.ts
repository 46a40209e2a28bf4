import { z } from 'zod';
import { key, optionalKey } from './key.ts';

const text = z.string().min(1, 'a text expected');
/** Addresses become identifiers of RDF: what browsers accept in them, as blanks, is percent-encoded. */
const asUri = (address: string): string =>
  /^[\w\-.~:/?#@!$&'()*+,;=%]+$/.test(address)
    ? address
    : new URL(address).href.replace(/(?<=^\w+:\/\/[^/]*\/.*)[[\]{}|\\^`]/g, encodeURIComponent);

const url = z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).overwrite(asUri);
const fieldName = z.string().min(1, 'a field name expected');

const agent = (meaning: string) =>
  optionalKey(
    z.object({
      name: key(text, 'Its name. Required.'),
      url: optionalKey(url, 'Its website; of a contact without `email`, its form for requests.'),
      email: optionalKey(z.email({ error: 'an e-mail address expected' }), 'An address for questions.'),
      id: optionalKey(text, 'An identifier, such as that of ROR: `https://ror.org/00j9c2840`.'),
    }),
    meaning,
  );

const place = optionalKey(
  z.object({
    name: optionalKey(text, 'The town, for people.'),
    latitude: key(z.number().min(-90).max(90), 'Degrees north of the equator. Required.'),
    longitude: key(z.number().min(-180).max(180), 'Degrees east of Greenwich. Required.'),
  }),
  'Where the institution is, for the map of the portal.',
);

/** What the portal shows of an institution: `about` of a node in nodes.json. */
export const aboutInstitution = z.object({
  description: optionalKey(text, 'What the institution is and what it holds.'),
  contact: agent('Whom to write to.'),
  place,
});

const term = z
  .object({
    prefix: optionalKey(text, 'Terms that begin with it and a colon, `HP`, are values of the field.'),
    id: optionalKey(text, 'One term, `NCIT:C16576`, which means `value`.'),
    label: optionalKey(text, 'What that term is called.'),
    fieldName: key(fieldName, 'The field, by its dotted path. Required.'),
    value: optionalKey(z.union([text, z.number(), z.boolean()]), 'The value that `id` means.', {
      byDefault: 'the term itself',
      form: 'text, number or boolean',
    }),
  })
  .refine(({ prefix, id }) => (prefix === undefined) !== (id === undefined), {
    error: 'either prefix or id expected',
  });

const beacon = z.object({
  id: optionalKey(text, "The beacon's id, by custom a reversed domain name.", {
    byDefault: 'the host and the path of the catalogue',
  }),
  entryType: optionalKey(
    z.enum(['individual', 'biosample'], { error: '"individual" or "biosample" expected' }),
    'What one document stands for.',
    { byDefault: '`individual`' },
  ),
  environment: optionalKey(
    z.enum(['prod', 'test', 'dev', 'staging'], {
      error: 'one of "prod", "test", "dev" and "staging" expected',
    }),
    'What the beacon is used for.',
    { byDefault: '`prod`' },
  ),
  records: optionalKey(z.boolean(), 'Whether callers who may see records can have them from the beacon.', {
    byDefault: '`false`',
  }),
  projection: optionalKey(
    z.record(z.string(), fieldName),
    'Where a record\'s values stand in answers: `{"sex.label": "gender"}`.',
    { byDefault: 'the documents as they are', form: 'field by dotted path' },
  ),
  terms: optionalKey(
    z.array(term),
    'The terms of ontologies that filters may name, and what they mean here; besides those of hierarchies.',
  ),
});

const describes = z.object({
  person: optionalKey(fieldName, 'The field whose distinct values are persons.'),
  age: optionalKey(fieldName, 'The field with ages, in years.'),
  time: optionalKey(fieldName, 'The field with the dates that records are of.'),
});

const health = z.object({
  categories: optionalKey(
    z.array(url),
    'The categories of health data in Article 51 of Regulation (EU) 2025/327, by their addresses in the list of the European Union.',
  ),
  themes: optionalKey(
    z.array(url),
    'What the records are about, by the addresses of terms such as those of Wikidata.',
  ),
  purposes: optionalKey(
    z.array(url),
    'What the records were collected for, by addresses such as those of the Data Privacy Vocabulary.',
  ),
  publisherType: optionalKey(
    url,
    'What kind of institution the publisher is, by its address in the list of the European Union.',
  ),
  publisherNote: optionalKey(text, 'What the publisher does, in a sentence.'),
  trustedDataHolder: optionalKey(z.boolean(), 'Whether the publisher is a trusted health data holder.', {
    byDefault: '`false`',
  }),
  sample: optionalKey(url, 'Where a sample of the data, or made-up data of its form, can be had.'),
  accessBody: agent('The health data access body that decides on applications.'),
  provenance: optionalKey(text, 'Where the records come from, in a sentence.'),
});

/** Facts about a catalogue or a network that no index holds: catalogue.json, and `catalogue` below `network` in nodes.json. */
export const about = z.object({
  title: optionalKey(text, 'The name of the catalogue for people.', {
    byDefault: '`description`, or its id',
  }),
  publisher: agent('The institution that is responsible for the records.'),
  contact: agent('Whom to write to.'),
  place,
  licence: optionalKey(url, 'The licence of the records, by its address.'),
  accessRights: optionalKey(
    z.enum(['public', 'restricted', 'non-public'], {
      error: '"public", "restricted" or "non-public" expected',
    }),
    'Who may have records.',
    { byDefault: '`public` where everyone sees records, else `restricted`' },
  ),
  accessUrl: optionalKey(url, 'Where people apply for access.'),
  keywords: optionalKey(z.array(text), 'Words to find the catalogue by.'),
  spatial: optionalKey(
    z.array(url),
    'The countries or areas that the records are of, by their addresses in the list of the European Union or at GeoNames.',
  ),
  health: optionalKey(health, 'For data sets of the European Health Data Space, described by HealthDCAT-AP.'),
  describes: optionalKey(describes, 'The fields that its [description](fair.md) summarises.'),
  beacon: optionalKey(beacon, 'The [beacon](beacon.md) of the catalogue.'),
});
