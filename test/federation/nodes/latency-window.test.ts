import test from 'ava';
import { LatencyWindow } from '../../../src/federation/nodes/node-monitor.ts';

test('percentiles are those of the calls, by nearest rank', (t) => {
  const window = new LatencyWindow();
  t.is(window.percentiles(), null);
  for (let tookMs = 100; tookMs >= 1; tookMs -= 1) window.add(tookMs);
  t.deepEqual(window.percentiles(), { p50: 50, p95: 95, p99: 99, calls: 100 });
});

test('only the last calls count', (t) => {
  const window = new LatencyWindow(4);
  for (const tookMs of [1000, 1000, 1000, 1, 2, 3, 4]) window.add(tookMs);
  t.deepEqual(window.percentiles(), { p50: 2, p95: 4, p99: 4, calls: 4 });
});

test('the adaptive timeout is three times the 99th percentile, at least 250 ms, and unknown for few calls', (t) => {
  const window = new LatencyWindow();
  for (let call = 1; call < 20; call += 1) window.add(10);
  t.is(window.adaptiveTimeoutMs(), null);
  window.add(10);
  t.is(window.adaptiveTimeoutMs(), 250);
  for (let call = 0; call < 100; call += 1) window.add(400);
  t.is(window.adaptiveTimeoutMs(), 1_200);
});
