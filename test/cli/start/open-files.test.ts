import test from 'ava';
import { withinOpenFiles } from '../../../src/cli/start/listen.ts';

const limits = { maxConnections: 1_000, maxIdleConnections: 500, sendTimeoutMs: 30_000 };

test('connections leave most of few files to the engine, and are as many as configured where files are plenty', (t) => {
  t.deepEqual(withinOpenFiles(limits, 256), { ...limits, maxConnections: 76 });
  t.deepEqual(withinOpenFiles(limits, 50), { ...limits, maxConnections: 8 });
  t.deepEqual(withinOpenFiles(limits, 1_048_576), limits);
  t.deepEqual(withinOpenFiles(limits, null), limits);
});
