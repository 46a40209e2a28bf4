import test from 'ava';
import type { NetworkBody } from '../../../../src/server/http/network/network-body.ts';
import { partOfNetwork, summedNetwork } from '../../../../src/server/http/network/network-body.ts';

type Coverage = NetworkBody['fields'][number]['nodes'][number];

const stateAt = (index: number): Coverage['state'] =>
  index < 900 ? 'covered' : index < 950 ? 'missing' : index < 980 ? 'conflict' : 'unknown';

const coverage = (index: number): Coverage => ({
  nodeId: `n${index}`,
  state: stateAt(index),
  path: null,
  type: null,
  reason: null,
});

const bodyOf = (count: number): NetworkBody => ({
  name: 'Many',
  ready: true,
  partial: true,
  configuration: { since: '2026-01-01T00:00:00.000Z', problem: null },
  nodes: Array.from(
    { length: count },
    (_, index) => ({ nodeId: `n${index}` }) as NetworkBody['nodes'][number],
  ),
  fields: [
    {
      path: 'age',
      name: 'age',
      type: 'long',
      isArray: false,
      nodes: Array.from({ length: count }, (_, index) => coverage(index)),
    },
  ],
  warnings: ['a warning'],
});

test('all of a thousand nodes are there, and fields are counted, with the first conflicts', (t) => {
  const { summarised, nodes, fields } = summedNetwork(bodyOf(1_000));
  t.true(summarised);
  t.is(nodes.length, 1_000);
  t.deepEqual(fields, [
    {
      ...{ path: 'age', name: 'age', type: 'long', isArray: false },
      nodes: Array.from({ length: 10 }, (_, index) => coverage(950 + index)),
      counts: { covered: 900, missing: 50, conflict: 30, unknown: 20 },
    },
  ]);
});

test('nothing is left out with a hundred nodes', (t) => {
  const body = bodyOf(100);
  t.is(summedNetwork(body), body);
});

test('single nodes are reported in full, and unknown ones refused', (t) => {
  const body = bodyOf(1_000);
  const part = partOfNetwork(body, ['n960', 'n3']);
  t.deepEqual(
    part.nodes.map(({ nodeId }) => nodeId),
    ['n3', 'n960'],
  );
  t.deepEqual(part.fields[0]!.nodes, [coverage(3), coverage(960)]);
  t.deepEqual([part.partial, part.warnings], [true, ['a warning']]);
  t.throws(() => partOfNetwork(body, ['n3', 'elsewhere']), {
    message: 'node names "elsewhere", which is not a node of this network',
  });
});
