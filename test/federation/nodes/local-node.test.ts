import test from 'ava';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openNetwork } from '../../../src/federation/network.ts';
import { graphql } from 'graphql';
import { contextFor } from '../../search/request-context.ts';
import { fieldsOf } from '../collection.ts';
import { catalogueOf } from '../remote-server.ts';

test('rows of a catalogue keep their own ids, and no cursor is made but the selected ones', async (t) => {
  let made = 0;
  const hits = Array.from({ length: 50 }, (_, at) => ({
    id: `key ${at}`,
    source: { id: `b${at}` },
    rank: [at],
    get cursor() {
      made += 1;
      return [`tie:${at}`];
    },
  }));
  const search = () => Promise.resolve({ total: hits.length, hits, facets: [], warnings: [] });
  const catalogue = catalogueOf('book', fieldsOf({ id: 'keyword' }), search);
  const config = readNodes(
    { network: { documentType: 'book' }, nodes: [{ nodeId: 'here', catalogue: 'book' }] },
    'nodes.json',
  );
  const network = openNetwork(config, () => ({ status: 'available', config: catalogue.config, catalogue }));
  t.teardown(() => network.close());
  await network.ready;
  const idsOf = async (selection: string): Promise<readonly string[]> => {
    const source = `{ network { hits(first: 50) { edges { ${selection} node { id } } } } }`;
    const { data, errors } = await graphql({
      schema: network.ownSchema(),
      source,
      contextValue: contextFor(),
    });
    t.is(errors, undefined);
    const { edges } = (data as { network: { hits: { edges: { node: { id: string } }[] } } }).network.hits;
    return edges.map(({ node }) => node.id);
  };
  t.deepEqual(
    await idsOf(''),
    hits.map(({ source }) => source.id),
  );
  t.is(made, 0);
  await idsOf('searchAfter');
  t.true(made > 0);
});
