import test from 'ava';
import { networkLines } from '../../../src/cli/check/check-lines.ts';
import type { CheckedNode } from '../../../src/cli/check/check-network.ts';

const local: CheckedNode = {
  nodeId: 'here',
  graphqlName: 'here',
  name: 'Here',
  kind: 'local',
  dialsIn: false,
  address: null,
  reachability: null,
  state: 'ok',
  code: null,
  reason: null,
  discoveryMs: null,
  inferred: null,
  version: null,
  institutions: null,
  warnings: [],
};
const reached = { reachable: true, status: 200, tookMs: 12, reason: null, tls: null };
const covered = { state: 'covered', type: 'keyword', reason: null } as const;
const nothing = { path: null, type: null, reason: 'why' };

test('nodes with all that was tried, then the matrix of fields', (t) => {
  const lines = networkLines(
    {
      name: 'Trees',
      where: 'nodes.json',
      nodes: [
        local,
        {
          ...local,
          nodeId: 'far-off',
          graphqlName: 'far_off',
          kind: 'remote',
          address: 'https://far.example/graphql',
          discoveryMs: 80,
          inferred: true,
          version: 'Tributary 1.2.3',
          reachability: {
            ...reached,
            tls: {
              valid: false,
              protocol: 'TLSv1.3',
              validUntil: '2020-01-01T00:00:00.000Z',
              reason: 'CERT_HAS_EXPIRED',
            },
          },
          warnings: ['its fields are guesses'],
        },
        {
          ...local,
          nodeId: 'gone',
          graphqlName: 'gone',
          kind: 'remote',
          address: 'http://gone.example/',
          state: 'discoveryFailed',
          reason: 'discovery failed: connection refused',
          discoveryMs: 900,
          reachability: { ...reached, reachable: false, status: null, reason: 'connection refused' },
        },
      ],
      fields: [
        {
          path: 'genus',
          name: 'genus',
          type: 'keyword',
          isArray: true,
          nodes: [
            { nodeId: 'here', ...covered, path: 'genus' },
            { nodeId: 'far-off', ...covered, path: 'taxon.name' },
            { nodeId: 'gone', state: 'unknown', ...nothing },
          ],
        },
        {
          path: 'height',
          name: 'height',
          type: 'long',
          isArray: false,
          nodes: [
            { nodeId: 'here', state: 'missing', ...nothing },
            { nodeId: 'far-off', state: 'conflict', path: 'height', type: 'text', reason: 'why' },
            { nodeId: 'gone', state: 'unknown', ...nothing },
          ],
        },
      ],
      warnings: ['node "far-off" does not cover "height"'],
      problems: [],
      fine: false,
    },
    120,
  );
  t.deepEqual(lines, [
    '  network Trees (nodes.json)',
    '    node here: ok',
    '    node far-off (far_off in GraphQL): ok',
    '      https://far.example/graphql: answers HTTP 200 in 12 ms',
    '      TLS: TLSv1.3, certificate not valid (CERT_HAS_EXPIRED), until 2020-01-01T00:00:00.000Z',
    '      discovery: fields inferred in 80 ms, server Tributary 1.2.3',
    '      its fields are guesses',
    '    node gone: discoveryFailed, discovery failed: connection refused',
    '      http://gone.example/: not reachable: connection refused',
    '      discovery: nothing found in 900 ms, server version unknown',
    '    node "far-off" does not cover "height"',
    '',
    '    field   type       here  far-off         gone',
    '    ------  ---------  ----  --------------  ----',
    '    genus   [keyword]  =     taxon.name      ?',
    '    height  long       -     conflict: text  ?',
    '    = under the same name, - missing, ? not known',
  ]);
});

test('more nodes than fit side by side continue in another table, with the fields again', (t) => {
  const nodes = ['a', 'b', 'c'].map((nodeId) => ({ ...local, nodeId, graphqlName: nodeId }));
  const path = 'a.long.path';
  const field = {
    path: 'genus',
    name: 'genus',
    type: 'keyword',
    isArray: false,
    nodes: nodes.map(({ nodeId }) => ({ nodeId, ...covered, path })),
  };
  const lines = networkLines(
    { name: 'Trees', where: 'nodes.json', nodes, fields: [field], warnings: [], problems: [], fine: true },
    46,
  );
  t.deepEqual(lines.slice(lines.indexOf('')), [
    '',
    '    field  type     a            b',
    '    -----  -------  -----------  -----------',
    '    genus  keyword  a.long.path  a.long.path',
    '',
    '    field  type     c',
    '    -----  -------  -----------',
    '    genus  keyword  a.long.path',
    '    = under the same name, - missing, ? not known',
  ]);
  t.true(
    networkLines(
      { name: 'Trees', where: 'nodes.json', nodes, fields: [field], warnings: [], problems: [], fine: true },
      5,
    ).length > lines.length,
    'at least one node in each table',
  );
});

test('a large network is summed up: states, those in trouble, each warning once, and counts of nodes by field', (t) => {
  const guess = 'its fields are guesses';
  const nodes = Array.from({ length: 1_000 }, (_, at): CheckedNode => ({
    ...local,
    nodeId: `n${at}`,
    graphqlName: `n${at}`,
    kind: 'remote',
    address: `http://n${at}.example/`,
    discoveryMs: 5,
    inferred: true,
    reachability: { ...reached, tookMs: at },
    ...(at < 400 && { warnings: [guess] }),
    ...(at >= 975 && {
      state: 'discoveryFailed',
      reason: 'discovery failed: connection refused',
      reachability: { ...reached, reachable: false, status: null, reason: 'connection refused' },
    }),
  }));
  const path = 'genus';
  const states = nodes.map(({ nodeId }, at) =>
    at < 500
      ? { nodeId, ...covered, path }
      : at < 600
        ? { nodeId, ...covered, path: 'taxon' }
        : at < 900
          ? { nodeId, state: 'missing' as const, ...nothing }
          : at < 975
            ? { nodeId, state: 'conflict' as const, ...nothing }
            : { nodeId, state: 'unknown' as const, ...nothing },
  );
  const warnings = Array.from({ length: 25 }, (_, at) => `warning ${at}`);
  const problems = Array.from({ length: 25 }, (_, at) => `problem ${at}`);
  const lines = networkLines(
    {
      name: 'Trees',
      where: 'nodes.json',
      nodes,
      fields: [{ path, name: path, type: 'keyword', isArray: false, nodes: states }],
      warnings,
      problems,
      fine: false,
    },
    120,
  );
  t.deepEqual(lines.slice(0, 6), [
    '  network Trees (nodes.json)',
    '    1000 nodes: 975 ok, 25 discoveryFailed',
    '      975 answer HTTP, half of them within 487 ms, n974 last in 974 ms',
    '    node n975: discoveryFailed, discovery failed: connection refused',
    '      http://n975.example/: not reachable: connection refused',
    '      discovery: fields inferred in 5 ms, server version unknown',
  ]);
  t.deepEqual(lines.slice(63, 66), [
    '    and 5 more nodes in trouble: --json lists all',
    '      n0, n1, n2, n3, n4 and 395 more: its fields are guesses',
    '    problem 0',
  ]);
  t.deepEqual(lines.slice(89, 91), ['    problem 24', '    warning 0']);
  t.deepEqual(lines.slice(109), [
    '    warning 19',
    '    and 5 more warnings: --json lists all',
    '',
    '    field  type     same name  another name  missing  conflict  not known',
    '    -----  -------  ---------  ------------  -------  --------  ---------',
    '    genus  keyword        500           100      300        75         25',
    '    how many nodes have each field; --json says which',
  ]);
});
