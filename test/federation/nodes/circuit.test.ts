import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { Circuit } from '../../../src/federation/nodes/node-monitor.ts';

/** A circuit on a clock of ours, and a node that fails with the code given. */
const circuitOnClock = () => {
  const node = {
    code: 'NODE_UNREACHABLE' as 'NODE_UNREACHABLE' | 'NODE_REFUSED' | null,
    requested: 0,
    nowMs: 1_000_000,
  };
  const circuit = new Circuit(() => node.nowMs);
  const call = async (): Promise<void> => {
    node.requested += 1;
    if (node.code) throw new TributaryError(node.code, 'down');
  };
  const runQuery = async (): Promise<string> => {
    try {
      await circuit.run(call, undefined);
      return 'ok';
    } catch (error) {
      return (error as TributaryError).code;
    }
  };
  return { node, circuit, runQuery };
};

test('opens after three failures to reach the node, and asks it no more', async (t) => {
  const { node, circuit, runQuery } = circuitOnClock();
  t.deepEqual(
    [await runQuery(), await runQuery(), await runQuery(), await runQuery()],
    ['NODE_UNREACHABLE', 'NODE_UNREACHABLE', 'NODE_UNREACHABLE', 'NODE_CIRCUIT_OPEN'],
  );
  t.is(node.requested, 3);
  t.like(circuit.opened, { reason: 'down', sinceMs: 1_000_000 });
});

test('after a pause one probe goes through; failing doubles the pause, an answer closes the circuit', async (t) => {
  const { node, circuit, runQuery } = circuitOnClock();
  for (let round = 0; round < 3; round += 1) await runQuery();
  node.nowMs += 5_000;
  t.deepEqual(await Promise.all([runQuery(), runQuery()]), ['NODE_UNREACHABLE', 'NODE_CIRCUIT_OPEN']);
  node.nowMs += 9_999;
  t.is(await runQuery(), 'NODE_CIRCUIT_OPEN');
  node.nowMs += 1;
  node.code = null;
  t.is(await runQuery(), 'ok');
  t.is(circuit.opened, null);
});

test('no pause is longer than a minute', async (t) => {
  const { node, runQuery } = circuitOnClock();
  for (let round = 0; round < 3; round += 1) await runQuery();
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    node.nowMs += seconds * 1_000 - 1;
    t.is(await runQuery(), 'NODE_CIRCUIT_OPEN', `${seconds}`);
    node.nowMs += 1;
    t.is(await runQuery(), 'NODE_UNREACHABLE', `${seconds}`);
  }
});

test('a node that answers with a refusal is reached', async (t) => {
  const { node, circuit, runQuery } = circuitOnClock();
  await runQuery();
  await runQuery();
  node.code = 'NODE_REFUSED';
  t.is(await runQuery(), 'NODE_REFUSED');
  node.code = 'NODE_UNREACHABLE';
  await runQuery();
  await runQuery();
  t.is(circuit.opened, null);
});

test('calls that were under way when it opened do not make the pause longer', async (t) => {
  const { node, circuit, runQuery } = circuitOnClock();
  await Promise.all(Array.from({ length: 20 }, runQuery));
  t.is(node.requested, 20);
  t.not(circuit.opened, null);
  node.nowMs += 5_000;
  node.code = null;
  t.is(await runQuery(), 'ok');
});

test('a caller who leaves opens nothing, a deadline does', async (t) => {
  const { circuit, node } = circuitOnClock();
  const fail = (): Promise<never> => Promise.reject(new TributaryError('NODE_TIMEOUT', 'slow'));
  const left = AbortSignal.abort();
  const late = AbortSignal.abort(new TributaryError('NODE_TIMEOUT', 'late'));
  for (let round = 0; round < 5; round += 1) await t.throwsAsync(circuit.run(fail, left));
  t.is(circuit.opened, null);
  for (let round = 0; round < 3; round += 1) await t.throwsAsync(circuit.run(fail, late));
  t.deepEqual(circuit.opened?.sinceMs, node.nowMs);
});

test('opening is reported once, whatever its probes return', async (t) => {
  const clock = { nowMs: 0 };
  const reported: unknown[] = [];
  const circuit = new Circuit(
    () => clock.nowMs,
    (failure) => void reported.push(failure),
  );
  const fail = (): Promise<never> => Promise.reject(new TributaryError('NODE_UNREACHABLE', 'down'));
  for (let round = 0; round < 6; round += 1) {
    await t.throwsAsync(circuit.run(fail, undefined));
    if (round > 2) clock.nowMs += 60_000;
  }
  t.deepEqual(reported, [{ code: 'NODE_UNREACHABLE', reason: 'down' }]);
});

test('deadlines that pass while others are answered open nothing: the node is slow, not away', async (t) => {
  const { circuit } = circuitOnClock();
  const late = (): Promise<never> => Promise.reject(new TributaryError('NODE_TIMEOUT', 'slow'));
  const answered = Promise.withResolvers<undefined>();
  const slow = Promise.withResolvers<undefined>();
  const calls = Array.from({ length: 5 }, () => circuit.run(() => slow.promise.then(late), undefined));
  const other = circuit.run(() => answered.promise, undefined);
  answered.resolve(undefined);
  await other;
  slow.resolve(undefined);
  for (const call of calls) await t.throwsAsync(call, { code: 'NODE_TIMEOUT' });
  t.is(circuit.opened, null);
  for (let round = 0; round < 3; round += 1) await t.throwsAsync(circuit.run(late, undefined));
  t.not(circuit.opened, null);
});
