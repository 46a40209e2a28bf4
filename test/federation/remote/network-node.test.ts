import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import {
  institutionsForm,
  missingFrom,
  passedOn,
  pathHeaders,
  readLoop,
  readReach,
  readSilence,
  repeatedNodes,
} from '../../../src/federation/remote/network-node.ts';
import { deadlineHeaders, timeLeftMs } from '../../../src/federation/remote/node-statements.ts';
import { contextOf } from '../node-fixtures.ts';

const codeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof TributaryError ? [error.code, error.message] : error;
  }
};

const through = (path: string): unknown =>
  codeOf(() => passedOn(contextOf([], { 'tributary-path': path }), 'mine', 0).through);

test('a query carries the keys of the servers it passed, and passes none twice', (t) => {
  t.deepEqual(passedOn(contextOf(), 'mine', 0).through, ['mine']);
  t.deepEqual(through('a, b, c, d'), ['a', 'b', 'c', 'd', 'mine']);
  t.deepEqual(through('a,mine'), ['NETWORK_LOOP', 'the network is reached through itself']);
  for (const header of ['a b c', Array.from({ length: 17 }, (_, at) => at).join(',')])
    t.is((through(header) as string[])[0], 'BAD_USER_INPUT', header);
  t.deepEqual(pathHeaders(passedOn(contextOf([], { 'tributary-path': 'a' }), 'mine', 0)), {
    'tributary-path': 'a, mine',
  });
});

test('the time that is left shrinks by what merging takes at each network', (t) => {
  const outer = passedOn(contextOf([], { 'tributary-deadline-ms': '600000' }), 'a', 1_000);
  const left = timeLeftMs({ ...deadlineHeaders(outer.dueAtMs) })!;
  t.true(left <= 599_000 && left > 0);
  t.is(deadlineHeaders(undefined), undefined);
  t.is(passedOn(contextOf([], { 'tributary-deadline-ms': 'soon' }), 'a', 0).dueAtMs, undefined);
});

test('what another network refuses gets wording of our own', (t) => {
  const error = (code: string, details?: object) => ({ message: '<script>', extensions: { code, details } });
  t.is(readLoop(error('NETWORK_LOOP'))?.message, 'the network is reached through itself');
  t.is(readLoop(error('FORBIDDEN')), null);
  const silent = readSilence(error('ENGINE_UNAVAILABLE', { nodes: [{}, {}] }));
  t.deepEqual([silent?.code, silent?.message], ['NODE_UNREACHABLE', 'none of its institutions answered']);
  for (const details of [undefined, {}, { nodes: [] }, { nodes: 2 }])
    t.is(readSilence(error('ENGINE_UNAVAILABLE', details)), null);
});

test('what an answer of a network lacks is counted over its nodes, whatever it says of itself', (t) => {
  const nodes = (...parts: (readonly [answered: number, queried: number])[]) =>
    parts.map(([answered, queried]) => ({ reach: { answered, queried } }));
  const missing = (...parts: Parameters<typeof nodes>) =>
    missingFrom({ reach: readReach({ partial: false, nodes: nodes(...parts) }) });
  t.is(missing([1, 1], [4, 4]), null);
  t.is(missing([1, 1], [0, 1], [2, 3], [0, 0]), '2 of its 5 institutions did not answer');
  t.is(missingFrom({}), null);
  for (const hits of [undefined, null, {}, { nodes: [null] }, { nodes: nodes([-1, 2]) }, { nodes: 'OK' }])
    t.deepEqual(
      codeOf(() => readReach(hits)),
      ['NODE_BAD_RESPONSE', 'the answer is malformed at hits.nodes'],
    );
});

const key = (letter: string): string => `${letter.repeat(43)}/trees`;

test('institutions are read as one list, their names as plain text, unusable keys as not known', (t) => {
  const institutions = [
    { key: key('a'), name: 'Lyon\n<b>' },
    { key: 'short', name: 'Oslo' },
  ];
  t.deepEqual(institutionsForm.parse({ nodes: [{ institutions }, { institutions: [] }] }), [
    { key: key('a'), name: 'Lyon b' },
    { key: null, name: 'Oslo' },
  ]);
});

const over = (nodeId: string, names: Readonly<Record<string, string | null>>) =>
  [nodeId, Object.entries(names).map(([name, one]) => ({ name, key: one }))] as const;

test('a node that leads to an institution a second time is refused, and hides no others', (t) => {
  const refused = repeatedNodes([
    over('eu', { Lyon: key('a'), Oslo: null }),
    over('world', { York: key('b'), 'CHU Lyon': key('a') }),
    over('york', { York: key('b'), Oslo: null }),
    over('old', {}),
  ]);
  t.deepEqual(
    [...refused],
    [
      [
        'world',
        '"CHU Lyon" would be reached twice, through node "eu" and through node "world": remove one of them',
      ],
    ],
  );
});
