import test from 'ava';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { fieldsOf } from '../collection.ts';
import { nodeView } from '../node-fixtures.ts';

const a = nodeView(
  'a',
  fieldsOf({ size: 'integer', name: 'text', when: 'date', tags: 'nested', 'tags.word': 'keyword' }),
);

test('numbers go together, keyword with text, and a list at any node is a list', (t) => {
  const b = nodeView(
    'b',
    fieldsOf({ size: 'float', name: 'keyword', 'tags.word': 'keyword', extra: 'boolean' }),
  );
  const { fields, warnings, byNode } = networkFields(new Map(), [a, b]);
  t.deepEqual(warnings, []);
  t.deepEqual(
    [...fields.values()].map(({ path, type, isArray, nestedIn }) => [path, type, isArray, nestedIn.join()]),
    [
      ['size', 'double', false, ''],
      ['name', 'keyword', false, ''],
      ['when', 'date', false, ''],
      ['tags', 'nested', false, ''],
      ['tags.word', 'keyword', true, 'tags'],
      ['extra', 'boolean', false, ''],
    ],
  );
  t.deepEqual([...byNode.get('b')!.keys()], ['size', 'name', 'tags.word', 'extra']);
});

test('a field that the network calls a list is one, though no node says so', (t) => {
  const { fields } = networkFields(new Map([['more', 'long']]), [a], new Set(['size', 'more', 'gone']));
  t.deepEqual(
    [...fields.values()].filter(({ isArray }) => isArray).map(({ path }) => path),
    ['more', 'size', 'tags.word'],
  );
});

test('on a conflict the first node decides, unless a type is declared; the other does not cover the field', (t) => {
  const b = nodeView('b', fieldsOf({ when: 'keyword' }));
  const first = networkFields(new Map(), [a, b]);
  t.is(first.fields.get('when')?.type, 'date');
  t.false(first.byNode.get('b')!.has('when'));
  t.deepEqual(first.warnings, [
    'node "b" does not cover "when": keyword there is not compatible with date of node "a"; declare the type that counts in network.fields, or give it a name of its own in the node\'s fields: {"when_keyword":"when"}',
  ]);
  const declared = networkFields(new Map([['when', 'keyword']]), [a, b]);
  t.is(declared.fields.get('when')?.type, 'keyword');
  t.false(declared.byNode.get('a')!.has('when'));
  t.true(declared.byNode.get('b')!.has('when'));
});

test('a renamed field is there under its network name only', (t) => {
  const b = nodeView('b', fieldsOf({ label: 'keyword', name: 'keyword' }), undefined, {
    fields: new Map([
      ['name', 'label'],
      ['lost', 'nowhere'],
    ]),
  });
  const { byNode, warnings } = networkFields(new Map(), [b]);
  t.deepEqual(
    [...byNode.get('b')!].map(([path, field]) => [path, field.path]),
    [['name', 'label']],
  );
  t.deepEqual(warnings, ['node "b" has no field "nowhere", which its fields map to "lost"']);
});

test('declared fields are there without any node', (t) => {
  const { fields } = networkFields(new Map([['owner', 'keyword']]), []);
  t.is(fields.get('owner')?.kind, 'keyword');
});

test('a field is in the own values of the first node that has it and maps them, or may have it and is away', (t) => {
  const values = new Map(['genus', 'height', 'traits.bark'].map((path) => [path, new Map([['1', 'one']])]));
  const notQueried = () => Promise.reject(new Error('not queried in this test'));
  const plain = nodeView('plain', fieldsOf({ genus: 'keyword', height: 'long', traits: 'flattened' }));
  const lacking = nodeView('lacking', fieldsOf({ traits: 'flattened' }), notQueried, { values });
  const away = { kind: 'down', code: 'NODE_UNREACHABLE', reason: 'is away' } as const;
  const oneAway = { ...nodeView('away', new Map(), notQueried, { values }), status: away };
  t.deepEqual(
    [...networkFields(new Map(), [plain, lacking, oneAway]).ownValuesAt],
    [
      ['traits.bark', 'lacking'],
      ['genus', 'away'],
      ['height', 'away'],
    ],
  );
});

test('numbers in another unit than those of the first node are not added to them', (t) => {
  const inUnit = (nodeId: string, unit: string | null) => {
    const view = nodeView(nodeId, fieldsOf({ size: 'float' }));
    return { ...view, status: { ...view.status, extended: [{ fieldName: 'size', unit }] } as never };
  };
  const nodes = [
    inUnit('none', null),
    inUnit('mm', 'mm'),
    inUnit('in', 'in'),
    inUnit('alike', ' Millimetres '),
    inUnit('points', 'points'),
  ];
  const covering = (units?: ReadonlyMap<string, string | null>) =>
    [...networkFields(new Map(), nodes, undefined, undefined, units).byNode]
      .filter(([, fields]) => fields.has('size'))
      .map(([nodeId]) => nodeId);
  t.deepEqual(covering(), ['none', 'mm', 'alike', 'points']);
  t.deepEqual(covering(new Map([['size', 'inch']])), ['none', 'in', 'points']);
  t.deepEqual(covering(new Map([['size', null]])), ['none', 'mm', 'in', 'alike', 'points']);
  const { warnings, conflicts } = networkFields(new Map(), nodes);
  t.is(conflicts.get('in')?.get('size')?.reason, 'its unit is "in" there, but "mm" at node "mm"');
  t.deepEqual(warnings, [
    'node "in" does not cover "size": its unit is "in" there, but "mm" at node "mm"; say in the node\'s units how its numbers follow: {"size": {"factor": FACTOR, "from": "in"}}',
    '"size" is in mm at node "mm", but in points at node "points"',
  ]);
});
