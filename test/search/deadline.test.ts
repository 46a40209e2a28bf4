import test from 'ava';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { callerLeft, endedEarly, withDeadline } from '../../src/search/request-context.ts';
import { contextOf } from '../federation/node-fixtures.ts';

const never = new Promise<never>(() => undefined);

test('a deadline of the node is its failure, one that its caller set is not', async (t) => {
  for (const isOfCaller of [false, true]) {
    let signal: AbortSignal | undefined;
    const hanging = withDeadline(1, contextOf(), (context) => ((signal = context.signal), never), isOfCaller);
    await t.throwsAsync(hanging, { code: 'NODE_TIMEOUT', message: 'did not answer within 1 ms' });
    t.is(callerLeft(signal), isOfCaller);
    t.is(endedEarly(signal), isOfCaller);
  }
});

test('a closed connection says nothing of the node; the time of the whole request opens no circuit', async (t) => {
  const late = new TributaryError('ENGINE_TIMEOUT', 'the request took too long');
  for (const [reason, isOfCaller] of [
    [undefined, true],
    [late, false],
  ] as const) {
    const left = contextOf().withSignal(AbortSignal.abort(reason));
    let signal: AbortSignal | undefined;
    await t.throwsAsync(withDeadline(60_000, left, (context) => ((signal = context.signal), never)));
    t.is(callerLeft(signal), isOfCaller);
    t.true(endedEarly(signal));
  }
});
