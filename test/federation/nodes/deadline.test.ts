import test from 'ava';
import { TributaryError } from '../../../src/errors/errors.ts';
import { callerLeft, endedEarly, openDeadline } from '../../../src/federation/nodes/deadline.ts';
import { callerOf } from '../node-fixtures.ts';

const never = new Promise<never>(() => undefined);

test('a deadline of the node is its failure, one that its caller set is not', async (t) => {
  for (const isOfCaller of [false, true]) {
    const { caller, before, end } = openDeadline(1, callerOf(), isOfCaller);
    await t.throwsAsync(before(never), { code: 'NODE_TIMEOUT', message: 'did not answer within 1 ms' });
    t.is(callerLeft(caller.signal), isOfCaller);
    t.is(endedEarly(caller.signal), isOfCaller);
    end();
  }
});

test('a closed connection says nothing of the node; the time of the whole request opens no circuit', (t) => {
  const late = new TributaryError('ENGINE_TIMEOUT', 'the request took too long');
  for (const [reason, isOfCaller] of [
    [undefined, true],
    [late, false],
  ] as const) {
    const { caller, end } = openDeadline(60_000, { ...callerOf(), signal: AbortSignal.abort(reason) });
    t.is(callerLeft(caller.signal), isOfCaller);
    t.true(endedEarly(caller.signal));
    end();
  }
});
