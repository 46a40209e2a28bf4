import test from 'ava';
import { limitsWithinOpenFiles } from '../../../src/cli/start/listen.ts';
import { connectionLimits as limits } from '../../../src/server/http/koa/http-server.ts';

test('connections leave most of few files to the engine, and are the usual ones where files are plenty', (t) => {
  t.deepEqual(limitsWithinOpenFiles(256), { ...limits, maxConnections: 76 });
  t.deepEqual(limitsWithinOpenFiles(50), { ...limits, maxConnections: 8 });
  t.deepEqual(limitsWithinOpenFiles(1_048_576), limits);
  t.deepEqual(limitsWithinOpenFiles(null), limits);
});
