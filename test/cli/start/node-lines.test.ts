import test from 'ava';
import { catalogueLines, networkLines, thingsToTry } from '../../../src/cli/start/node-lines.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import type { NodeReport } from '../../../src/federation/nodes/node-view.ts';
import type { TrackedState } from '../../../src/search/node-states.ts';
import type { Catalogue, CatalogueState } from '../../../src/search/catalogue.ts';
import { cohortDisclosure } from '../../capabilities/disclosure/cohort.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';

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

test('a catalogue is one line', (t) => {
  t.deepEqual(catalogueLines([available('library'), failed]), [
    '  catalogue library (book): available',
    '  catalogue lost: failed, base.json names no documentType',
  ]);
});

const node = (nodeId: string, state: TrackedState, lastError: string | null = null) =>
  ({ nodeId, state, lastError }) as NodeReport;

test('a network counts the nodes that answered and names those that did not', (t) => {
  t.deepEqual(networkLines({ displayName: 'Libraries', nodes: [node('a', 'ok'), node('b', 'ok')] }), [
    '  network Libraries: 2 of 2 nodes answered',
  ]);
  const nodes = [
    node('a', 'ok'),
    node('b', 'discoveryFailed', 'discovery failed: connection refused'),
    node('c\u001b[2J', 'unavailable', 'this server has no catalogue "x"'),
    node('d', 'discovering'),
  ];
  t.deepEqual(networkLines({ displayName: 'Libraries', nodes }), [
    '  network Libraries: 1 of 4 nodes answered',
    '    no answer from b: discovery failed: connection refused',
    '    no answer from c\\u{001b}[2J: this server has no catalogue "x"',
    '    no answer from d: is still being discovered',
  ]);
});

const curl = (path: string, query: string) =>
  `  curl -s http://x${path} -H 'content-type: application/json' -d '{"query":"${query}"}'`;

test('what to try: the network first, else a catalogue that can be searched, else why there is none', (t) => {
  const book = '{ book { hits(first: 3) { total edges { node { id } } } } }';
  const tried = (
    states: readonly CatalogueState[],
    net: typeof network | null,
    hasPages = false,
  ): readonly string[] => thingsToTry({ url: 'http://x', states, network: net, hasPages });
  const last = (...args: Parameters<typeof tried>) => tried(...args).at(-1);
  t.is(
    last([available('library')], network),
    curl('/network/graphql', '{ network { total upper_bound nodes { name hits upper_bound status } } }'),
  );
  t.true(tried([], network).some((line) => line.startsWith('  http://x/network   ')));
  t.is(last([available('library')], null), curl('/graphql', book));
  t.is(last([failed, available('my books')], null), curl('/my%20books/graphql', book));
  const guarded: CatalogueState = {
    ...available('library'),
    config: bookConfig({ catalogueId: 'library', disclosure: cohortDisclosure }),
  };
  t.is(last([guarded], null), curl('/graphql', '{ book { hits { total upper_bound estimate } } }'));
  t.is(tried([], network, true)[0], '  http://x/   the portal, in a browser');
  t.deepEqual(tried([failed], null), ['  http://x/introspection   what can be searched']);
});

test('of many nodes that did not answer the first are named', (t) => {
  const nodes = Array.from({ length: 25 }, (_, at) => node(`n${at}`, 'discovering'));
  const lines = networkLines({ displayName: 'Trees', nodes });
  t.deepEqual(
    [lines[0], lines[20], ...lines.slice(21)],
    [
      '  network Trees: 0 of 25 nodes answered',
      '    no answer from n19: is still being discovered',
      '    no answer from 5 more: GET /network lists them',
    ],
  );
});
