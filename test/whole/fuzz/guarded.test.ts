import test from 'ava';
import fc from '../../fast-check.ts';
import { leaf, type Sqon } from '../../../src/sqon/ast.ts';
import { printSqon } from '../../../src/sqon/parse.ts';
import { chainOf, holds } from '../../sqon/evaluate-sqon.ts';
import { filters, library as fields } from '../../sqon/fixture.ts';
import { breaches } from './breaches.ts';
import { caseCount } from './case-count.ts';
import { damaged, junk } from './damaged-json.ts';
import { editedDocuments } from './edited-documents.ts';
import { posted } from './graphql-over-http.ts';
import type { HttpRequest } from './http-exchange.ts';
import { exchange } from './http-exchange.ts';
import { readAsWritten } from './read-as-written.ts';
import { libraryOfFile } from './served-library.ts';

const released = ['pages', 'lent', 'copies.shelf', 'copies.worn', 'reviews.by', 'reviews.stars'];

const library = libraryOfFile(
  {},
  {
    documentCount: 700,
    disclosure: {
      unit: 'record',
      order: 2,
      dimensions: [
        { fieldName: 'pages', edges: [1, 2] },
        { fieldName: 'lent' },
        { fieldName: 'copies.shelf', values: ['a', 'b'] },
        { fieldName: 'copies.worn', edges: [2] },
        { fieldName: 'reviews.by', values: ['a'] },
        { fieldName: 'reviews.stars', edges: [1, 3] },
      ],
    },
  },
);

const bounds = '{ total upper_bound }';
const counting = `query($filters: JSON) { book { hits(filters: $filters) ${bounds} } }`;
const ofNetwork = `query($filters: JSON) { network(filters: $filters) { total upper_bound nodes { code } } }`;

/** How a filter reaches the server: every door that counts. */
const ways: Readonly<Record<string, (filters: unknown) => HttpRequest>> = {
  'the catalogue': (sent) => posted(counting, { filters: sent }),
  'the catalogue by GET': (sent) => ({
    path: `/graphql?query=${encodeURIComponent(counting)}&variables=${encodeURIComponent(JSON.stringify({ filters: sent }))}`,
    // what a GET needs lest it be a page's
    headers: { accept: 'application/json', 'content-type': 'application/json' },
  }),
  'the network': (sent) => posted(ofNetwork, { filters: sent }, '/network/graphql'),
  'a network of the network': (sent) => posted(ofNetwork, { filters: sent }, '/network/network/graphql'),
  'the network beside the catalogue': (sent) => posted(ofNetwork, { filters: sent }, '/library/graphql'),
  'the network as a catalogue': (sent) => posted(counting, { filters: sent }, '/network/graphql'),
  'the node of the network': (sent) =>
    posted(
      `query($filters: JSON) { here { book { hits(filters: $filters) ${bounds} } } }`,
      { filters: sent },
      '/network/graphql',
    ),
};

let answered = 0;

interface Shown {
  readonly total: number | null;
  readonly upper_bound: number | null;
  readonly nodes?: readonly { readonly code: string | null }[];
}

interface Data {
  readonly book?: { readonly hits?: Shown };
  readonly here?: Data;
  readonly network?: Shown;
}

const shownIn = (text: string): Shown | null => {
  const { data } = JSON.parse(text) as { data?: Data | null };
  return data?.network ?? data?.here?.book?.hits ?? data?.book?.hits ?? null;
};

const matching = (reading: Sqon | null) =>
  library().documents.filter((document) => reading === null || holds(reading, chainOf(document), fields));

const isWithin = (count: number, least: number, most: number | null): boolean =>
  least <= count && (most === null || count <= most);

/** What is wrong with the answer, in view of what the filter means; null when nothing is. */
const fault = async (request: HttpRequest, filter: unknown): Promise<string | null> => {
  const answer = await exchange(library().url, request);
  const [breach] = breaches(answer, `${request.path} ${String(request.body)}`);
  if (breach !== undefined) return breach;
  const shown = shownIn(answer.text);
  if (shown === null || shown.total === null || shown.nodes?.some(({ code }) => code !== null)) return null;
  answered += 1;
  const reading = readAsWritten(filter, fields);
  if (reading === 'refused') return `malformed, but counts: ${answer.text}`;
  if (reading === 'unsaid') return null;
  const count = matching(reading).length;
  return isWithin(count, shown.total, shown.upper_bound) ? null : `${count} is not within: ${answer.text}`;
};

/** What is wrong with the buckets of a facet, each of which is a count of its own. */
const faultOfFacet = async (filter: unknown): Promise<string | null> => {
  const buckets = 'buckets { key key_as_string doc_count upper_bound }';
  const answer = await exchange(
    library().url,
    posted(
      `query($filters: JSON) { book { aggregations(filters: $filters, aggregations_filter_themselves: true) { lent { ${buckets} } } } }`,
      { filters: filter },
    ),
  );
  const [breach] = breaches(answer, JSON.stringify(filter));
  if (breach !== undefined) return breach;
  const { data } = JSON.parse(answer.text) as { data?: { book?: { aggregations?: Facets | null } } | null };
  const reading = readAsWritten(filter, fields);
  if (reading === 'refused' || reading === 'unsaid') return null;
  for (const bucket of data?.book?.aggregations?.lent.buckets ?? []) {
    answered += 1;
    const value = bucket.key_as_string ?? bucket.key;
    const lent = leaf('in', 'lent', [value === 'true' || value === 'false' ? value === 'true' : value]);
    const count = matching(reading).filter((one) => holds(lent, chainOf(one), fields)).length;
    if (!isWithin(count, bucket.doc_count, bucket.upper_bound)) return `${count} of ${value}: ${answer.text}`;
  }
  return null;
};

interface Facets {
  readonly lent: {
    readonly buckets: readonly {
      readonly key: string;
      readonly key_as_string: string | null;
      readonly doc_count: number;
      readonly upper_bound: number | null;
    }[];
  };
}

/** Doors that give records, or keep what a filter matches: whatever is sent, nothing is given. */
const closedDoors: Readonly<Record<string, (filters: unknown) => HttpRequest>> = Object.fromEntries([
  ...['/download', '/library/download', '/network/download'].map((path) => [
    path,
    (sqon: unknown): HttpRequest => ({
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        params: { files: [{ fileType: 'tsv', columns: [{ fieldName: 'lent' }], sqon, sort: [] }] },
      }),
    }),
  ]),
  [
    'saved sets',
    (sqon: unknown) =>
      posted('mutation($sqon: JSON!) { saveSet(type: book, path: "lent", sqon: $sqon) { ids size } }', {
        sqon,
      }),
  ],
  [
    'pages',
    (sent: unknown) =>
      posted(
        'query($filters: JSON) { book { hits(first: 1, filters: $filters) { edges { node { lent } } } } }',
        {
          filters: sent,
        },
      ),
  ],
]);

const printed = filters.map((filter): unknown => printSqon(filter));

for (const [name, requestOf] of Object.entries(ways)) {
  const property = (values: fc.Arbitrary<unknown>) =>
    fc.asyncProperty(values, async (filter) => {
      const found = await fault(requestOf(filter), filter);
      if (found !== null) throw new Error(found);
    });
  test.serial(`every count of a guarded catalogue lies within its bounds: ${name}`, async (t) => {
    answered = 0;
    await t.notThrowsAsync(fc.assert(property(printed), caseCount(0.02)));
    t.true(answered > 0);
  });
  test.serial(`damaged filters and junk are refused, or bounds are sound: ${name}`, async (t) => {
    await t.notThrowsAsync(fc.assert(property(fc.oneof(damaged(printed), junk)), caseCount(0.01)));
  });
}

test.serial('every bucket of a guarded catalogue lies within its bounds', async (t) => {
  answered = 0;
  const property = fc.asyncProperty(printed, async (filter) => {
    const found = await faultOfFacet(filter);
    if (found !== null) throw new Error(found);
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.02)));
  t.true(answered > 0);
});

for (const [name, requestOf] of Object.entries(closedDoors))
  test.serial(`no filter opens a door that gives records: ${name}`, async (t) => {
    const property = fc.asyncProperty(fc.oneof(printed, damaged(printed), junk), async (filter) => {
      const { status, headers, text } = await exchange(library().url, requestOf(filter));
      // of a filter that nothing can match, no node is queried: its file has a header only
      const isFile = headers['content-disposition'] !== undefined;
      if (isFile && text.trimEnd().split('\n').length === 1) return;
      const isRefused = /"code":"(NOT_DISCLOSED|BAD_USER_INPUT|ENGINE_UNAVAILABLE|FORBIDDEN)"/.test(text);
      if (isFile || !isRefused) throw new Error(`${status} ${text.slice(0, 500)}`);
    });
    await t.notThrowsAsync(fc.assert(property, caseCount(0.01)));
  });

/** What only the records have: their ids, and a value that none of the released fields has. */
const secret = /"d\d+"|"reader"|"edges":\[\{/;

test.serial('no document, whole or damaged, gets a record out of a guarded catalogue', async (t) => {
  const property = fc.asyncProperty(editedDocuments, async (request) => {
    const answer = await exchange(library().url, request);
    const [breach] = breaches(answer, `${request.path} ${String(request.body)}`);
    if (breach !== undefined) throw new Error(breach);
    const { data } = JSON.parse(answer.text) as { data?: unknown };
    const shown = JSON.stringify(data ?? null);
    if (secret.test(shown) && !shown.includes('__schema')) throw new Error(shown.slice(0, 600));
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.05)));
});

test.serial('what is released is answered, and nothing else', async (t) => {
  const leaf = (fieldName: string) => ({ op: 'in', content: { fieldName, value: ['__missing__'] } });
  for (const fieldName of ['title', 'copies.loans.reader', 'unheard.of', ...released]) {
    const { text } = await exchange(library().url, ways['the catalogue']!(leaf(fieldName)));
    t.is(/NOT_DISCLOSED/.test(text), !released.includes(fieldName), `${fieldName}: ${text}`);
  }
});
