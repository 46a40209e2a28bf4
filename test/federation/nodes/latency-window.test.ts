import test from 'ava';
import { LatencyWindow } from '../../../src/federation/nodes/node-monitor.ts';

test('percentiles are those of the calls, by nearest rank', (t) => {
  const window = new LatencyWindow();
  t.is(window.percentiles(), null);
  for (let tookMs = 100; tookMs >= 1; tookMs -= 1) window.add(tookMs);
  t.deepEqual(window.percentiles(), { p50: 50, p95: 95, p99: 99, calls: 100, slowOfLast20: 0 });
});

test('only the last calls count', (t) => {
  const window = new LatencyWindow(4);
  for (const tookMs of [1000, 1000, 1000, 1, 2, 3, 4]) window.add(tookMs);
  t.deepEqual(window.percentiles(), { p50: 2, p95: 4, p99: 4, calls: 4, slowOfLast20: 0 });
});

test('slow calls are counted among the last 20', (t) => {
  const window = new LatencyWindow(30);
  for (let call = 0; call < 40; call += 1) window.add(call < 22 || call > 37 ? 5_001 : 5_000);
  t.is(window.percentiles()?.slowOfLast20, 4);
});
