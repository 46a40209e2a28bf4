import test from 'ava';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';

const remote = { nodeId: 'b', graphqlUrl: 'https://b.example/graphql', documentType: 'tree' };
const failure = (content: unknown): string => {
  try {
    readNodes(content, 'nodes.json');
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

test('fills in defaults, the network first, then the node', (t) => {
  const { nodes, displayName } = readNodes(
    {
      network: { documentType: 'tree' },
      defaults: { timeoutMs: 700, headers: ['X-Request-Id'] },
      nodes: [
        { nodeId: 'a', catalogue: 'park' },
        { nodeId: 'b', graphqlUrl: 'http://127.0.0.1:1/graphql', timeoutMs: 900, headers: ['Authorization'] },
      ],
    },
    'nodes.json',
  );
  t.is(displayName, 'Network');
  t.like(nodes[0], { displayName: 'a', timeoutMs: 700, source: { kind: 'local', catalogueId: 'park' } });
  t.like(nodes[1], {
    timeoutMs: 900,
    source: {
      kind: 'remote',
      documentType: 'tree',
      maxDepth: 7,
      discoveryTimeoutMs: 10_000,
      headers: ['authorization'],
    },
  });
});

test('a failed discovery is tried again where the entry, or else the defaults, say so', (t) => {
  const local = { nodeId: 'a', catalogue: 'park' };
  const { nodes } = readNodes(
    {
      defaults: { rediscover: 'PT1H30M' },
      nodes: [local, remote, { ...remote, nodeId: 'c', rediscover: 'PT45S' }],
    },
    'nodes.json',
  );
  t.deepEqual(
    nodes.map(({ source }) => (source.kind === 'remote' ? source.rediscoverMs : null)),
    [null, 5_400_000, 45_000],
  );
  t.false('rediscoverMs' in readNodes({ nodes: [remote] }, 'nodes.json').nodes[0]!.source);
  for (const rediscover of ['PT', 'P1D', 'PT25H', 'PT0S', '1m', 60])
    t.regex(
      failure({ nodes: [{ ...remote, rediscover }] }),
      /^nodes\.json: node "b": rediscover /,
      String(rediscover),
    );
  t.regex(failure({ nodes: [{ ...local, rediscover: 'PT1M' }] }), /rediscover is for remote nodes/);
});

const refused: readonly (readonly [string, unknown, RegExp])[] = [
  ['an unknown key', { nodes: [{ ...remote, timeout: 1 }] }, /^nodes\.json: node "b": .*timeout/],
  [
    'an unknown key of the profile',
    { network: { disclosure: { tier: 'counts' } }, nodes: [remote] },
    /^nodes\.json: network\.disclosure\.tier is unknown/,
  ],
  [
    'a threshold that no node can have',
    { network: { disclosure: { threshold: 5 } }, nodes: [remote] },
    /^nodes\.json: network\.disclosure\.threshold .*10/,
  ],
  [
    'edges that do not ascend',
    { network: { disclosure: { dimensions: [{ fieldName: 'age', edges: [40, 20] }] } }, nodes: [remote] },
    /^nodes\.json: network\.disclosure\.dimensions\.0\.edges numbers in ascending order expected$/,
  ],
  [
    'half a calendar',
    { network: { disclosure: { dimensions: [{ fieldName: 'd', calendar: 'year' }] } }, nodes: [remote] },
    /^nodes\.json: network\.disclosure\.dimensions\.0 calendar, from and to expected together$/,
  ],
  [
    'a calendar that ends before it begins',
    {
      network: {
        disclosure: { dimensions: [{ fieldName: 'd', calendar: 'year', from: '2020', to: '2015' }] },
      },
      nodes: [remote],
    },
    /^nodes\.json: network\.disclosure\.dimensions\.0 from and to must be two dates in ascending order/,
  ],
  [
    'a field twice in the profile',
    { network: { disclosure: { dimensions: [{ fieldName: 'd' }, { fieldName: 'd' }] } }, nodes: [remote] },
    /^nodes\.json: network\.disclosure\.dimensions lists a field twice$/,
  ],
  ['an unknown key of the network', { network: { name: 'x' }, nodes: [remote] }, /network\.name is unknown/],
  ['a wrong type', { nodes: [{ ...remote, timeoutMs: 'soon' }] }, /^nodes\.json: node "b": timeoutMs /],
  ['a node without id', { nodes: [remote, { catalogue: 'x' }] }, /node number 2: nodeId /],
  ['the same id twice', { nodes: [remote, remote] }, /node "b": nodeId is used twice/],
  ['an id that is the merged field', { nodes: [{ ...remote, nodeId: 'network' }] }, /choose another/],
  [
    'ids of one GraphQL name',
    { nodes: [remote, { nodeId: 'a-b', catalogue: 'x' }, { nodeId: 'a_b', catalogue: 'x' }] },
    /node "a_b": shares the GraphQL name a_b with "a-b"/,
  ],
  [
    'a header that frames the message',
    { nodes: [{ ...remote, headers: ['Content-Length'] }] },
    /node "b": headers\.0 cannot be passed on/,
  ],
  [
    'no header name',
    { nodes: [{ ...remote, headers: ['x y'] }] },
    /node "b": headers\.0 is not a header name/,
  ],
  [
    'no header name of a credential',
    { nodes: [{ ...remote, credential: { header: 'x:y', env: 'X' } }] },
    /credential\.header is not a header name/,
  ],
  ['a depth that no histogram fits in', { nodes: [{ ...remote, maxDepth: 5 }] }, /node "b": maxDepth/],
  [
    'the depth of a local node',
    { nodes: [{ nodeId: 'b', catalogue: 'x', maxDepth: 9 }] },
    /maxDepth is for remote nodes/,
  ],
  [
    'translated objects',
    { network: { fields: { x: 'nested' } }, nodes: [{ ...remote, values: { x: { a: 'b' } } }] },
    /declared nested; values fit membership only/,
  ],
  ...Object.entries({
    keywrod: 'keyword',
    int: 'integer',
    datetime: 'date',
    Integer: 'integer',
  }).map(
    ([type, meant]) =>
      [
        `the type ${type}`,
        { network: { fields: { at: 'geo_point', 'x.y': type } }, nodes: [remote] },
        new RegExp(
          `^nodes.json: network\\.fields\\.x\\.y is "${type}", which is not a mapped type: did you mean "${meant}"\\?$`,
        ),
      ] as const,
  ),
  [
    'a window in two places',
    { network: { maxResultsWindow: 10 }, nodes: [remote] },
    /network\.maxResultsWindow is withdrawn: use network\.table\.maxResultsWindow/,
  ],
  [
    'an address for manifests',
    { nodes: [{ ...remote, publicAddress: false }] },
    /node "b": publicAddress is withdrawn: manifests of downloads never contain addresses/,
  ],
  ['neither catalogue nor URL', { nodes: [{ nodeId: 'b' }] }, /node "b": needs catalogue .*, graphqlUrl/],
  ['both', { nodes: [{ ...remote, catalogue: 'x' }] }, /node "b": graphqlUrl is for remote nodes/],
  ['no document type', { nodes: [{ ...remote, documentType: undefined }] }, /documentType is missing/],
  ['a file URL', { nodes: [{ ...remote, graphqlUrl: 'file:///x' }] }, /must start with http/],
  ['a password in the URL', { nodes: [{ ...remote, graphqlUrl: 'https://a:b@c/' }] }, /use credential/],
  [
    'two network fields for one node field',
    { nodes: [{ ...remote, fields: { x: 'z', y: 'z' } }] },
    /node "b": fields\.y and fields\.x both name "z"/,
  ],
  [
    'cookies in clear text',
    { nodes: [{ ...remote, graphqlUrl: 'http://b.example/', headers: ['Cookie'] }] },
    /pass cookie on only to https or loopback/,
  ],
  [
    'translated numbers',
    { network: { fields: { size: 'long' } }, nodes: [{ ...remote, values: { size: { '1': '2' } } }] },
    /node "b": values\.size: the field is declared number/,
  ],
  [
    'a unit of texts',
    { network: { fields: { x: 'keyword' } }, nodes: [{ ...remote, units: { x: { factor: 2 } } }] },
    /node "b": units\.x: the field is declared keyword; only numbers have a unit/,
  ],
  [
    'a factor of 0',
    { nodes: [{ ...remote, units: { x: { factor: 0 } } }] },
    /node "b": units\.x\.factor is 0: all numbers would be the same/,
  ],
  [
    'a unit of translated values',
    { nodes: [{ ...remote, units: { x: { factor: 2 } }, values: { x: { a: 'b' } } }] },
    /node "b": units\.x and values\.x exclude each other/,
  ],
  [
    'a constant that is a field too',
    { nodes: [{ ...remote, fields: { x: 'y' }, constants: { x: 'b' } }] },
    /node "b": constants\.x and fields\.x exclude each other/,
  ],
  [
    'a constant of another type',
    { network: { fields: { x: 'long' } }, nodes: [{ ...remote, constants: { x: 1.5 } }] },
    /node "b": constants\.x: 1\.5 is not a value of the declared type long/,
  ],
  [
    'a list as a constant',
    { nodes: [{ ...remote, constants: { x: ['a'] } }] },
    /node "b": constants\.x expected a text, a number or a boolean/,
  ],
];

for (const [what, content, message] of refused)
  test(`refuses ${what}`, (t) => {
    t.regex(failure(content), message);
  });

test('required and maxDepth have defaults, which a node overrides', (t) => {
  const { nodes } = readNodes(
    {
      defaults: { required: true, maxDepth: 9 },
      nodes: [remote, { ...remote, nodeId: 'c', required: false, maxDepth: 6 }],
    },
    'nodes.json',
  );
  t.like(nodes, [
    { required: true, source: { maxDepth: 9 } },
    { required: false, source: { maxDepth: 6 } },
  ]);
});

test('what a network says about its portal is read as a catalogue’s files are', (t) => {
  const network = {
    facets: [{ fieldName: 'a', show: 'true' }, { fieldName: 7 }, 'x'],
    table: { maxResultsWindow: '500', columns: { fieldName: 'a', isArray: 0 }, defaultSorting: {} },
    extended: [{ fieldName: 'a', displayValues: '', rangeStep: '0.5' }],
    matchbox: {},
    charts: 'none',
  };
  const { sections, warnings } = readNodes({ network, nodes: [remote] }, 'nodes.json');
  t.like(sections, {
    facets: { aggregations: [{ fieldName: 'a', show: true }, { fieldName: '7' }] },
    table: { maxResultsWindow: 500, columns: [{ fieldName: 'a', isArray: false }] },
    extended: [{ fieldName: 'a', rangeStep: 0.5 }],
  });
  t.deepEqual(
    warnings?.filter((warning) => /show|matchbox/.test(warning)),
    [
      'nodes.json: network.facets.aggregations.0.show: "true" is read as true',
      'nodes.json: network.matchbox: a list expected, found an object: it is not read',
    ],
  );
  t.true(warnings?.every((warning) => /: it is not read$| is read as /.test(warning)));
  const wrong = { network: { ...network, fields: 'a' }, nodes: [remote] };
  t.throws(() => readNodes(wrong, 'nodes.json'), { code: 'CONFIG_INVALID' });
});
