import { mock } from 'node:test';
import test from 'ava';
import { TributaryError, type ErrorCode } from '../../../src/lib/errors/errors.ts';
import { Circuit, NodeMonitor } from '../../../src/federation/nodes/node-monitor.ts';
import type { NodeCall, NodeChange } from '../../../src/federation/nodes/node-view.ts';

const nowMs = Date.parse('2020-05-04T03:00:00.000Z');

/** A monitored node on a clock of ours. */
const monitored = (quietMs = 0, kind: 'remote' | 'local' = 'remote') => {
  const clock = { nowMs };
  const changes: NodeChange[] = [];
  const calls: NodeCall[] = [];
  const monitor: NodeMonitor = new NodeMonitor({
    nodeId: 'north',
    kind,
    observer: { changed: (change) => void changes.push(change), called: (call) => void calls.push(call) },
    isOpen: () => circuit.opened !== null,
    first: 'discovering',
    quietMs,
    nowMs: () => clock.nowMs,
  });
  const circuit = new Circuit(
    () => clock.nowMs,
    (failure) => monitor.transitionTo('circuitOpen', failure),
  );
  const call = async (code: ErrorCode | null, signal?: AbortSignal): Promise<void> => {
    const failing = async (): Promise<void> => {
      if (code) throw new TributaryError(code, `because of ${code}`);
    };
    await monitor.run(() => circuit.run(failing, signal), signal).catch(() => undefined);
  };
  return { monitor, clock, changes, calls, call };
};

test('each change of state is reported once, with why and since when', async (t) => {
  const { monitor, clock, changes, call } = monitored();
  monitor.transitionTo('ok', null);
  clock.nowMs += 1_000;
  for (let round = 0; round < 5; round += 1) await call('NODE_UNREACHABLE');
  t.deepEqual(
    changes.map(({ state, was, code }) => ({ state, was, code })),
    [
      { state: 'ok', was: 'discovering', code: null },
      { state: 'failing', was: 'ok', code: 'NODE_UNREACHABLE' },
      { state: 'circuitOpen', was: 'failing', code: 'NODE_UNREACHABLE' },
    ],
  );
  t.like(changes[1], {
    nodeId: 'north',
    kind: 'remote',
    since: '2020-05-04T03:00:01.000Z',
    wasSince: '2020-05-04T03:00:00.000Z',
    reason: 'because of NODE_UNREACHABLE',
  });
  t.like(monitor.report(), { state: 'circuitOpen', circuit: 'open', requests: 3, failures: 3 });
  clock.nowMs += 5_000;
  await call(null);
  t.like(monitor.report(), {
    state: 'ok',
    since: '2020-05-04T03:00:06.000Z',
    circuit: 'closed',
    // what went wrong stays readable after the recovery
    lastError: 'because of NODE_UNREACHABLE',
    lastErrorCode: 'NODE_UNREACHABLE',
    lastErrorAt: '2020-05-04T03:00:01.000Z',
    lastAnswerAt: '2020-05-04T03:00:06.000Z',
    requests: 4,
    failures: 3,
  });
});

test('a node that fails now and then is not reported for each call: it must answer well for a while', async (t) => {
  const { monitor, changes, call } = monitored(60_000);
  t.teardown(() => monitor.close());
  monitor.transitionTo('ok', null);
  for (const code of ['NODE_BAD_RESPONSE', null, 'NODE_BAD_RESPONSE', null, null] as const) await call(code);
  t.deepEqual(
    changes.map(({ state }) => state),
    ['ok', 'failing'],
  );
  t.is(monitor.report().state, 'failing');
});

test.serial('after that while it has recovered, unless it fails again before', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { monitor, changes, call } = monitored(1_000);
  monitor.transitionTo('ok', null);
  for (const code of ['NODE_BAD_RESPONSE', null, null, 'NODE_BAD_RESPONSE'] as const) await call(code);
  mock.timers.tick(1_000);
  t.is(monitor.state, 'failing');
  await call(null);
  mock.timers.tick(1_000);
  t.deepEqual(
    changes.map(({ state }) => state),
    ['ok', 'failing', 'ok'],
  );
});

test('a refusal is a failure of the call, not of the node; a caller who leaves is neither', async (t) => {
  const { monitor, calls, call } = monitored();
  monitor.transitionTo('ok', null);
  await call('NODE_REFUSED');
  t.like(monitor.report(), { state: 'ok', requests: 1, failures: 1, lastErrorCode: 'NODE_REFUSED' });
  await call('NODE_TIMEOUT', AbortSignal.abort());
  t.like(monitor.report(), { requests: 1, failures: 1 });
  t.deepEqual(
    calls.map(({ code }) => code),
    ['NODE_REFUSED'],
  );
});

test('a mistake of the client is an answer of the node', async (t) => {
  const { monitor, calls, call } = monitored();
  monitor.transitionTo('ok', null);
  await call('BAD_USER_INPUT');
  t.like(monitor.report(), { state: 'ok', requests: 1, failures: 0, lastError: null, lastErrorAt: null });
  t.not(monitor.report().lastAnswerAt, null);
  t.deepEqual(
    calls.map(({ code }) => code),
    [null],
  );
  await call('NODE_REFUSED');
  t.like(monitor.report(), { requests: 2, failures: 1, lastErrorCode: 'NODE_REFUSED' });
});

for (const code of ['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT'] as const)
  test(`a catalogue of this process that refuses its caller has not failed: ${code}`, async (t) => {
    const { monitor, calls, call } = monitored(0, 'local');
    monitor.transitionTo('ok', null);
    await call(code);
    t.like(monitor.report(), { state: 'ok', requests: 1, failures: 0, lastError: null, lastErrorAt: null });
    t.deepEqual(
      calls.map(({ code }) => code),
      [null],
    );
  });
