import test from 'ava';
import {
  readCoverage,
  readNodes,
  readStatuses,
  silentStatus,
} from '../../../src/federation/remote/levels.ts';

const key = `${'k'.repeat(43)}/trees`;
const disclosure = { tier: 'counts', threshold: 5, counted: 'record', date: '2026-01-31' };
const same = {
  nodeId: 'lyon',
  hits: 3,
  status: 'OK',
  errors: '',
  state: 'ok',
  code: null,
  took: 12,
  uncoveredFields: ['genus'],
  key,
} as const;
const sent = { ...same, name: 'Lyon  <b>1</b>\n', upper_bound: 8, withheld: true, disclosure };
const read = { ...same, name: 'Lyon b1/b', upperBound: 8, withheld: disclosure } as const;

test('a status is read with its texts cleaned', (t) => {
  t.deepEqual(readStatuses([sent]), [read]);
  const errors = [' a\u0000b ', 'é\u2028ü', 'x'.repeat(301)];
  const statuses = readStatuses(errors.map((one) => ({ ...sent, errors: one })));
  t.deepEqual(
    statuses?.map(({ errors }) => errors),
    ['a b', 'é ü', 'x'.repeat(300)],
  );
});

test('a network whose node failed is partial, whatever it says of itself', (t) => {
  const failed = { ...sent, status: 'ERROR', state: 'timeout' };
  for (const [partial, nodes, expected] of [
    [false, [sent], false],
    [true, [sent], true],
    [false, [sent, failed], true],
  ] as const)
    t.is(readNodes({ partial, nodes }, {}, (path) => path).partial, expected);
});

test('whatever a network does not say of a node is unset, and its id is its name', (t) => {
  const { withheld, upperBound, ...plain } = read;
  t.truthy([withheld, upperBound]);
  const silent = {
    ...plain,
    name: 'lyon',
    hits: null,
    status: null,
    took: 0,
    uncoveredFields: [],
    key: null,
  };
  const { nodeId, state } = sent;
  const nulls = Object.fromEntries(Object.keys(sent).map((name) => [name, null]));
  t.deepEqual(
    readStatuses([
      { nodeId, state },
      { ...nulls, nodeId, state },
      { nodeId, state, name: ' \n<>' },
    ]),
    [silent, silent, silent] as never,
  );
});

test('a status that is malformed anywhere refuses all', (t) => {
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    nodeId: [undefined, null, '', 1, 'x'.repeat(1_001)],
    name: [1, {}],
    hits: [-1, 1.5, '1', 2 ** 53, Infinity],
    upper_bound: [-1, 1.5, '1', 2 ** 53],
    withheld: ['true', 1],
    status: ['FINE', 1],
    errors: [1, []],
    state: [undefined, null, 'fine', 'toString', 1],
    took: [-1, 0.5, '1'],
    uncoveredFields: ['genus', {}, [1], ['x'.repeat(1_001)], Array.from({ length: 10_001 }, () => 'a')],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      t.is(readStatuses([sent, { ...sent, [name]: value }]), null, `${name} ${value}`);
  for (const listed of [
    undefined,
    null,
    {},
    'x',
    [null],
    ['x'],
    [[]],
    Array.from({ length: 10_001 }, () => sent),
  ])
    t.is(readStatuses(listed), null);
  t.is(readStatuses(Array.from({ length: 10_000 }, () => sent))?.length, 10_000);
});

test('codes, keys and statements that are not known are dropped', (t) => {
  for (const code of ['x', 1, 'toString', {}]) t.deepEqual(readStatuses([{ ...sent, code }]), [read]);
  t.is(readStatuses([{ ...sent, code: 'NODE_TIMEOUT' }])?.[0]?.code, 'NODE_TIMEOUT');
  for (const other of ['x', 1, `${'k'.repeat(42)}/a`, `${key} b`, `${key}${'x'.repeat(1_000)}`])
    t.is(readStatuses([{ ...sent, key: other }])?.[0]?.key, null);
  const unnamed = { tier: 'counts', threshold: 1, counted: '', date: null };
  for (const other of [
    undefined,
    null,
    1,
    { ...disclosure, tier: 'records' },
    { ...disclosure, threshold: 0 },
  ])
    t.deepEqual(readStatuses([{ ...sent, disclosure: other }])?.[0]?.withheld, unnamed as never);
  t.is(readStatuses([{ ...sent, withheld: false }])?.[0]?.withheld, undefined);
});

test('coverage is read, or refused as a whole', (t) => {
  const one = { nodeId: 'lyon', state: 'answered', docs: 3 };
  t.deepEqual(readCoverage([one, { nodeId: 'oslo', state: 'withheld', more: 1 }]), [
    one,
    { nodeId: 'oslo', state: 'withheld', docs: null },
  ] as never);
  const wrong = [
    { ...one, nodeId: '' },
    { ...one, state: 'ok' },
    { ...one, docs: -1 },
    { ...one, docs: '3' },
    null,
  ];
  for (const other of wrong) t.is(readCoverage([one, other]), null);
  for (const listed of [undefined, {}, Array.from({ length: 10_001 }, () => one)])
    t.is(readCoverage(listed), null);
});

test('a node that did not answer has no hits', (t) => {
  t.like(silentStatus('lyon', 'timeout', 'late'), {
    nodeId: 'lyon',
    name: 'lyon',
    hits: 0,
    status: 'ERROR',
    state: 'timeout',
    errors: 'late',
  });
});
