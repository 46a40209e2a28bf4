import test from 'ava';
import fc from '../../fast-check.ts';
import { isJsonObject } from '../../../src/lib/json/json.ts';
import { printSqon } from '../../../src/sqon/parse.ts';
import { chainOf, holds } from '../../sqon/evaluate-sqon.ts';
import { filters, library as fields } from '../../sqon/fixture.ts';
import { breaches } from './breaches.ts';
import { caseCount } from './case-count.ts';
import { damaged } from './damaged-json.ts';
import type { Answer, HttpRequest } from './http-exchange.ts';
import { exchange } from './http-exchange.ts';
import { readAsWritten } from './read-as-written.ts';
import { libraryOfFile } from './served-library.ts';

const library = libraryOfFile();

const names = fc.oneof(
  fc.constantFrom(
    'list.tsv',
    '../../etc/passwd',
    'C:\\x',
    '"; x="y',
    'a\r\nset-cookie: b',
    '\u0000',
    'é\ud800',
    '.',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const paths = fc.constantFrom(
  'id',
  'title',
  'pages',
  'printed',
  'copies',
  'copies.shelf',
  'copies.loans.days',
);
const column = fc.record(
  {
    fieldName: paths,
    jsonPath: fc.constantFrom(
      '$.title',
      '$.copies.hits.edges[*].node.shelf',
      '$..x',
      '$[',
      '$.__proto__',
      '$',
    ),
    displayName: fc.string({ unit: 'binary', maxLength: 20 }),
    displayFormat: fc.constantFrom('yyyy-MM-dd', 'YYYY', "'", 'n'.repeat(500), 'PPPP'),
    displayType: fc.constantFrom('date', 'list', 'number', 'bits'),
    isArray: fc.boolean(),
    displayValues: fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
  },
  { requiredKeys: ['fieldName'] },
);
const sort = fc.record(
  { fieldName: paths, order: fc.constantFrom('asc', 'desc'), mode: fc.constantFrom('min', 'avg') },
  { requiredKeys: ['fieldName'] },
);
const file = fc.record(
  {
    fileName: names,
    fileType: fc.constantFrom('tsv', 'csv', 'json', 'JSON'),
    columns: fc.array(column, { minLength: 1, maxLength: 3 }),
    sqon: fc.oneof(filters.map(printSqon), fc.constant(null)),
    sort: fc.array(sort, { maxLength: 2 }),
    uniqueBy: fc.constantFrom('copies', 'copies.hits.edges[].node.', 'title', '__proto__'),
    maxRows: fc.integer({ min: 0, max: 5 }),
    valueWhenEmpty: fc.string({ maxLength: 3 }),
  },
  { requiredKeys: ['columns', 'sqon'] },
);
const params = fc.record(
  {
    files: fc.oneof(
      { weight: 4, arbitrary: fc.tuple(file) },
      { weight: 1, arbitrary: fc.array(file, { minLength: 2, maxLength: 3 }) },
    ),
    fileName: names,
  },
  { requiredKeys: ['files'] },
);

/** By every way a client may send them. */
const ways: readonly ((params: unknown) => HttpRequest)[] = [
  (sent) => ({
    path: '/download',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ params: sent }),
  }),
  (sent) => ({
    path: '/library/download',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ params: JSON.stringify(sent) ?? '' }).toString(),
  }),
  (sent) => ({ path: `/download?${new URLSearchParams({ params: JSON.stringify(sent) ?? '' }).toString()}` }),
];

const sent = (values: fc.Arbitrary<unknown>) => fc.tuple(values, fc.nat(ways.length - 1));

/** Its rows are the documents of its filter; malformed filters give no file at all. */
const fault = (sentParams: unknown, answer: Answer, request: HttpRequest): string | null => {
  if (answer.status !== 200) return breaches(answer, `${request.path} ${String(request.body)}`)[0] ?? null;
  const files = isJsonObject(sentParams) && Array.isArray(sentParams['files']) ? sentParams['files'] : [];
  const readings = files.map((one: { sqon?: unknown } | null) => readAsWritten(one?.sqon, fields));
  if (readings.length === 0) return 'a file of nothing';
  if (readings.includes('refused')) return 'a file of a malformed filter';
  if (readings.includes('unsaid')) return null;
  const wanted = readings
    .map((reading) =>
      library().documents.filter(
        (document) =>
          reading === null ||
          holds(reading as Exclude<typeof reading, string | null>, chainOf(document), fields),
      ),
    )
    .reduce((sum, { length }) => sum + length, 0);
  const announced = Number(answer.headers['x-total-count']);
  return announced === wanted ? null : `the file is of ${announced} documents, not ${wanted}`;
};

/** How many answers were files: a run without any has tested nothing. */
let files = 0;

const property = (values: fc.Arbitrary<unknown>) =>
  fc.asyncProperty(sent(values), async ([sentParams, way]) => {
    const request = ways[way]!(sentParams);
    // Longer addresses than Node.js takes are another matter.
    if (request.path.length > 12_000) return;
    const answer = await exchange(library().url, request);
    if (answer.status === 200) files++;
    const found = fault(sentParams, answer, request);
    if (found !== null) throw new Error(found);
  });

test.serial('a download has the documents of its filter', async (t) => {
  await t.notThrowsAsync(fc.assert(property(params), caseCount(0.03)));
  t.true(files > 0);
});

test.serial('damaged params are refused, or the file has the documents of its filter', async (t) => {
  await t.notThrowsAsync(fc.assert(property(damaged(params, 2)), caseCount(0.05)));
});
