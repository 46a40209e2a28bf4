import test from 'ava';
import { readNetworkJson } from '../../../src/federation/config/network-json.ts';

const content = {
  network: {
    localNode: { displayName: 'Park', nodeId: 'park' },
    remoteNodes: [
      {
        displayName: 'City',
        documentType: 'tree',
        graphqlUrl: 'http://127.0.0.1:1/graphql',
        nodeId: 'city',
        requests: { headers: ['X-Team'] },
      },
    ],
    remoteRequests: { headers: ['Authorization'] },
  },
};

test('the local node is the catalogue', (t) => {
  const { nodes } = readNetworkJson(content, 'network.json', 'park-trees');
  t.like(nodes[0], {
    nodeId: 'park',
    displayName: 'Park',
    source: { kind: 'local', catalogueId: 'park-trees' },
  });
  t.like(nodes[1], { nodeId: 'city', source: { kind: 'remote', documentType: 'tree', maxDepth: 7 } });
});

test('headers listed for a node stand in place of those for all nodes, an empty list too', (t) => {
  const remote = (nodeId: string, requests?: object) => ({
    nodeId,
    documentType: 'tree',
    graphqlUrl: 'http://127.0.0.1:1/graphql',
    ...(requests === undefined ? {} : { requests }),
  });
  const remoteNodes = [
    remote('own', { headers: ['X-Team', 'x-team'] }),
    remote('none', { headers: [] }),
    remote('unsaid', {}),
    remote('general'),
  ];
  const { nodes } = readNetworkJson(
    { network: { remoteNodes, remoteRequests: { headers: ['Authorization'] } } },
    'network.json',
    'park-trees',
  );
  t.deepEqual(
    nodes.map(({ nodeId, source }) => [nodeId, source.kind === 'remote' && source.headers]),
    [
      ['own', ['x-team']],
      ['none', []],
      ['unsaid', ['authorization']],
      ['general', ['authorization']],
    ],
  );
});

test('a broken node is named', (t) => {
  const broken = structuredClone(content);
  broken.network.remoteNodes[0]!.documentType = 'a tree';
  t.throws(() => readNetworkJson(broken, 'network.json', 'park-trees'), {
    code: 'CONFIG_INVALID',
    message: /^network\.json: node "city": documentType is not a GraphQL name/,
  });
});

test('without localNode the catalogue is not a node; a node without an id is known by its name', (t) => {
  const remote = { documentType: 'tree', graphqlUrl: 'http://127.0.0.1:1/graphql' };
  const read = (node: object) =>
    readNetworkJson({ network: { remoteNodes: [node] } }, 'base.json, network', 'park-trees');
  t.deepEqual(
    read({ ...remote, displayName: 'City' }).nodes.map(({ nodeId, displayName }) => [nodeId, displayName]),
    [['City', 'City']],
  );
  t.throws(() => read(remote), {
    code: 'CONFIG_INVALID',
    message: 'base.json, network: the node at http://127.0.0.1:1/graphql needs a nodeId',
  });
});

test('what a portal shows of the network is configured in the forms of a catalogue', (t) => {
  const network = {
    ...content.network,
    facets: [{ fieldName: 'genus', show: true }],
    table: { columns: [{ fieldName: 'genus' }] },
    extended: null,
  };
  const { sections } = readNetworkJson({ network }, 'network.json', 'park-trees');
  t.like(sections, {
    facets: { aggregations: [{ fieldName: 'genus', show: true }] },
    table: { columns: [{ fieldName: 'genus' }] },
    extended: undefined,
  });
  const broken = { ...network, table: { columns: [{ show: true }] } };
  t.deepEqual(readNetworkJson({ network: broken }, 'network.json', 'park-trees').warnings, [
    'network.json: network.table.columns.0: fieldName: a text expected, and the key is missing: it is not read',
  ]);
});
