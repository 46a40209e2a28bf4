import test from 'ava';
import fc from '../fast-check.ts';
import { printSqon } from '../../src/sqon/parse.ts';
import { chainOf, holds } from '../sqon/evaluate-sqon.ts';
import { filters, library as fields } from '../sqon/fixture.ts';
import { breaches } from './breaches.ts';
import { caseCount } from './case-count.ts';
import { damaged, junk } from './damaged-json.ts';
import { editedDocuments } from './edited-documents.ts';
import { posted } from './graphql-over-http.ts';
import type { HttpRequest } from './http-exchange.ts';
import { exchange } from './http-exchange.ts';
import { readAsWritten } from './read-as-written.ts';
import type { ServedLibrary } from './served-library.ts';
import { serveLibrary } from './served-library.ts';

const released = ['pages', 'lent', 'copies.shelf', 'copies.worn', 'reviews.by', 'reviews.stars'];

let library: ServedLibrary;
test.before(async () => {
  library = await serveLibrary(
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
});
test.after.always(async (t) => {
  const { code, output } = await library.stop();
  t.is(code, 0);
  t.notRegex(output, /"level":[56]0/);
});

/** How a filter reaches the server, and where the bounds stand in the answer. */
const ways: Readonly<Record<string, (filters: unknown) => HttpRequest>> = {
  'the catalogue': (sent) =>
    posted('query($filters: JSON) { book { hits(filters: $filters) { total upper_bound } } }', {
      filters: sent,
    }),
  'the network': (sent) =>
    posted(
      'query($filters: JSON) { network(filters: $filters) { total upper_bound nodes { code } } }',
      { filters: sent },
      '/network/graphql',
    ),
};

let answered = 0;

interface Told {
  readonly total: number | null;
  readonly upper_bound: number | null;
  readonly nodes?: readonly { readonly code: string | null }[];
}

const toldIn = (text: string): Told | null => {
  const { data } = JSON.parse(text) as { data?: { book?: { hits?: Told }; network?: Told } | null };
  return data?.network ?? data?.book?.hits ?? null;
};

/** What is wrong with the answer, in view of what the filter means; null when nothing is. */
const fault = async (request: HttpRequest, filter: unknown): Promise<string | null> => {
  const answer = await exchange(library.url, request);
  const [breach] = breaches(answer, String(request.body));
  if (breach !== undefined) return breach;
  const shown = toldIn(answer.text);
  if (shown === null || shown.total === null || shown.nodes?.some(({ code }) => code !== null)) return null;
  answered += 1;
  const reading = readAsWritten(filter, fields);
  if (reading === 'refused') return `malformed, but counts: ${answer.text}`;
  if (reading === 'unsaid') return null;
  const count = library.documents.filter(
    (document) => reading === null || holds(reading, chainOf(document), fields),
  ).length;
  const isWithin = shown.total <= count && (shown.upper_bound === null || count <= shown.upper_bound);
  return isWithin ? null : `${count} is not within: ${answer.text}`;
};

const whole = filters.map((filter): unknown => printSqon(filter));

for (const [name, requestOf] of Object.entries(ways)) {
  const property = (values: fc.Arbitrary<unknown>) =>
    fc.asyncProperty(values, async (filter) => {
      const found = await fault(requestOf(filter), filter);
      if (found !== null) throw new Error(found);
    });
  test.serial(`every count of a guarded catalogue lies within its bounds: ${name}`, async (t) => {
    answered = 0;
    await t.notThrowsAsync(fc.assert(property(whole), caseCount(0.04)));
    t.true(answered > 0);
  });
  test.serial(`damaged filters and junk are refused, or bounds are sound: ${name}`, async (t) => {
    await t.notThrowsAsync(fc.assert(property(fc.oneof(damaged(whole), junk)), caseCount(0.02)));
  });
}

/** Of the records only: their ids, and a value that none of the released fields has. */
const secret = /"d\d+"|"reader"|"edges":\[\{/;

test.serial('no document, whole or damaged, gets a record out of a guarded catalogue', async (t) => {
  const property = fc.asyncProperty(editedDocuments, async (request) => {
    const answer = await exchange(library.url, request);
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
    const { text } = await exchange(library.url, ways['the catalogue']!(leaf(fieldName)));
    t.is(/NOT_DISCLOSED/.test(text), !released.includes(fieldName), `${fieldName}: ${text}`);
  }
});
