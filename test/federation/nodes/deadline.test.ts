import test from 'ava';
import { TributaryError } from '../../../src/errors/errors.ts';
import { callerLeft, endedEarly, openDeadline } from '../../../src/federation/nodes/call-guards.ts';
import { contextOf } from '../node-fixtures.ts';

const never = new Promise<never>(() => undefined);

test('a deadline of the node is its failure, one that its caller set is not', async (t) => {
  for (const isOfCaller of [false, true]) {
    const { context, before, end } = openDeadline(1, contextOf(), isOfCaller);
    await t.throwsAsync(before(never), { code: 'NODE_TIMEOUT', message: 'did not answer within 1 ms' });
    t.is(callerLeft(context.signal), isOfCaller);
    t.is(endedEarly(context.signal), isOfCaller);
    end();
  }
});

test('a closed connection says nothing of the node; the time of the whole request opens no circuit', (t) => {
  const late = new TributaryError('ENGINE_TIMEOUT', 'the request took too long');
  for (const [reason, isOfCaller] of [
    [undefined, true],
    [late, false],
  ] as const) {
    const { context, end } = openDeadline(60_000, contextOf().withSignal(AbortSignal.abort(reason)));
    t.is(callerLeft(context.signal), isOfCaller);
    t.true(endedEarly(context.signal));
    end();
  }
});
