import test from 'ava';
import { fieldsOf } from '../collection.ts';
import { catalogueOf } from '../remote-server.ts';
import { ask, testNetwork } from '../../builders.ts';

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
  const network = await testNetwork(t, [{ nodeId: 'here', catalogue }], {
    network: { documentType: 'book' },
  });
  const idsOf = async (selection: string): Promise<readonly string[]> => {
    const source = `{ network { hits(first: 50) { edges { ${selection} node { id } } } } }`;
    type Data = { readonly network: { readonly hits: { readonly edges: { node: { id: string } }[] } } };
    const { data, errors } = await ask<Data>(network, source);
    t.is(errors, undefined);
    return data.network.hits.edges.map(({ node }) => node.id);
  };
  t.deepEqual(
    await idsOf(''),
    hits.map(({ source }) => source.id),
  );
  t.is(made, 0);
  await idsOf('searchAfter');
  t.true(made > 0);
});
