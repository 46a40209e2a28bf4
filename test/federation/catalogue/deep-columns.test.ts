import test from 'ava';
import { deepColumns } from '../../../src/federation/catalogue/network-configs.ts';
import type { RemoteSource } from '../../../src/federation/config/nodes.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import { hitColumns } from '../../../src/federation/remote/hit-columns.ts';
import { fieldsOf } from '../collection.ts';
import { nodeView } from '../node-fixtures.ts';

const types = { genus: 'keyword', fruits: 'nested', 'fruits.seeds': 'nested', 'fruits.seeds.grams': 'long' };
const columns = ['genus', 'fruits', 'fruits.seeds.grams'];

const remote = (nodeId: string, maxDepth: number, own: Record<string, string> = types): NodeView => {
  const source: RemoteSource = {
    kind: 'remote',
    graphqlUrl: 'http://127.0.0.1:1/',
    documentType: 'tree',
    discoveryTimeoutMs: 1,
    maxDepth,
    maxAliases: 15,
    headers: [],
    credential: null,
  };
  const fields =
    nodeId === 'renamed'
      ? new Map([
          ['fruits', 'crops'],
          ['fruits.seeds', 'crops.seeds'],
          ['fruits.seeds.grams', 'crops.seeds.grams'],
        ])
      : new Map<string, string>();
  return nodeView(nodeId, fieldsOf(own), undefined, { source, fields });
};

const deepAt = (...nodes: readonly NodeView[]) =>
  deepColumns(columns, networkFields(new Map(), nodes), nodes);

test('columns deeper than a node is queried are found, by the node’s names', (t) => {
  const needed = [
    { fieldName: 'fruits', levels: 13 },
    { fieldName: 'fruits.seeds.grams', levels: 13 },
  ];
  const crops = { crops: 'nested', 'crops.seeds': 'nested', 'crops.seeds.grams': 'long' };
  t.deepEqual(deepAt(remote('a', 12), remote('b', 13), remote('renamed', 7, crops)), [
    { nodeId: 'a', maxDepth: 12, columns: needed },
    { nodeId: 'renamed', maxDepth: 7, columns: needed },
  ]);
});

test('it is as many levels as its query would have', (t) => {
  for (const [maxDepth, lacking] of [
    [12, ['fruits.seeds.grams']],
    [13, []],
  ] as const)
    t.deepEqual(
      hitColumns(['genus', 'fruits.seeds.grams'], fieldsOf(types), maxDepth).unselectable.map(
        ({ path }) => path,
      ),
      lacking,
    );
});

test('nodes that give whole documents, lack the column, are down or of this process lack none', (t) => {
  const whole = remote('whole', 7);
  const down = remote('down', 7);
  t.deepEqual(
    deepAt(
      { ...whole, status: { ...whole.status, isWhole: true } as NodeView['status'] },
      { ...down, status: { kind: 'down', code: 'NODE_DISCOVERY_FAILED', reason: 'x' } },
      remote('flat', 7, { genus: 'keyword' }),
      nodeView('local', fieldsOf(types)),
    ),
    [],
  );
});
