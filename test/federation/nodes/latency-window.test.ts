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
