import test from 'ava';
import { runs } from '../../fast-check.ts';
import { cohort, engineOver } from './cohort.ts';
import { leaf, randomFilter } from './random-filter.ts';
import { below, seeded, type Random } from './random-units.ts';
import {
  folderWithRelease,
  nodeKinds,
  serveRelease,
  throughTunnel,
  type ServedRelease,
} from './served-release.ts';

/** `npm run test:all -- disclosure` sends 5 000, the first of the 10 000 of `npm run test:long`. */
const questions = Math.min(10_000, Number(process.env['DISCLOSURE_CASES'] ?? runs(300)) / 2);

const released = cohort(400, 7);
/** Other people, and more of them, with one value that the release never saw. */
const others = [...cohort(900, 99), { donor_id: 'RARE', sex: 'female', site: 'C99.9', genes: ['ABCD1'] }];
const secret = /Name \d|"D\d+"|RARE|ABCD1|C99|"MYC"|"BRAF"/;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[below(random, items.length)]!;

const fields = [
  'sex',
  'age',
  'weight',
  'site',
  'genes',
  'consent',
  'enrolled',
  'samples__kind',
  'surname',
  'none',
];

const counts = (random: Random): string =>
  pick(random, [
    'doc_count upper_bound exact estimate',
    'doc_count upper_bound estimate',
    'key_as_string doc_count upper_bound',
    'doc_count',
    'doc_count lower_bound upper_bound',
    '__typename',
  ]);

/** A facet, allowed or not, of a field that exists or not. */
const facet = (random: Random): string =>
  pick<() => string>(random, [
    () => `buckets(max: ${1 + below(random, 6)}) { key ${counts(random)} }`,
    () => `bucket_count buckets { key key_as_string ${counts(random)} }`,
    () => `buckets(matching: "a") { key ${counts(random)} }`,
    () => `unlisted_upper_bound buckets { key ${counts(random)} top_hits(_source: ["surname"]) }`,
    () => `histogram(interval: ${pick(random, [1, 20, 7])}) { buckets { key ${counts(random)} } }`,
    () =>
      `date_histogram(interval: "${pick(random, ['year', 'day'])}") { buckets { key ${counts(random)} } }`,
    () => `range(ranges: [{ to: ${20 * below(random, 4)} }]) { buckets { key ${counts(random)} } }`,
    () => `stats { min max count }`,
    () => `percentiles { percent value }`,
    () => `cardinality cardinality_bounds { lower upper }`,
    () => `coverage { nodeId state docs }`,
  ])();

/** Whole filters, broken ones, and ones on what is not released. */
const filter = (random: Random): unknown =>
  pick<() => unknown>(random, [
    ...Array.from({ length: 3 }, () => () => null),
    ...Array.from({ length: 8 }, () => () => randomFilter(random, below(random, 4))),
    () => leaf('in', 'surname', ['Name 1']),
    () => leaf('in', 'nothing', ['x']),
    () => leaf('in', 'donor_id', ['D1', 'RARE']),
    () => ({ op: 'search', content: { fieldNames: ['notes'], value: 'seen' } }),
    () => leaf('in', 'genes', ['set_id:b7a3']),
    () => ({ op: 'nearly', content: [] }),
    () => leaf('between', 'age', ['old', 'older']),
  ])();

const page = (random: Random): string =>
  pick(random, [
    '(first: 0, filters: $filters) { total upper_bound exact estimate }',
    '(filters: $filters) { total upper_bound }',
    '(filters: $filters) { total }',
    '(first: 2, filters: $filters) { total upper_bound edges { node { id } } }',
    '(first: 1, sort: [{ fieldName: "age" }], filters: $filters) { edges { searchAfter } }',
    '(first: 0, searchAfter: ["D1", 5], filters: $filters) { total upper_bound edges { searchAfter } }',
    '(offset: 50, first: 0, filters: $filters) { total upper_bound }',
    '(trackTotalHits: false, filters: $filters) { total nodes { nodeId hits upper_bound withheld } }',
  ]);

interface Question {
  readonly path: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** The doors of networks: each answers the same fields. */
const networkDoors = [
  '/network/graphql',
  '/network/network/graphql',
  '/cohort/network/graphql',
  '/cohort/graphql',
];

/** Files, and sets that are saved: never given, whatever the filter. */
const closedQuestion = (random: Random): Question => {
  const sqon = filter(random);
  const columns = [{ fieldName: pick(random, fields), show: true }];
  const params = {
    files: [{ fileName: 'all', fileType: pick(random, ['tsv', 'json']), columns, sqon, sort: [] }],
  };
  const saved = 'mutation($sqon: JSON!) { saveSet(type: donor, path: "donor_id", sqon: $sqon) { ids size } }';
  return random() < 0.7
    ? { path: pick(random, ['/download', '/network/download']), body: { params }, headers: {} }
    : { path: '/graphql', body: { query: saved, variables: { sqon } }, headers: {} };
};

const question = (random: Random): Question => {
  if (random() < 0.05) return closedQuestion(random);
  const facets = Array.from(
    { length: below(random, 4) },
    () => `${pick(random, fields)} { ${facet(random)} }`,
  );
  const aggregations =
    facets.length === 0
      ? ''
      : `aggregations(filters: $filters, aggregations_filter_themselves: ${random() < 0.5}) { ${[...new Set(facets)].join(' ')} }`;
  const network = random() < 0.25;
  const query = network
    ? `query($filters: JSON) { network(filters: $filters) { total upper_bound ${facets.length === 0 ? '' : `aggregations { ${facets[0]!} }`} nodes { nodeId state withheld hits upper_bound errors } } }`
    : `query($filters: JSON) { donor { hits${page(random)} ${aggregations} ${random() < 0.1 ? 'mapping configs { extended disclosure }' : ''} } }`;
  return {
    path: network
      ? pick(random, networkDoors)
      : pick(random, ['/graphql', '/cohort/graphql', '/graphql/tag']),
    body: { query, variables: { filters: filter(random) } },
    headers: random() < 0.3 ? { 'tributary-node': '1' } : {},
  };
};

/** All of HTTP that a client sees, but for clocks. */
const exchange = async ({ url, tunnel }: ServedRelease, { path, body, headers }: Question) => {
  const sent = {
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', 'x-request-id': 'same', ...headers },
    body: JSON.stringify(body),
  };
  const isOfHub = tunnel !== null && path === '/graphql';
  const response = await (isOfHub ? throughTunnel(tunnel, path, sent) : fetch(url + path, sent));
  const shown = [...response.headers].filter(([name]) => name !== 'date');
  return { status: response.status, headers: shown, body: await response.text() };
};

for (const node of nodeKinds)
  test(`random questions are answered byte for byte alike over two data sets with one release, by a node that ${node}`, async (t) => {
    const folder = await folderWithRelease(t, released);
    const one = await serveRelease(t, folder, engineOver(released), { node });
    const other = await serveRelease(t, folder, engineOver(others), { node });
    const random = seeded(20_261_122);
    // the way changes nothing in what is answered
    const requested = node === 'is here' ? questions : Math.max(runs(150), questions / 10);
    let answered = 0;
    for (let round = 0; round < requested; round += 1) {
      const next = question(random);
      const [left, right] = [await exchange(one, next), await exchange(other, next)];
      if (left.body !== right.body || left.status !== right.status)
        t.deepEqual(right, left, JSON.stringify(next));
      if (JSON.stringify(left.headers) !== JSON.stringify(right.headers))
        t.deepEqual(right.headers, left.headers, JSON.stringify(next));
      if (left.status >= 500 || /INTERNAL_SERVER_ERROR/.test(left.body))
        t.fail(`${JSON.stringify(next)}: ${left.body.slice(0, 500)}`);
      if (secret.test(left.body.replaceAll(/Cannot query field[^.]*/g, '')))
        t.fail(`${JSON.stringify(next)}: ${left.body.slice(0, 500)}`);
      if (/"upper_bound":\d/.test(left.body)) answered += 1;
    }
    t.log(`${requested} questions, ${answered} of them answered with intervals`);
    t.true(answered > requested / 20);
  });
