import test from 'ava';
import { latencyWindow } from '../../../src/federation/nodes/node-monitor.ts';

test('percentiles are those of the calls, by nearest rank', (t) => {
  const window = latencyWindow();
  t.is(window.latencies(), null);
  for (let tookMs = 100; tookMs >= 1; tookMs -= 1) window.add(tookMs);
  t.deepEqual(window.latencies(), { p50: 50, p95: 95, p99: 99, calls: 100 });
});

test('only the last calls count', (t) => {
  const window = latencyWindow(4);
  for (const tookMs of [1000, 1000, 1000, 1, 2, 3, 4]) window.add(tookMs);
  t.deepEqual(window.latencies(), { p50: 2, p95: 4, p99: 4, calls: 4 });
});

test('the usual time follows the calls, and is not known before the first', (t) => {
  const window = latencyWindow();
  t.is(window.usualMs(), null);
  window.add(80);
  t.is(window.usualMs(), 80);
  window.add(160);
  t.is(window.usualMs(), 90);
  for (let call = 0; call < 100; call += 1) window.add(20);
  t.is(Math.round(window.usualMs()!), 20);
});

test('what is usual is three times the 99th percentile, at least 250 ms, and unknown of few calls', (t) => {
  const window = latencyWindow();
  for (let call = 1; call < 20; call += 1) window.add(10);
  t.is(window.adaptiveTimeoutMs(), null);
  window.add(10);
  t.is(window.adaptiveTimeoutMs(), 250);
  for (let call = 0; call < 100; call += 1) window.add(400);
  t.is(window.adaptiveTimeoutMs(), 1_200);
});
