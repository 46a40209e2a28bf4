import test from 'ava';
import { catalogueLines, networkLine, thingsToTry } from '../../src/cli/node-lines.ts';
import { TributaryError } from '../../src/errors.ts';
import { readNodes } from '../../src/federation/nodes.ts';
import type { Catalogue, CatalogueState } from '../../src/local/catalogue.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';

const available = (catalogueId: string): CatalogueState => ({
  status: 'available',
  config: bookConfig({ catalogueId }),
  catalogue: {} as Catalogue,
});
const failed: CatalogueState = {
  status: 'failed',
  config: bookConfig({ catalogueId: 'lost', documentType: '' }),
  error: new TributaryError('unknown_error', 'base.json names no documentType'),
};
const network = readNodes(
  {
    network: { displayName: 'Libraries' },
    nodes: [
      { nodeId: 'a', catalogue: 'library' },
      { nodeId: 'b', documentType: 'book', graphqlUrl: 'http://127.0.0.1:1/graphql' },
    ],
  },
  'nodes.json',
);

test('a catalogue and a network are one line each', (t) => {
  t.deepEqual(catalogueLines([available('library'), failed]), [
    '  catalogue library (book): available',
    '  catalogue lost: failed, base.json names no documentType',
  ]);
  t.is(networkLine(network), '  network Libraries: 2 nodes, 1 of them remote');
});

const curl = (path: string, query: string) =>
  `  curl -s http://x${path} -H 'content-type: application/json' -d '{"query":"${query}"}'`;

test('what to try: the network first, else a catalogue that can be searched, else why there is none', (t) => {
  const book = '{ book { hits(first: 3) { total edges { node { id } } } } }';
  const last = (...args: Parameters<typeof thingsToTry>) => thingsToTry(...args).at(-1);
  t.is(
    last('http://x', [available('library')], network),
    curl('/network/graphql', '{ network { total nodes { name hits status } } }'),
  );
  t.true(thingsToTry('http://x', [], network).some((line) => line.startsWith('  http://x/network   ')));
  t.is(last('http://x', [available('library')], null), curl('/graphql', book));
  t.is(last('http://x', [failed, available('my books')], null), curl('/my%20books/graphql', book));
  t.deepEqual(thingsToTry('http://x', [failed], null), ['  http://x/introspection   what can be searched']);
});
