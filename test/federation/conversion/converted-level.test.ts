import test from 'ava';
import { openGallery } from '../download/galleries.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { serveCatalogue, serveSchema, type RemoteServer } from '../remote-server.ts';
import { ask, testNetwork } from '../../builders.ts';

const properties = { id: { type: 'keyword' }, months: { type: 'integer' } };

test('a node that is a network has constants and units of its own', async (t) => {
  const documents = [1, 2, 12].map((months) => ({ id: `d${months}`, months }));
  const gallery = await openGallery(t, { documentType: 'donor', properties, documents });
  const more = await openGallery(t, { documentType: 'donor', properties, documents: documents.slice(1) });
  const inner = await testNetwork(
    t,
    Object.entries({ one: gallery, two: more }).map(([nodeId, { registry }]) => {
      const state = registry.byId('donor')!;
      return { nodeId, catalogue: state.status === 'available' ? state.catalogue : 'donor' };
    }),
    { network: { documentType: 'donor' } },
  );
  const node = {
    nodeId: 'eu',
    remote: await serveSchema(inner.ownSchema()),
    documentType: 'donor',
    maxDepth: 20,
    units: { months: { factor: 30.4375 } },
    constants: { region: 'Europe' },
  };
  const outer = await testNetwork(t, [node], { network: { documentType: 'donor' } });
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
  const { data, errors } = await ask(outer, source, { filters });
  t.is(errors, undefined);
  t.deepEqual(data, {
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
    const rows = heights.map((height, at) => ({ id: `t${at}`, height }));
    return serveCatalogue('tree', fields, searchOf(rows));
  };
  const network = { documentType: 'tree' };
  const [oslo, rome] = [await serve(1), await serve(1, 2)];
  const leaf = (nodeId: string, remote: RemoteServer) => ({ nodeId, remote, documentType: 'tree' });
  const inner = await testNetwork(t, [leaf('oslo', oslo), leaf('rome', rome)], { network });
  const eu = leaf('eu', await serveSchema(inner.ownSchema()));
  const units = { height: { factor: 1, offset: 0.5 } };
  const node = { ...eu, maxDepth: 20, units, constants: { region: 'Europe' } };
  const outer = await testNetwork(t, [node], { network });
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
    const { data } = await ask(outer, source);
    t.is(rome.queries.length, before + 2);
    t.like(
      data,
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
