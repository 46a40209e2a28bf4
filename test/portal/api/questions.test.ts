import { createServer } from 'node:http';
import { QueryClient } from '@tanstack/react-query';
import test, { type ExecutionContext } from 'ava';
import type { Overview } from '../../../portal/src/api/answer.ts';
import { countsQuery } from '../../../portal/src/api/counts.ts';
import { extentsQuery, overviewQuery } from '../../../portal/src/api/queries.ts';
import { parse, validate, type GraphQLSchema } from 'graphql';
import { describe, type Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { Extents } from '../../../portal/src/api/extents.ts';
import { kindOfType, type Field } from '../../../portal/src/api/fields.ts';
import {
  fetchExtents,
  fetchMatching,
  fetchOverview,
  fetchPage,
  fetchTotal,
  type FacetSizes,
} from '../../../portal/src/api/questions.ts';
import { download, planDownload } from '../../../portal/src/api/download.ts';
import { setBase } from '../../../portal/src/api/server.ts';
import { noteTimes } from '../../../portal/src/api/soon.ts';
import { unlistedIn } from '../../../portal/src/api/answer.ts';
import { readFacet } from '../../../portal/src/api/read-answer.ts';
import { askRecord } from '../../../portal/src/api/record.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import { listening } from '../../listening.ts';
import { testNetwork } from '../../builders.ts';

// the last is a name that every object inherits
const types = {
  id: 'keyword',
  genus: 'keyword',
  height: 'float',
  planted: 'date',
  native: 'boolean',
  constructor: 'keyword',
};
const trees = catalogueOf('tree', fieldsOf(types), searchOf([]));

/** What the portal knows of a source that has these fields. */
const known = (kind: 'network' | 'catalogue', documentType: string | null): Catalogue => ({
  source: {
    id: 'one',
    kind,
    path: 'one',
    name: 'One',
    description: null,
    documentType,
    status: 'available',
  },
  documentType,
  fields: new Map(
    Object.entries(types).map(([path, type]): [string, Field] => [
      path,
      {
        path,
        name: path,
        type,
        kind: kindOfType(type),
        unit: null,
        displayValues: {},
        description: null,
        nodes: null,
        ...(path === 'genus' && { hierarchy: 'genera' }),
      },
    ]),
  ),
  facets: Object.keys(types),
  shownFacets: 4,
  columns: [],
  survival: null,
  sort: [],
  isFiltered: false,
  disclosure: null,
  nodes: [{ nodeId: 'one', name: 'One' }],
});

const paths = Object.keys(types);
const extents = new Map([
  ['height', { min: 0, max: 30 }],
  ['planted', { min: 0, max: Date.parse('2020-01-01') }],
]);
const question = {
  filter: { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } },
  nodes: ['one'],
  isExact: true,
} as const;
const sizes = { asUsual: 6, more: { genus: 30 }, also: { genus: ['Ac"er'] } };
const columns = paths.map((path) => ({ path }));
const page = { columns, sort: [{ fieldName: 'genus', order: 'asc' }], after: null, size: 20 } as const;

const ignore = (): void => undefined;

/** A network one of whose nodes was slow lately. */
const slowOne = (documentType: string | null): Catalogue => {
  const catalogue = known('network', documentType);
  noteTimes('slow', [{ nodeId: 'one', tookMs: 2_000 }]);
  return { ...catalogue, source: { ...catalogue.source, path: 'slow' } };
};

/** Every query that the pages send to a source. */
const runChecks = async (catalogue: Catalogue): Promise<void> => {
  await describe(catalogue.source);
  await fetchExtents(catalogue, paths);
  await fetchOverview(catalogue, question, paths, sizes, { extents });
  await fetchOverview(catalogue, question, paths, sizes, { extents, soon: ignore });
  for (const levels of [{}, { genus: 'Ac"er' }] as NonNullable<FacetSizes['levels']>[])
    await fetchOverview(catalogue, question, paths, { ...sizes, levels }, { extents });
  await fetchMatching(catalogue, question, 'genus', 'ac"er', 50, { soon: ignore });
  await fetchPage(catalogue, question, page, { soon: ignore });
  await askRecord(catalogue, { id: 'a', nodeId: 'one' });
};

/** The GraphQL documents that are sent while something is done; each is answered with nothing. */
const sentBy = async (t: ExecutionContext, act: () => Promise<void>): Promise<readonly string[]> => {
  const sent: string[] = [];
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  globalThis.fetch = async (_, init) => {
    if (init?.body != null) sent.push((JSON.parse(String(init.body)) as { query: string }).query);
    const answer = JSON.stringify({
      data: { network: { nodes: [], hits: { edges: [] } }, tree: { hits: { edges: [] }, configs: null } },
      // what is no GraphQL: who is there, and which fields
      nodes: [],
      fields: [],
    });
    return new Response(answer);
  };
  await act();
  globalThis.fetch = fetch;
  return sent;
};

test.serial('blanks stand last, whichever way rows are sorted, in files as in tables', async (t) => {
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  const sorts: unknown[] = [];
  globalThis.fetch = async (_, init) => {
    const { variables, files } = JSON.parse(String(init?.body)) as {
      variables?: { sort: unknown };
      files?: { sort: unknown }[];
    };
    sorts.push((variables ?? files![0]!).sort);
    return new Response(JSON.stringify({ data: { tree: { hits: { edges: [] } } } }));
  };
  for (const order of ['asc', 'desc'] as const)
    await fetchPage(known('catalogue', 'tree'), question, { ...page, sort: [{ fieldName: 'genus', order }] });
  const table = { columns: [], sort: [{ fieldName: 'genus', order: 'asc' }] } as const;
  const { signal } = new AbortController();
  await download(
    known('catalogue', 'tree'),
    question,
    { ...table, fileType: 'tsv', plan: null },
    ignore,
    signal,
  );
  t.deepEqual(sorts, [
    [{ fieldName: 'genus', order: 'asc', missing: 'last' }],
    [{ fieldName: 'genus', order: 'desc', missing: 'last' }],
    [{ fieldName: 'genus', order: 'asc', missing: 'last' }],
  ]);
});

test('a level of a hierarchy is read as values with labels', (t) => {
  const term = (key: string, count: number, upper = count) => ({
    ...{ key, label: `Genus ${key}`, doc_count: count, upper_bound: upper, has_children: key === 'a' },
    nodes: [{ nodeId: 'one', doc_count: count }],
  });
  const read = (buckets: readonly ReturnType<typeof term>[]) => {
    const wire = { tree: { buckets }, bucket_count: 40, buckets: [{ key: 'leaf', doc_count: 9 }] };
    const facet = readFacet(known('network', 'tree'), 'genus', wire, new Map(), 2);
    return facet.kind === 'values' ? facet : t.fail();
  };
  const facet = read([term('a', 5), term('b', 3), term('c', 2)]);
  t.like(facet, { bucketCount: 40, level: { hasMore: true }, unlistedUpper: 2 });
  t.is(facet && unlistedIn(facet), 1);
  t.deepEqual(
    facet?.buckets.map(({ key, label, count, hasChildren }) => [key, label, count, hasChildren]),
    [
      ['a', 'Genus a', 5, true],
      ['b', 'Genus b', 3, false],
    ],
  );
  t.like(facet?.buckets[0], { nodes: [{ nodeId: 'one', count: 5 }] });
  t.is(read([term('a', 5), term('b', 3, 9), term('c', 2)])?.unlistedUpper, Infinity);
  t.like(read([term('a', 5), term('b', 3)]), { level: { hasMore: false }, unlistedUpper: 0 });
});

/** What counts the trees of a question, and their heights and dates, in one unit after another. */
const countTrees = async (catalogue: Catalogue): Promise<void> => {
  const client = new QueryClient();
  for (const counter of [null, catalogue.fields.get('height')!, catalogue.fields.get('planted')!])
    await client.fetchQuery(countsQuery(catalogue, [women], null, { counter }));
};

const faultsOf = (schema: GraphQLSchema, documents: readonly string[]): readonly string[] =>
  documents.flatMap((document) => validate(schema, parse(document)).map(({ message }) => message));

test.serial('every question to a catalogue fits its schema', async (t) => {
  const catalogue = known('catalogue', 'tree');
  const sent = await sentBy(t, async () => {
    await runChecks(catalogue);
    await countTrees(catalogue);
  });
  t.is(sent.length, 12);
  t.deepEqual(faultsOf(buildCatalogueSchema(trees), sent), []);
});

for (const documentType of ['tree', null])
  test.serial(
    `every question to a network fits its schema, its documents called ${documentType}`,
    async (t) => {
      const network = await testNetwork(t, [{ nodeId: 'one', catalogue: trees }], {
        network: { displayName: 'Trees', documentType: 'tree' },
      });
      const sent = await sentBy(t, async () => {
        await runChecks(slowOne(documentType));
        await countTrees(known('network', documentType));
      });
      t.is(sent.length, documentType === null ? 14 : 15);
      t.is(sent.filter((query) => query.includes('waitFor')).length, 3);
      t.deepEqual(faultsOf(network.schema(), sent), []);
    },
  );

const women = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;

/** A network whose second node answers when it is not hurried; the whole answer comes last. */
const slowNetwork = (t: ExecutionContext): { readonly sent: string[] } => {
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  const sent: string[] = [];
  globalThis.fetch = async (_, init) => {
    const { query } = JSON.parse(String(init?.body)) as { query: string };
    sent.push(query);
    const isHurried = query.includes('waitFor');
    if (!isHurried) await new Promise((resolve) => setTimeout(resolve, 50));
    const parts = [
      { nodeId: 'one', name: 'One', hits: 3, state: 'ok' },
      { nodeId: 'two', name: 'Two', hits: isHurried ? null : 4, state: isHurried ? 'pending' : 'ok' },
    ];
    const total = isHurried ? 3 : 7;
    const root = { total, upper_bound: total, partial: isHurried, nodes: parts };
    const rows = { hits: { total, edges: [{ node: { id: String(total) } }] } };
    const data = query.includes('a0:')
      ? { a0: { total, upper_bound: total, partial: isHurried } }
      : query.includes('tree(')
        ? { tree: rows }
        : { network: root };
    const extensions = { network: { partial: isHurried, nodes: parts } };
    return new Response(JSON.stringify({ data, ...(query.includes('tree(') && { extensions }) }));
  };
  return { sent };
};

test.serial(
  'who is fast is shown while others are awaited: totals, records, and counts that say at least',
  async (t) => {
    const { sent } = slowNetwork(t);
    const network = slowOne('tree');
    const totals: unknown[] = [];
    const whole = await fetchTotal(network, question, {
      soon: ({ total, upper }) => totals.push([total, upper]),
    });
    t.deepEqual(
      [...totals, [whole.total, whole.upper]],
      [
        [3, Infinity],
        [7, 7],
      ],
    );
    const rows: string[] = [];
    const { rows: all } = await fetchPage(network, question, page, {
      soon: (one) => rows.push(...one.rows.map(({ id }) => id)),
    });
    t.deepEqual([...rows, ...all.map(({ id }) => id)], ['3', '7']);
    const client = new QueryClient();
    const { queryKey, ...counts } = countsQuery(network, [women]);
    const seen: unknown[] = [];
    client.getQueryCache().subscribe(({ query: { state } }) => void (state.data && seen.push(state.data)));
    await client.fetchQuery({ queryKey, ...counts });
    t.deepEqual([seen[0], seen.at(-1)], [[{ count: 3, upper: Infinity }], [{ count: 7, upper: 7 }]]);
    t.is(sent.length, 6, 'each is sent twice');
    t.deepEqual(
      sent.map((query) => query.includes('waitFor')),
      [false, true, false, true, false, true],
      'together: the second does not wait for the first',
    );
  },
);

test.serial('a network of which nobody was slow is queried once, until somebody was', async (t) => {
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  let sent = 0;
  const node = { nodeId: 'one', name: 'One', hits: null, state: 'unreachable', took: 699 };
  globalThis.fetch = async () => {
    sent += 1;
    return new Response(JSON.stringify({ data: { network: { total: null, partial: true, nodes: [node] } } }));
  };
  const catalogue = known('network', 'tree');
  const network = { ...catalogue, source: { ...catalogue.source, path: 'fast' } };
  const ask = (nodes: readonly string[] | null): Promise<Overview> =>
    fetchTotal(network, { filter: null, nodes }, { soon: () => t.fail('nobody is awaited') });
  await ask(null);
  node.took = 700;
  await ask(null);
  t.is(sent, 2, 'one each');
  await ask(['other']);
  t.is(sent, 3, 'whoever was slow is not asked');
  await ask(['one']);
  await ask(null);
  t.is(sent, 7);
});

test.serial(
  'whoever was slow before the page was opened is known from the state of the network',
  async (t) => {
    const { fetch } = globalThis;
    t.teardown(() => void (globalThis.fetch = fetch));
    const sent: string[] = [];
    globalThis.fetch = async (_, init) => {
      if (init?.body != null) sent.push(String(init.body));
      const nodes = [
        { nodeId: 'one', name: 'One', latencyMs: { p50: 2, p95: 900 }, took: 3 },
        { nodeId: 'two', name: 'Two', latencyMs: null, took: 3 },
      ];
      return new Response(JSON.stringify({ data: { network: { nodes } }, nodes, fields: [] }));
    };
    const { source } = known('network', null);
    const catalogue = await describe({ ...source, path: 'described' });
    await fetchTotal(catalogue, { filter: null, nodes: ['two'] }, { soon: ignore });
    t.is(sent.length, 1);
    await fetchTotal(catalogue, { filter: null, nodes: null }, { soon: ignore });
    t.is(sent.length, 3);
  },
);

test.serial('an answer whose connection breaks is one of a server that cannot be reached', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
    response.write('{"data":', () => response.destroy());
  });
  setBase(new URL('/', (await listening(t, server)).url));
  const network = known('network', 'tree');
  const { signal } = new AbortController();
  for (const ask of [
    () => describe(network.source),
    () => fetchTotal(network, question),
    () => fetchOverview(network, question, paths, sizes, { extents, signal, soon: ignore }),
    () => download(network, question, { columns: [], sort: [], fileType: 'tsv', plan: null }, ignore, signal),
    () => planDownload(network, question, { columns: [], sort: [] }, signal),
  ])
    t.like(await t.throwsAsync(ask), { kind: 'offline' });
});

test.serial(
  'histograms that are whole do not wait for an institution that is slow with values',
  async (t) => {
    const { fetch } = globalThis;
    t.teardown(() => void (globalThis.fetch = fetch));
    const [values, release] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const answerOf = (aggregations: object, state = 'ok'): Response => {
      const nodes = [
        { nodeId: 'one', name: 'One', hits: 3, state: 'ok' },
        { nodeId: 'two', name: 'Two', state },
      ];
      const network = { total: 3, partial: state !== 'ok', nodes, aggregations };
      return new Response(JSON.stringify({ data: { network } }));
    };
    globalThis.fetch = async (_, init) => {
      const { query } = JSON.parse(String(init?.body)) as { query: string };
      if (query.includes('histogram')) return answerOf({ height: { histogram: { buckets: [] } } });
      if (query.includes('percentiles')) {
        await values.promise;
        return answerOf({ height: { stats: { min: 0, max: 30 } } });
      }
      if (query.includes('waitFor')) return answerOf({ genus: { buckets: [] } }, 'pending');
      await release.promise;
      return answerOf({ genus: { buckets: [] } });
    };
    const client = new QueryClient();
    const catalogue = slowOne('tree');
    const seen = Promise.withResolvers<null>();
    client.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
      if (queryKey[0] !== 'overview' || state.data === undefined) return;
      values.resolve(null);
      if ((state.data as Overview).facets.has('height')) seen.resolve(null);
    });
    const answer = client.fetchQuery(
      overviewQuery(client, { catalogue, question, paths: ['genus', 'height'], sizes }),
    );
    await seen.promise;
    release.resolve(null);
    t.false((await answer).partial);
  },
);

test.serial(
  'a guarded catalogue, of which no extents are known, is asked once for its first numbers',
  async (t) => {
    const client = new QueryClient();
    const disclosure = { tier: 'counts', threshold: 10, date: null } as const;
    const catalogue = { ...known('catalogue', 'tree'), disclosure };
    const wanted = overviewQuery(client, { catalogue, question, paths: ['genus', 'height'], sizes });
    const sent = await sentBy(t, async () => void (await client.fetchQuery(wanted)));
    t.is(sent.length, 1);
  },
);

test.serial(
  'while an institution is down, questions do not each ask where numbers begin and end',
  async (t) => {
    const { fetch } = globalThis;
    t.teardown(() => void (globalThis.fetch = fetch));
    const nodes = [
      { nodeId: 'one', name: 'One', hits: 3, state: 'ok' },
      { nodeId: 'two', name: 'Two', hits: null, state: 'unavailable' },
    ];
    const height = { stats: { min: 0, max: 30 }, histogram: { buckets: [] } };
    const network = { total: 3, partial: true, nodes, aggregations: { height } };
    let extentsSent = 0;
    globalThis.fetch = async (_, init) => {
      if (String(init?.body).includes('percentiles')) extentsSent += 1;
      return new Response(JSON.stringify({ data: { network } }));
    };
    const client = new QueryClient();
    const catalogue = known('network', 'tree');
    const shown = ['genus', 'height'];
    const ask = async (value: string): Promise<void> => {
      const filter = { op: 'in' as const, content: { fieldName: 'genus', value: [value] } };
      const input = { catalogue, question: { ...question, filter }, paths: shown, sizes };
      t.true((await client.fetchQuery(overviewQuery(client, input))).facets.has('height'));
    };
    for (const value of ['a', 'b', 'c']) await ask(value);
    t.is(extentsSent, 1);
    // once it is back, its numbers may lie beyond
    Object.assign(nodes[1]!, { hits: 4, state: 'ok' });
    Object.assign(network, { partial: false });
    Object.assign(height.stats, { max: 40 });
    const grown = Promise.withResolvers<null>();
    client.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
      if (queryKey[0] === 'extents' && (state.data as Extents).get('height')?.max === 40) grown.resolve(null);
    });
    await ask('c');
    await grown.promise;
    t.is(extentsSent, 2);
  },
);

test.serial(
  'where numbers begin and end stays known while it is requested again and somebody is slow',
  async (t) => {
    const { fetch } = globalThis;
    t.teardown(() => void (globalThis.fetch = fetch));
    const answerOf = (state: string, aggregations: object): Response => {
      const network = { partial: state !== 'ok', nodes: [{ state: 'ok' }, { state }], aggregations };
      return new Response(JSON.stringify({ data: { network } }));
    };
    globalThis.fetch = async (_, init) => {
      if (String(init?.body).includes('waitFor')) return answerOf('pending', { height: null });
      await new Promise((resolve) => setTimeout(resolve, 50));
      return answerOf('ok', { height: { stats: { min: 0, max: 30 } } });
    };
    const client = new QueryClient();
    const wanted = extentsQuery(slowOne('tree'), ['height']);
    await client.prefetchQuery(wanted);
    const seen: (boolean | undefined)[] = [];
    client.getQueryCache().subscribe(() => seen.push(client.getQueryData(wanted.queryKey)?.has('height')));
    await client.prefetchQuery({ ...wanted, staleTime: 0 });
    t.deepEqual(new Set(seen), new Set([true]));
  },
);
