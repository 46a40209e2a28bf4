import test from 'ava';
import { graphql } from 'graphql';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openNetwork } from '../../../src/federation/network.ts';
import { openGallery } from '../download/galleries.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { contextOf } from '../node-fixtures.ts';
import { serveCatalogue, serveSchema } from '../remote-server.ts';

const properties = { id: { type: 'keyword' }, months: { type: 'integer' } };

test('a node that is a network has constants and units of its own', async (t) => {
  const documents = [1, 2, 12].map((months) => ({ id: `d${months}`, months }));
  const gallery = await openGallery(t, { documentType: 'donor', properties, documents });
  const more = await openGallery(t, { documentType: 'donor', properties, documents: documents.slice(1) });
  const states = new Map([
    ['one', gallery.registry.byId('donor')!],
    ['two', more.registry.byId('donor')!],
  ]);
  const inner = openNetwork(
    readNodes(
      {
        network: { documentType: 'donor' },
        nodes: [...states.keys()].map((nodeId) => ({ nodeId, catalogue: nodeId })),
      },
      'nodes.json',
    ),
    (id) => states.get(id),
    { readyWaitMs: 60_000 },
  );
  t.teardown(inner.close);
  await inner.ready;
  const served = await serveSchema(inner.ownSchema());
  t.teardown(served.close);
  const node = {
    nodeId: 'eu',
    graphqlUrl: served.url,
    documentType: 'donor',
    maxDepth: 20,
    timeoutMs: 60_000,
    units: { months: { factor: 30.4375 } },
    constants: { region: 'Europe' },
  };
  const outer = openNetwork(
    readNodes(
      { network: { documentType: 'donor' }, defaults: { discoveryTimeoutMs: 60_000 }, nodes: [node] },
      'nodes.json',
    ),
    () => undefined,
    { readyWaitMs: 60_000 },
  );
  t.teardown(outer.close);
  await outer.ready;
  const source = `query($filters: JSON) { network(filters: $filters) { total aggregations {
    region { buckets { key doc_count exact nodes { nodeId doc_count } } coverage { nodeId state docs } }
    months { stats { count max } }
  } hits(first: 2, sort: [{ fieldName: "region" }, { fieldName: "months", order: desc }]) { edges { nodeId node { region months } } } } }`;
  const filters = {
    op: 'and',
    content: [
      { op: 'in', content: { fieldName: 'region', value: ['Europe'] } },
      { op: 'gt', content: { fieldName: 'months', value: 31 } },
    ],
  };
  const { data, errors } = await graphql({
    schema: outer.ownSchema(),
    source,
    variableValues: { filters },
    contextValue: contextOf(),
  });
  t.is(errors, undefined);
  t.deepEqual(JSON.parse(JSON.stringify(data)) as unknown, {
    network: {
      total: 4,
      aggregations: {
        region: {
          buckets: [{ key: 'Europe', doc_count: 4, exact: true, nodes: [{ nodeId: 'eu', doc_count: 4 }] }],
          coverage: [{ nodeId: 'eu', state: 'answered', docs: 4 }],
        },
        months: { stats: { count: 5, max: 365.25 } },
      },
      hits: {
        edges: [1, 2].map(() => ({ nodeId: 'eu', node: { region: 'Europe', months: 365.25 } })),
      },
    },
  });
});

test('a network of which an institution fails at a further query for units or constants is partial', async (t) => {
  const fields = fieldsOf({ id: 'keyword', height: 'double' });
  const serve = async (...heights: number[]) => {
    const served = await serveCatalogue(
      'tree',
      fields,
      searchOf(heights.map((height, at) => ({ id: `t${at}`, height }))),
    );
    t.teardown(served.close);
    return served;
  };
  const open = async (nodes: readonly object[]) => {
    const network = openNetwork(
      readNodes(
        {
          network: { documentType: 'tree' },
          defaults: { discoveryTimeoutMs: 60_000, timeoutMs: 60_000 },
          nodes,
        },
        'nodes.json',
      ),
      () => undefined,
      { readyWaitMs: 60_000 },
    );
    t.teardown(network.close);
    await network.ready;
    return network;
  };
  const [oslo, rome] = [await serve(1), await serve(1, 2)];
  const leaf = (nodeId: string, graphqlUrl: string) => ({ nodeId, graphqlUrl, documentType: 'tree' });
  const inner = await open([leaf('oslo', oslo.url), leaf('rome', rome.url)]);
  const served = await serveSchema(inner.ownSchema());
  t.teardown(served.close);
  const units = { height: { factor: 1, offset: 0.5 } };
  const outer = await open([
    { ...leaf('eu', served.url), maxDepth: 20, units, constants: { region: 'Europe' } },
  ]);
  const filters = '{ op: "in", content: { fieldName: "region", value: ["Europe"] } }';
  for (const facet of [
    'height { histogram(interval: 1) { buckets { doc_count } }',
    'region { buckets { doc_count }',
  ]) {
    const before = rome.queries.length;
    rome.fault = (_, response) => {
      if (rome.queries.length === before + 1) return false;
      response.writeHead(403).end();
      return true;
    };
    const source = `{ network(filters: ${filters}) { partial nodes { nodeId state errors } aggregations { ${facet} } } } }`;
    const { data } = await graphql({ schema: outer.ownSchema(), source, contextValue: contextOf() });
    t.is(rome.queries.length, before + 2);
    t.like(
      JSON.parse(JSON.stringify(data)),
      {
        network: {
          partial: true,
          nodes: [{ nodeId: 'eu', state: 'ok', errors: '1 of its 2 institutions did not answer' }],
        },
      },
      facet,
    );
  }
});
