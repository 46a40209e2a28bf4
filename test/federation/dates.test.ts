import test, { type ExecutionContext } from 'ava';
import { openGallery, openPortal, serveGallery } from './download/galleries.ts';
import { serveEstablishedServer } from './established/established-server.ts';

// dates in the formats of their mappings, at nodes of all kinds: one form in filters, one in what is shown

const first = Date.UTC(2024, 4, 1);

/** The first moment of May, its first evening, and the second of May, each in a format of its own. */
const formats = {
  iso: [undefined, '2024-05-01', '2024-05-01T23:59:59Z', '2024-05-02'],
  seconds: ['epoch_second', 1_714_521_600, 1_714_607_999, 1_714_608_000],
  millis: ['epoch_millis', first, first + 86_399_000, first + 86_400_000],
  compact: ['yyyyMMdd', '20240501', 20_240_501, '20240502'],
  british: ['dd/MM/yyyy HH:mm||epoch_second', '01/05/2024 00:00', 1_714_607_999, '02/05/2024 00:00'],
} as const;

type Kind = keyof typeof formats;

const shown: Readonly<Record<Kind, readonly string[]>> = {
  iso: ['2024-05-01', '2024-05-01T23:59:59Z', '2024-05-02'],
  seconds: ['2024-05-01T00:00:00.000Z', '2024-05-01T23:59:59.000Z', '2024-05-02T00:00:00.000Z'],
  millis: ['2024-05-01T00:00:00.000Z', '2024-05-01T23:59:59.000Z', '2024-05-02T00:00:00.000Z'],
  compact: ['2024-05-01', '2024-05-01', '2024-05-02'],
  british: ['2024-05-01T00:00Z', '2024-05-01T23:59:59.000Z', '2024-05-02T00:00Z'],
};

const propertiesOf = (kind: Kind) => {
  const [format] = formats[kind];
  const date = { type: 'date', ...(format !== undefined && { format }) };
  return {
    id: { type: 'keyword' },
    day: date,
    visits: { type: 'nested', properties: { at: date, ward: { type: 'keyword' } } },
  };
};

const documentsOf = (kind: Kind) =>
  formats[kind]
    .slice(1)
    .flatMap((day) => day ?? [])
    .map((day, at) => ({
      id: `${kind}${at + 1}`,
      day,
      visits: [
        { at: day, ward: 'a' },
        { at: formats[kind][1], ward: 'b' },
      ],
    }));

const gallery = (kind: Kind) => ({
  documentType: kind,
  properties: propertiesOf(kind),
  documents: documentsOf(kind),
});

const kinds = Object.keys(formats) as readonly Kind[];

/** @param nodes their formats; `established` ones show their mapping */
const open = async (
  t: ExecutionContext,
  local: Kind,
  remote: readonly Kind[],
  established: readonly Kind[],
) => {
  const own = await openGallery(t, gallery(local));
  const ours = remote.map(async (kind) => ({
    nodeId: kind,
    documentType: kind,
    graphqlUrl: `${await serveGallery(t, await openGallery(t, gallery(kind)))}/graphql`,
  }));
  const theirs = established.map(async (kind) => {
    const documents = Object.fromEntries(documentsOf(kind).map((one) => [one.id, one]));
    const setup = {
      documentType: kind,
      properties: propertiesOf(kind),
      documents,
      showsMapping: true,
      maxDepth: 12,
    };
    const server = await serveEstablishedServer(setup);
    t.teardown(() => server.close());
    return { nodeId: kind, documentType: kind, graphqlUrl: server.url, maxDepth: 12 };
  });
  const portal = await openPortal(t, {
    local: own,
    nodes: {
      defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
      nodes: [{ nodeId: local, catalogue: local }, ...(await Promise.all([...ours, ...theirs]))],
    },
  });
  const runQuery = async (path: string, query: string, filters: unknown = null) => {
    const body = JSON.stringify({ query, variables: { filters } });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(portal.url + path, { method: 'POST', headers, body });
    return (await response.json()) as { data: never; errors?: unknown };
  };
  return { ...portal, runQuery };
};

const condition = (op: string, value: unknown, fieldName = 'day') => ({ op, content: { fieldName, value } });

/** Filters, and which of the three records of each node they find. */
const filters = [
  [condition('gte', first), [1, 2, 3]],
  [condition('gte', String(first)), [1, 2, 3]],
  [condition('between', ['2024-05-01', '2024-05-01']), [1, 2]],
  [condition('between', ['2024-05-01', '2024-05-31']), [1, 2, 3]],
  [condition('between', [first, '2024-05-01']), [1, 2]],
  [condition('in', '2024-05-01'), [1, 2]],
  [condition('in', ['2024-05']), [1, 2, 3]],
  [condition('in', ['2023', '2024-05-02']), [3]],
  [condition('not-in', ['2024-05-02']), [1, 2]],
  [condition('some-not-in', ['2024', '__missing__']), []],
  [condition('lte', '2024-05-01'), [1, 2]],
  [condition('lt', '2024-05-02'), [1, 2]],
  [condition('gt', '2024-05-01'), [3]],
  [condition('gt', '2024-04-30'), [1, 2, 3]],
  [condition('gt', '2024-05-01T23:59:59Z'), [3]],
  [condition('gte', '2024-05-01||+1d/d'), [3]],
  [condition('lte', 'now'), [1, 2, 3]],
  [condition('in', '__missing__'), []],
  [condition('in', '2024-05-02', 'visits.at'), [3]],
  [condition('not-in', '2024-05-01', 'visits.at'), [3]],
  [condition('some-not-in', '2024-05-01', 'visits.at'), []],
  [condition('all', ['2024-05-01', '2024-05-02'], 'visits.at'), [3]],
  [condition('all', ['2024', '2024-05-02'], 'visits.at'), [3]],
  [
    {
      op: 'and',
      content: [condition('gte', '2024-05-02', 'visits.at'), condition('in', 'a', 'visits.ward')],
      pivot: 'visits',
    },
    [3],
  ],
] as const;

const query = `query ($filters: JSON) {
  network(filters: $filters) { total nodes { nodeId state errors }
    hits(first: 100, sort: [{ fieldName: "id" }]) { edges { node { id day visits__at } } } }
}`;

for (const [local, remote, established] of [
  ['iso', ['seconds'], []],
  ['seconds', ['iso', 'compact'], []],
  ['british', ['millis'], ['iso', 'seconds']],
  ['iso', [], ['millis', 'compact', 'british']],
] as const)
  test(`filters find records of all nodes: ${[local, ...remote].join(', ')}; established: ${established.join(', ')}`, async (t) => {
    const { runQuery } = await open(t, local, remote, established);
    const nodes: readonly Kind[] = [local, ...remote, ...established];
    for (const [filter, found] of filters) {
      const { data, errors } = await runQuery('/network/graphql', query, filter);
      t.is(errors, undefined, JSON.stringify([filter, errors]));
      const { network } = data as { network: { total: number; hits: { edges: { node: { id: string } }[] } } };
      t.deepEqual(
        network.hits.edges.map(({ node }) => node.id).toSorted(),
        nodes.flatMap((kind) => found.map((one) => `${kind}${one}`)).toSorted(),
        JSON.stringify([filter, network]),
      );
    }
    const { data } = await runQuery('/network/graphql', query);
    const rows = (data as { network: { hits: { edges: { node: { id: string } }[] } } }).network.hits.edges;
    for (const { node } of rows) {
      const kind = node.id.slice(0, -1) as Kind;
      const iso = shown[kind][Number(node.id.at(-1)) - 1]!;
      t.deepEqual(node, { id: node.id, day: iso, visits__at: [iso, shown[kind][0]] });
    }
    t.is(rows.length, 3 * nodes.length);
  });

for (const kind of kinds)
  test(`a catalogue alone: ${kind}`, async (t) => {
    const { runQuery, download } = await open(t, kind, [], []);
    const own = `query ($filters: JSON) { ${kind} { hits(filters: $filters) { edges { node { id } } } } }`;
    for (const [filter, found] of filters) {
      const { data, errors } = await runQuery('/graphql', own, filter);
      t.is(errors, undefined, JSON.stringify([filter, errors]));
      const { edges } = (data as Record<string, { hits: { edges: { node: { id: string } }[] } }>)[kind]!.hits;
      t.deepEqual(
        edges.map(({ node }) => node.id).toSorted(),
        found.map((one) => `${kind}${one}`),
        JSON.stringify(filter),
      );
    }
    const page = `{ ${kind} { hits(sort: [{ fieldName: "day", order: desc }]) { edges { node { day _source } searchAfter } }
      aggregations { id { buckets { top_hits(_source: ["day"], size: 1) } } visits__ward { buckets { top_hits(_source: ["at"], size: 1) } } } } }`;
    const { data } = await runQuery('/graphql', page);
    const answer = (data as Record<string, unknown>)[kind] as {
      hits: { edges: { node: { day: string; _source: { day: string } }; searchAfter: unknown[] }[] };
      aggregations: {
        id: { buckets: { top_hits: object }[] };
        visits__ward: { buckets: { top_hits: object }[] };
      };
    };
    const [latest] = answer.hits.edges;
    t.deepEqual([latest!.node.day, latest!.node._source.day], [shown[kind][2], shown[kind][2]]);
    t.is(latest!.searchAfter[0], first + 86_400_000);
    t.deepEqual(
      answer.aggregations.id.buckets.map((one) => one.top_hits),
      shown[kind].map((day) => ({ day })),
    );
    t.deepEqual(answer.aggregations.visits__ward.buckets[1]!.top_hits, { at: shown[kind][0] });
    const columns = [
      { fieldName: 'day' },
      { fieldName: 'day', Header: 'Tag', displayType: 'date', displayFormat: 'dd.MM.yyyy' },
    ];
    const file = await download(
      { files: [{ columns, fileType: 'tsv', sort: [{ fieldName: 'id' }] }] },
      '/download',
    );
    t.is(
      await file.text(),
      ['Day\tTag', ...shown[kind].map((day, at) => `${day}\t0${at < 2 ? 1 : 2}.05.2024`), ''].join('\n'),
    );
  });

test('facets, pages and files of several nodes agree', async (t) => {
  const { runQuery, download } = await open(t, 'seconds', ['iso', 'compact'], ['british']);
  const facets = `{ network { aggregations { day { stats { count min max }
    date_histogram(interval: "day") { buckets { key doc_count } }
    range(ranges: [{ from: "2024-05-02", key: "later" }]) { buckets { doc_count } } } } } }`;
  const { data } = await runQuery('/network/graphql', facets);
  const { day } = (data as { network: { aggregations: { day: Record<string, unknown> } } }).network
    .aggregations;
  t.deepEqual(day['stats'], { count: 12, min: first, max: first + 86_400_000 });
  // the established server takes ends of 32 bits only
  t.deepEqual(day['range'], { buckets: [{ doc_count: 3 }] });
  const page = 'hits(first: 5, sort: [{ fieldName: "day" }, { fieldName: "id" }]';
  const seen: string[] = [];
  let after = '';
  for (let pages = 0; pages < 4; pages++) {
    const rows = `{ network { ${page}${after}) { edges { node { id day } searchAfter } } } }`;
    const answer = await runQuery('/network/graphql', rows);
    const { edges } = (
      answer.data as { network: { hits: { edges: { node: { id: string }; searchAfter: unknown }[] } } }
    ).network.hits;
    if (edges.length === 0) break;
    seen.push(...edges.map(({ node }) => node.id));
    after = `, searchAfter: ${JSON.stringify(edges.at(-1)!.searchAfter)}`;
  }
  t.deepEqual(seen, [
    ...['british1', 'compact1', 'compact2', 'iso1', 'seconds1', 'british2', 'iso2', 'seconds2'],
    ...['british3', 'compact3', 'iso3', 'seconds3'],
  ]);
  const columns = [{ fieldName: 'id' }, { fieldName: 'day' }];
  const file = await download({ files: [{ columns, fileType: 'tsv', sort: [{ fieldName: 'id' }] }] });
  const lines = (await file.text()).trim().split('\n').slice(1);
  const wanted = (['british', 'compact', 'iso', 'seconds'] as const).flatMap((kind) =>
    shown[kind].map((iso, at) => `${kind}${at + 1}\t${iso}`),
  );
  t.deepEqual(lines.toSorted(), wanted);
});
