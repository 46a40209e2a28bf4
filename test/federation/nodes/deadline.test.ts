import test from 'ava';
import { TributaryError } from '../../../src/errors.ts';
import { callerLeft, openDeadline } from '../../../src/federation/nodes/deadline.ts';
import { callerOf } from '../node-fixtures.ts';

const never = new Promise<never>(() => undefined);

test('a deadline of the node is its failure, one that its caller set is not', async (t) => {
  for (const isOfCaller of [false, true]) {
    const { caller, before, end } = openDeadline(1, callerOf(), isOfCaller);
    await t.throwsAsync(before(never), { code: 'NODE_TIMEOUT', message: 'did not answer within 1 ms' });
    t.is(callerLeft(caller.signal), isOfCaller);
    end();
  }
});

test('neither is the time of the whole request, nor a connection that was closed', (t) => {
  const late = new TributaryError('ENGINE_TIMEOUT', 'the request took too long');
  for (const reason of [late, undefined]) {
    const { caller, end } = openDeadline(60_000, { ...callerOf(), signal: AbortSignal.abort(reason) });
    t.true(callerLeft(caller.signal));
    end();
  }
});
