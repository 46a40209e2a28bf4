import test, { type ExecutionContext } from 'ava';
import type { DisclosureConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { openGallery, openPortal, serveGallery } from '../../federation/download/galleries.ts';
import { cohort, cohortProperties } from './cohort.ts';
import { folderWithRelease, serveRelease, throwingEngine } from './served-release.ts';

const closed = cohort(400, 7);
const open = cohort(60, 8).map(
  (one) => JSON.parse(JSON.stringify({ ...one, id: one['donor_id'] })) as JsonObject,
);

/** A network of a guarded node and an open one, the guarded one elsewhere or a catalogue of the same server. */
const openNodes = async (
  t: ExecutionContext,
  where: 'remote' | 'local',
  disclosure: Partial<DisclosureConfig> = {},
  entry: object = {},
) => {
  const folder = await folderWithRelease(t, closed);
  const engine = throwingEngine(closed.length);
  const guarded = await serveRelease(t, folder, engine, { disclosure });
  const gallery = await openGallery(t, {
    documentType: 'donor',
    properties: { ...cohortProperties, id: { type: 'keyword' } },
    documents: open,
  });
  const patient = { timeoutMs: 60_000 };
  const remote = { ...patient, documentType: 'donor', discoveryTimeoutMs: 120_000 };
  const nodes = [
    { nodeId: 'open', graphqlUrl: `${await serveGallery(t, gallery)}/graphql`, ...remote },
    where === 'remote'
      ? { nodeId: 'closed', graphqlUrl: `${guarded.url}/graphql`, ...remote, ...entry }
      : { nodeId: 'closed', catalogue: 'cohort', ...patient, ...entry },
  ];
  const registry = { ...guarded.parts.registry, byId: guarded.releasedById };
  const portal = await openPortal(t, { local: { ...gallery, registry }, nodes: { network: {}, nodes } });
  const runQuery = async (query: string, path = '/network/graphql'): Promise<Answer> => {
    const response = await fetch(portal.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as Answer;
  };
  return { engine, runQuery, url: portal.url, gallery };
};

interface Bounded {
  readonly total: number;
  readonly upper_bound: number | null;
  readonly exact: boolean;
  readonly estimate: number | null;
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly upper_bound: number | null;
  readonly exact: boolean;
  readonly estimate: number | null;
}

interface Status {
  readonly nodeId: string;
  readonly state: string;
  readonly withheld: boolean;
  readonly hits: number | null;
  readonly upper_bound: number | null;
  readonly errors: string;
  readonly uncoveredFields: readonly string[];
}

interface Part extends Bounded {
  readonly partial: boolean;
  readonly nodes: readonly Status[];
  readonly hits: Bounded & {
    readonly nodes: readonly Status[];
    readonly edges: readonly { readonly nodeId: string }[];
  };
  readonly aggregations: Readonly<Record<string, Facet>>;
}

interface Facet {
  readonly buckets: readonly Bucket[];
  readonly histogram: { readonly buckets: readonly Bucket[] };
  readonly range: { readonly buckets: readonly Bucket[] };
  readonly date_histogram: { readonly buckets: readonly Bucket[] };
  readonly stats: { readonly count: number };
  readonly survival: unknown;
  readonly unlisted_upper_bound: number | null;
  readonly coverage: readonly { readonly nodeId: string; readonly docs: number | null }[];
}

interface Answer {
  readonly data: { readonly network: Part; readonly donor: Part };
  readonly extensions?: { readonly network?: { readonly nodes: readonly unknown[] } };
  readonly errors?: unknown;
}

const bounds = 'total upper_bound exact estimate';
const buckets = '{ buckets { key doc_count upper_bound exact estimate } }';
const statuses = 'nodes { nodeId state withheld hits upper_bound errors uncoveredFields }';

/** How many of all records have a value, as nobody but this test knows. */
const having = (field: string, value: unknown): number =>
  [...closed, ...open].filter((one) => (one[field] ?? '__missing__') === value).length;

for (const where of ['remote', 'local'] as const) {
  test(`${where}: the bounds of a guarded node add up, and its rows are withheld`, async (t) => {
    const { runQuery, engine } = await openNodes(t, where);
    const { data, errors } = await runQuery(
      `{ network { ${bounds} partial ${statuses} hits(first: 100) { ${bounds} edges { nodeId node { id } } } } }`,
    );
    t.is(errors, undefined);
    const { network } = data;
    t.like(network, { total: 460, upper_bound: 469, exact: false, partial: false });
    t.true(network.estimate! >= 460 && network.estimate! <= 469);
    t.like(network.hits, { total: 460, upper_bound: 469, exact: false });
    t.deepEqual([...new Set(network.hits.edges.map(({ nodeId }) => nodeId))], ['open']);
    t.is(network.hits.edges.length, 60);
    t.deepEqual(network.nodes, [
      {
        ...{ nodeId: 'closed', state: 'ok', withheld: true, hits: 400, upper_bound: 409 },
        ...{ errors: '', uncoveredFields: [] },
      },
      {
        ...{ nodeId: 'open', state: 'ok', withheld: false, hits: 60, upper_bound: 60 },
        ...{ errors: '', uncoveredFields: [] },
      },
    ]);
    t.is(engine.calls(), 0);
  });

  test(`${where}: no bucket is exact while a guarded node does not answer, and that is not its failure`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const hidden = '{op: "in", content: {fieldName: "surname", value: ["Name 1", "Name 2"]}}';
    const { data } = await runQuery(
      `{ network(filters: ${hidden}) { ${statuses} aggregations { sex ${buckets} age { histogram(interval: 7) ${buckets} } } } }`,
    );
    const { sex, age } = data.network.aggregations;
    const shown = [...sex!.buckets, ...age!.histogram.buckets];
    t.true(shown.length > 0);
    t.deepEqual(
      shown.filter(({ exact }) => exact),
      [],
    );
    t.true(shown.every(({ upper_bound: upper }) => upper === null));
    for (let requested = 0; requested < 8; requested += 1) {
      const answer = await runQuery(
        `{ network { ${statuses} aggregations { age { histogram(interval: 7) ${buckets} } } } }`,
      );
      t.is(answer.data.network.nodes[0]!.state, 'ok', JSON.stringify(answer.data.network.nodes[0]));
      t.true(answer.data.network.aggregations['age']!.histogram.buckets.every(({ exact }) => !exact));
    }
  });

  test(`${where}: units convert the edges of a release, and constants count what it counts`, async (t) => {
    const entry = { units: { age: { factor: 12, from: 'years' } }, constants: { country: 'Norway' } };
    const [plain, converted] = [await openNodes(t, where), await openNodes(t, where, {}, entry)];
    const only = 'nodesFilter: ["closed"]';
    const ages = (step: number): string =>
      `age { histogram(interval: ${step}) ${buckets} range(ranges: [{from: ${step}, to: ${2 * step}, key: "second"}]) ${buckets} }`;
    const { data: years } = await plain.runQuery(
      `{ network(${only}) { ${bounds} aggregations { ${ages(20)} } } }`,
    );
    const { data, errors } = await converted.runQuery(
      `{ network(${only}) { ${bounds} aggregations { country ${buckets} ${ages(240)} } } }`,
    );
    t.is(errors, undefined);
    const { age, country } = data.network.aggregations as { readonly age: Facet; readonly country: Facet };
    const own = years.network.aggregations['age']!;
    const inMonths = own.histogram.buckets.map((one) => ({ ...one, key: String(12 * Number(one.key)) }));
    t.deepEqual(age.histogram.buckets, inMonths);
    t.deepEqual(age.range.buckets, own.range.buckets);
    t.like(years.network, { total: 400, upper_bound: 409 });
    t.like(country.buckets, [{ key: 'Norway', doc_count: 400, upper_bound: 409, exact: false }]);
    const none = '{op: "in", content: {fieldName: "country", value: ["Chad"]}}';
    const { data: nobody } = await converted.runQuery(
      `{ network(${only}, filters: ${none}) { ${bounds} aggregations { country ${buckets} age { stats { count } } } } }`,
    );
    t.like(nobody.network, { total: 0, upper_bound: 0 });
    t.like(nobody.network.aggregations['country']!.buckets, [{ doc_count: 400, upper_bound: 409 }]);
    t.is(converted.engine.calls(), 0);
  });

  test(`${where}: every bucket's true count lies in its bounds, values that the release does not list too`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const { data, errors } = await runQuery(
      `{ network { aggregations { sex ${buckets} site { unlisted_upper_bound buckets { key doc_count upper_bound exact estimate } } consent ${buckets} } } }`,
    );
    t.is(errors, undefined);
    const { sex, site } = data.network.aggregations as { readonly sex: Facet; readonly site: Facet };
    for (const [field, facet] of [
      ['sex', sex],
      ['site', site],
    ] as const)
      for (const { key, doc_count: count, upper_bound: upper, exact, estimate } of facet.buckets) {
        const isCell = key === '__other__' || key.includes('*');
        if (!isCell) t.true(count <= having(field, key) && having(field, key) <= upper!, `${field} ${key}`);
        if (key.endsWith('*')) {
          const matching = closed.filter((one) => String(one['site']).startsWith(key.slice(0, -1))).length;
          t.true(count <= matching && matching <= upper!, `${field} ${key}`);
        }
        t.is(exact, count === upper, key);
        t.true(estimate === null || (estimate >= count && estimate <= upper!), `${field} ${key}`);
      }
    // listed by the open node only: at the other it may be any of the other values, or one of a pattern
    const [d12, other] = ['D12', '__other__'].map((key) => site.buckets.find((one) => one.key === key)!);
    t.true(d12!.upper_bound! > d12!.doc_count);
    t.true(other!.upper_bound! > 0);
    t.true(site.unlisted_upper_bound! > 0);
  });

  test(`${where}: intervals of the release add up, others are not known`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const { data, errors } = await runQuery(
      `{ network { aggregations {
        age { histogram(interval: 20) ${buckets} range(ranges: [{ key: "young", to: 40 }, { key: "odd", from: 25, to: 33 }, { key: "overlapping", from: 20, to: 60 }]) ${buckets} }
        enrolled { date_histogram(interval: "year") ${buckets} } } } }`,
    );
    t.is(errors, undefined);
    const { age, enrolled } = data.network.aggregations as { readonly age: Facet; readonly enrolled: Facet };
    const ages = (from: number, to: number): number =>
      [...closed, ...open].filter(({ age: one }) => typeof one === 'number' && one >= from && one < to)
        .length;
    const known = age.histogram.buckets.map(({ key, upper_bound: upper }) => [key, upper !== null]);
    t.deepEqual(known, [
      ['0', false],
      ['20', true],
      ['40', true],
      ['60', false],
    ]);
    for (const { key, doc_count: count, upper_bound: upper } of age.histogram.buckets) {
      const true_ = ages(Number(key), Number(key) + 20);
      t.true(count <= true_ && true_ <= (upper ?? Infinity), key);
    }
    for (const { key, doc_count: count, upper_bound: upper } of age.range.buckets) {
      const true_ = key === 'young' ? ages(0, 40) : key === 'odd' ? ages(25, 33) : ages(20, 60);
      t.true(count <= true_ && true_ <= upper!, key);
    }
    t.true(enrolled.date_histogram.buckets.some(({ exact, upper_bound: upper }) => !exact && upper !== null));
  });

  test(`${where}: the event table is that of the others, and the guarded node is named as left out`, async (t) => {
    const { runQuery, engine } = await openNodes(t, where);
    const dead = '{ op: "in", content: { fieldName: "sex", value: ["female"] } }';
    const { data, errors } = await runQuery(
      `{ network { ${statuses} aggregations { age { survival(dead: ${dead}) { times { time events censored } no_time negative_time no_event } coverage { nodeId state docs } } } } }`,
    );
    t.is(errors, undefined);
    const { survival, coverage } = data.network.aggregations['age']!;
    const aged = open.filter(({ age }) => age !== undefined);
    const ages = [...new Set(aged.map(({ age }) => Number(age)))].sort((one, other) => one - other);
    const count = (time: number, isDead: boolean): number =>
      aged.filter(({ age, sex }) => age === time && (sex === 'female') === isDead).length;
    t.deepEqual(survival, {
      times: ages.map((time) => ({ time, events: count(time, true), censored: count(time, false) })),
      ...{ no_time: open.length - aged.length, negative_time: 0, no_event: 0 },
    });
    t.deepEqual(coverage as unknown, [
      { nodeId: 'closed', state: 'withheld', docs: null },
      { nodeId: 'open', state: 'answered', docs: 60 },
    ]);
    t.is(engine.calls(), 0);
  });

  test(`${where}: what only records tell is answered by the others, with a notice`, async (t) => {
    const { runQuery, engine } = await openNodes(t, where);
    const { data, errors } = await runQuery(
      `{ network { ${bounds} ${statuses} aggregations { age { stats { count } coverage { nodeId docs } }
         sex { buckets { key doc_count upper_bound } } } } }`,
    );
    t.is(errors, undefined);
    const { aggregations, nodes, total } = data.network;
    t.is(total, 460);
    t.is(aggregations['age']!.stats.count, open.filter(({ age }) => age !== undefined).length);
    t.deepEqual(aggregations['age']!.coverage, [
      { nodeId: 'closed', docs: null },
      { nodeId: 'open', docs: 60 },
    ]);
    t.true(
      aggregations['sex']!.buckets.some(
        ({ key, upper_bound: upper, doc_count: count }) => key === 'female' && upper! > count,
      ),
    );
    t.like(nodes[0], { state: 'ok', withheld: true, uncoveredFields: ['age'] });
    t.is(engine.calls(), 0);
  });

  test(`${where}: a client that shows no bounds is refused, or gets lower bounds where that is allowed`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const old = `{ network { total partial nodes { nodeId state errors withheld } aggregations { sex { buckets { key doc_count } } } } }`;
    const { data } = await runQuery(old);
    t.is(data.network.total, 60);
    t.true(data.network.partial);
    t.like(data.network.nodes[0], { nodeId: 'closed', state: 'refused', withheld: false });
    t.regex(data.network.nodes[0]!.errors, /select upper_bound beside total and doc_count/);
    const lenient = await openNodes(t, where, { lowerBoundsToOldClients: true });
    const { data: lower } = await lenient.runQuery(old);
    t.like(lower.network, { total: 460, partial: false });
    t.like(lower.network.nodes[0], { nodeId: 'closed', state: 'ok', withheld: true });
  });

  test(`${where}: facets that show no bounds are refused although the total shows them`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const { data } = await runQuery(
      `{ network { total upper_bound ${statuses} aggregations { sex { buckets { key doc_count } } } } }`,
    );
    // the 0 of a node that did not answer is not an upper bound
    t.like(data.network.nodes[0], { state: 'refused', hits: 0, upper_bound: null });
    t.is(data.network.total, 60);
  });

  test(`${where}: a filter on a field that is not released is refused there, not answered with none`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const filter = '{ op: "in", content: { fieldName: "surname", value: ["Name 1"] } }';
    const { data } = await runQuery(`{ network(filters: ${filter}) { ${bounds} ${statuses} } }`);
    t.like(data.network.nodes[0], { state: 'refused', withheld: false });
    t.like(data.network, { total: 1, upper_bound: 1, exact: true });
  });

  test(`${where}: the boolean tier adds the threshold, and no upper bound`, async (t) => {
    const { runQuery } = await openNodes(t, where, { default: 'boolean' });
    const { data } = await runQuery(`{ network { ${bounds} ${statuses} aggregations { sex ${buckets} } } }`);
    t.like(data.network, { total: 70, upper_bound: null, exact: false, estimate: null });
    t.like(data.network.nodes[0], { withheld: true, hits: 10, upper_bound: null });
    const female = data.network.aggregations['sex']!.buckets.find(({ key }) => key === 'female')!;
    t.like(female, { upper_bound: null, exact: false, estimate: null });
  });

  test(`${where}: through the document type, the same`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const { data, errors } = await runQuery(
      `{ donor { hits(first: 100) { ${bounds} ${statuses} edges { node { id } } } aggregations { sex ${buckets} } } }`,
    );
    t.is(errors, undefined);
    const { hits, aggregations } = data.donor;
    t.like(hits, { total: 460, upper_bound: 469, exact: false });
    t.is(hits.edges.length, 60);
    t.like(hits.nodes[0], { nodeId: 'closed', state: 'ok', withheld: true, hits: 400, upper_bound: 409 });
    t.true(
      aggregations['sex']!.buckets.every(
        ({ key, exact }) => key === '__other__' || !exact || key === 'other',
      ),
    );
  });
}

/** Every bucket in an answer, wherever it is. */
const bucketsIn = (value: unknown): readonly Bucket[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'doc_count' in value ? [value as Bucket] : [];
  return [...own, ...Object.values(value).flatMap(bucketsIn)];
};

const everyFacet = `aggregations {
  sex ${buckets} site ${buckets} genes ${buckets} consent ${buckets} samples__kind ${buckets}
  age { histogram(interval: 20) ${buckets} range(ranges: [{ key: "young", to: 40 }, { key: "odd", from: 25, to: 33 }]) ${buckets} }
  enrolled { date_histogram(interval: "year") ${buckets} } }`;

for (const where of ['remote', 'local'] as const)
  test(`${where}: no bucket is exact beside a node that withholds its records, by whatever way`, async (t) => {
    const { runQuery, url, gallery } = await openNodes(t, where);
    const nodes = [
      {
        nodeId: 'inner',
        documentType: 'donor',
        graphqlUrl: `${url}/network/graphql`,
        timeoutMs: 60_000,
        discoveryTimeoutMs: 120_000,
      },
    ];
    const outer = await openPortal(t, { local: gallery, nodes: { network: {}, nodes } });
    const post = async (path: string, query: string): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
    };
    const query = `{ network { ${everyFacet} } }`;
    const plain = await runQuery(query);
    const byType = await runQuery(`{ donor { ${everyFacet} } }`);
    const nested = JSON.parse(await post(`${outer.url}/network/graphql`, query)) as unknown;
    for (const [way, answer] of Object.entries({ plain, byType, nested })) {
      const shown = bucketsIn(answer);
      t.true(shown.length > 20, `${way}: ${JSON.stringify(answer).slice(0, 300)}`);
      t.deepEqual(
        shown.filter(({ exact }) => exact),
        [],
        way,
      );
    }
  });

const download = (url: string, more: object = {}) =>
  fetch(`${url}/network/download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ params: { files: [{ columns: [{ fieldName: 'sex' }], sqon: null }], ...more } }),
  });

for (const where of ['remote', 'local'] as const)
  for (const lowerBoundsToOldClients of [false, true]) {
    const which = `${where}${lowerBoundsToOldClients ? ', with lower bounds to old clients' : ''}`;
    test(`${which}: a download has the rows of the others and counts theirs alone`, async (t) => {
      const { url } = await openNodes(t, where, { lowerBoundsToOldClients });
      const file = await download(url, { manifest: false });
      t.is(file.status, 200);
      t.is(file.headers.get('x-total-count'), '60');
      t.is((await file.text()).trim().split('\n').length, 61);
    });

    test(`${which}: a download of withheld records alone is refused, with the reason and no count`, async (t) => {
      const { url } = await openNodes(t, where, { lowerBoundsToOldClients });
      const refused = await download(url, { nodesFilter: ['closed'] });
      t.is(refused.status, 403);
      const { error } = (await refused.json()) as { readonly error: unknown };
      t.like(error, {
        code: 'NOT_DISCLOSED',
        details: {
          nodes: [
            {
              nodeId: 'closed',
              state: 'refused',
              reason: 'withholds its records: it discloses counts only',
            },
          ],
        },
      });
      t.notRegex(JSON.stringify(error), /\d{2}/);
    });
  }

for (const where of ['remote', 'local'] as const)
  test(`${where}: other intervals than those of the release are left out, and the rest is answered`, async (t) => {
    const { runQuery } = await openNodes(t, where);
    const { data, errors } = await runQuery(
      `{ network { ${bounds} ${statuses} hits(first: 3) { edges { nodeId } } aggregations {
        age { stats { count } histogram(interval: 7) ${buckets} coverage { nodeId state docs } } sex ${buckets} } } }`,
    );
    t.is(errors, undefined);
    const { total, nodes, aggregations } = data.network;
    t.is(total, 460);
    t.like(nodes[0], { state: 'ok', withheld: true, uncoveredFields: ['age'] });
    t.like(aggregations['age']!.coverage[0], { nodeId: 'closed', state: 'withheld', docs: null });
    t.true(aggregations['sex']!.buckets.find(({ key }) => key === 'female')!.doc_count > 60);
  });

test('nodes say what their intervals are', async (t) => {
  const { runQuery } = await openNodes(t, 'remote');
  const { data } = await runQuery(`{ network { ${bounds} nodes { nodeId disclosure } } }`);
  t.deepEqual(data.network.nodes as unknown, [
    {
      nodeId: 'closed',
      disclosure: { tier: 'counts', threshold: 10, counted: 'donor_id', date: '2026-11-01' },
    },
    { nodeId: 'open', disclosure: null },
  ]);
});

test('GET /network says which nodes withhold their records', async (t) => {
  const { url } = await openNodes(t, 'remote');
  const body = (await (await fetch(`${url}/network`)).json()) as { readonly nodes: readonly object[] };
  t.deepEqual(
    body.nodes.map((node) => 'withheld' in node && node.withheld),
    [false, true],
  );
});
