import test from 'ava';
import { TributaryError } from '../../../src/errors/errors.ts';
import { levelHeaders, nextLevel, readLoop } from '../../../src/federation/remote/node-statements.ts';
import { contextOf } from '../node-fixtures.ts';

const refusalOf = (path: string): unknown => {
  try {
    return nextLevel(contextOf([], { 'tributary-path': path }), 'mine', 0).through;
  } catch (error) {
    return error instanceof TributaryError ? [error.code, error.message] : error;
  }
};

test('a question carries the keys of the networks it passed, and comes through none twice', (t) => {
  t.deepEqual(nextLevel(contextOf(), 'mine', 0).through, ['mine']);
  t.deepEqual(refusalOf('a, b'), ['a', 'b', 'mine']);
  t.deepEqual(refusalOf('a,mine'), ['NETWORK_LOOP', 'the network is reached through itself']);
  t.deepEqual(refusalOf('a,b,c'), [
    'NETWORK_LOOP',
    'reached through too many networks: at most 3 may follow one another',
  ]);
  t.is((refusalOf('a b c') as string[])[0], 'BAD_USER_INPUT');
  t.deepEqual(levelHeaders(nextLevel(contextOf([], { 'tributary-path': 'a' }), 'mine', 0)), {
    'tributary-path': 'a, mine',
  });
});

test('the time that is left shrinks by what merging takes at each level', (t) => {
  const outer = nextLevel(contextOf([], { 'tributary-deadline-ms': '600000' }), 'a', 1_000);
  const left = Number(levelHeaders(outer)['tributary-deadline-ms']);
  t.true(left <= 599_000 && left > 0);
  t.is(nextLevel(contextOf([], { 'tributary-deadline-ms': 'soon' }), 'a', 0).dueAtMs, undefined);
});

test('what another network refuses gets wording of our own', (t) => {
  const error = (details?: object) => ({
    message: '<script>',
    extensions: { code: 'NETWORK_LOOP', ...(details && { details }) },
  });
  t.is(readLoop(error())?.message, 'the network is reached through itself');
  t.is(
    readLoop(error({ maxLevels: 3 }))?.message,
    'reached through too many networks: at most 3 may follow one another',
  );
  t.is(readLoop({ extensions: { code: 'FORBIDDEN' } }), null);
});
