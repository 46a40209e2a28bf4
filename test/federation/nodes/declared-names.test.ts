import test from 'ava';
import type { FieldReport } from '../../../src/federation/nodes/network-fields.ts';
import {
  missingFields,
  inconsistentSpellings,
  unknownTypes,
} from '../../../src/federation/nodes/network-fields.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';

const network = (nodes: readonly object[], fields: object = {}) =>
  readNodes(
    { network: { fields }, nodes: nodes.map((node, at) => ({ nodeId: `n${at}`, catalogue: 'c', ...node })) },
    'nodes.json',
  );

test('types no index has are told with the one that is meant', (t) => {
  const fields = {
    age: 'int',
    site: 'keywrod',
    born: 'datetime',
    at: 'geo_point',
    name: 'text',
    n: 'Integer',
  };
  t.deepEqual(unknownTypes(network([{}], fields)), [
    'network.fields.age: "int" is not a mapped type: did you mean "integer"?',
    'network.fields.site: "keywrod" is not a mapped type: did you mean "keyword"?',
    'network.fields.born: "datetime" is not a mapped type: did you mean "date"?',
    'network.fields.n: "Integer" is not a mapped type: did you mean "integer"?',
  ]);
});

test('one value of the network in two spellings is told with who writes which', (t) => {
  const config = network([
    { values: { sex: { F: 'Female', M: 'Male' } } },
    { values: { sex: { 1: 'female', 2: 'Male' }, site: { Sein: 'Breast' } } },
    { values: { sex: { w: ' Female' } } },
  ]);
  t.deepEqual(inconsistentSpellings(config), [
    'values.sex: "Female" (n0) and "female" (n1) and " Female" (n2) are spellings of one value: choose one of them',
  ]);
});

const report = (path: string, ...states: ('covered' | 'missing' | 'unknown')[]): FieldReport => ({
  path,
  name: path,
  type: 'keyword',
  isArray: false,
  nodes: states.map((state, at) => ({
    nodeId: `n${at}`,
    state,
    path: state === 'covered' ? path : null,
    type: null,
    reason: null,
  })),
});

test('names that a node has no field for are told, but of nodes that are down', (t) => {
  const config = network([
    { fields: { sex: 'gendre' }, values: { sex: { F: 'f' }, sight: { a: 'b' }, site: { a: 'b' } } },
    { values: { anything: { a: 'b' } } },
  ]);
  const reports = [
    report('sex', 'missing', 'unknown'),
    report('site', 'covered', 'unknown'),
    report('gender', 'covered', 'unknown'),
  ];
  t.deepEqual(missingFields(config, reports), [
    'node n0: fields.sex: the node has no field "gendre": did you mean "gender"?',
    'node n0: values.sight: the node has no field "sight": did you mean "site"?',
  ]);
});
