import test from 'ava';
import { fieldMappingOf } from '../../../src/federation/nodes/node-view.ts';
import { missingFields, inconsistentSpellings } from '../../../src/federation/nodes/network-fields.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { fieldsOf } from '../collection.ts';
import { nodeView } from '../node-fixtures.ts';

const network = (nodes: readonly object[], fields: object = {}) =>
  readNodes(
    { network: { fields }, nodes: nodes.map((node, at) => ({ nodeId: `n${at}`, catalogue: 'c', ...node })) },
    'nodes.json',
  );

test('one value of the network in two spellings is reported with who writes which', (t) => {
  const config = network([
    { values: { sex: { F: 'Female', M: 'Male' } } },
    { values: { sex: { 1: 'female', 2: 'Male' }, site: { Sein: 'Breast' } } },
    { values: { sex: { w: ' Female' } } },
  ]);
  t.deepEqual(inconsistentSpellings(config), [
    'values.sex: "Female" (n0) and "female" (n1) and " Female" (n2) are spellings of one value: choose one of them',
  ]);
});

test('names that a node has no field for are reported, but not of nodes that are down', (t) => {
  const fields = fieldsOf({ gender: 'keyword', lengths: 'long', site: 'keyword', diagnosis: 'keyword' });
  const { nodes } = network([
    {
      fields: { sex: 'gendre', place: 'site' },
      values: { sex: { F: 'f' }, sight: { a: 'b' }, site: { a: 'b' }, wholly_else: { a: 'b' } },
      units: { length: { factor: 2 }, lengths: { factor: 2 } },
    },
    { values: { anything: { a: 'b' } } },
  ]);
  const [up, down] = nodes.map((config) => ({
    ...nodeView(config.nodeId, fields),
    config,
    fieldMapping: fieldMappingOf(config),
  }));
  const status = { kind: 'down', code: 'NODE_TIMEOUT', reason: 'timed out' } as const;
  t.deepEqual(missingFields([up!, { ...down!, status }]), [
    'node n0: fields.sex: the node has no field "gendre": did you mean "gender"?',
    'node n0: values.sight: the node has no field "sight": did you mean "site"?',
    'node n0: values.site: its field "site" is "place" here, as fields says',
    'node n0: values.wholly_else: the node has no field "wholly_else"',
    'node n0: units.length: the node has no field "length": did you mean "lengths"?',
  ]);
});
